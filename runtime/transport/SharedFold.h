// One member's end of a fold in shared memory; SharedFolds.h says how a fold goes.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/transport/Folding.h"
#include "runtime/transport/NodeBells.h"
#include "runtime/transport/SharedMemory.h"

namespace fdg::transport {

/// What a member tells the others. Rounds are counted from the group's first, over all folds.
struct FoldWords {
  alignas(64) std::atomic<uint64_t> written;  ///< Rounds whose bytes are there.
  alignas(64) std::atomic<uint64_t> folded;   ///< Rounds whose slice is folded.
  std::atomic<uint64_t> refused;              ///< Who could not be folded in that slice so far.
  alignas(64) std::atomic<uint64_t> ended;    ///< Rounds it needs nothing of any more.
};

class SharedFold final : public Folding {
 public:
  SharedFold(FoldSpec spec, const NodeBells& bells);

  const FoldSpec& spec() const { return spec_; }
  /// The memory for windows of at most so many bytes; fewer where the budget is less, 0 if it is
  /// too little.
  static size_t windowFor(size_t members, size_t budget);
  static size_t bytesFor(size_t members, size_t window);
  /// `memory` is for this window; without one the group does not work.
  void attach(std::shared_ptr<SharedMemory> memory, size_t window);
  /// Moves what can be moved; true if anything was.
  bool pump();
  void rankDied(int rank);

  bool works() const override { return memory_ != nullptr && !work_; }
  void begin(std::shared_ptr<FoldWork> work) override;
  void join() override { is_joined_ = true; }
  bool tryFinish() override;
  size_t refused() const override { return refused_; }
  std::vector<size_t> waitsFor() const override;
  bool isBroken() const override { return is_broken_; }

 private:
  struct Range {
    size_t begin = 0;
    size_t end = 0;
  };
  using Word = std::atomic<uint64_t> FoldWords::*;

  Range rangeOf(uint64_t round) const;
  Range sliceOf(uint64_t round, size_t member) const;
  /// Where the byte `at` of the whole lies in this member's buffer.
  std::byte* place(size_t member, uint64_t round, size_t at) const;
  FoldWords& words(size_t member) const;
  /// Whether all members but one are that far.
  bool haveAll(Word word, uint64_t rounds, size_t but) const;
  void tell(Word word, uint64_t rounds);

  bool step();
  void writeRound();
  void foldRound();
  void takeRound();

  FoldSpec spec_;
  const NodeBells& bells_;
  std::shared_ptr<SharedMemory> memory_;
  size_t window_ = 0;
  std::shared_ptr<FoldWork> work_;
  size_t size_ = 0;
  size_t stride_ = 0;   // bytes of a round
  uint64_t first_ = 0;  // round of the fold under way
  uint64_t last_ = 0;   // the one behind it
  uint64_t written_ = 0, folded_ = 0, ended_ = 0;
  size_t refused_ = kNobody;
  bool is_joined_ = false;
  bool is_broken_ = false;
};

}  // namespace fdg::transport
