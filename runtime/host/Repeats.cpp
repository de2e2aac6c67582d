#include "runtime/host/Repeats.h"

#include <cstring>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/Check.h"
#include "fdg/trace_hash.h"
#include "runtime/host/Trailer.h"

namespace fdg::host {
namespace {

constexpr size_t kLeast = 256;  // bytes of a slice that is worth a place
constexpr int32_t kWhole = -1;

/// What slices must have in common.
using Kind = std::tuple<at::ScalarType, int64_t, int64_t>;

size_t sliceBytes(const at::Tensor& t) {
  return t.element_size() * static_cast<size_t>(t.size(-1) * t.size(-2));
}

bool hasSlices(const at::Tensor& t) {
  return t.defined() && t.layout() == at::kStrided && t.device().is_cpu() && t.dim() >= 3 &&
         t.numel() > 0 && t.is_contiguous() && !t.requires_grad() && sliceBytes(t) >= kLeast;
}

/// Different slices in order of coming.
class Slices {
 public:
  explicit Slices(size_t bytes) : bytes_(bytes) {}

  int32_t placeOf(const std::byte* slice) {
    value::Hasher hasher;
    hasher.bytes(slice, bytes_);
    const auto next = static_cast<int32_t>(slices_.size());
    int32_t& place = places_.try_emplace(hasher.value(), next).first->second;
    if (place == next || std::memcmp(slices_[static_cast<size_t>(place)], slice, bytes_) != 0) {
      slices_.push_back(slice);
      place = next;
    }
    return place;
  }
  at::Tensor tensor(const at::Tensor& like) const {
    at::Tensor all = at::empty({size(), like.size(-2), like.size(-1)}, like.scalar_type());
    auto* to = static_cast<std::byte*>(all.mutable_data_ptr());
    for (const std::byte* slice : slices_) {
      std::memcpy(to, slice, bytes_);
      to += bytes_;
    }
    return all;
  }
  int64_t size() const { return static_cast<int64_t>(slices_.size()); }

 private:
  size_t bytes_;
  std::vector<const std::byte*> slices_;
  std::unordered_map<uint64_t, int32_t> places_;  // by hash
};

at::Tensor placesIn(const at::Tensor& t, Slices& slices) {
  at::Tensor places = at::empty(t.sizes().slice(0, t.dim() - 2), at::kInt);
  const auto* slice = static_cast<const std::byte*>(t.const_data_ptr());
  for (int32_t& place : std::span(places.data_ptr<int32_t>(), places.numel())) {
    place = slices.placeOf(slice);
    slice += sliceBytes(t);
  }
  return places;
}

void checkMessage(bool right) {
  if (!right) {
    throw UserError("a message that was gathered by pack is damaged");
  }
}

at::Tensor whole(const at::Tensor& places, const at::Tensor& slices) {
  checkMessage(places.defined() && places.scalar_type() == at::kInt && places.is_contiguous() &&
               slices.defined() && slices.dim() == 3 && slices.is_contiguous());
  std::vector<int64_t> sizes = places.sizes().vec();
  sizes.insert(sizes.end(), {slices.size(1), slices.size(2)});
  at::Tensor all = at::empty(sizes, slices.scalar_type());
  const size_t bytes = sliceBytes(slices);
  const auto* from = static_cast<const std::byte*>(slices.const_data_ptr());
  auto* to = static_cast<std::byte*>(all.mutable_data_ptr());
  for (const int32_t place : std::span(places.data_ptr<int32_t>(), places.numel())) {
    checkMessage(place >= 0 && place < slices.size(0));
    std::memcpy(to, from + static_cast<size_t>(place) * bytes, bytes);
    to += bytes;
  }
  return all;
}

}  // namespace

void shareRepeats(value::Parts& parts) {
  // Of each tensor where its slices are, or kWhole: behind the bytes.
  std::vector<int32_t> slices_of(parts.tensors.size(), kWhole);
  std::map<Kind, std::vector<size_t>> kinds;
  for (size_t i = 0; i < parts.tensors.size(); ++i) {
    const at::Tensor& t = parts.tensors[i];
    if (hasSlices(t)) {
      kinds[{t.scalar_type(), t.size(-2), t.size(-1)}].push_back(i);
    }
  }
  for (const auto& [kind, members] : kinds) {
    const at::Tensor like = parts.tensors[members.front()];
    Slices slices(sliceBytes(like));
    std::vector<at::Tensor> places;
    int64_t all = 0;
    for (const size_t member : members) {
      places.push_back(placesIn(parts.tensors[member], slices));
      all += places.back().numel();
    }
    if (2 * slices.size() > all) {
      continue;
    }
    const at::Tensor once = slices.tensor(like);  // before what they lie in is let go
    for (size_t i = 0; i < members.size(); ++i) {
      parts.tensors[members[i]] = places[i];
      slices_of[members[i]] = static_cast<int32_t>(parts.tensors.size());
    }
    parts.tensors.push_back(once);
  }
  appendWords(parts.bytes, slices_of);
}

void restoreRepeats(value::Parts& parts) {
  const auto end = takeWords<int32_t>(parts.bytes);
  checkMessage(end && end->size() <= parts.tensors.size());
  const std::vector<int32_t>& slices_of = *end;
  for (size_t i = 0; i < slices_of.size(); ++i) {
    const int32_t at = slices_of[i];
    if (at != kWhole) {
      checkMessage(at >= 0 && static_cast<size_t>(at) >= slices_of.size() &&
                   static_cast<size_t>(at) < parts.tensors.size());
      parts.tensors[i] = whole(parts.tensors[i], parts.tensors[static_cast<size_t>(at)]);
    }
  }
  parts.tensors.resize(slices_of.size());
}

}  // namespace fdg::host
