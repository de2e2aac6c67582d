#include "runtime/transport/MpiCarrier.h"

#include <map>

#include "runtime/transport/MpiEnds.h"

namespace fdg::transport {
namespace {

/// What one rank tells another about an end that it has opened.
struct EndNotice {
  ChannelKey key;
  int32_t flow = 0;
  int32_t window = 0;
  int32_t end = 0;  // index among its rank's senders or receivers
  int32_t is_sender = 0;
};

EndNotice notice(const ChannelSpec& spec, size_t end, bool is_sender) {
  return {keyOf(spec), spec.flow == Flow::newest ? 1 : 0,
          spec.flow == Flow::newest ? 0 : spec.window, static_cast<int32_t>(end),
          is_sender ? 1 : 0};
}

void append(std::string& text, const EndNotice& one) {
  text.append(reinterpret_cast<const char*>(&one), sizeof one);
}

/// The notices in what one rank has sent, by channel.
std::map<ChannelKey, EndNotice> read(const std::string& text, bool of_senders) {
  std::map<ChannelKey, EndNotice> notices;
  for (size_t at = 0; at + sizeof(EndNotice) <= text.size(); at += sizeof(EndNotice)) {
    EndNotice one;
    std::memcpy(&one, text.data() + at, sizeof one);
    if ((one.is_sender != 0) == of_senders) {
      notices.emplace(one.key, one);
    }
  }
  return notices;
}

int peerEnd(const std::map<ChannelKey, EndNotice>& notices, const ChannelSpec& spec) {
  const auto found = notices.find(keyOf(spec));
  FDG_CHECK(found != notices.end(), "the other end was not opened: " + describe(keyOf(spec)));
  const EndNotice mine = notice(spec, 0, false);
  FDG_CHECK(found->second.flow == mine.flow && found->second.window == mine.window,
            "the two ends disagree on flow or window: " + describe(keyOf(spec)));
  return found->second.end;
}

}  // namespace

MpiCarrier::MpiCarrier(Session& session, Activity activity, std::chrono::microseconds latency,
                       OnDeath on_death)
    : session_(session),
      link_(std::make_shared<Wire>()),
      the_link_(session, std::move(on_death)),
      activity_(std::move(activity)),
      latency_(latency) {
  link_->link = &the_link_;
  link_->takeRider = [this](int rank) { return takeRider(rank); };
}

MpiCarrier::~MpiCarrier() { *link_ = Wire(); }

std::optional<Rider> MpiCarrier::takeRider(int rank) {
  for (const auto& receiver : receivers_) {
    if (receiver->spec().from_rank == rank) {
      if (const auto rider = receiver->takeRider()) {
        return rider;
      }
    }
  }
  return std::nullopt;
}

std::unique_ptr<Sender> MpiCarrier::openSender(const ChannelSpec& spec) {
  senders_.push_back(std::make_shared<MpiSender>(spec, link_));
  return std::make_unique<SenderHandle>(senders_.back());
}

std::unique_ptr<Receiver> MpiCarrier::openReceiver(const ChannelSpec& spec) {
  receivers_.push_back(std::make_shared<MpiReceiver>(spec, link_));
  return std::make_unique<ReceiverHandle>(receivers_.back());
}

void MpiCarrier::connect() {
  std::vector<std::string> out(static_cast<size_t>(session_.size()));
  for (size_t i = connected_senders_; i < senders_.size(); ++i) {
    const ChannelSpec& spec = senders_[i]->spec();
    append(out[static_cast<size_t>(spec.to_rank)], notice(spec, i, true));
  }
  for (size_t i = connected_receivers_; i < receivers_.size(); ++i) {
    const ChannelSpec& spec = receivers_[i]->spec();
    append(out[static_cast<size_t>(spec.from_rank)], notice(spec, i, false));
  }
  const std::vector<std::string> in = session_.exchange(out);
  std::vector<std::map<ChannelKey, EndNotice>> their_senders, their_receivers;
  for (const std::string& text : in) {
    their_senders.push_back(read(text, true));
    their_receivers.push_back(read(text, false));
  }
  for (; connected_senders_ < senders_.size(); ++connected_senders_) {
    MpiSender& end = *senders_[connected_senders_];
    end.attach(peerEnd(their_receivers[static_cast<size_t>(end.spec().to_rank)], end.spec()));
  }
  for (; connected_receivers_ < receivers_.size(); ++connected_receivers_) {
    MpiReceiver& end = *receivers_[connected_receivers_];
    end.attach(peerEnd(their_senders[static_cast<size_t>(end.spec().from_rank)], end.spec()));
  }
}

void MpiCarrier::announce(Arrival arrival) {
  const auto end = static_cast<size_t>(arrival.tag / kKinds);
  const auto what = static_cast<Carries>(arrival.tag % kKinds);
  const std::shared_ptr<Buffer>& buffer = arrival.incoming->buffer;
  const auto takeReceipt = [&](size_t sender, const Receipt& receipt) {
    FDG_CHECK(sender < senders_.size(), "a receipt for a channel that was never opened");
    senders_[sender]->take(receipt);
  };
  if (what == Carries::receipt) {
    Receipt receipt;
    FDG_CHECK(buffer->size() == sizeof receipt, "a receipt of another size");
    std::memcpy(&receipt, buffer->data(), sizeof receipt);
    takeReceipt(end, receipt);
    return;
  }
  if (what == Carries::message_and_rider) {
    Rider rider;
    FDG_CHECK(buffer->size() > sizeof rider, "a rider without a message");
    buffer->resize(buffer->size() - sizeof rider);
    std::memcpy(&rider, buffer->data() + buffer->size(), sizeof rider);
    takeReceipt(static_cast<size_t>(rider.end), rider.receipt);
  }
  FDG_CHECK(end < receivers_.size(), "a message for a channel that was never opened");
  if (what == Carries::tensor) {
    receivers_[end]->takeTensor(std::move(arrival.incoming));
  } else {
    receivers_[end]->take(std::move(arrival.incoming));
  }
}

void MpiCarrier::take(Arrival arrival) {
  if (latency_.count() == 0) {
    announce(std::move(arrival));
  } else {
    delayed_.push_back({std::chrono::steady_clock::now() + latency_, std::move(arrival)});
  }
}

bool MpiCarrier::announceDue() {
  bool any = false;
  while (!delayed_.empty() && delayed_.front().due <= std::chrono::steady_clock::now()) {
    Arrival arrival = std::move(delayed_.front().arrival);
    delayed_.pop_front();
    announce(std::move(arrival));
    any = true;
  }
  return any;
}

std::optional<std::chrono::steady_clock::time_point> MpiCarrier::nextDue() const {
  return delayed_.empty() ? std::nullopt : std::optional(delayed_.front().due);
}

bool MpiCarrier::progress() {
  const LinkProgress moved =
      the_link_.progress([this](Arrival arrival) { take(std::move(arrival)); });
  const bool was_due = announceDue();
  for (const auto& receiver : receivers_) {
    receiver->pump();
    if (moved.arrived == 0) {
      receiver->flush();
    }
  }
  if (moved.arrived + moved.received > 0 || was_due) {
    ++*activity_;
  }
  return moved.any() || was_due;
}

bool MpiCarrier::idle() const {
  return the_link_.idle() && delayed_.empty() &&
         std::all_of(senders_.begin(), senders_.end(), [](const auto& end) { return end->idle(); });
}

void MpiCarrier::forget(int rank) {
  for (const auto& receiver : receivers_) {
    if (receiver->spec().from_rank == rank) {
      receiver->peerDied();
    }
  }
  for (const auto& sender : senders_) {
    if (sender->spec().to_rank == rank) {
      sender->peerDied();
    }
  }
}

void MpiCarrier::shut() {
  for (const auto& receiver : receivers_) {
    receiver->shut();
  }
  for (const auto& sender : senders_) {
    sender->shut();
  }
}

}  // namespace fdg::transport
