#include "runtime/transport/Session.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <thread>

#include "base/Check.h"
#include "runtime/transport/Ulfm.h"

namespace fdg::transport {
namespace {

void require(int code, const char* what) {
  if (code == MPI_SUCCESS) {
    return;
  }
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw UserError(fmt::format("MPI failed in {}: {}", what, text));
}

/// Waits for a collective by asking and sleeping: the library's own wait would keep a core busy,
/// which the ranks that are still on their way need more.
void complete(MPI_Request request, const char* what) {
  constexpr int kLooks = 100;
  constexpr std::chrono::microseconds kMost{1000};
  std::chrono::microseconds pause{50};
  for (int look = 0;; ++look) {
    int is_done = 0;
    require(MPI_Test(&request, &is_done, MPI_STATUS_IGNORE), what);
    if (is_done != 0) {
      return;
    }
    if (look >= kLooks) {
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, kMost);
    }
  }
}

std::string hostName() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// Process ids mean the same where this does.
uint64_t processNamespace() {
  struct stat space = {};
  return ::stat("/proc/self/ns/pid", &space) == 0 ? space.st_ino : 0;
}

/// Open MPI looks for its files where it was built; a wheel lies elsewhere. Its mpirun knows, srun
/// does not. Slurm offers munge for the connection as well, which the wheel lacks and complains of.
void tellOpenMpiItsPlace() {
  Dl_info library = {};
  if (std::getenv("OPAL_PREFIX") != nullptr ||
      ::dladdr(reinterpret_cast<void*>(&MPI_Init_thread), &library) == 0) {
    return;
  }
  const auto prefix = std::filesystem::path(library.dli_fname).parent_path().parent_path();
  std::error_code unreadable;
  if (!std::filesystem::exists(prefix / "share/pmix", unreadable)) {
    return;
  }
  ::setenv("OPAL_PREFIX", prefix.c_str(), 0);
  ::setenv("PMIX_PREFIX", prefix.c_str(), 0);
  if (const char* modes = std::getenv("PMIX_SECURITY_MODE");
      modes != nullptr && std::string_view(modes).find("native") != std::string_view::npos) {
    ::setenv("PMIX_SECURITY_MODE", "native", 1);
  }
}

}  // namespace

struct Session::State {
  MPI_Comm world = MPI_COMM_NULL;
  MPI_Request barrier = MPI_REQUEST_NULL;
  bool finalizes = false;
  std::vector<std::shared_ptr<void>> kept;
};

Session::Session(bool tolerant) : state_(std::make_unique<State>()), tolerant_(tolerant) {
  if (tolerant_) {
    requireUlfm();
  }
  int is_initialised = 0;
  MPI_Initialized(&is_initialised);
  if (is_initialised == 0) {
    int provided = 0;
    tellOpenMpiItsPlace();
    require(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
    state_->finalizes = true;
    if (provided < MPI_THREAD_SERIALIZED) {
      throw UserError(
          "this MPI library cannot be called from more than one thread "
          "(MPI_THREAD_SERIALIZED); use Open MPI as scripts/setup installs it");
    }
  }
  if (tolerant_) {  // errors that belong to no communicator of ours
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  }
  require(MPI_Comm_dup(MPI_COMM_WORLD, &state_->world), "MPI_Comm_dup");
  MPI_Comm_set_errhandler(state_->world, MPI_ERRORS_RETURN);
  MPI_Comm_rank(state_->world, &rank_);
  MPI_Comm_size(state_->world, &size_);
  MPI_Comm node = MPI_COMM_NULL;
  require(MPI_Comm_split_type(state_->world, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node),
          "MPI_Comm_split_type");
  int leader = rank_;
  require(MPI_Bcast(&leader, 1, MPI_INT, 0, node), "MPI_Bcast");
  MPI_Comm_free(&node);
  leaders_.resize(static_cast<size_t>(size_));
  require(MPI_Allgather(&leader, 1, MPI_INT, leaders_.data(), 1, MPI_INT, state_->world),
          "MPI_Allgather");
  // Also where nobody needs them: whether this session is tolerant may not be what the others say.
  names_ = allGather(fmt::format("rank {} (process {} on {})", rank_, ::getpid(), hostName()));
  const std::array<uint64_t, 2> own = {static_cast<uint64_t>(::getpid()), processNamespace()};
  std::vector<std::array<uint64_t, 2>> all(static_cast<size_t>(size_));
  require(MPI_Allgather(own.data(), 2, MPI_UINT64_T, all.data(), 2, MPI_UINT64_T, state_->world),
          "MPI_Allgather");
  for (size_t other = 0; other < all.size(); ++other) {
    const bool is_seen = leaders_[other] == leader && own[1] != 0 && all[other][1] == own[1];
    processes_.push_back(is_seen ? static_cast<pid_t>(all[other][0]) : 0);
  }
}

Session::~Session() {
  if (state_->world != MPI_COMM_NULL && !anyone_died_) {
    MPI_Comm_free(&state_->world);
  }
  if (state_->finalizes) {
    MPI_Finalize();
  }
}

std::vector<std::string> Session::allGather(const std::string& text) const {
  return exchange(std::vector<std::string>(static_cast<size_t>(size_), text));
}

std::vector<std::string> Session::exchange(const std::vector<std::string>& texts) const {
  const auto ranks = static_cast<size_t>(size_);
  std::vector<int> out_counts(ranks), in_counts(ranks), out_at(ranks), in_at(ranks);
  std::string out;
  for (size_t r = 0; r < ranks; ++r) {
    out_counts[r] = static_cast<int>(texts[r].size());
    out_at[r] = static_cast<int>(out.size());
    out += texts[r];
  }
  MPI_Request request = MPI_REQUEST_NULL;
  require(MPI_Ialltoall(out_counts.data(), 1, MPI_INT, in_counts.data(), 1, MPI_INT, state_->world,
                        &request),
          "MPI_Ialltoall");
  complete(request, "MPI_Ialltoall");
  int total = 0;
  for (size_t r = 0; r < ranks; ++r) {
    in_at[r] = total;
    total += in_counts[r];
  }
  std::string in(static_cast<size_t>(total), '\0');
  require(MPI_Ialltoallv(out.data(), out_counts.data(), out_at.data(), MPI_CHAR, in.data(),
                         in_counts.data(), in_at.data(), MPI_CHAR, state_->world, &request),
          "MPI_Ialltoallv");
  complete(request, "MPI_Ialltoallv");
  std::vector<std::string> result;
  for (size_t r = 0; r < ranks; ++r) {
    result.push_back(in.substr(static_cast<size_t>(in_at[r]), static_cast<size_t>(in_counts[r])));
  }
  return result;
}

void Session::agree(const std::string& sentence) const {
  const std::vector<std::string> all = allGather(sentence);
  if (!sentence.empty()) {
    throw UserError(sentence);
  }
  for (size_t r = 0; r < all.size(); ++r) {
    if (!all[r].empty()) {
      throw UserError(fmt::format("rank {}: {}", r, all[r]));
    }
  }
}

void Session::enterBarrier() {
  require(MPI_Ibarrier(state_->world, &state_->barrier), "MPI_Ibarrier");
}

bool Session::barrierDone() {
  int is_done = 0;
  require(MPI_Test(&state_->barrier, &is_done, MPI_STATUS_IGNORE), "MPI_Test");
  return is_done != 0;
}

void Session::keep(std::shared_ptr<void> memory) { state_->kept.push_back(std::move(memory)); }

void Session::abort(int code) const {
  std::fflush(nullptr);
  if (tolerant_) {
    // Asked for ULFM, Open MPI 5.0 neither kills the others on MPI_Abort nor tells them of a rank
    // that exits: they wait for ever. Of one that a signal killed it tells them at once.
    ::raise(SIGKILL);
  }
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

}  // namespace fdg::transport
