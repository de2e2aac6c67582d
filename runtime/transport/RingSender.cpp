#include <array>
#include <deque>

#include "runtime/transport/Packing.h"
#include "runtime/transport/RingControl.h"
#include "runtime/transport/SharedRing.h"

namespace fdg::transport {
namespace {

/// Pieces of a message that does not fit into a slot: large enough to cost nothing, small enough
/// for the receiver to copy one while the next is written.
constexpr size_t kPiece = 2 << 20;

class Producer final : public RingSender {
 public:
  explicit Producer(const ChannelSpec& spec) : window_(static_cast<uint64_t>(spec.window)) {}

  void attach(SharedPort port, size_t first_commit) override {
    port_ = std::move(port);
    control_ = &port_.control<RingControl>();
    committed_.emplace(port_.shape.slots, first_commit);
  }

  bool passesValues() const override { return false; }
  bool trySend(Message& message) override;
  void close() override;
  bool consumerClosed() const override {
    return control_ != nullptr && control_->consumer_closed.load(std::memory_order_acquire) != 0;
  }
  bool pump() override;
  bool idle() const override { return queue_.empty(); }
  void peerDied() override {
    control_->consumer_closed.store(1, std::memory_order_release);
    pump();
  }

 private:
  /// A message that waits for slots.
  struct Waiting {
    Message message;
    Image image;
    size_t sent = 0;
  };

  bool hasCredit();
  bool sendWhole(const Message& message);
  std::optional<size_t> freeSlot();
  std::optional<size_t> knownFreeSlot();
  void refresh();
  /// Asks to be rung; what was freed just before is seen by the refresh that must follow.
  void ask();
  void publish(const Image& image, size_t slot, size_t begin, size_t length);
  bool pumpFront();
  void publishClose();

  uint64_t window_;
  SharedPort port_;
  RingControl* control_ = nullptr;
  std::optional<Committed> committed_;
  Image image_;
  std::deque<std::unique_ptr<Waiting>> queue_;
  uint64_t sent_ = 0;       // messages that hold or held a credit
  uint64_t taken_ = 0;      // as last read
  uint64_t published_ = 0;  // pieces
  size_t place_ = 0;        // of the next one's entry
  std::array<uint32_t, kMostSlots> used_{};
  std::array<uint32_t, kMostSlots> freed_{};  // as last read
  size_t next_slot_ = 0;
  bool closed_ = false;
};

bool Producer::trySend(Message& message) {
  if (control_ == nullptr || closed_) {
    return false;
  }
  if (consumerClosed()) {
    return true;
  }
  // Not its first line, which the consumer looks at.
  const auto* entry = reinterpret_cast<const std::byte*>(&control_->entries[place_]);
  ownSoon(entry + 64);
  ownSoon(entry + 128);
  if (!hasCredit()) {
    return false;
  }
  if (queue_.empty() && sendWhole(message)) {
    ++sent_;
    return true;
  }
  auto waiting = std::make_unique<Waiting>();
  waiting->message = std::move(message);
  waiting->image.lay(waiting->message);
  queue_.push_back(std::move(waiting));
  ++sent_;
  pump();
  return true;
}

bool Producer::hasCredit() {
  if (sent_ - taken_ < window_) {
    return true;
  }
  refresh();
  if (sent_ - taken_ < window_) {
    return true;
  }
  ask();
  refresh();
  return sent_ - taken_ < window_;
}

void Producer::refresh() {
  taken_ = control_->taken.load(std::memory_order_acquire);
  for (size_t i = 0; i < port_.shape.slots; ++i) {
    freed_[i] = control_->freed[i].load(std::memory_order_acquire);
  }
}

void Producer::ask() {
  control_->wants.store(1, std::memory_order_seq_cst);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

std::optional<size_t> Producer::knownFreeSlot() {
  size_t slot = next_slot_;
  do {
    if (used_[slot] == freed_[slot]) {
      next_slot_ = port_.shape.behind(slot);
      return slot;
    }
    slot = port_.shape.behind(slot);
  } while (slot != next_slot_);
  return std::nullopt;
}

std::optional<size_t> Producer::freeSlot() {
  if (const auto slot = knownFreeSlot()) {
    return slot;
  }
  refresh();
  if (const auto slot = knownFreeSlot()) {
    return slot;
  }
  ask();
  refresh();
  return knownFreeSlot();
}

bool Producer::sendWhole(const Message& message) {
  image_.lay(message);
  const size_t size = image_.size();
  if (size > port_.shape.stride) {
    image_.clear();
    return false;
  }
  const auto slot = freeSlot();
  if (!slot || committed_->grow(port_, *slot, size) < size) {
    image_.clear();
    return false;
  }
  publish(image_, *slot, 0, size);
  image_.clear();
  return true;
}

void Producer::publish(const Image& image, size_t slot, size_t begin, size_t length) {
  // The entry is free: at most slots − 1 pieces are published and not consumed while a slot is
  // free.
  RingEntry& next = control_->entries[place_];
  next.slot = slot;
  next.length = length;
  next.begin = begin;
  next.image = image.size();
  image.copy(next.holdsData() ? next.data : port_.slot(slot), begin, begin + length);
  ++used_[slot];
  ++published_;
  place_ = port_.shape.behind(place_);
  next.sequence.store(published_, std::memory_order_release);
  port_.peer->ring();
}

bool Producer::pumpFront() {
  Waiting& front = *queue_.front();
  const size_t size = front.image.size();
  bool moved = false;
  while (front.sent < size) {
    const auto slot = freeSlot();
    if (!slot) {
      return moved;
    }
    const size_t left = size - front.sent;
    const size_t wanted = size <= port_.shape.stride ? left : std::min(left, kPiece);
    const size_t length = std::min(left, committed_->grow(port_, *slot, wanted));
    publish(front.image, *slot, front.sent, length);
    front.sent += length;
    moved = true;
  }
  queue_.pop_front();
  return true;
}

bool Producer::pump() {
  bool moved = false;
  if (!queue_.empty() && consumerClosed()) {
    queue_.clear();
    moved = true;
  }
  while (!queue_.empty()) {
    const size_t before = queue_.size();
    moved = pumpFront() || moved;
    if (queue_.size() == before) {
      break;
    }
  }
  if (closed_ && queue_.empty()) {
    publishClose();
  }
  return moved;
}

void Producer::close() {
  if (closed_) {
    return;
  }
  closed_ = true;
  if (control_ != nullptr) {
    pump();
  }
}

void Producer::publishClose() {
  if (control_->producer_closed.load(std::memory_order_relaxed) == 0) {
    control_->producer_closed.store(1, std::memory_order_release);
    port_.peer->ring();
  }
}

}  // namespace

size_t ringSlots(int window) {
  return std::min(static_cast<size_t>(window), kMostSlots - kLendable) + kLendable;
}

size_t ringControlBytes(int window) {
  return roundToPage(offsetof(RingControl, entries) + ringSlots(window) * sizeof(RingEntry));
}

std::shared_ptr<RingSender> makeRingSender(const ChannelSpec& spec) {
  return std::make_shared<Producer>(spec);
}

}  // namespace fdg::transport
