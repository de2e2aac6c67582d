#include "algorithms/parts/ReplayState.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "base/Check.h"

namespace fdg::rl {
namespace {

/// The shortest text that is this number and no other.
std::string shortest(double value) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

}  // namespace

std::string optionsText(const ReplayOptions& o) {
  std::ostringstream text;
  text << "capacity=" << o.capacity << " alpha=" << shortest(o.alpha)
       << " beta=" << shortest(o.beta) << " beta_steps=" << o.beta_steps
       << " epsilon=" << shortest(o.epsilon) << " normalise=" << o.normalise
       << " soft_limit=" << o.soft_limit << " cut_every=" << o.cut_every << " frames=" << o.frames
       << " frame_capacity=" << o.frame_capacity;
  return text.str();
}

void refuseSaved(std::string_view what, int64_t which) {
  throw UserError("what was saved is damaged, in its " + std::string(what) +
                  (which < 0 ? "" : " " + std::to_string(which)) + "; the replay is unchanged");
}

void checkSameOptions(const std::string& saved, const std::string& here) {
  std::istringstream theirs(saved), ours(here);
  std::string their, our;
  while (ours >> our) {
    const std::string name = our.substr(0, our.find('=') + 1);
    checkSaved(theirs >> their && their.starts_with(name) &&
                   std::ranges::all_of(their, [](char c) { return c > ' ' && c < 127; }),
               "options");
    if (their != our) {
      throw UserError("what was saved is a replay with " + their + ", but this one has " + our +
                      "; the replay is unchanged");
    }
  }
  checkSaved(saved == here, "options");
}

}  // namespace fdg::rl
