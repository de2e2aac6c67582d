#include "runtime/transport/Doorbell.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace fdg::transport {

void Doorbell::ring() {
  // Sequentially consistent against sleep(): either the sleeper sees the new count or we see the
  // sleeper. One that was woken may have to wait for a core: who rings meanwhile leaves it alone.
  rings.fetch_add(1, std::memory_order_seq_cst);
  if (sleeping.load(std::memory_order_seq_cst) != 0 &&
      sleeping.exchange(0, std::memory_order_seq_cst) != 0) {
    syscall(SYS_futex, &rings, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  }
}

bool Doorbell::sleep(uint32_t seen, std::chrono::microseconds most) {
  if (most.count() <= 0) {
    return true;
  }
  bool is_undisturbed = true;
  sleeping.store(1, std::memory_order_seq_cst);
  if (rings.load(std::memory_order_seq_cst) == seen) {
    timespec time{};
    time.tv_sec = most.count() / 1'000'000;
    time.tv_nsec = most.count() % 1'000'000 * 1000;
    is_undisturbed =
        syscall(SYS_futex, &rings, FUTEX_WAIT, seen, &time, nullptr, 0) == 0 || errno != EINTR;
  }
  sleeping.store(0, std::memory_order_release);
  return is_undisturbed;
}

}  // namespace fdg::transport
