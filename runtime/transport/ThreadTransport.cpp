// The transport of each thread where ranks are threads of one process: queues between them, letter
// boxes, and a meeting place for what is collective.
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>

#include "runtime/transport/Local.h"
#include "runtime/transport/Queue.h"
#include "runtime/transport/Transport.h"
#include "runtime/transport/Waiting.h"

namespace fdg::transport {
namespace {

/// Returns in all threads once all are there. Any number of times.
class Meeting {
 public:
  explicit Meeting(int size) : size_(size) {}

  void join() {
    std::unique_lock hold(lock_);
    const int64_t round = round_;
    if (++here_ == size_) {
      here_ = 0;
      ++round_;
      all_here_.notify_all();
      return;
    }
    all_here_.wait(hold, [&] { return round_ != round; });
  }

 private:
  std::mutex lock_;
  std::condition_variable all_here_;
  int size_;
  int here_ = 0;
  int64_t round_ = 0;
};

struct LetterBox {
  std::mutex lock;
  std::deque<Letter> letters;
};

/// What all threads share.
struct Hub {
  explicit Hub(int size)
      : size(size),
        bells(std::make_shared<Bells>(static_cast<size_t>(size))),
        boxes(static_cast<size_t>(size)),
        queues(bells),
        meeting(size) {}

  int size;
  std::shared_ptr<Bells> bells;
  std::vector<LetterBox> boxes;
  QueueCarrier queues;
  Meeting meeting;
};

class ThreadTransport final : public Transport {
 public:
  ThreadTransport(std::shared_ptr<Hub> hub, int rank)
      : hub_(std::move(hub)),
        rank_(rank),
        waiting_((*hub_->bells)[static_cast<size_t>(rank)], activity_,
                 hub_->size <= usableCores()) {}

  int rank() const override { return rank_; }
  int size() const override { return hub_->size; }
  std::vector<int> leaders() const override {
    return std::vector<int>(static_cast<size_t>(hub_->size), 0);
  }

  std::unique_ptr<Sender> openSender(const ChannelSpec& spec) override {
    check(spec, spec.from_rank);
    return spec.to_rank == rank_ ? local_.openSender(spec) : hub_->queues.openSender(spec);
  }
  std::unique_ptr<Receiver> openReceiver(const ChannelSpec& spec) override {
    check(spec, spec.to_rank);
    return spec.from_rank == rank_ ? local_.openReceiver(spec) : hub_->queues.openReceiver(spec);
  }
  void connect() override {
    local_.connect();
    hub_->meeting.join();
    hub_->queues.check();
    hub_->meeting.join();  // only now the next ones may be opened
  }

  bool progress() override { return false; }
  void waitForActivity(std::chrono::microseconds most) override {
    waiting_.wait(most, Waiting::Asking::never, {});
  }
  void waitForEquals(std::chrono::microseconds most) override {
    waiting_.waitForEquals(most, Waiting::Asking::never, {});
  }

  void post(int to, std::string text) override {
    FDG_CHECK(to >= 0 && to < hub_->size, "a letter to a rank that does not exist");
    LetterBox& box = hub_->boxes[static_cast<size_t>(to)];
    {
      const std::lock_guard hold(box.lock);
      box.letters.push_back({rank_, std::move(text)});
    }
    (*hub_->bells)[static_cast<size_t>(to)].ring();
  }
  std::optional<Letter> takeLetter() override {
    LetterBox& box = hub_->boxes[static_cast<size_t>(rank_)];
    const std::lock_guard hold(box.lock);
    if (box.letters.empty()) {
      return std::nullopt;
    }
    Letter letter = std::move(box.letters.front());
    box.letters.pop_front();
    return letter;
  }

  void finish() override { hub_->meeting.join(); }
  void abort(int code) override {
    std::fflush(nullptr);
    std::_Exit(code);
  }
  void onDeath(std::function<void(int)> /*f*/) override {}
  std::string nameOf(int rank) const override { return "thread " + std::to_string(rank); }

 private:
  void check(const ChannelSpec& spec, int own) const {
    FDG_CHECK(own == rank_ && spec.from_rank >= 0 && spec.from_rank < hub_->size &&
                  spec.to_rank >= 0 && spec.to_rank < hub_->size,
              "a channel opened by another rank than its own: " + describe(keyOf(spec)));
    FDG_CHECK(spec.window >= 1, "a channel with a window below 1: " + describe(keyOf(spec)));
  }

  std::shared_ptr<Hub> hub_;
  int rank_;
  Activity activity_ = std::make_shared<uint64_t>(0);
  Waiting waiting_;
  LocalCarrier local_{activity_};
};

}  // namespace

std::vector<std::unique_ptr<Transport>> makeThreadTransports(int ranks) {
  const auto hub = std::make_shared<Hub>(ranks);
  std::vector<std::unique_ptr<Transport>> transports;
  for (int rank = 0; rank < ranks; ++rank) {
    transports.push_back(std::make_unique<ThreadTransport>(hub, rank));
  }
  return transports;
}

}  // namespace fdg::transport
