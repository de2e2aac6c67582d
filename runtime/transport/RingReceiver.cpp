#include "runtime/transport/Packing.h"
#include "runtime/transport/RingControl.h"
#include "runtime/transport/SharedRing.h"

namespace fdg::transport {
namespace {

/// Up to this size a message is copied out: that costs less than lending its slot.
constexpr size_t kLendFrom = 4096;

/// What a consumer's end shares with the tensors it has lent.
struct Lender {
  SharedPort port;
  RingControl* control = nullptr;
  std::atomic<uint32_t> lent{0};

  void tellProducer() {
    // Either the producer's refresh after its ask() sees what was freed, or the ask is seen here.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    ringIfAsked();
  }
  /// Behind a sequentially consistent change of what the producer reads first.
  void ringIfAsked() {
    if (control->wants.load(std::memory_order_seq_cst) != 0 &&
        control->wants.exchange(0, std::memory_order_acq_rel) != 0) {
      port.peer->ring();
    }
  }
  /// Only the holder of a slot frees it, so a load and a store are enough.
  void free(size_t slot) {
    std::atomic<uint32_t>& count = control->freed[slot];
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
};

/// Frees a slot when the last tensor over it is gone.
class Loan {
 public:
  Loan(std::shared_ptr<Lender> lender, size_t slot) : lender_(std::move(lender)), slot_(slot) {
    lender_->lent.fetch_add(1, std::memory_order_relaxed);
  }
  ~Loan() {
    lender_->free(slot_);
    lender_->lent.fetch_sub(1, std::memory_order_relaxed);
    lender_->tellProducer();
  }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

 private:
  std::shared_ptr<Lender> lender_;
  size_t slot_;
};

class Consumer final : public RingReceiver {
 public:
  explicit Consumer(const ChannelSpec& spec) : held_(spec.held) {}

  void attach(SharedPort port) override {
    lender_ = std::make_shared<Lender>();
    lender_->port = std::move(port);
    lender_->control = &lender_->port.control<RingControl>();
    control_ = lender_->control;
  }

  bool tryReceive(Message& message) override;
  bool ended() const override {
    return closed_ || (control_ != nullptr && (assembled_ == nullptr || isCutOff()) &&
                       control_->producer_closed.load(std::memory_order_acquire) != 0 && !next());
  }
  void close() override;
  int64_t waiting() const override;
  bool pump() override;
  bool idle() const override { return true; }
  void peerDied() override {
    producer_died_ = true;
    control_->producer_closed.store(1, std::memory_order_release);
  }

 private:
  /// The next piece; null if none is published.
  const RingEntry* next() const { return published(consumed_, place_); }
  const RingEntry* published(uint64_t piece, size_t place) const {
    const RingEntry& entry = control_->entries[place];
    return entry.sequence.load(std::memory_order_acquire) == piece + 1 ? &entry : nullptr;
  }
  bool isComplete() const { return assembled_ != nullptr && filled_ == assembled_->size(); }
  /// The producer died within this message.
  bool isCutOff() const { return producer_died_ && !isComplete(); }
  void check(const RingEntry& entry) const;
  void takeWhole(const RingEntry& entry, Message& message);
  void advance();
  bool assemble();

  bool held_;
  bool closed_ = false;
  bool producer_died_ = false;
  std::shared_ptr<Lender> lender_;
  RingControl* control_ = nullptr;
  uint64_t consumed_ = 0;  // pieces
  size_t place_ = 0;       // of the next one's entry
  uint64_t taken_ = 0;
  std::shared_ptr<Buffer> assembled_;  // a message that comes in pieces
  size_t filled_ = 0;
};

void Consumer::check(const RingEntry& entry) const {
  const ChannelShape& shape = lender_->port.shape;
  const size_t begin = assembled_ ? filled_ : 0;
  if (entry.slot >= shape.slots || entry.length > shape.stride || entry.begin != begin ||
      entry.length > entry.image - begin || (assembled_ && entry.image != assembled_->size())) {
    throw UserError(
        "its shared memory is damaged: a piece does not fit where it should go; another process may "
        "have written to it");
  }
}

void Consumer::advance() {
  ++consumed_;
  place_ = lender_->port.shape.behind(place_);
}

void Consumer::takeWhole(const RingEntry& entry, Message& message) {
  check(entry);
  const size_t slot = entry.slot;
  const std::byte* data = entry.holdsData() ? entry.data : lender_->port.slot(slot);
  const std::span<const std::byte> image(data, entry.length);
  const bool lend = !held_ && image.size() > kLendFrom &&
                    lender_->lent.load(std::memory_order_relaxed) < kLendable && hasTensors(image);
  if (lend) {
    readImage(image, std::make_shared<Loan>(lender_, slot), message);
  } else {
    readImage(image, nullptr, message);
    lender_->free(slot);
  }
  advance();
}

bool Consumer::tryReceive(Message& message) {
  if (control_ == nullptr || closed_) {
    return false;
  }
  const RingEntry* entry = next();
  if (assembled_ == nullptr && entry == nullptr) {
    return false;
  }
  ownSoon(&control_->taken);  // which the producer may have read
  if (assembled_ == nullptr && entry->length == entry->image) {
    takeWhole(*entry, message);
  } else {
    assemble();
    if (!isComplete()) {
      return false;
    }
    readImage(assembled_->bytes(), assembled_, message);
    assembled_.reset();
  }
  ++taken_;
  control_->taken.exchange(taken_, std::memory_order_seq_cst);  // costs less than a store and a fence
  lender_->ringIfAsked();
  return true;
}

bool Consumer::assemble() {
  bool moved = false;
  while (!isComplete()) {
    const RingEntry* entry = next();
    if (entry == nullptr || (assembled_ == nullptr && entry->length == entry->image)) {
      break;
    }
    check(*entry);
    if (assembled_ == nullptr) {
      assembled_ = std::make_shared<Buffer>(entry->image);
      filled_ = 0;
    }
    std::memcpy(assembled_->data() + filled_, lender_->port.slot(entry->slot), entry->length);
    filled_ += entry->length;
    lender_->free(entry->slot);
    advance();
    moved = true;
  }
  if (moved) {
    lender_->tellProducer();
  }
  return moved;
}

bool Consumer::pump() { return control_ != nullptr && !closed_ && assemble() && isComplete(); }

int64_t Consumer::waiting() const {
  if (control_ == nullptr || closed_) {
    return 0;
  }
  int64_t count = isComplete() ? 1 : 0;
  size_t place = place_;
  for (uint64_t piece = consumed_; const RingEntry* entry = published(piece, place); ++piece) {
    place = lender_->port.shape.behind(place);
    count += entry->begin + entry->length == entry->image ? 1 : 0;
  }
  return count;
}

void Consumer::close() {
  if (closed_) {
    return;
  }
  closed_ = true;
  assembled_.reset();
  if (control_ != nullptr) {
    control_->consumer_closed.store(1, std::memory_order_release);
    lender_->port.peer->ring();
  }
}

}  // namespace

std::shared_ptr<RingReceiver> makeRingReceiver(const ChannelSpec& spec) {
  return std::make_shared<Consumer>(spec);
}

}  // namespace fdg::transport
