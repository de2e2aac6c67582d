// What Open MPI's ULFM adds to MPI: a rank's death is an error that the others outlive.
//
// Looked up when the process runs, since libraries without it have to load too. Inside this room
// only: it has MPI's types.
#pragma once

#include <mpi.h>

#include <vector>

namespace fdg::transport {

/// Throws UserError, with what to do, unless this library has ULFM and mpirun was asked for it.
void requireUlfm();

/// The ranks of `comm` that are known to be dead. They are acknowledged: receives from any source
/// fail no more because of them. One death may come as errors of different classes; this is the
/// only way to tell one.
std::vector<int> deadIn(MPI_Comm comm);

}  // namespace fdg::transport
