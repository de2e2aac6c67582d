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
  next_ = 0;
  failure_ = nullptr;
  busy_ = static_cast<uint32_t>(threads_.size());
  ++round_;
  round_.notify_all();
  takeParts(0);
  for (uint32_t busy = busy_; busy != 0; busy = busy_) {
    busy_.wait(busy);
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
  // A thread is started before the round it first takes part in, which may have begun by now.
  uint32_t seen = 0;
  while (true) {
    for (uint32_t round = round_; round == seen; round = round_) {
      round_.wait(seen);
    }
    ++seen;
    if (ended_) {
      return;
    }
    takeParts(thread);
    if (--busy_ == 0) {
      busy_.notify_all();
    }
  }
}

void RowThreads::takeParts(size_t thread) {
  for (size_t begin = next_.fetch_add(part_); begin < rows_; begin = next_.fetch_add(part_)) {
    try {
      (*work_)(thread, begin, std::min(begin + part_, rows_));
    } catch (...) {
      keep(begin);
    }
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
