// An inner loop that asks another fragment again and again (a tree search with a network), ended by the one
// that asks; the condition nests in another fragment's condition.
#include "parts.h"

struct Config {
  int64_t steps = 7;
};

class FDG_ROLE("search") Search {
 public:
  void begin(int64_t step) { left_ = step % 4 + 1; }
  bool more() const { return left_ > 0; }
  torch::Tensor leaf() { return torch::full({3}, --left_ + total_ % 5, torch::kInt64); }
  void expand(const torch::Tensor& values) { total_ += values.sum().item<int64_t>(); }
  int64_t best() const { return total_; }

 private:
  int64_t left_ = 0;
  int64_t total_ = 0;
};

class FDG_ROLE("network") Network {
 public:
  torch::Tensor evaluate(const torch::Tensor& leaf) {
    ++calls_;
    return (leaf * leaf + calls_) % 23;
  }
  bool tired() const { return calls_ % 6 == 0; }
  int64_t calls() const { return calls_; }

 private:
  int64_t calls_ = 0;
};

void train(fdg::Run& run, const Config& cfg) {
  Search search;
  Network network;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    search.begin(step);
    while (search.more()) {
      auto leaf = search.leaf();
      fdg::partition(fdg::scatter, leaf);
      auto values = network.evaluate(leaf);
      if (network.tired()) {
        run.log("calls", network.calls());
        continue;
      }
      fdg::partition(fdg::gather, values);
      search.expand(values);
    }
    run.log("best", search.best());
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: fragment search: components search;
// CHECK-DAG: fragment network: components network;
// CHECK-DAG: choice {{.*}}: search -> network
// CHECK-DAG: choice {{.*}}: network -> search
