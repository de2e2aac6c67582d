#include "runtime/transport/MpiEnds.h"

namespace fdg::transport {
namespace {

/// Tensors from so many bytes on are sent from where they lie: a message of its own costs more than
/// copying less.
constexpr size_t kApartFrom = 32 << 10;

}  // namespace

bool MpiSender::mayStart() const {
  const auto window = spec_.flow == Flow::newest ? 1 : static_cast<uint64_t>(spec_.window);
  return sent_ - taken_ < window;
}

void MpiSender::start(const Message& message) {
  image_.lay(message, kApartFrom);
  for (const Image::Piece& tensor : image_.apart()) {
    link_->link->sendFrom(spec_.to_rank, tagOf(Carries::tensor, peer_end_),
                          {tensor.data, tensor.size}, std::make_shared<at::Tensor>(tensor.keeps));
  }
  const size_t size = image_.size();
  const std::optional<Rider> rider =
      size + sizeof(Rider) <= kReadyAtOnce ? link_->takeRider(spec_.to_rank) : std::nullopt;
  const auto buffer = link_->link->buffer(size + (rider ? sizeof(Rider) : 0));
  image_.copy(buffer->data(), 0, size, /*read_here=*/true);
  if (rider) {
    std::memcpy(buffer->data() + size, &*rider, sizeof(Rider));
  }
  image_.clear();
  ++sent_;
  const Carries what = rider ? Carries::message_and_rider : Carries::message;
  link_->link->send(spec_.to_rank, tagOf(what, peer_end_), buffer);
}

bool MpiSender::trySend(Message& message) {
  if (peer_end_ < 0 || closed_ || link_->link == nullptr) {
    return false;
  }
  if (consumer_closed_) {
    return true;
  }
  if (mayStart()) {
    start(message);
    return true;
  }
  if (spec_.flow == Flow::newest) {
    next_ = std::move(message);
    return true;
  }
  return false;
}

void MpiSender::take(const Receipt& receipt) {
  taken_ = std::max(taken_, receipt.taken);
  if (receipt.closed != 0) {
    consumer_closed_ = true;
    next_.reset();
  }
  if (next_ && mayStart()) {
    start(*next_);
    next_.reset();
    if (closed_) {
      sendClose();
    }
  }
}

void MpiSender::sendClose() {
  if (peer_end_ >= 0 && link_->link != nullptr) {
    link_->link->send(spec_.to_rank, tagOf(Carries::message, peer_end_),
                      std::make_shared<Buffer>(0));
  }
}

void MpiSender::close() {
  if (closed_) {
    return;
  }
  closed_ = true;
  if (!next_) {
    sendClose();
  }
}

bool MpiReceiver::Arrived::isReady() const {
  return message->ready && std::ranges::all_of(tensors, &Incoming::ready);
}

void MpiReceiver::take(std::shared_ptr<Incoming> message) {
  arrived_.push_back({std::move(message), std::exchange(tensors_, {})});
}

void MpiReceiver::dropSuperseded() {
  // The newest ready message stays, with what comes after it; the producer may send the next at
  // once.
  uint64_t ready = 0;
  for (const Arrived& arrived : arrived_) {
    ready += arrived.isReady() && !arrived.isClose() ? 1 : 0;
  }
  acknowledged_ = std::max(acknowledged_, taken_ + ready);
  for (; ready > 1; --ready) {
    arrived_.pop_front();
    ++taken_;
  }
}

bool MpiReceiver::tryReceive(Message& message) {
  if (closed_) {
    return false;
  }
  if (spec_.flow == Flow::newest) {
    dropSuperseded();
  }
  if (arrived_.empty() || !arrived_.front().isReady() || arrived_.front().isClose()) {
    return false;
  }
  const std::shared_ptr<Buffer> buffer = std::move(arrived_.front().message->buffer);
  std::vector<std::shared_ptr<Buffer>> tensors;
  for (const auto& tensor : arrived_.front().tensors) {
    tensors.push_back(std::move(tensor->buffer));
  }
  arrived_.pop_front();
  ++taken_;
  readImage(buffer->bytes(), buffer, message, tensors);
  pump();
  return true;
}

bool MpiReceiver::ended() const {
  if (closed_ || arrived_.empty() || !arrived_.front().isReady()) {
    return closed_ || producer_died_;  // what is under way from a dead rank never becomes ready
  }
  return arrived_.front().isClose();
}

int64_t MpiReceiver::waiting() const {
  int64_t count = 0;
  for (const Arrived& arrived : arrived_) {
    if (!arrived.isReady() || arrived.isClose()) {
      break;
    }
    ++count;
  }
  return spec_.flow == Flow::newest ? std::min<int64_t>(count, 1) : count;
}

bool MpiReceiver::pump() {
  if (closed_) {
    arrived_.clear();
    tensors_.clear();
    return false;
  }
  if (spec_.flow == Flow::newest) {
    dropSuperseded();
    if (acknowledged_ > told_) {
      sendReceipt();
    }
  } else if (const uint64_t owed = taken_ - told_, window = static_cast<uint64_t>(spec_.window);
             owed >= (window + 1) / 2 && owed + arrived_.size() > window / 2) {
    sendReceipt();  // one that has a credit left can wait for flush()
  }
  return false;
}

void MpiReceiver::flush() {
  if (owes()) {
    sendReceipt();
  }
}

std::optional<Rider> MpiReceiver::takeRider() {
  if (!owes()) {
    return std::nullopt;
  }
  told_ = taken_;
  return Rider{{told_, 0}, peer_end_};
}

void MpiReceiver::sendReceipt() {
  if (peer_end_ < 0 || link_->link == nullptr) {
    return;
  }
  told_ = spec_.flow == Flow::newest ? acknowledged_ : taken_;
  const Receipt receipt{told_, closed_ ? 1U : 0U};
  auto buffer = std::make_shared<Buffer>(sizeof receipt);
  std::memcpy(buffer->data(), &receipt, sizeof receipt);
  link_->link->send(spec_.from_rank, tagOf(Carries::receipt, peer_end_), std::move(buffer));
}

void MpiReceiver::close() {
  if (closed_) {
    return;
  }
  closed_ = true;
  sendReceipt();
  pump();
}

}  // namespace fdg::transport
