#include <cstdio>
#include <cstdlib>
#include <deque>

#include "runtime/transport/Local.h"
#include "runtime/transport/Transport.h"
#include "runtime/transport/Waiting.h"

namespace fdg::transport {
namespace {

class LocalTransport final : public Transport {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::vector<int> leaders() const override { return {0}; }

  std::unique_ptr<Sender> openSender(const ChannelSpec& spec) override {
    check(spec);
    return local_.openSender(spec);
  }
  std::unique_ptr<Receiver> openReceiver(const ChannelSpec& spec) override {
    check(spec);
    return local_.openReceiver(spec);
  }
  void connect() override { local_.connect(); }

  bool progress() override { return false; }
  void waitForActivity(std::chrono::microseconds most) override {
    waiting_.wait(most, Waiting::Asking::never, {});
  }

  void post(int to, std::string text) override {
    FDG_CHECK(to == 0, "a letter to a rank that does not exist");
    letters_.push_back({0, std::move(text)});
    ++*activity_;
  }
  std::optional<Letter> takeLetter() override {
    if (letters_.empty()) {
      return std::nullopt;
    }
    Letter letter = std::move(letters_.front());
    letters_.pop_front();
    return letter;
  }

  void finish() override {}
  void abort(int code) override {
    std::fflush(nullptr);
    std::_Exit(code);
  }
  void onDeath(std::function<void(int)> /*f*/) override {}
  std::string nameOf(int rank) const override { return "rank " + std::to_string(rank); }

 private:
  static void check(const ChannelSpec& spec) {
    FDG_CHECK(spec.from_rank == 0 && spec.to_rank == 0, "a channel to a rank that does not exist");
  }

  Activity activity_ = std::make_shared<uint64_t>(0);
  Doorbell bell_;
  Waiting waiting_{bell_, activity_, false};
  LocalCarrier local_{activity_};
  std::deque<Letter> letters_;
};

}  // namespace

std::unique_ptr<Transport> makeLocalTransport() { return std::make_unique<LocalTransport>(); }

}  // namespace fdg::transport
