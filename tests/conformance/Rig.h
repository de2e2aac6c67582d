// The rig of the conformance suite: one transport a rank, and the same tests on every rank in
// lock-step. A rank is a process; with the carrier queue it is a thread, which runs one test.
//
// A test opens channels, connects, and gives a producer's and a consumer's step; each rank runs the
// steps of the ends it holds (in the local carrier one rank holds both) until they say they are
// done. A failure on any rank ends the whole run at once, so no rank waits for one that has left.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/transport/Transport.h"

namespace fdg::transport {

/// What a step says: done (true), waiting for the other side (false), or again(): call me at once.
struct Turn {
  Turn(bool is_done) : done(is_done) {}  // NOLINT(google-explicit-constructor)
  bool done;
  bool again = false;
};
inline Turn again() {
  Turn turn(false);
  turn.again = true;
  return turn;
}
using Step = std::function<Turn()>;

struct Channel {
  std::unique_ptr<Sender> sender;      ///< Null on ranks that do not produce.
  std::unique_ptr<Receiver> receiver;  ///< Null on ranks that do not consume.
};

class Rig {
 public:
  Rig(std::unique_ptr<Transport> transport, std::string carrier)
      : transport_(std::move(transport)), carrier_(std::move(carrier)) {}

  Transport& transport() { return *transport_; }
  const std::string& carrier() const { return carrier_; }
  bool isLocal() const { return carrier_ == "local"; }
  int rank() const { return transport_->rank(); }
  int size() const { return transport_->size(); }
  int last() const { return size() - 1; }

  /// Opens this rank's ends of a new channel; by default from rank 0 to the last.
  Channel open(Flow flow, int window, bool held = false) {
    return open(flow, window, held, 0, last());
  }
  Channel open(Flow flow, int window, bool held, int from, int to);
  /// From 1 on, for names that no other test has; the same on all ranks.
  int nextNumber() { return ++numbers_; }
  void connect() { transport_->connect(); }

  /// Runs both steps, as far as this rank holds the ends, to their end, then meets the other ranks.
  void drive(const Channel& channel, const Step& produce, const Step& consume);
  void run(std::vector<Step> steps);
  /// Every rank has come here.
  void meet();
  /// The test's next letter; those of meetings are counted and kept from it.
  std::optional<Letter> takeLetter();

 private:
  void sortLetters();

  std::unique_ptr<Transport> transport_;
  std::string carrier_;
  int channels_ = 0;
  int numbers_ = 0;
  int meetings_ = 0;
  std::map<std::string, int> at_meeting_;
  std::deque<Letter> letters_;  // those of ranks that are in the next test already wait here
};

/// The rig of this rank; made by the suite's main.
Rig& rig();
/// Runs a test in all ranks of this process.
void onEveryRank(void (*test)());

/// A test that every rank runs. In place of TEST, which runs in one thread.
#define RANKS_TEST(suite, name)                   \
  void suite##name();                             \
  TEST(suite, name) { onEveryRank(suite##name); } \
  void suite##name()

/// A message whose header and content follow from `number`.
Message numbered(int64_t number, int64_t floats);
void expectNumbered(const Message& message, int64_t number, int64_t floats);

/// What the consumer gets: the same value, as parts even where the carrier passes values.
bool sameTensor(const at::Tensor& a, const at::Tensor& b);

}  // namespace fdg::transport
