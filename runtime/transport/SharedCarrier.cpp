#include "runtime/transport/SharedCarrier.h"

#include <fmt/format.h>

#include <cstring>
#include <map>

namespace fdg::transport {
namespace {

constexpr size_t kLeastStride = 4 * kPage;
/// Room for a message of 16 MiB and its header: larger ones go in pieces.
constexpr size_t kMostOrdered = (16 << 20) + 16 * kPage;
constexpr size_t kMostNewest = size_t{1} << 30;
/// Every slot has this much real memory from the start, so that a run can always go on.
constexpr size_t kFirstCommit = 64 << 10;

/// One rank's part of the decision about sizes.
struct Demand {
  uint64_t ordered_slots = 0;
  uint64_t newest_slots = 0;
  uint64_t free = 0;
};

/// One channel in a segment's table.
struct ChannelNotice {
  ChannelKey key;
  int32_t flow = 0;
  int32_t window = 0;
  ChannelShape shape;
};

struct SegmentHeader {
  uint64_t channels = 0;
};

size_t slotsOf(const ChannelSpec& spec) {
  return spec.flow == Flow::newest ? kNewestSlots : ringSlots(spec.window);
}

size_t controlOf(const ChannelSpec& spec) {
  return spec.flow == Flow::newest ? newestControlBytes() : ringControlBytes(spec.window);
}

size_t strideFor(uint64_t budget, uint64_t slots, size_t most) {
  const uint64_t share = slots == 0 ? budget : budget / slots;
  return std::clamp<size_t>(share / kPage * kPage, kLeastStride, most);
}

size_t firstCommit(const ChannelShape& shape) { return std::min(shape.stride, kFirstCommit); }

std::string takeText(const Demand& demand) {
  return {reinterpret_cast<const char*>(&demand), sizeof demand};
}

ChannelNotice layOut(const ChannelSpec& spec, size_t offset, size_t ordered_stride,
                     size_t newest_stride) {
  const bool is_newest = spec.flow == Flow::newest;
  return {keyOf(spec),
          is_newest ? 1 : 0,
          spec.window,
          {offset, controlOf(spec), slotsOf(spec), is_newest ? newest_stride : ordered_stride}};
}

[[noreturn]] void refuseFull(int rank, size_t channels, size_t needed) {
  throw UserError(
      fmt::format("/dev/shm is full: what rank {} sends on needs at least {} there (channels: {}), "
                  "and {} are left; "
                  "make it larger (mount -o remount,size=4G /dev/shm, or --shm-size for a "
                  "container), use fewer "
                  "ranks, or smaller windows",
                  rank, sizeText(needed), channels, sizeText(freeSharedMemory())));
}

/// Real memory for the control block and the beginning of every slot.
bool commitChannel(SharedMemory& memory, const ChannelShape& shape) {
  bool is_done = memory.commit(shape.offset, shape.control);
  for (size_t slot = 0; slot < shape.slots && is_done; ++slot) {
    is_done = memory.commit(shape.offset + shape.control + slot * shape.stride, firstCommit(shape));
  }
  return is_done;
}

}  // namespace

std::unique_ptr<Sender> SharedCarrier::openSender(const ChannelSpec& spec) {
  std::shared_ptr<SenderEnd> end;
  if (spec.flow == Flow::newest) {
    end = makeNewestSender(spec);
  } else {
    end = makeRingSender(spec);
  }
  new_.push_back({spec, end, nullptr});
  return std::make_unique<SenderHandle>(end);
}

std::unique_ptr<Receiver> SharedCarrier::openReceiver(const ChannelSpec& spec) {
  std::shared_ptr<ReceiverEnd> end;
  if (spec.flow == Flow::newest) {
    end = makeNewestReceiver(spec, activity_);
  } else {
    end = makeRingReceiver(spec);
  }
  new_.push_back({spec, nullptr, end});
  return std::make_unique<ReceiverHandle>(end);
}

SharedCarrier::Strides SharedCarrier::agreeOnStrides() const {
  Demand mine;
  mine.free = freeSharedMemory();
  for (const Opened& opened : new_) {
    if (opened.sender) {
      (opened.spec.flow == Flow::newest ? mine.newest_slots : mine.ordered_slots) +=
          slotsOf(opened.spec);
    }
  }
  const std::vector<std::string> all = session_.allGather(takeText(mine));
  const std::vector<int>& leaders = session_.leaders();
  const int leader = leaders[static_cast<size_t>(session_.rank())];
  Demand node;
  for (size_t rank = 0; rank < all.size(); ++rank) {
    Demand one;
    std::memcpy(&one, all[rank].data(), sizeof one);
    if (leaders[rank] == leader) {
      node.ordered_slots += one.ordered_slots;
      node.newest_slots += one.newest_slots;
      node.free = static_cast<int>(rank) == leader ? one.free : node.free;
    }
  }
  const bool both = node.ordered_slots > 0 && node.newest_slots > 0;
  const uint64_t budget = node.free / (both ? 4 : 2);
  return {strideFor(budget, node.ordered_slots, kMostOrdered),
          strideFor(budget, node.newest_slots, kMostNewest)};
}

std::vector<const SharedCarrier::Opened*> SharedCarrier::newSenders() const {
  std::vector<const Opened*> senders;
  for (const Opened& opened : new_) {
    if (opened.sender) {
      senders.push_back(&opened);
    }
  }
  return senders;
}

std::shared_ptr<SharedMemory> SharedCarrier::createSegment(const Strides& strides,
                                                           const std::string& name) {
  const std::vector<const Opened*> senders = newSenders();
  if (senders.empty()) {
    return nullptr;
  }
  const size_t table = roundToPage(sizeof(SegmentHeader) + senders.size() * sizeof(ChannelNotice));
  std::vector<ChannelNotice> notices;
  size_t size = table;
  size_t needed = table;
  for (const Opened* opened : senders) {
    notices.push_back(layOut(opened->spec, size, strides.ordered, strides.newest));
    const ChannelShape& shape = notices.back().shape;
    size += shape.bytes();
    needed += shape.control + shape.slots * firstCommit(shape);
  }
  std::shared_ptr<SharedMemory> memory = SharedMemory::create(name, size).orThrow();
  bool fits = memory->commit(0, table);
  for (const ChannelNotice& notice : notices) {
    fits = fits && commitChannel(*memory, notice.shape);
  }
  if (!fits) {
    refuseFull(session_.rank(), senders.size(), needed);
  }
  const SegmentHeader header{notices.size()};
  std::memcpy(memory->data(), &header, sizeof header);
  std::memcpy(memory->data() + sizeof header, notices.data(), notices.size() * sizeof notices[0]);
  for (size_t i = 0; i < senders.size(); ++i) {
    Doorbell& bell = bells_.of(senders[i]->spec.to_rank);
    attachSender(*senders[i], {memory, bells_.memory(), &bell, notices[i].shape});
  }
  return memory;
}

void SharedCarrier::attachSender(const Opened& opened, SharedPort port) {
  const size_t first = firstCommit(port.shape);
  if (opened.spec.flow == Flow::newest) {
    static_cast<NewestSender&>(*opened.sender).attach(std::move(port), first);
  } else {
    static_cast<RingSender&>(*opened.sender).attach(std::move(port), first);
  }
}

void SharedCarrier::attachReceivers() {
  std::map<int, std::shared_ptr<SharedMemory>> segments;
  for (const Opened& opened : new_) {
    if (!opened.receiver) {
      continue;
    }
    const ChannelSpec& spec = opened.spec;
    std::shared_ptr<SharedMemory>& segment = segments[spec.from_rank];
    if (!segment) {
      segment = SharedMemory::open(segmentName(spec.from_rank)).orThrow();
    }
    SegmentHeader header;
    std::memcpy(&header, segment->data(), sizeof header);
    std::vector<ChannelNotice> notices(header.channels);
    std::memcpy(notices.data(), segment->data() + sizeof header,
                notices.size() * sizeof notices[0]);
    const auto found = std::find_if(notices.begin(), notices.end(), [&](const ChannelNotice& one) {
      return one.key == keyOf(spec);
    });
    FDG_CHECK(found != notices.end(),
              "the producer's end was not opened: " + describe(keyOf(spec)));
    const bool is_newest = spec.flow == Flow::newest;
    FDG_CHECK(found->flow == (is_newest ? 1 : 0) && (is_newest || found->window == spec.window),
              "the two ends disagree on flow or window: " + describe(keyOf(spec)));
    SharedPort port{segment, bells_.memory(), &bells_.of(spec.from_rank), found->shape};
    if (is_newest) {
      static_cast<NewestReceiver&>(*opened.receiver).attach(std::move(port));
    } else {
      static_cast<RingReceiver&>(*opened.receiver).attach(std::move(port));
    }
  }
}

std::string SharedCarrier::segmentName(int rank) const {
  return fmt::format("{}-{}-{}", bells_.job(), round_, rank);
}

void SharedCarrier::connect() {
  const Strides strides = agreeOnStrides();
  std::shared_ptr<SharedMemory> segment;  // unlinks its name, also when a rank throws
  std::string sentence;
  try {
    segment = createSegment(strides, segmentName(session_.rank()));
  } catch (const UserError& error) {
    sentence = error.what();
  }
  session_.agree(sentence);
  try {
    attachReceivers();
  } catch (const UserError& error) {
    sentence = error.what();
  }
  session_.agree(sentence);
  if (segment) {
    segment->unlink();
  }
  for (Opened& opened : new_) {
    if (opened.sender) {
      driven_.push_back({opened.spec.to_rank, std::move(opened.sender)});
    } else {
      driven_.push_back({opened.spec.from_rank, std::move(opened.receiver)});
    }
  }
  new_.clear();
  ++round_;
}

bool SharedCarrier::pump() {
  bool moved = false;
  for (const Connected& one : driven_) {
    moved = one.end->pump() || moved;
  }
  return moved;
}

bool SharedCarrier::idle() const {
  return std::all_of(driven_.begin(), driven_.end(),
                     [](const Connected& one) { return one.end->idle(); });
}

void SharedCarrier::shut() {
  for (const Connected& one : driven_) {
    one.end->shut();
  }
}

void SharedCarrier::forget(int rank) {
  for (const Connected& one : driven_) {
    if (one.peer == rank) {
      one.end->peerDied();
    }
  }
}

}  // namespace fdg::transport
