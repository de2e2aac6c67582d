// Logs everywhere: in front of, between, behind and in two loops, by fragments of which some have no
// part in a loop, and some in one of them only. What the test of resumed logs runs.
#include <thread>

#include "fdg/fdg.h"

struct Config {
  int64_t steps = 60;
  int64_t pause_us = 20000;  ///< Of each iteration.
};

/// Counts its calls. `Part<N>`s are of different fragments.
template <int N>
class Part {
 public:
  double next(double x) {
    sum_ = sum_ * 0.5 + x + N;
    return sum_;
  }

  template <class A>
  void archive(A& a) {
    a(sum_);
  }

 private:
  double sum_ = 0;
};

class FDG_ROLE("surveyor") Surveyor : public Part<1> {};
class FDG_ROLE("first") First : public Part<2> {};
class FDG_ROLE("second") Second : public Part<3> {};
class FDG_ROLE("other") Other : public Part<4> {};
class FDG_ROLE("between") Between : public Part<5> {};
class FDG_ROLE("closer") Closer : public Part<6> {};

void outside(fdg::Run& run, const Config& cfg) {
  Surveyor surveyor;
  First first;
  Second second;
  Other other;
  Between between;
  Closer closer;
  run.log("surveyor", surveyor.next(1));
  for (int64_t i = 0; i < 3; ++i) {
    run.log("survey", surveyor.next(2));
  }
  auto ground = surveyor.next(3);
  fdg::partition(fdg::broadcast, ground);
  run.log("first/start", first.next(ground));
  for (int64_t i = 0; i < cfg.steps; ++i) {
    auto x = first.next(static_cast<double>(i));
    fdg::partition(fdg::broadcast, x);
    run.log("second", second.next(x));
    std::this_thread::sleep_for(std::chrono::microseconds(cfg.pause_us));
  }
  run.log("between", between.next(1));
  run.log("first/between", first.next(0));
  for (int64_t i = 0; i < cfg.steps; ++i) {
    auto y = second.next(static_cast<double>(i));
    fdg::partition(fdg::broadcast, y);
    run.log("other", other.next(y));
    std::this_thread::sleep_for(std::chrono::microseconds(cfg.pause_us));
  }
  run.log("second/end", second.next(0));
  run.log("first/end", first.next(0));
  run.log("closer", closer.next(1));
}
FDG_PROGRAM(outside)
