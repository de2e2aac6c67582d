#include "runtime/host/Ending.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>

namespace fdg::host {
namespace {

constexpr auto kPassedOn = std::chrono::milliseconds(100);  // what was said, by mpirun

/// Where several ranks find the same mistake the first ends the others.
void letTheFirstSpeak(const WorkerSetup& setup) {
  std::this_thread::sleep_for(
      std::chrono::milliseconds(std::min(setup.transport->rank() * 1000, 2000)));
}

/// `is_for_all`: fdg-run may say it instead.
int endAll(const WorkerSetup& setup, int code, const std::string& sentence, bool is_for_all) {
  if (!is_for_all || !noteOutcome(setup, code, sentence)) {
    std::cerr << sentence << std::flush;  // in one piece
  }
  if (setup.transport->size() > 1) {
    std::this_thread::sleep_for(kPassedOn);
    setup.transport->abort(code);
  }
  return code;
}

}  // namespace

bool outlivesRanks(const WorkerSetup& setup) { return !setup.placement.may_die.empty(); }

bool noteOutcome(const WorkerSetup& setup, int code, const std::string& sentence) {
  if (setup.outcome.empty()) {
    return false;
  }
  const std::string own = setup.outcome + "." + std::to_string(setup.transport->rank());
  std::ofstream file(own);
  file << code << '\n' << sentence;
  file.close();
  const bool is_noted =
      file && (::link(own.c_str(), setup.outcome.c_str()) == 0 || errno == EEXIST);
  ::unlink(own.c_str());
  return is_noted;
}

int endRefused(const WorkerSetup& setup, const std::string& sentence) {
  letTheFirstSpeak(setup);
  return endAll(setup, kCallIsWrong, "fdg-run: " + sentence + "\n", /*is_for_all=*/true);
}

int endFailed(const WorkerSetup& setup, const std::string& cause, bool alone) {
  const int rank = setup.transport->rank();
  if (!alone) {
    letTheFirstSpeak(setup);
  }
  const std::string sentence = (alone ? "fdg-run: " : "fdg-run: the run failed on ") +
                               std::string(unitOf(setup.placement)) + " " + std::to_string(rank) +
                               (alone ? " failed: " : ": ") + cause + "\n";
  return endAll(setup, 1, sentence, !alone);
}

void sayWhereToGoOn(CheckpointBook& book, std::chrono::seconds waited) {
  if (book.hasMadeRequested()) {
    return;
  }
  std::cerr << "fdg-run: a last checkpoint could not be made"
            << (book.isIdle() ? std::string(": parts of the run had ended")
                              : " in " + std::to_string(waited.count()) + " s")
            << (book.last().empty() ? std::string("; there is none to go on from")
                                    : "; the one to go on from is " + book.last())
            << std::endl;
  book.removeUnfinished();
}

void tellBusy(const WorkerSetup& setup, const std::string& sentence, bool is_alone) {
  if (is_alone) {
    const int code = endFailed(setup, sentence + " (--stuck-after)", /*alone=*/false);
    std::fflush(nullptr);
    std::_Exit(code);
  }
  std::cerr << "fdg-run: on " + std::string(unitOf(setup.placement)) + " " +
                   std::to_string(setup.transport->rank()) + ": " + sentence + "\n"
            << std::flush;
}

void endLost(const WorkerSetup& setup, const RunLost& lost) {
  const std::string sentence = std::string("fdg-run: the run failed: ") + lost.what() + "\n";
  if (!noteOutcome(setup, 1, sentence) && lost.speaks()) {
    std::cerr << sentence << std::flush;
    std::this_thread::sleep_for(kPassedOn);
  }
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace fdg::host
