#include "runtime/transport/DeathWatch.h"

#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <utility>

#include "base/SignalsHeldBack.h"

namespace fdg::transport {

DeathWatch::DeathWatch(const std::vector<Watched>& ranks, Doorbell& bell) : bell_(bell) {
  for (const Watched& one : ranks) {
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, one.process, 0));
    if (handle >= 0) {
      ranks_.push_back(one.rank);
      handles_.push_back({handle, POLLIN, 0});
    }
  }
  const int end = ranks_.empty() ? -1 : ::eventfd(0, EFD_CLOEXEC);
  if (end < 0) {
    return;
  }
  handles_.push_back({end, POLLIN, 0});
  const SignalsHeldBack held_back;
  thread_ = std::thread([this] { watch(); });
}

DeathWatch::~DeathWatch() {
  if (thread_.joinable()) {
    const uint64_t one = 1;
    while (::write(handles_.back().fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
    thread_.join();
  }
  for (const pollfd& handle : handles_) {
    ::close(handle.fd < 0 ? ~handle.fd : handle.fd);
  }
}

std::vector<int> DeathWatch::take() {
  if (!any_.load(std::memory_order_acquire)) {
    return {};
  }
  const std::scoped_lock lock(mutex_);
  any_.store(false, std::memory_order_relaxed);
  return std::exchange(dead_, {});
}

void DeathWatch::watch() {
  while (handles_.back().revents == 0) {
    if (::poll(handles_.data(), handles_.size(), -1) < 0) {
      continue;
    }
    for (size_t i = 0; i < ranks_.size(); ++i) {
      if (handles_[i].revents != 0) {
        handles_[i].fd = ~handles_[i].fd;  // poll passes over it
        const std::scoped_lock lock(mutex_);
        dead_.push_back(ranks_[i]);
        any_.store(true, std::memory_order_release);
      }
    }
    if (any_.load(std::memory_order_relaxed)) {
      bell_.ring();
    }
  }
}

}  // namespace fdg::transport
