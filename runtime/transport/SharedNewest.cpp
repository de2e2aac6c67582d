#include "runtime/transport/SharedNewest.h"

#include <fmt/format.h>

#include <atomic>

#include "runtime/transport/Copying.h"
#include "runtime/transport/Packing.h"

namespace fdg::transport {
namespace {

struct alignas(64) NewestSlot {
  std::atomic<uint64_t> state;  ///< 2·version when whole, 2·version − 1 while it is written.
  std::atomic<uint64_t> size;
};

struct NewestControl {
  // Written by the producer.
  alignas(64) std::atomic<uint64_t> latest;  ///< Version; 0: none yet.
  std::atomic<uint32_t> producer_closed;
  // Written by the consumer, once.
  alignas(64) std::atomic<uint32_t> consumer_closed;
  NewestSlot slots[kNewestSlots];
};

class Producer final : public NewestSender {
 public:
  void attach(SharedPort port, size_t first_commit) override {
    port_ = std::move(port);
    control_ = &port_.control<NewestControl>();
    committed_.emplace(kNewestSlots, first_commit);
  }

  bool passesValues() const override { return false; }

  bool trySend(Message& message) override {
    if (control_ == nullptr || closed_) {
      return false;
    }
    if (consumerClosed()) {
      return true;
    }
    image_.lay(message);
    write(image_);
    image_.clear();
    port_.peer->ring();
    return true;
  }

  void close() override {
    if (!closed_ && control_ != nullptr) {
      control_->producer_closed.store(1, std::memory_order_release);
      port_.peer->ring();
    }
    closed_ = true;
  }

  bool consumerClosed() const override {
    return control_ != nullptr && control_->consumer_closed.load(std::memory_order_acquire) != 0;
  }

  bool pump() override { return false; }
  bool idle() const override { return true; }
  void peerDied() override { control_->consumer_closed.store(1, std::memory_order_release); }

 private:
  void write(const Image& image) {
    const uint64_t version = version_ + 1;
    const size_t index = version % kNewestSlots;
    const size_t room = committed_->grow(port_, index, image.size());
    if (room < image.size()) {
      throw UserError(
          fmt::format("a message of {} does not fit into shared memory: a newest boundary "
                      "keeps four whole messages there, each may take {} here, and /dev/shm has {} "
                      "left; make /dev/shm larger, send less, or use mode `ordered` for this "
                      "boundary",
                      sizeText(image.size()), sizeText(port_.shape.stride),
                      sizeText(freeSharedMemory())));
    }
    NewestSlot& slot = control_->slots[index];
    slot.state.store(2 * version - 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);  // also before streaming stores
    slot.size.store(image.size(), std::memory_order_relaxed);
    image.copy(port_.slot(index), 0, image.size());
    slot.state.store(2 * version, std::memory_order_release);
    control_->latest.store(version, std::memory_order_release);
    version_ = version;
  }

  SharedPort port_;
  NewestControl* control_ = nullptr;
  std::optional<Committed> committed_;
  Image image_;
  uint64_t version_ = 0;
  bool closed_ = false;
};

class Consumer final : public NewestReceiver {
 public:
  explicit Consumer(Activity activity) : activity_(std::move(activity)) {}

  void attach(SharedPort port) override {
    port_ = std::move(port);
    control_ = &port_.control<NewestControl>();
  }

  bool tryReceive(Message& message) override {
    if (waiting() == 0) {
      return false;
    }
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const uint64_t version = control_->latest.load(std::memory_order_acquire);
      if (const std::shared_ptr<Buffer> buffer = copyVersion(version)) {
        readImage(buffer->bytes(), buffer, message);
        taken_ = version;
        return true;
      }
    }
    ++*activity_;  // there is something: do not sleep, try again
    return false;
  }

  bool ended() const override {
    return closed_ ||
           (control_ != nullptr && control_->producer_closed.load(std::memory_order_acquire) != 0 &&
            waiting() == 0);
  }

  void close() override {
    if (!closed_ && control_ != nullptr) {
      control_->consumer_closed.store(1, std::memory_order_release);
      port_.peer->ring();
    }
    closed_ = true;
  }

  int64_t waiting() const override {
    return !closed_ && control_ != nullptr &&
           control_->latest.load(std::memory_order_acquire) > taken_;
  }

  bool pump() override { return false; }
  bool idle() const override { return true; }
  void peerDied() override { control_->producer_closed.store(1, std::memory_order_release); }

 private:
  static constexpr int kAttempts = 16;
  static constexpr size_t kLook = 256 << 10;  // bytes between two looks at the version

  /// Null if the slot was rewritten while it was copied.
  std::shared_ptr<Buffer> copyVersion(uint64_t version) const {
    const size_t index = version % kNewestSlots;
    NewestSlot& slot = control_->slots[index];
    if (slot.state.load(std::memory_order_acquire) != 2 * version) {
      return nullptr;
    }
    const size_t size = slot.size.load(std::memory_order_relaxed);
    if (size > port_.shape.stride) {
      return nullptr;
    }
    auto buffer = std::make_shared<Buffer>(size);
    for (size_t at = 0; at < size; at += kLook) {
      if (slot.state.load(std::memory_order_relaxed) != 2 * version) {
        return nullptr;  // the rest would be for nothing
      }
      copyRacing(buffer->data() + at, port_.slot(index) + at, std::min(kLook, size - at));
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    return slot.state.load(std::memory_order_relaxed) == 2 * version ? buffer : nullptr;
  }

  Activity activity_;
  SharedPort port_;
  NewestControl* control_ = nullptr;
  uint64_t taken_ = 0;
  bool closed_ = false;
};

}  // namespace

size_t newestControlBytes() { return roundToPage(sizeof(NewestControl)); }

std::shared_ptr<NewestSender> makeNewestSender(const ChannelSpec&) {
  return std::make_shared<Producer>();
}

std::shared_ptr<NewestReceiver> makeNewestReceiver(const ChannelSpec&, Activity activity) {
  return std::make_shared<Consumer>(std::move(activity));
}

}  // namespace fdg::transport
