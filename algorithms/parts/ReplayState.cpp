#include "algorithms/parts/ReplayState.h"

#include <algorithm>
#include <sstream>

#include "algorithms/parts/Limits.h"
#include "base/Check.h"

namespace fdg::rl {

std::string optionsText(const ReplayOptions& o) {
  std::ostringstream text;
  text << "capacity=" << o.capacity << " alpha=" << Limits::text(o.alpha)
       << " beta=" << Limits::text(o.beta) << " beta_steps=" << o.beta_steps
       << " epsilon=" << Limits::text(o.epsilon) << " normalise=" << o.normalise
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
