#include "runtime/transport/Local.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace fdg::transport {

std::string describe(const ChannelKey& key) {
  return fmt::format("boundary {} from instance {} to instance {}", key.boundary, key.producer,
                     key.consumer);
}

namespace {

/// A ring that grows as far as it is needed. A deque would take memory for every third message.
class Messages {
 public:
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void push(Message&& message) {
    if (size_ == ring_.size()) {
      grow();
    }
    ring_[(first_ + size_++) & (ring_.size() - 1)] = std::move(message);
  }
  void pop(Message& into) {
    into = std::move(ring_[first_]);
    first_ = (first_ + 1) & (ring_.size() - 1);
    --size_;
  }
  void clear() {
    while (!empty()) {
      Message gone;
      pop(gone);
    }
  }

 private:
  void grow() {
    std::vector<Message> larger(std::max<size_t>(2, 2 * size_));
    for (size_t i = 0; i < size_; ++i) {
      larger[i] = std::move(ring_[(first_ + i) & (ring_.size() - 1)]);
    }
    ring_ = std::move(larger);
    first_ = 0;
  }

  std::vector<Message> ring_;  // a power of two
  size_t first_ = 0;
  size_t size_ = 0;
};

}  // namespace

struct LocalCarrier::Queue {
  Flow flow = Flow::ordered;
  size_t window = 1;
  Messages messages;
  bool producer_closed = false;
  bool consumer_closed = false;
  Activity activity;
};

class LocalCarrier::LocalSender final : public Sender {
 public:
  explicit LocalSender(std::shared_ptr<Queue> queue) : queue_(std::move(queue)) {}
  ~LocalSender() override { close(); }

  bool passesValues() const override { return true; }

  bool trySend(Message& message) override {
    Queue& queue = *queue_;
    if (queue.consumer_closed) {
      return true;
    }
    if (queue.flow == Flow::newest) {
      queue.messages.clear();
    } else if (queue.messages.size() >= queue.window) {
      return false;
    }
    queue.messages.push(std::move(message));
    ++*queue.activity;
    return true;
  }

  void close() override {
    if (!queue_->producer_closed) {
      queue_->producer_closed = true;
      ++*queue_->activity;
    }
  }

  bool consumerClosed() const override { return queue_->consumer_closed; }

 private:
  std::shared_ptr<Queue> queue_;
};

class LocalCarrier::LocalReceiver final : public Receiver {
 public:
  explicit LocalReceiver(std::shared_ptr<Queue> queue) : queue_(std::move(queue)) {}
  ~LocalReceiver() override { close(); }

  bool tryReceive(Message& message) override {
    Queue& queue = *queue_;
    if (queue.messages.empty()) {
      return false;
    }
    queue.messages.pop(message);
    ++*queue.activity;
    return true;
  }

  bool ended() const override {
    return queue_->consumer_closed || (queue_->producer_closed && queue_->messages.empty());
  }

  void close() override {
    if (!queue_->consumer_closed) {
      queue_->consumer_closed = true;
      queue_->messages.clear();
      ++*queue_->activity;
    }
  }

  int64_t waiting() const override { return static_cast<int64_t>(queue_->messages.size()); }

 private:
  std::shared_ptr<Queue> queue_;
};

std::shared_ptr<LocalCarrier::Queue> LocalCarrier::queueFor(const ChannelSpec& spec, bool sender) {
  return half_open_.open(spec, sender, [&] {
    auto queue = std::make_shared<Queue>();
    queue->flow = spec.flow;
    queue->window = static_cast<size_t>(spec.window);
    queue->activity = activity_;
    return queue;
  });
}

std::unique_ptr<Sender> LocalCarrier::openSender(const ChannelSpec& spec) {
  if (spec.flow == Flow::called) {
    return calls_.openSender(spec);
  }
  return std::make_unique<LocalSender>(queueFor(spec, true));
}

std::unique_ptr<Receiver> LocalCarrier::openReceiver(const ChannelSpec& spec) {
  if (spec.flow == Flow::called) {
    return calls_.openReceiver(spec);
  }
  return std::make_unique<LocalReceiver>(queueFor(spec, false));
}

void LocalCarrier::connect() const {
  half_open_.checkNone();
  calls_.check();
}

}  // namespace fdg::transport
