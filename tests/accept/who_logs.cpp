// Logs of components and lambdas that keep the run, between those of other fragments; the function's own
// name; printing; a setting of the process, which every fragment needs.
#include <iostream>

#include "parts.h"

#define NOTE(what, value) run.log(std::string(__func__) + "/" + (what), value)

constexpr bool kChatty = true;

struct Config {
  int64_t steps = 12;
};

class FDG_ROLE("reporter") Reporter {
 public:
  explicit Reporter(fdg::Run& run) : run_(run) {}
  void put(const std::string& key, int64_t value) { run_.log(key, value + calls_++); }

 private:
  fdg::Run& run_;
  int64_t calls_ = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  torch::set_default_dtype(caffe2::TypeMeta::Make<double>());
  parts::Buffer buffer;
  parts::Learner learner;
  Reporter reporter(run);
  const auto note = [&run](int64_t value) { run.log("note", value); };
  for (int64_t step = 0; step < cfg.steps; ++step) {
    auto batch = buffer.sample(2);
    fdg::partition(fdg::broadcast, batch);
    learner.learn(batch);
    int64_t loss = learner.loss();
    fdg::partition(fdg::broadcast, loss);
    reporter.put("loss", loss);
    int64_t size = buffer.size();
    fdg::partition(fdg::broadcast, size);
    reporter.put("size", size);
    note(learner.loss());
    note(buffer.size());
    if constexpr (kChatty) {
      std::cout << "step " << step << " of " << cfg.steps << ": " << 0.5 * static_cast<double>(size) << std::endl;
    }
    NOTE("loss", learner.loss());
    run.log("third", torch::ones({1}) / 3 + learner.loss());
  }
  run.log(__FUNCTION__, torch::ones({1}) / 7 + buffer.size());
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment buffer: components buffer
// CHECK-DAG: fragment learner: components learner
// CHECK-DAG: fragment reporter: components reporter
