// RowThreads: work on rows shared out among a few threads.
//
//   RowThreads threads(environmentThreads());
//   threads.each(rows, [&](size_t thread, size_t begin, size_t end) { … });
//
// The calling thread takes part as number 0. Which thread takes which rows depends on timing; rows
// must not depend on each other. Threads start with the first call that has rows for them, and
// sleep between calls. An exception of `work` reaches the caller once all threads have stopped; of
// several, the one of the lowest rows. One caller at a time. Cost: about 10 µs a call to wake
// sleeping threads; with one thread none.
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
  std::atomic<uint32_t> busy_ = 0;   // of the others, in this call
  std::atomic<bool> ended_ = false;
  // Of the call under way:
  const Work* work_ = nullptr;
  size_t rows_ = 0;
  size_t part_ = 1;
  std::atomic<size_t> next_ = 0;
  std::mutex failing_;
  std::exception_ptr failure_;
  size_t failed_at_ = 0;
};

}  // namespace fdg::rl
