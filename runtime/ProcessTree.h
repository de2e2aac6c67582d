// A process and all below it, as /proc shows them now.
#pragma once

#include <sys/types.h>

#include <vector>

namespace fdg {

/// `root` first; processes that have left their parent are not found.
std::vector<pid_t> processTree(pid_t root);
/// SIGKILL to all of them.
void killTree(pid_t root);

}  // namespace fdg
