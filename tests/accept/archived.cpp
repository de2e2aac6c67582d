// Components whose checkpoint has to put back more than values: an optimizer's own tensors, gradients that add up
// over the loop's head, an object that is first made inside the loop, one that is dropped there.
#include "parts.h"

struct Config {
  int64_t steps = 9;
};

/// A line through bare tensors, and an optimizer that knows them.
class FDG_ROLE("line") Line {
 public:
  Line() : opt_({slope_, shift_}, torch::optim::SGDOptions(0.25).momentum(0.5)) {}

  void fit(int64_t x) {
    if (fits_++ % 2 == 0) {
      opt_.zero_grad();
    }
    (slope_ * x + shift_).sum().backward();
    opt_.step();
  }
  double value() const { return (slope_.detach() * 3 + shift_.detach()).sum().item<double>(); }

  template <class A>
  void archive(A& a) {
    a(slope_, same_, shift_, opt_, fits_);
  }

 private:
  torch::Tensor slope_ = torch::ones({2}, torch::requires_grad());
  torch::Tensor same_ = slope_;
  torch::Tensor shift_ = torch::zeros({2}, torch::requires_grad());
  torch::optim::SGD opt_;
  int64_t fits_ = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Source source;
  Line line;
  std::unique_ptr<parts::Sink> late;
  std::optional<parts::Sink> early = parts::Sink();
  std::vector<std::unique_ptr<parts::Sink>> more;
  for (int64_t i = 0; i < cfg.steps; ++i) {
    int64_t x = source.next() % 5;
    fdg::partition(fdg::broadcast, x);
    line.fit(x);
    if (i == 2) {
      late = std::make_unique<parts::Sink>();
      early.reset();
    }
    if (i % 3 == 0) {
      more.emplace_back();
    } else if (i % 3 == 1) {
      more.back() = std::make_unique<parts::Sink>();
    }
    for (const auto& sink : more) {
      if (sink) {
        sink->take(x + i);
        run.log("more", sink->sum());
      }
    }
    if (late) {
      late->take(x);
      run.log("late", late->sum());
    }
    if (early) {
      early->take(x);
      run.log("early", early->sum());
    }
    run.log("line", line.value());
  }
}
FDG_PROGRAM(train)

// CHECK-NOT: no checkpoints
