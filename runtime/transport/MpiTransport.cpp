#include <algorithm>
#include <set>

#include "runtime/transport/DeathWatch.h"
#include "runtime/transport/Letters.h"
#include "runtime/transport/Local.h"
#include "runtime/transport/MpiCarrier.h"
#include "runtime/transport/SameCall.h"
#include "runtime/transport/SharedCarrier.h"
#include "runtime/transport/SharedFolds.h"
#include "runtime/transport/Transport.h"
#include "runtime/transport/Waiting.h"

namespace fdg::transport {
namespace {

/// Calls of progress between two looks for stray letters.
constexpr uint32_t kLettersEvery = 256;

class MpiTransport final : public Transport {
 public:
  explicit MpiTransport(const TransportOptions& options)
      : options_(options),
        session_(options.tolerant),
        bells_(sameCall(session_, options.call), options.force_mpi),
        waiting_(bells_.own(), activity_, ranksOfNode() <= usableCores()),
        local_(activity_),
        shared_(session_, bells_, activity_),
        folds_(session_, bells_),
        mpi_(session_, activity_, options.latency, [this](int dead) { noteDeath(dead); }),
        letters_(session_, [this](int dead) { noteDeath(dead); }) {
    if (options.tolerant) {
      watch_ = std::make_unique<DeathWatch>(processesBeside(), bells_.own());
    }
  }

  int rank() const override { return session_.rank(); }
  int size() const override { return session_.size(); }
  std::vector<int> leaders() const override { return session_.leaders(); }

  std::unique_ptr<Sender> openSender(const ChannelSpec& spec) override;
  std::unique_ptr<Receiver> openReceiver(const ChannelSpec& spec) override;
  std::shared_ptr<Folding> openFolding(const FoldSpec& spec) override;
  void connect() override;

  bool progress() override;
  void waitForActivity(std::chrono::microseconds most) override { wait(most, &Waiting::wait); }
  void waitForEquals(std::chrono::microseconds most) override {
    wait(most, &Waiting::waitForEquals);
  }

  void post(int to, std::string text) override;
  std::optional<Letter> takeLetter() override;

  void finish() override;
  void abort(int code) override { session_.abort(code); }
  void onDeath(std::function<void(int)> f) override { on_death_ = std::move(f); }
  std::string nameOf(int rank) const override { return session_.nameOf(rank); }

 private:
  void check(const ChannelSpec& spec, int own) const;
  bool isNeighbour(int rank) const;
  int ranksOfNode() const;
  bool hasRemoteRanks() const;
  std::vector<DeathWatch::Watched> processesBeside() const;
  bool askLetters();
  void wait(std::chrono::microseconds most, decltype(&Waiting::wait) how);
  /// Everything that only moves when MPI is called.
  bool askMpi();
  bool takeDeaths();
  void noteDeath(int dead);
  bool idle() const { return shared_.idle() && mpi_.idle() && letters_.idle(); }

  TransportOptions options_;
  Session session_;
  Activity activity_ = std::make_shared<uint64_t>(0);
  NodeBells bells_;
  Waiting waiting_;
  LocalCarrier local_;
  SharedCarrier shared_;
  SharedFolds folds_;
  MpiCarrier mpi_;
  Letters letters_;
  uint32_t seen_mail_ = 0;
  uint32_t calls_ = 0;
  bool finishing_ = false;
  std::set<int> dead_;
  std::function<void(int)> on_death_;
  std::unique_ptr<DeathWatch> watch_;
};

void MpiTransport::check(const ChannelSpec& spec, int own) const {
  FDG_CHECK(own == rank() && spec.from_rank >= 0 && spec.from_rank < size() && spec.to_rank >= 0 &&
                spec.to_rank < size(),
            "a channel opened by another rank than its own: " + describe(keyOf(spec)));
  FDG_CHECK(spec.window >= 1, "a channel with a window below 1: " + describe(keyOf(spec)));
  FDG_CHECK(spec.flow != Flow::called || spec.from_rank == spec.to_rank,
            "a called channel between processes: " + describe(keyOf(spec)));
}

bool MpiTransport::isNeighbour(int other) const {
  const std::vector<int>& leaders = session_.leaders();
  return !options_.force_mpi &&
         leaders[static_cast<size_t>(other)] == leaders[static_cast<size_t>(rank())];
}

int MpiTransport::ranksOfNode() const {
  const std::vector<int>& leaders = session_.leaders();
  return static_cast<int>(
      std::count(leaders.begin(), leaders.end(), leaders[static_cast<size_t>(session_.rank())]));
}

bool MpiTransport::hasRemoteRanks() const {
  return options_.force_mpi ? size() > 1 : ranksOfNode() < size();
}

/// Those with channels over MPI alone are left to MPI, which has their last messages.
std::vector<DeathWatch::Watched> MpiTransport::processesBeside() const {
  std::vector<DeathWatch::Watched> beside;
  for (int other = 0; other < size(); ++other) {
    if (other != rank() && isNeighbour(other) && session_.processOf(other) != 0) {
      beside.push_back({other, session_.processOf(other)});
    }
  }
  return beside;
}

std::unique_ptr<Sender> MpiTransport::openSender(const ChannelSpec& spec) {
  check(spec, spec.from_rank);
  if (spec.to_rank == rank()) {
    return local_.openSender(spec);
  }
  return isNeighbour(spec.to_rank) ? shared_.openSender(spec) : mpi_.openSender(spec);
}

std::unique_ptr<Receiver> MpiTransport::openReceiver(const ChannelSpec& spec) {
  check(spec, spec.to_rank);
  if (spec.from_rank == rank()) {
    return local_.openReceiver(spec);
  }
  return isNeighbour(spec.from_rank) ? shared_.openReceiver(spec) : mpi_.openReceiver(spec);
}

std::shared_ptr<Folding> MpiTransport::openFolding(const FoldSpec& spec) {
  FDG_CHECK(spec.self < spec.ranks.size() && spec.ranks[spec.self] == rank() &&
                spec.members.size() == spec.ranks.size(),
            "a fold opened by another rank than its own");
  const bool has_others =
      std::ranges::any_of(spec.ranks, [this](int other) { return other != rank(); });
  const bool is_one_node =
      std::ranges::all_of(spec.ranks, [this](int other) { return isNeighbour(other); });
  return has_others && is_one_node ? folds_.open(spec) : nullptr;
}

void MpiTransport::connect() {
  local_.connect();
  shared_.connect();
  folds_.connect();
  mpi_.connect();
}

bool MpiTransport::askLetters() {
  calls_ = 0;
  if (!options_.force_mpi) {
    seen_mail_ = bells_.own().mail.load(std::memory_order_acquire);
  }
  const bool moved = letters_.progress();
  *activity_ += moved ? 1 : 0;
  return moved;
}

bool MpiTransport::askMpi() {
  const bool moved = mpi_.hasChannels() && mpi_.progress();
  return askLetters() || moved;
}

bool MpiTransport::progress() {
  bool moved = shared_.pump();
  moved = folds_.pump() || moved;
  moved = takeDeaths() || moved;
  if (mpi_.hasChannels()) {
    moved = mpi_.progress() || moved;
  }
  // Asking for letters is a call into MPI: not in every round of a loop that only uses shared
  // memory.
  const bool is_mail_there = bells_.own().mail.load(std::memory_order_acquire) != seen_mail_;
  if (is_mail_there || letters_.outgoing() || ++calls_ >= kLettersEvery) {
    moved = askLetters() || moved;
  }
  return moved;
}

void MpiTransport::wait(std::chrono::microseconds most, decltype(&Waiting::wait) how) {
  if (const auto due = mpi_.nextDue()) {
    const auto left = std::chrono::duration_cast<std::chrono::microseconds>(
        *due - std::chrono::steady_clock::now());
    most = std::clamp(left, std::chrono::microseconds(1), most);
  }
  const bool often = finishing_ || mpi_.hasChannels() || letters_.outgoing() || hasRemoteRanks();
  (waiting_.*how)(most, often ? Waiting::Asking::often : Waiting::Asking::rarely,
                  [this] { return askMpi(); });
}

void MpiTransport::post(int to, std::string text) {
  letters_.post(to, std::move(text));
  if (to == rank()) {
    ++*activity_;
  } else if (isNeighbour(to)) {
    bells_.of(to).mail.fetch_add(1, std::memory_order_release);
    bells_.of(to).ring();
  }
}

/// Asks for itself: a rank that always has work comes here, but seldom to progress.
std::optional<Letter> MpiTransport::takeLetter() {
  takeDeaths();
  std::optional<Letter> letter = letters_.take();
  while (!letter && askLetters()) {
    letter = letters_.take();
  }
  return letter;
}

/// What the kernel tells of the node's ranks, sooner than MPI. The last letters of the dead are taken
/// first.
bool MpiTransport::takeDeaths() {
  if (!watch_) {
    return false;
  }
  const std::vector<int> died = watch_->take();
  for (const int dead : died) {
    while (letters_.progress()) {
    }
    session_.noteDeath();
    noteDeath(dead);
  }
  return !died.empty();
}

/// Each link finds it out for itself. Who dies behind the last word has done its work.
void MpiTransport::noteDeath(int dead) {
  if (!dead_.insert(dead).second) {
    return;
  }
  shared_.forget(dead);
  folds_.forget(dead);
  mpi_.forget(dead);
  letters_.forget(dead);
  ++*activity_;
  if (on_death_ && !finishing_) {
    on_death_(dead);
  }
}

void MpiTransport::finish() {
  finishing_ = true;
  shared_.shut();
  mpi_.shut();
  const auto driveUntil = [this](auto is_done) {
    while (!is_done()) {
      if (!progress() && !askLetters()) {
        waitForActivity(std::chrono::milliseconds(1));
      }
    }
  };
  // The barrier ends when every rank's sends are complete; what is left then is only to be
  // received.
  driveUntil([this] { return idle(); });
  if (session_.isTolerant()) {
    letters_.sayDone();
    driveUntil([this] { return letters_.mayLeave(); });
  } else {
    session_.enterBarrier();
    driveUntil([this] { return session_.barrierDone(); });
  }
  driveUntil([this] { return idle(); });
  finishing_ = false;
}

}  // namespace

std::unique_ptr<Transport> makeMpiTransport(const TransportOptions& options) {
  return std::make_unique<MpiTransport>(options);
}

}  // namespace fdg::transport
