#include "runtime/transport/Letters.h"

namespace fdg::transport {
namespace {

constexpr size_t kChunk = 32 << 10;
constexpr int kUnderWay = 8;
constexpr int kMore = 0;  // tags
constexpr int kLast = 1;
constexpr int kDone = 2;
constexpr int kLeave = 3;

}  // namespace

Letters::Letters(Session& session, OnDeath on_death)
    : rank_(session.rank()),
      link_(session, std::move(on_death)),
      out_(static_cast<size_t>(session.size())),
      in_(static_cast<size_t>(session.size())) {}

void Letters::post(int to, std::string text) {
  if (to == rank_) {
    arrived_.push_back({rank_, std::move(text)});
    return;
  }
  FDG_CHECK(to >= 0 && static_cast<size_t>(to) < out_.size(),
            "a letter to a rank that does not exist");
  if (!isAlive(to)) {
    return;
  }
  out_[static_cast<size_t>(to)].letters.push_back(std::move(text));
  ++waiting_;
  sendOn(to);
}

std::optional<Letter> Letters::take() {
  if (arrived_.empty()) {
    return std::nullopt;
  }
  Letter letter = std::move(arrived_.front());
  arrived_.pop_front();
  return letter;
}

bool Letters::sendOn(int to) {
  Outbox& box = out_[static_cast<size_t>(to)];
  bool moved = false;
  while (!box.letters.empty() && link_.underWay(to) < kUnderWay) {
    const std::string& text = box.letters.front();
    const size_t size = std::min(kChunk, text.size() - box.sent);
    auto buffer = std::make_shared<Buffer>(size);
    std::memcpy(buffer->data(), text.data() + box.sent, size);
    box.sent += size;
    const bool is_last = box.sent == text.size();
    link_.send(to, is_last ? kLast : kMore, std::move(buffer), true);
    moved = true;
    if (is_last) {
      box.letters.pop_front();
      box.sent = 0;
      --waiting_;
    }
  }
  return moved;
}

/// The tag of a chunk is kept by marking its end in the queue: a last chunk is followed by a null.
bool Letters::collect(int from) {
  Inbox& box = in_[static_cast<size_t>(from)];
  bool moved = false;
  while (!box.chunks.empty() && (box.chunks.front() == nullptr || box.chunks.front()->ready)) {
    if (const auto& chunk = box.chunks.front()) {
      box.text.append(reinterpret_cast<const char*>(chunk->buffer->data()), chunk->buffer->size());
    } else {
      arrived_.push_back({from, std::move(box.text)});
      box.text.clear();
      moved = true;
    }
    box.chunks.pop_front();
  }
  return moved;
}

void Letters::take(Arrival arrival) {
  if (arrival.tag == kDone) {
    done_.insert(arrival.from);
  } else if (arrival.tag == kLeave) {
    may_leave_ = true;
  } else if (isAlive(arrival.from)) {  // what a dead one did not finish was dropped
    auto& chunks = in_[static_cast<size_t>(arrival.from)].chunks;
    chunks.push_back(std::move(arrival.incoming));
    if (arrival.tag == kLast) {
      chunks.push_back(nullptr);
    }
  }
}

bool Letters::progress() {
  const LinkProgress moved = link_.progress([this](Arrival arrival) { take(std::move(arrival)); });
  bool any = moved.any();
  if (moved.arrived + moved.received > 0) {
    for (size_t from = 0; from < in_.size(); ++from) {
      any = collect(static_cast<int>(from)) || any;
    }
  }
  if (waiting_ > 0) {
    for (size_t to = 0; to < out_.size(); ++to) {
      any = sendOn(static_cast<int>(to)) || any;
    }
  }
  return any;
}

void Letters::forget(int rank) {
  dead_.insert(rank);
  Outbox& box = out_[static_cast<size_t>(rank)];
  waiting_ -= box.letters.size();
  box = Outbox();
  in_[static_cast<size_t>(rank)] = Inbox();
}

void Letters::sayDone() {
  done_.insert(rank_);
  if (rank_ != 0) {
    link_.send(0, kDone, std::make_shared<Buffer>(0), true);
  }
}

bool Letters::mayLeave() {
  bool all_done = true;
  for (int rank = 0; rank < static_cast<int>(out_.size()); ++rank) {
    all_done = all_done && (done_.contains(rank) || !isAlive(rank));
  }
  if (rank_ == 0 && all_done && !may_leave_) {
    for (int rank = 1; rank < static_cast<int>(out_.size()); ++rank) {
      link_.send(rank, kLeave, std::make_shared<Buffer>(0), true);
    }
    may_leave_ = true;
  }
  return may_leave_ || !isAlive(0);
}

bool Letters::outgoing() const { return waiting_ > 0 || !link_.idle(); }

}  // namespace fdg::transport
