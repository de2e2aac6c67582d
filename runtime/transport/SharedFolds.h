// Folds between the ranks of a node, in memory they share: one object for each group.
//
// A fold goes in rounds of at most a window. In a round each member writes those slices of its
// bytes that others fold, folds its own slice once all have written, into the same buffer, and
// copies the slices of the others once these are folded: small enough to stay in the caches, and
// stored plainly for that reason. A member has two such buffers and uses one again when all have
// ended the round that it was used in. Memory: two windows a member, at most 1 MiB each, and all
// groups of a node together at most a sixteenth of what /dev/shm had free; if that is too little a
// group does not work, on any member.
#pragma once

#include <string>
#include <vector>

#include "runtime/transport/Folding.h"
#include "runtime/transport/NodeBells.h"
#include "runtime/transport/SharedMemory.h"

namespace fdg::transport {

class SharedFold;

class SharedFolds {
 public:
  SharedFolds(const Session& session, const NodeBells& bells) : session_(session), bells_(bells) {}

  /// All members' ranks are of this node. The same object for the same members.
  std::shared_ptr<Folding> open(const FoldSpec& spec);
  /// Collective over all ranks of the job: connects what was opened since the last call.
  void connect();

  bool pump();
  /// The folds of a dead rank never end.
  void forget(int rank);

 private:
  std::string nameOf(const SharedFold& fold) const;
  /// Bytes of shared memory that each group which is new on this node may take.
  size_t agreeOnBudget() const;

  const Session& session_;
  const NodeBells& bells_;
  std::vector<std::shared_ptr<SharedFold>> new_;
  std::vector<std::shared_ptr<SharedFold>> folds_;  // connected
};

}  // namespace fdg::transport
