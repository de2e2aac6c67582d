// The doorbells of all ranks on this node, in one shared object without a name.
//
// Collective to make, in all ranks of the job. With `alone` a rank gets only its own, in private
// memory: it then has no neighbours that could ring.
#pragma once

#include <memory>

#include "runtime/transport/Doorbell.h"
#include "runtime/transport/Session.h"

namespace fdg::transport {

class NodeBells {
 public:
  /// Throws UserError, on all ranks, if shared memory is missing or full.
  NodeBells(const Session& session, bool alone);

  Doorbell& own() const { return *own_; }
  /// Of a rank on this node.
  Doorbell& of(int rank) const { return bells_[rank]; }
  std::shared_ptr<void> memory() const { return memory_; }
  /// Where this job's shared objects are named: different for every job.
  const std::string& job() const { return job_; }

 private:
  std::string job_;
  std::shared_ptr<void> memory_;
  Doorbell* bells_ = nullptr;
  Doorbell* own_ = nullptr;
};

}  // namespace fdg::transport
