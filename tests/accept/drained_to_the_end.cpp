// What was sent is drained before the consumer goes on behind the loop, whatever `pack` and `take` held back; so
// the totals are those of the program in order.
// SAME: drained_to_the_end.yaml
// SAME: drained_to_the_end.yaml --window 1
// SAME: drained_packed.yaml
#include "parts.h"

struct Config {
  int64_t rows = 3;
  int64_t steps = 60;
};

class FDG_ROLE("store") Store {
 public:
  void add(const parts::Experience& experience) {
    rows_ += experience.reward.size(0);
    sum_ += (experience.observation * 3 + experience.action).sum().item<int64_t>();
  }
  void mark(int64_t mark) { marks_ += mark; }
  int64_t rows() const { return rows_; }
  int64_t sum() const { return sum_; }
  int64_t marks() const { return marks_; }

  template <class A>
  void archive(A& a) {
    a(rows_, sum_, marks_);
  }

 private:
  int64_t rows_ = 0;
  int64_t sum_ = 0;
  int64_t marks_ = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  parts::Environment environment(run.rows(cfg.rows));
  parts::Source source;
  Store store;
  torch::Tensor action = environment.reset();
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto outcome = environment.step(action);
    parts::Experience experience{outcome.observation, action, outcome.reward};
    action = outcome.observation % 3;
    fdg::partition(fdg::append.loose(), experience);
    store.add(experience);
    if (step % 7 == 3) {
      auto mark = source.next();
      fdg::partition(fdg::broadcast.loose(), mark);
      store.mark(mark);
    }
  }
  run.log("rows", store.rows());
  run.log("sum", store.sum());
  run.log("marks", store.marks());
}
FDG_PROGRAM(train)
