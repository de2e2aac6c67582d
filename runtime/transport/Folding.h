// Folding: a group of members, each with as many bytes, all of which get the bytes folded from
// them.
//
// Member m folds slice m of every member's bytes, in the members' order, and the others take the
// folded slice from it. So each byte is folded once, and every member has the same. What the bytes
// are, and how they are folded, is the FoldWork's. Nothing here blocks: whoever waits polls
// tryFinish, or Transport::progress, and sleeps in Transport::waitForActivity. All members fold the
// same sizes in the same order; that all others are at the same fold is for the member to find out,
// and for it to say. One thread.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace fdg::transport {

/// Ranges begin at multiples of so many bytes: twice the widest vector of numbers, so that a piece
/// is computed by the same instructions as it would be within the whole.
constexpr size_t kFoldAlignment = 128;

constexpr size_t kNobody = std::numeric_limits<size_t>::max();

struct FoldSpec {
  std::vector<int> members;  ///< Their ids in their order: they name the group.
  std::vector<int> ranks;    ///< Of each member.
  size_t self = 0;           ///< Which of them this is.
};

/// One member's side of one fold. Ranges are in bytes of the whole.
class FoldWork {
 public:
  virtual ~FoldWork() = default;
  /// The same on all members.
  virtual size_t size() const = 0;
  /// Copies its own bytes [begin, end) to `to`.
  virtual void take(std::byte* to, size_t begin, size_t end) const = 0;
  /// Folds the bytes [begin, end) of all members into `to`. `others` are those of each member, null
  /// for this one. Which member, the lowest of several, cannot be folded, or kNobody.
  virtual size_t fold(std::byte* to, std::span<const std::byte* const> others, size_t begin,
                      size_t end) const = 0;
  /// Puts the folded bytes [begin, end) where the result belongs.
  virtual void place(const std::byte* from, size_t begin, size_t end) = 0;
};

class Folding {
 public:
  virtual ~Folding() = default;
  /// After connect. False where there was no memory for it, the same on all members, and while a
  /// fold is under way: for ever if one was left because a member ended.
  virtual bool works() const = 0;
  /// The others may have its bytes.
  virtual void begin(std::shared_ptr<FoldWork> work) = 0;
  /// All others have begun the same fold: from now on the work folds.
  virtual void join() = 0;
  /// Moves what can be moved. True: all that began is done here.
  virtual bool tryFinish() = 0;
  /// Of the last fold, and the same on all members: who could not be folded, or kNobody.
  virtual size_t refused() const = 0;
  /// The members that the fold under way waits for.
  virtual std::vector<size_t> waitsFor() const = 0;
  /// A member's rank has died: no fold ends any more.
  virtual bool isBroken() const = 0;
};

}  // namespace fdg::transport
