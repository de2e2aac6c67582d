// What mpirun or srun says about this process before MPI is there: from the environment.
#pragma once

#include <string>

namespace fdg {

/// True if mpirun, srun or another launcher of MPI ranks started this process.
bool startedByMpi();
/// 0 without them.
int rankInJob();
/// As far as they say it, else 0.
int ranksInJob();
/// A folder that every rank thinks of without asking.
std::string folderOfJob(const std::string& program);

}  // namespace fdg
