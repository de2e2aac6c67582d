// Everything that may cross: nested aggregates, vectors, optionals, maps, strings, enums, booleans, several
// values in one annotation.
#include <algorithm>
#include <map>
#include <optional>

#include "parts.h"

enum class Kind { first, second };

struct Inner {
  std::vector<double> numbers;
  std::array<int32_t, 2> pair{};
};

struct Message {
  Inner inner;
  std::optional<torch::Tensor> maybe;
  std::map<std::string, int64_t> counts;
  std::string text;
  Kind kind = Kind::first;
  bool flag = false;
  float ratio = 0;
};

class FDG_ROLE("source") Source {
 public:
  Message make(int64_t step) {
    Message message;
    message.inner = {{1.5 * static_cast<double>(step), 2}, {static_cast<int32_t>(step), 7}};
    if (step % 2 == 0) {
      message.maybe = torch::full({2}, step, torch::kFloat);
    }
    message.counts["step"] = step + seen_;
    message.text = "step " + std::to_string(step);
    message.kind = step % 3 == 0 ? Kind::second : Kind::first;
    message.flag = step > 4;
    message.ratio = 0.25F * static_cast<float>(step);
    return message;
  }
  void acknowledge(bool flag, const std::string& text) { seen_ += flag ? static_cast<int64_t>(text.size()) : 0; }

 private:
  int64_t seen_ = 0;
};

class FDG_ROLE("sink") Sink {
 public:
  double take(const Message& m) {
    sum_ += m.inner.numbers[0] + m.inner.pair[0] + (m.maybe ? m.maybe->sum().item<double>() : 0) +
            static_cast<double>(m.counts.at("step")) + static_cast<double>(m.text.size()) + (m.flag ? 1 : 0) + m.ratio;
    return sum_;
  }

 private:
  double sum_ = 0;
};

struct Config {
  int steps = 10;                 ///< An int, not int64_t.
  float factor = 0.5F;            ///< A float.
  std::vector<double> weights = {1, 2};
  std::string name = "n";
};

void train(fdg::Run& run, const Config& cfg) {
  Source source;
  Sink sink;
  for (int step = 0; step < cfg.steps; ++step) {
    auto message = source.make(step);
    unsigned char small = message.flag ? 3 : 4;
    auto ends = std::ranges::minmax(message.inner.numbers);
    fdg::partition(fdg::broadcast, message, small, ends);
    const double sum = sink.take(message) * cfg.factor + ends.max - ends.min;
    run.log("sum", sum + small);
    bool flag = sum > 30;
    auto text = cfg.name + std::to_string(static_cast<int>(sum));
    fdg::partition(fdg::broadcast, flag, text);
    source.acknowledge(flag, text);
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: boundary message: broadcast source -> sink
// CHECK-DAG: boundary flag: broadcast sink -> source
