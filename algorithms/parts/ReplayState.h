// ReplayState: all that PrioritizedRows holds beside the bytes of its rows and of its frames, as
// values that are saved and put back.
//
// What follows from these is not among them and is worked out again: the trees from the raw
// priorities, how often a frame is held from the rows. What is read may be damaged, or of another
// replay: PrioritizedRows::restore checks all of it before it changes anything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/parts/ReplayOptions.h"
#include "fdg/stream.h"

namespace fdg::rl {

/// Saved behind everything else: what stands there instead shows that a length before it is
/// damaged.
constexpr uint64_t kSavedEnd = 0x7265706c61792e31;

struct RingState {
  std::vector<int64_t> generations;
  int64_t oldest = 0;
  int64_t count = 0;  // whole slots, from the oldest on
};

struct FrameState {
  std::vector<uint64_t> hashes;  // by number; 0 is none's
  std::vector<uint32_t> free;    // numbers that were given out and are not held, next one last
};

struct ReplayState {
  std::string options;  // see optionsText
  RingState ring;
  FrameState frames;
  std::vector<double> raw;  // priorities by slot
  Stream stream;
  int64_t dropped = 0;
  int64_t samples = 0;
  uint64_t end = kSavedEnd;

  template <class A>
  void archive(A& a) {
    a(options, ring.generations, ring.oldest, ring.count, frames.hashes, frames.free, raw, stream,
      dropped, samples, end);
  }
};

/// "capacity=100 alpha=0.6 …", equal for equal options only.
std::string optionsText(const ReplayOptions& options);
/// Throws UserError that names the first option in which two such texts differ, and both values.
void checkSameOptions(const std::string& saved, const std::string& here);
[[noreturn]] void refuseSaved(std::string_view what, int64_t which);
/// Throws UserError unless `right`: what was saved is damaged, in its `what`, of slot or frame
/// `which` if that is not below 0.
inline void checkSaved(bool right, std::string_view what, int64_t which = -1) {
  if (!right) [[unlikely]] {
    refuseSaved(what, which);
  }
}

}  // namespace fdg::rl
