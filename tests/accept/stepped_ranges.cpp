// Range-for over what has no fixed length: a view that filters, a list that grows, a map, a loader that can be gone
// over once. Others are told before each step whether there is one.
#include <list>
#include <map>
#include <memory>
#include <ranges>
#include <sstream>
#include <string>
#include <vector>

#include "parts.h"

struct Config {
  int64_t steps = 8;
};

/// Its iterators share its state: going over it draws.
class FDG_ROLE("loader") Loader {
 public:
  class Iterator {
   public:
    Iterator(Loader* loader, int64_t left) : loader_(loader), left_(left) {}
    int64_t operator*() const { return loader_->seed_; }
    Iterator& operator++() {
      loader_->seed_ = loader_->seed_ * 31 % 1009;
      --left_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return left_ != other.left_; }

   private:
    Loader* loader_;
    int64_t left_;
  };
  Iterator begin() { return {this, 3}; }
  Iterator end() { return {this, 0}; }
  void note(int64_t x) { seed_ += x % 5; }
  bool isEven(int64_t x) const { return x % 2 == 0; }

 private:
  int64_t seed_ = 7;
};

void train(fdg::Run& run, const Config& cfg) {
  Loader loader;
  parts::Sink sink;
  for (int64_t step = 0; step < cfg.steps; ++step) {
    for (const auto item : loader) {
      fdg::partition(fdg::broadcast, item);
      if (item % 7 == 0) {
        continue;
      }
      sink.take(item);
      run.log("item", sink.sum());
    }
    int64_t total = sink.sum();
    fdg::partition(fdg::broadcast, total);
    loader.note(total);
    std::vector<int64_t> drawn = {1, 2, 3, 4};
    for (auto number : drawn | std::views::filter([&](int64_t n) { return loader.isEven(n + total); })) {
      fdg::partition(fdg::broadcast, number);
      sink.take(number);
    }
    std::list<int64_t> open = {total % 3 + 1};
    for (auto& job : open) {
      int64_t weight = job * 2;
      fdg::partition(fdg::broadcast, weight);
      sink.take(weight);
      if (open.size() < 4 && loader.isEven(job)) {
        open.push_back(job + 1);
        open.push_back(job + 2);
      }
    }
    std::map<int64_t, int64_t> counts = {{step, total % 5}, {-1, 3}};
    for (auto [key, count] : counts) {
      loader.note(count);
      fdg::partition(fdg::broadcast, key, count);
      sink.take(key + count);
      if (count == 4) {
        break;
      }
    }
    std::istringstream words(std::to_string(loader.isEven(total) ? 12 : 345) + " 6 7");
    for (int64_t word : std::views::istream<int64_t>(words)) {
      loader.note(word);
      fdg::partition(fdg::broadcast, word);
      sink.take(word);
    }
    run.log("sum", sink.sum());
  }
}
FDG_PROGRAM(train)

// CHECK-DAG: choice {{.*}}: loader -> sink
