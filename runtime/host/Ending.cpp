#include "runtime/host/Ending.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace fdg::host {
namespace {

constexpr auto kPassedOn = std::chrono::milliseconds(100);  // what was said, by mpirun

}  // namespace

bool outlivesRanks(const WorkerSetup& setup) { return !setup.placement.may_die.empty(); }

void noteOutcome(const WorkerSetup& setup, int code) {
  if (setup.outcome.empty()) {
    return;
  }
  const int file = ::open(setup.outcome.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (file >= 0) {
    const std::string text = std::to_string(code);
    [[maybe_unused]] const auto written = ::write(file, text.data(), text.size());
    ::close(file);
  }
}

int endFailed(const WorkerSetup& setup, const std::string& cause, bool alone) {
  const int rank = setup.transport->rank();
  if (!alone) {  // where several find the same mistake the first ends the others
    std::this_thread::sleep_for(std::chrono::milliseconds(std::min(rank * 1000, 2000)));
  }
  const std::string sentence = (alone ? "fdg-run: " : "fdg-run: the run failed on ") +
                               std::string(unitOf(setup.placement)) + " " + std::to_string(rank) +
                               (alone ? " failed: " : ": ") + cause + "\n";
  std::cerr << sentence << std::flush;  // in one piece
  if (setup.transport->size() > 1) {
    std::this_thread::sleep_for(kPassedOn);
    if (!alone) {
      noteOutcome(setup, 1);
    }
    setup.transport->abort(1);
  }
  return 1;
}

void endLost(const WorkerSetup& setup, const RunLost& lost) {
  if (lost.speaks()) {
    std::cerr << std::string("fdg-run: the run failed: ") + lost.what() + "\n" << std::flush;
    std::this_thread::sleep_for(kPassedOn);
  }
  noteOutcome(setup, 1);
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace fdg::host
