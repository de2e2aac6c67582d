#include "runtime/transport/SharedFold.h"

#include <algorithm>

#include "base/Check.h"
#include "runtime/transport/SharedPort.h"

namespace fdg::transport {
namespace {

constexpr uint64_t kBuffers = 2;
constexpr size_t kMostWindow = 1 << 20;
constexpr size_t kLeastWindow = 16 << 10;
/// Folded and put in place at a time: what is folded is still in the first cache then.
constexpr size_t kPiece = 16 << 10;

size_t roundUp(size_t n, size_t to) { return (n + to - 1) / to * to; }

size_t wordsBytes(size_t members) { return roundToPage(members * sizeof(FoldWords)); }

}  // namespace

SharedFold::SharedFold(FoldSpec spec, const NodeBells& bells)
    : spec_(std::move(spec)), bells_(bells) {}

size_t SharedFold::windowFor(size_t members, size_t budget) {
  const size_t share = budget / members / kBuffers / kPage * kPage;
  return share < kLeastWindow ? 0 : std::min(share, kMostWindow);
}

size_t SharedFold::bytesFor(size_t members, size_t window) {
  return wordsBytes(members) + members * kBuffers * window;
}

void SharedFold::attach(std::shared_ptr<SharedMemory> memory, size_t window) {
  memory_ = std::move(memory);
  window_ = window;
}

FoldWords& SharedFold::words(size_t member) const {
  return reinterpret_cast<FoldWords*>(memory_->data())[member];
}

std::byte* SharedFold::place(size_t member, uint64_t round, size_t at) const {
  const size_t buffer = member * kBuffers + round % kBuffers;
  return memory_->data() + wordsBytes(spec_.members.size()) + buffer * window_ +
         (at - rangeOf(round).begin);
}

SharedFold::Range SharedFold::rangeOf(uint64_t round) const {
  const size_t begin = (round - first_) * stride_;
  return {begin, std::min(begin + stride_, size_)};
}

/// Whole steps of the alignment; what is left over goes to the last.
SharedFold::Range SharedFold::sliceOf(uint64_t round, size_t member) const {
  const Range range = rangeOf(round);
  const size_t members = spec_.members.size();
  const size_t steps = (range.end - range.begin) / kFoldAlignment;
  const auto cut = [&](size_t m) {
    return m == members ? range.end : range.begin + steps * m / members * kFoldAlignment;
  };
  return {cut(member), cut(member + 1)};
}

bool SharedFold::haveAll(Word word, uint64_t rounds, size_t but) const {
  for (size_t member = 0; member < spec_.members.size(); ++member) {
    if (member != but && (words(member).*word).load(std::memory_order_acquire) < rounds) {
      return false;
    }
  }
  return true;
}

/// A member waits for all others, so only the last of these rings it; of several at once each sees
/// the others'.
void SharedFold::tell(Word word, uint64_t rounds) {
  (words(spec_.self).*word).store(rounds, std::memory_order_release);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (size_t member = 0; member < spec_.members.size(); ++member) {
    if (member != spec_.self && haveAll(word, rounds, member)) {
      bells_.of(spec_.ranks[member]).ring();
    }
  }
}

void SharedFold::begin(std::shared_ptr<FoldWork> work) {
  FDG_CHECK(works(), "a fold that begins within another, or without memory");
  work_ = std::move(work);
  size_ = work_->size();
  const size_t rounds = (size_ + window_ - 1) / window_;
  stride_ =
      rounds == 0 ? 0 : std::min(window_, roundUp((size_ + rounds - 1) / rounds, kFoldAlignment));
  first_ = last_;
  last_ = first_ + (rounds == 0 ? 0 : (size_ + stride_ - 1) / stride_);
  refused_ = kNobody;
  is_joined_ = false;
  pump();
}

void SharedFold::writeRound() {
  const size_t members = spec_.members.size();
  for (size_t i = 1; i < members; ++i) {
    const Range slice = sliceOf(written_, (spec_.self + i) % members);
    work_->take(place(spec_.self, written_, slice.begin), slice.begin, slice.end);
  }
  tell(&FoldWords::written, ++written_);
}

void SharedFold::foldRound() {
  const size_t members = spec_.members.size();
  const Range slice = sliceOf(folded_, spec_.self);
  std::vector<const std::byte*> others(members);
  for (size_t begin = slice.begin; begin < slice.end; begin += kPiece) {
    const size_t end = std::min(begin + kPiece, slice.end);
    for (size_t member = 0; member < members; ++member) {
      others[member] = member == spec_.self ? nullptr : place(member, folded_, begin);
    }
    std::byte* to = place(spec_.self, folded_, begin);
    refused_ = std::min(refused_, work_->fold(to, others, begin, end));
    work_->place(to, begin, end);
  }
  words(spec_.self).refused.store(refused_, std::memory_order_relaxed);
  tell(&FoldWords::folded, ++folded_);
}

void SharedFold::takeRound() {
  const size_t members = spec_.members.size();
  for (size_t i = 1; i < members; ++i) {
    const size_t member = (spec_.self + i) % members;
    const Range slice = sliceOf(ended_, member);
    work_->place(place(member, ended_, slice.begin), slice.begin, slice.end);
  }
  tell(&FoldWords::ended, ++ended_);
}

bool SharedFold::step() {
  bool moved = false;
  // The fold before was cut otherwise: all of it has to be over, not only the round of this buffer.
  const uint64_t over = written_ < first_ + kBuffers ? first_ : written_ + 1 - kBuffers;
  if (written_ < last_ && ended_ >= over && haveAll(&FoldWords::ended, over, spec_.self)) {
    writeRound();
    moved = true;
  }
  if (!is_joined_) {
    return moved;
  }
  if (folded_ < written_ && haveAll(&FoldWords::written, folded_ + 1, spec_.self)) {
    foldRound();
    moved = true;
  }
  if (ended_ < folded_ && haveAll(&FoldWords::folded, ended_ + 1, spec_.self)) {
    takeRound();
    moved = true;
  }
  return moved;
}

bool SharedFold::pump() {
  if (!work_ || is_broken_) {
    return false;
  }
  bool moved = false;
  while (step()) {
    moved = true;
  }
  return moved;
}

bool SharedFold::tryFinish() {
  pump();
  if (!work_ || !is_joined_ || ended_ < last_) {
    return !work_;
  }
  for (size_t member = 0; member < spec_.members.size(); ++member) {
    // No member stores the next fold's before this one has written of it.
    if (size_ > 0) {
      refused_ = std::min<size_t>(refused_, words(member).refused.load(std::memory_order_relaxed));
    }
  }
  work_.reset();
  return true;
}

std::vector<size_t> SharedFold::waitsFor() const {
  std::vector<size_t> behind;
  for (size_t member = 0; is_joined_ && work_ && member < spec_.members.size(); ++member) {
    const FoldWords& theirs = words(member);
    const bool is_ahead =
        theirs.written > folded_ && theirs.folded > ended_ && theirs.ended + kBuffers > written_;
    if (member != spec_.self && !is_ahead) {
      behind.push_back(member);
    }
  }
  return behind;
}

void SharedFold::rankDied(int rank) {
  is_broken_ = is_broken_ || std::ranges::find(spec_.ranks, rank) != spec_.ranks.end();
}

}  // namespace fdg::transport
