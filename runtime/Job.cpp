#include "runtime/Job.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

namespace fdg {
namespace {

/// Of the first of these variables that is set.
std::optional<int> numberIn(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const char* number = std::getenv(name); number != nullptr) {
      return std::atoi(number);
    }
  }
  return std::nullopt;
}

std::optional<int> rank() { return numberIn({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}); }

}  // namespace

bool startedByMpi() { return rank().has_value(); }

int rankInJob() { return rank().value_or(0); }

int ranksInJob() {
  return numberIn({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}).value_or(0);
}

std::string folderOfJob(const std::string& program) {
  for (const char* name : {"PMIX_NAMESPACE", "SLURM_JOB_ID", "PMI_JOBID"}) {
    if (const char* job = std::getenv(name); job != nullptr) {
      std::string text = job;
      std::ranges::replace_if(
          text, [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
      return "runs/" + program + "-" + text;
    }
  }
  return "runs/" + program + "-mpi";
}

}  // namespace fdg
