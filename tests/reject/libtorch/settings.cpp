// Settings of the process: in front of everything, or not at all.
#include <filesystem>
#include <locale>

#include "tests/accept/parts.h"

struct Config {
  int64_t steps = 9;
};

int64_t whole(const torch::Tensor& t) { return (t.detach() * 64).sum().to(torch::kInt64).item<int64_t>(); }


class FDG_ROLE("player") Player {
 public:
  Player() {
    torch::set_num_threads(1);
    torch::set_default_dtype(caffe2::TypeMeta::Make<float>());  // refused: setting_in_component
  }
  void flush() { at::globalContext().setFlushDenormal(true); }  // refused: setting_in_component
  void speak() { std::locale::global(std::locale::classic()); }  // refused: setting_in_component
  void move() { std::filesystem::current_path(std::filesystem::current_path()); }  // refused: setting_in_component
  int64_t play(int64_t x) {
    torch::NoGradGuard none;
    rounds_ += x;
    return rounds_;
  }
  void freeze() { torch::GradMode::set_enabled(false); }  // refused: setting_in_component

 private:
  int64_t rounds_ = 0;
};

void prepare(bool gradients) { torch::GradMode::set_enabled(gradients); }

void train(fdg::Run& run, const Config& cfg) {
  torch::set_num_threads(1);
  if (cfg.steps > 3) {
    torch::set_default_dtype(caffe2::TypeMeta::Make<double>());
  }
  prepare(cfg.steps > 100);
  parts::Source source;
  parts::Sink sink;
  Player player;
  torch::set_num_threads(static_cast<int>(source.next() % 2) + 1);  // refused: setting_late
  for (int64_t i = 0; i < cfg.steps; ++i) {
    torch::GradMode::set_enabled(i % 2 == 0);  // refused: setting_late
    int64_t x = source.next();
    fdg::partition(fdg::broadcast, x);
    sink.take(x + whole(torch::ones({3}) / 3));
    int64_t rounds = player.play(x);
    player.freeze();
    player.flush();
    player.speak();
    player.move();
    fdg::partition(fdg::broadcast, rounds);
    sink.take(rounds);
    run.log("sum", sink.sum());
  }
  torch::set_default_dtype(caffe2::TypeMeta::Make<float>());  // refused: setting_late
}
FDG_PROGRAM(train)
