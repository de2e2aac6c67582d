// RowThreads: work on rows shared out among a few threads.
//
//   RowThreads threads(environmentThreads());
//   threads.each(rows, [&](size_t thread, size_t begin, size_t end) { … });
//
// The calling thread takes part as number 0. Which thread takes which rows depends on timing; rows
// must not depend on each other. Threads start with the first call that has rows for them, and
// sleep between calls; one that wakes too late to find rows left holds nobody up. An exception of
// `work` reaches the caller once all rows are done; of several, the one of the lowest rows. One
// caller at a time. Cost: about 10 µs a call to wake sleeping threads; with one thread none.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fdg::rl {

/// How many threads of a process step one VectorEnv: 1, or what the variable FDG_ENV_THREADS says.
/// One is right where each core has a process of its own. Throws UserError for a bad value.
size_t environmentThreads();

class RowThreads {
 public:
  using Work = std::function<void(size_t thread, size_t begin, size_t end)>;

  explicit RowThreads(size_t threads) : size_(threads) {}
  ~RowThreads();
  RowThreads(const RowThreads&) = delete;
  RowThreads& operator=(const RowThreads&) = delete;

  size_t size() const { return size_; }
  void each(size_t rows, const Work& work);

 private:
  void start();
  void live(size_t thread);
  void takeParts(size_t thread);
  void keep(size_t begin);

  size_t size_;
  std::vector<std::thread> threads_;
  std::atomic<uint32_t> round_ = 0;  // counts calls; the others wait for it to change
  std::atomic<bool> ended_ = false;
  // The call's number in the upper half and its parts that nobody has taken in the lower: whoever
  // wakes in a later call cannot take a part by what it saw of an earlier one.
  std::atomic<uint64_t> untaken_ = 0;
  std::atomic<uint32_t> undone_ = 0;  // parts of the call
  // Of the call under way; they stay while a part that was taken is not done.
  const Work* work_ = nullptr;
  size_t rows_ = 0;
  size_t part_ = 1;
  std::mutex failing_;
  std::exception_ptr failure_;
  size_t failed_at_ = 0;
};

}  // namespace fdg::rl
