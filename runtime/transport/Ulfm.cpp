#include "runtime/transport/Ulfm.h"

#include <dlfcn.h>

#include <cstdlib>
#include <numeric>
#include <string_view>

#include "base/Check.h"

namespace fdg::transport {
namespace {

using GetFailed = int (*)(MPI_Comm, MPI_Group*);
using AckFailed = int (*)(MPI_Comm, int, int*);

template <class Function>
Function lookUp(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

/// As `mpirun --with-ft ulfm` tells its ranks.
bool isAskedFor() {
  const char* value = std::getenv("OMPI_MCA_mpi_ft_enable");
  return value != nullptr && (std::string_view(value) == "1" || std::string_view(value) == "true");
}

}  // namespace

void requireUlfm() {
  if (lookUp<GetFailed>("MPIX_Comm_get_failed") == nullptr ||
      lookUp<AckFailed>("MPIX_Comm_ack_failed") == nullptr) {
    throw UserError(
        "on_failure: continue needs an MPI that outlives a dead rank (ULFM, in Open MPI 5), and "
        "this one does not; use the Open MPI that scripts/setup installs, or on_failure: restart");
  }
  if (!isAskedFor()) {
    throw UserError(
        "on_failure: continue needs ULFM, and mpirun was not asked for it; start it with mpirun "
        "--with-ft ulfm --mca coll ^han,cuda, or let fdg-run start mpirun");
  }
}

std::vector<int> deadIn(MPI_Comm comm) {
  static const auto get_failed = lookUp<GetFailed>("MPIX_Comm_get_failed");
  static const auto ack_failed = lookUp<AckFailed>("MPIX_Comm_ack_failed");
  MPI_Group failed = MPI_GROUP_NULL;
  MPI_Group all = MPI_GROUP_NULL;
  int size = 0;
  if (get_failed(comm, &failed) != MPI_SUCCESS || MPI_Group_size(failed, &size) != MPI_SUCCESS) {
    return {};
  }
  int acknowledged = 0;
  ack_failed(comm, size, &acknowledged);
  MPI_Comm_group(comm, &all);
  std::vector<int> in_group(static_cast<size_t>(size));
  std::iota(in_group.begin(), in_group.end(), 0);
  std::vector<int> ranks(in_group.size());
  MPI_Group_translate_ranks(failed, size, in_group.data(), all, ranks.data());
  MPI_Group_free(&all);
  if (size > 0) {
    MPI_Group_free(&failed);
  }
  return ranks;
}

}  // namespace fdg::transport
