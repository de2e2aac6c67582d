#include "runtime/StartRanks.h"

#include <iostream>

#include "runtime/MpiRun.h"
#include "runtime/SessionFolder.h"
#include "runtime/checkpoint/Folder.h"

namespace fdg {

int startRanks(const Options& options, const std::string& executable) {
  const SessionFolder session;
  std::vector<std::string> command = mpirunCommand(session.path());
  command.insert(command.end(), {"-n", std::to_string(options.ranks), executable});
  const std::vector<std::string> arguments = workerArguments(options);
  command.insert(command.end(), arguments.begin(), arguments.end());
  return runUnderMpi(command);
}

int startAgainAndAgain(Options options, const std::string& executable) {
  constexpr int kFruitless = 3;
  for (int fruitless = 0;;) {
    const int code = startRanks(options, executable);
    if (code != 1) {
      return code;
    }
    auto found = checkpoint::findCheckpoint(options.checkpoint);
    if (!found) {
      std::cerr << "fdg-run: cannot restart the run: " << found.error() << std::endl;
      return code;
    }
    fruitless = found->folder == options.resume ? fruitless + 1 : 0;
    if (fruitless == kFruitless) {
      std::cerr << "fdg-run: " << kFruitless << " starts from " << options.resume
                << " have failed before the next checkpoint; not trying again" << std::endl;
      return code;
    }
    options.resume = found->folder;
    std::cerr << "fdg-run: restarting all ranks from " << options.resume << std::endl;
  }
}

}  // namespace fdg
