#include "runtime/transport/Calls.h"

#include <atomic>

namespace fdg::transport {

struct CallCarrier::Call {
  Call(const ChannelSpec& spec, std::function<void(int rank)> wake)
      : flow(spec.flow),
        window(static_cast<size_t>(spec.window)),
        wakeProducer([wake, rank = spec.from_rank] { wake(rank); }),
        wakeConsumer([wake, rank = spec.to_rank] { wake(rank); }) {}

  const Flow flow;
  const size_t window;
  const std::function<void()> wakeProducer, wakeConsumer;

  std::mutex gate;  // of the handler, also while it runs
  Handler handler;
  std::atomic<bool> producer_waits{false};  // it was told no
  std::atomic<bool> producer_closed{false};
  std::atomic<bool> consumer_closed{false};
};

class CallCarrier::CallSender final : public Sender {
 public:
  explicit CallSender(std::shared_ptr<Call> call) : call_(std::move(call)) {}
  ~CallSender() override { close(); }

  bool passesValues() const override { return true; }

  bool trySend(Message& message) override {
    {
      const std::lock_guard hold(call_->gate);
      if (call_->consumer_closed) {
        return true;
      }
      if (!isDealtWith(message)) {
        call_->producer_waits = true;
        if (!isDealtWith(message)) {  // what it waits for may have come before it said so
          return false;
        }
      }
    }
    call_->wakeConsumer();
    return true;
  }

  void close() override {
    if (!call_->producer_closed.exchange(true)) {
      call_->wakeConsumer();
    }
  }

  bool consumerClosed() const override { return call_->consumer_closed; }

 private:
  bool isDealtWith(Message& message) { return call_->handler && call_->handler(message); }

  std::shared_ptr<Call> call_;
};

class CallCarrier::CallReceiver final : public Receiver {
 public:
  explicit CallReceiver(std::shared_ptr<Call> call) : call_(std::move(call)) {}
  ~CallReceiver() override { close(); }

  bool tryReceive(Message& /*message*/) override { return false; }
  bool ended() const override { return call_->consumer_closed || call_->producer_closed; }
  int64_t waiting() const override { return 0; }

  void serve(Handler handler) override {
    {
      const std::lock_guard hold(call_->gate);
      call_->handler.swap(handler);
    }
    retry();
  }

  void retry() override {
    if (call_->producer_waits.exchange(false)) {
      call_->wakeProducer();
    }
  }

  void close() override {
    if (!call_->consumer_closed.exchange(true)) {
      serve({});
      call_->wakeProducer();
    }
  }

 private:
  std::shared_ptr<Call> call_;
};

std::shared_ptr<CallCarrier::Call> CallCarrier::callFor(const ChannelSpec& spec, bool sender) {
  const std::lock_guard hold(opening_);
  return half_open_.open(spec, sender, [&] { return std::make_shared<Call>(spec, wake_); });
}

std::unique_ptr<Sender> CallCarrier::openSender(const ChannelSpec& spec) {
  return std::make_unique<CallSender>(callFor(spec, true));
}

std::unique_ptr<Receiver> CallCarrier::openReceiver(const ChannelSpec& spec) {
  return std::make_unique<CallReceiver>(callFor(spec, false));
}

void CallCarrier::check() const {
  const std::lock_guard hold(opening_);
  half_open_.checkNone();
}

}  // namespace fdg::transport
