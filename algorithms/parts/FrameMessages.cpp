#include "algorithms/parts/FrameMessages.h"

#include <cstring>
#include <numeric>
#include <unordered_map>

#include "algorithms/parts/FrameStore.h"
#include "fdg/rows.h"

namespace fdg::rl {
namespace {

/// Different frames in order of coming.
class FrameTable {
 public:
  explicit FrameTable(size_t frame_bytes) : bytes_(frame_bytes) {}

  int32_t placeOf(const std::byte* frame) {
    const auto next = static_cast<int32_t>(frames_.size());
    int32_t& place = places_.try_emplace(hashOf(frame, bytes_), next).first->second;
    if (place != next && std::memcmp(frames_[static_cast<size_t>(place)], frame, bytes_) == 0) {
      return place;
    }
    frames_.push_back(frame);
    return place = next;
  }
  void copyTo(std::byte* to) const {
    for (const std::byte* frame : frames_) {
      std::memcpy(to, frame, bytes_);
      to += bytes_;
    }
  }
  int64_t size() const { return static_cast<int64_t>(frames_.size()); }

 private:
  size_t bytes_;
  std::vector<const std::byte*> frames_;
  std::unordered_map<uint64_t, int32_t> places_;  // by hash
};

/// stacks: contiguous.
torch::Tensor placesOf(const torch::Tensor& stacks, size_t frame_bytes, FrameTable& table) {
  torch::Tensor places = torch::empty({stacks.size(0), stacks.size(1)}, torch::kInt32);
  const auto* frame = static_cast<const std::byte*>(stacks.const_data_ptr());
  for (int32_t& place : std::span(places.data_ptr<int32_t>(), places.numel())) {
    place = table.placeOf(frame);
    frame += frame_bytes;
  }
  return places;
}

}  // namespace

FrameMessage shareFrames(const Experience& experience) {
  const Transitions& t = experience.transitions;
  const torch::Tensor observation = t.observation.contiguous();
  const torch::Tensor next = t.next_observation.contiguous();
  if (observation.dim() < 3 || next.sizes() != observation.sizes() ||
      next.scalar_type() != observation.scalar_type()) {
    throw UserError(
        "frames are shared where both observations are stacks along their first dimension");
  }
  std::vector<int64_t> sizes = observation.sizes().slice(1).vec();
  const int64_t stacked = std::max<int64_t>(observation.size(0) * sizes.front(), 1);
  const size_t frame_bytes = observation.nbytes() / static_cast<size_t>(stacked);
  FrameTable table(frame_bytes);
  FrameMessage message = {.frames = {},
                          .observation = placesOf(observation, frame_bytes, table),
                          .action = t.action,
                          .reward = t.reward,
                          .next_observation = placesOf(next, frame_bytes, table),
                          .discount = t.discount,
                          .error = experience.error};
  sizes.front() = table.size();
  message.frames = torch::empty(sizes, observation.scalar_type());
  table.copyTo(static_cast<std::byte*>(message.frames.mutable_data_ptr()));
  return message;
}

FrameMessages::FrameMessages(int64_t rows) : rows_(rows) {
  if (rows < 1) {
    throw UserError("a message has at least 1 transition, not " + std::to_string(rows));
  }
}

std::vector<FrameMessage> FrameMessages::push(const Experience& experience,
                                              const std::vector<int64_t>& counts) {
  const int64_t rows = std::accumulate(counts.begin(), counts.end(), int64_t{0});
  if (rows != experience.error.size(0)) {
    throw UserError("counts of " + std::to_string(rows) + " transitions for " +
                    std::to_string(experience.error.size(0)));
  }
  waiting_.resize(counts.size());
  std::vector<FrameMessage> complete;
  int64_t begin = 0;
  for (size_t e = 0; e < counts.size(); begin += counts[e++]) {
    std::vector<Experience>& waiting = waiting_[e];
    if (counts[e] > 0) {
      waiting.push_back(value::sliceRows(experience, begin, begin + counts[e]));
    }
    int64_t waiting_rows = 0;
    std::vector<const Experience*> parts;
    for (const Experience& part : waiting) {
      parts.push_back(&part);
      waiting_rows += part.error.size(0);
    }
    if (waiting_rows >= rows_) {
      complete.push_back(shareFrames(value::concatRows<Experience>(parts)));
      waiting.clear();
    }
  }
  return complete;
}

}  // namespace fdg::rl
