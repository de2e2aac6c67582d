// Channels between the ranks of a node: one shared object per producing rank, with a table of its
// channels.
//
// How large a slot may grow follows from what /dev/shm has free when the run starts: all channels
// of the node together never take more than half of it. If even the smallest slots do not fit,
// connect throws a UserError with the sizes, on all ranks. After connect nothing has a name any
// more.
#pragma once

#include <vector>

#include "runtime/transport/NodeBells.h"
#include "runtime/transport/SharedNewest.h"
#include "runtime/transport/SharedRing.h"

namespace fdg::transport {

class SharedCarrier {
 public:
  SharedCarrier(const Session& session, const NodeBells& bells, Activity activity)
      : session_(session), bells_(bells), activity_(std::move(activity)) {}

  std::unique_ptr<Sender> openSender(const ChannelSpec& spec);
  std::unique_ptr<Receiver> openReceiver(const ChannelSpec& spec);
  /// Collective over all ranks of the job: connects what was opened since the last call.
  void connect();

  bool pump();
  bool idle() const;
  void shut();
  /// Ends the channels from and to a dead rank.
  void forget(int rank);

 private:
  struct Opened {
    ChannelSpec spec;
    std::shared_ptr<SenderEnd> sender;  // one of the two
    std::shared_ptr<ReceiverEnd> receiver;
  };
  struct Connected {
    int peer = 0;  // rank
    std::shared_ptr<Driven> end;
  };
  struct Strides {
    size_t ordered = 0;
    size_t newest = 0;
  };

  Strides agreeOnStrides() const;
  std::vector<const Opened*> newSenders() const;
  /// Null if this rank sends nothing. Throws UserError.
  std::shared_ptr<SharedMemory> createSegment(const Strides& strides, const std::string& name);
  static void attachSender(const Opened& opened, SharedPort port);
  void attachReceivers();
  std::string segmentName(int rank) const;

  const Session& session_;
  const NodeBells& bells_;
  Activity activity_;
  std::vector<Opened> new_;
  std::vector<Connected> driven_;
  int round_ = 0;
};

}  // namespace fdg::transport
