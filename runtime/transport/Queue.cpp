#include "runtime/transport/Queue.h"

#include <deque>
#include <optional>

#include "runtime/transport/Apart.h"

namespace fdg::transport {

struct QueueCarrier::Queue {
  Queue(const ChannelSpec& spec, std::shared_ptr<Bells> all)
      : flow(spec.flow),
        window(static_cast<size_t>(spec.window)),
        bells(std::move(all)),
        producer((*bells)[static_cast<size_t>(spec.from_rank)]),
        consumer((*bells)[static_cast<size_t>(spec.to_rank)]) {}

  bool hasRoom() const { return flow == Flow::newest || messages.size() < window; }

  const Flow flow;
  const size_t window;
  const std::shared_ptr<Bells> bells;
  Doorbell& producer;
  Doorbell& consumer;

  mutable std::mutex lock;  // of all that follows
  std::deque<Message> messages;
  bool producer_closed = false;
  bool consumer_closed = false;
  bool producer_waits = false;  // it found no room
};

class QueueCarrier::QueueSender final : public Sender {
 public:
  explicit QueueSender(std::shared_ptr<Queue> queue) : queue_(std::move(queue)) {}
  ~QueueSender() override { close(); }

  bool passesValues() const override { return false; }
  bool trySend(Message& message) override;
  void close() override;
  bool consumerClosed() const override {
    const std::lock_guard hold(queue_->lock);
    return queue_->consumer_closed;
  }

 private:
  enum class Room { some, none, closed };
  Room look();

  std::shared_ptr<Queue> queue_;
};

class QueueCarrier::QueueReceiver final : public Receiver {
 public:
  explicit QueueReceiver(std::shared_ptr<Queue> queue) : queue_(std::move(queue)) {}
  ~QueueReceiver() override { close(); }

  bool tryReceive(Message& message) override;
  bool ended() const override {
    const std::lock_guard hold(queue_->lock);
    return queue_->consumer_closed || (queue_->producer_closed && queue_->messages.empty());
  }
  void close() override;
  int64_t waiting() const override {
    const std::lock_guard hold(queue_->lock);
    return static_cast<int64_t>(queue_->messages.size());
  }

 private:
  std::shared_ptr<Queue> queue_;
};

QueueCarrier::QueueSender::Room QueueCarrier::QueueSender::look() {
  const std::lock_guard hold(queue_->lock);
  if (queue_->consumer_closed) {
    return Room::closed;
  }
  queue_->producer_waits = !queue_->hasRoom();
  return queue_->producer_waits ? Room::none : Room::some;
}

bool QueueCarrier::QueueSender::trySend(Message& message) {
  const Room room = look();  // stays: only this end fills it
  if (room != Room::some) {
    return room == Room::closed;
  }
  setApart(message.parts);
  std::optional<Message> replaced;  // goes when nobody waits for the lock
  {
    const std::lock_guard hold(queue_->lock);
    if (queue_->consumer_closed) {
      return true;
    }
    if (queue_->flow == Flow::newest && !queue_->messages.empty()) {
      replaced = std::move(queue_->messages.front());
      queue_->messages.pop_front();
    }
    queue_->messages.push_back(std::move(message));
  }
  queue_->consumer.ring();
  return true;
}

void QueueCarrier::QueueSender::close() {
  {
    const std::lock_guard hold(queue_->lock);
    if (std::exchange(queue_->producer_closed, true)) {
      return;
    }
  }
  queue_->consumer.ring();
}

bool QueueCarrier::QueueReceiver::tryReceive(Message& message) {
  Message taken;
  bool was_waited_for = false;
  {
    const std::lock_guard hold(queue_->lock);
    if (queue_->messages.empty()) {
      return false;
    }
    taken = std::move(queue_->messages.front());
    queue_->messages.pop_front();
    was_waited_for = std::exchange(queue_->producer_waits, false);
  }
  if (was_waited_for) {
    queue_->producer.ring();
  }
  message = std::move(taken);
  return true;
}

void QueueCarrier::QueueReceiver::close() {
  std::deque<Message> dropped;
  {
    const std::lock_guard hold(queue_->lock);
    if (std::exchange(queue_->consumer_closed, true)) {
      return;
    }
    dropped.swap(queue_->messages);
  }
  queue_->producer.ring();
}

std::shared_ptr<QueueCarrier::Queue> QueueCarrier::queueFor(const ChannelSpec& spec, bool sender) {
  const std::lock_guard hold(opening_);
  return half_open_.open(spec, sender, [&] { return std::make_shared<Queue>(spec, bells_); });
}

std::unique_ptr<Sender> QueueCarrier::openSender(const ChannelSpec& spec) {
  if (spec.flow == Flow::called) {
    return calls_.openSender(spec);
  }
  return std::make_unique<QueueSender>(queueFor(spec, true));
}

std::unique_ptr<Receiver> QueueCarrier::openReceiver(const ChannelSpec& spec) {
  if (spec.flow == Flow::called) {
    return calls_.openReceiver(spec);
  }
  return std::make_unique<QueueReceiver>(queueFor(spec, false));
}

void QueueCarrier::check() const {
  const std::lock_guard hold(opening_);
  half_open_.checkNone();
  calls_.check();
}

}  // namespace fdg::transport
