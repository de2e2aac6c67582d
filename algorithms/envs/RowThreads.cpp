#include "algorithms/envs/RowThreads.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>

#include "base/Check.h"

namespace fdg::rl {

size_t environmentThreads() {
  constexpr const char* kVariable = "FDG_ENV_THREADS";
  constexpr size_t kMost = 1024;
  const char* text = std::getenv(kVariable);
  if (text == nullptr || *text == '\0') {
    return 1;
  }
  const std::string asked = text;
  size_t threads = 0;
  const auto read = std::from_chars(asked.data(), asked.data() + asked.size(), threads);
  if (read.ec != std::errc() || read.ptr != asked.data() + asked.size() || threads < 1 ||
      threads > kMost) {
    throw UserError(std::string(kVariable) + " is \"" + asked +
                    "\"; it is the number of threads that step the environments of a process, 1 "
                    "to " +
                    std::to_string(kMost));
  }
  return threads;
}

RowThreads::~RowThreads() {
  ended_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

void RowThreads::each(size_t rows, const Work& work) {
  if (size_ == 1 || rows <= 1) {
    if (rows > 0) {
      work(0, 0, rows);
    }
    return;
  }
  start();
  work_ = &work;
  rows_ = rows;
  // Small enough that a thread which lost its core for a while holds up little.
  constexpr size_t kPartsEach = 4;
  part_ = std::max<size_t>(1, rows / (size_ * kPartsEach));
  const auto parts = static_cast<uint32_t>((rows + part_ - 1) / part_);
  failure_ = nullptr;
  undone_ = parts;
  const uint32_t round = round_ + 1;
  untaken_ = uint64_t{round} << 32 | parts;
  round_ = round;
  round_.notify_all();
  takeParts(0);
  for (uint32_t undone = undone_; undone != 0; undone = undone_) {
    undone_.wait(undone);
  }
  if (failure_) {
    std::rethrow_exception(failure_);
  }
}

void RowThreads::start() {
  while (threads_.size() + 1 < size_) {
    threads_.emplace_back([this, thread = threads_.size() + 1] { live(thread); });
  }
}

void RowThreads::live(size_t thread) {
  uint32_t seen = 0;  // the first call, for which threads are started, is number 1
  while (!ended_) {
    round_.wait(seen);
    seen = round_;
    takeParts(thread);
  }
}

void RowThreads::takeParts(size_t thread) {
  uint64_t untaken = untaken_;
  while (static_cast<uint32_t>(untaken) != 0) {
    if (!untaken_.compare_exchange_weak(untaken, untaken - 1)) {
      continue;
    }
    const size_t begin = (static_cast<uint32_t>(untaken) - 1) * part_;
    try {
      (*work_)(thread, begin, std::min(begin + part_, rows_));
    } catch (...) {
      keep(begin);
    }
    if (--undone_ == 0) {
      undone_.notify_all();
    }
    untaken = untaken_;
  }
}

void RowThreads::keep(size_t begin) {
  const std::lock_guard lock(failing_);
  if (!failure_ || begin < failed_at_) {
    failure_ = std::current_exception();
    failed_at_ = begin;
  }
}

}  // namespace fdg::rl
