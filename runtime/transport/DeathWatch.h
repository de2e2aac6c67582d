// The processes of the node's other ranks → who of them has died, milliseconds later, and a ring of
// the own doorbell.
//
// MPI tells of a death when the launcher has passed it on and somebody asks; the kernel tells at
// once. A thread sleeps on handles of the processes (pidfd) and costs nothing until one ends. A
// process that is stopped lives. Where handles cannot be had (an old kernel, a process that is gone
// already) nobody is watched, and MPI alone tells. One thread may take.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/transport/Doorbell.h"

namespace fdg::transport {

class DeathWatch {
 public:
  struct Watched {
    int rank = 0;
    pid_t process = 0;
  };

  /// The bell must outlive it.
  DeathWatch(const std::vector<Watched>& ranks, Doorbell& bell);
  ~DeathWatch();
  DeathWatch(const DeathWatch&) = delete;
  DeathWatch& operator=(const DeathWatch&) = delete;

  /// Ranks that have died since the last call. A load where there are none.
  std::vector<int> take();

 private:
  void watch();

  Doorbell& bell_;
  std::vector<int> ranks_;
  std::vector<pollfd> handles_;  // of the ranks, and one that ends the watch
  std::atomic<bool> any_ = false;
  std::mutex mutex_;
  std::vector<int> dead_;
  std::thread thread_;
};

}  // namespace fdg::transport
