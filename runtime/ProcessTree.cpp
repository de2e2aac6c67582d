#include "runtime/ProcessTree.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace fdg {

std::vector<pid_t> processTree(pid_t root) {
  std::vector<pid_t> all = {root};
  for (size_t i = 0; i < all.size(); ++i) {
    std::error_code gone;
    const std::filesystem::directory_iterator tasks(
        "/proc/" + std::to_string(all[i]) + "/task", gone);
    for (auto task = begin(tasks); !gone && task != end(tasks); task.increment(gone)) {
      std::ifstream list(task->path() / "children");
      for (pid_t child; list >> child;) {
        all.push_back(child);
      }
    }
  }
  return all;
}

void killTree(pid_t root) {
  for (const pid_t process : processTree(root)) {
    ::kill(process, SIGKILL);
  }
}

}  // namespace fdg
