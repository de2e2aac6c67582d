#include "runtime/MpiRun.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <thread>

#include "base/Check.h"
#include "base/SignalsHeldBack.h"
#include "runtime/BannerFilter.h"
#include "runtime/ProcessTree.h"

#ifndef FDG_MPIRUN
#define FDG_MPIRUN ""
#endif

namespace fdg {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(12);  // a last checkpoint is given 8
constexpr auto kLeave = std::chrono::seconds(2);   // for ranks that know that the run is over

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  void close() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
    fd_ = -1;
  }

 private:
  int fd_;
};

void writeAll(int fd, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR && errno != EAGAIN) {
      return;  // nobody reads any more
    }
    done += n > 0 ? static_cast<size_t>(n) : 0;
  }
}

[[noreturn]] void becomeMpirun(const std::vector<std::string>& command, int error_pipe,
                               pid_t parent, const sigset_t& old_mask) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) {
    std::_Exit(1);
  }
  ::sigprocmask(SIG_SETMASK, &old_mask, nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(error_pipe, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const auto& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  std::fprintf(stderr, "fdg-run: cannot start %s: %s\n", arguments[0], std::strerror(errno));
  std::_Exit(127);
}

/// Why a run ended: a rank that was killed cannot say it itself; for what else no worker said,
/// mpirun's text.
std::string lastWord(const BannerFilter& filter) {
  std::string banners = filter.banners();
  std::ranges::replace(banners, '\n', ' ');
  std::smatch match;
  static const std::regex kKilled(
      "rank ([0-9]+) with PID ([0-9]+) on node (\\S+) exited on\\s+signal ([^.]*)");
  if (std::regex_search(banners, match, kKilled)) {
    return "fdg-run: rank " + match.str(1) + " (process " + match.str(2) + " on " + match.str(3) +
           ") was killed by signal " + match.str(4) + "\n";
  }
  return filter.saidAnything() ? std::string()
                               : "fdg-run: mpirun ended the run:\n" + filter.banners();
}

/// mpirun while it runs: its standard error, the user's signals, its end.
class Watch {
 public:
  Watch(pid_t child, int error_pipe, int signals, std::filesystem::path outcome)
      : child_(child), error_(error_pipe), signals_(signals), outcome_(std::move(outcome)) {}

  int untilTheEnd() {
    while (!ended_) {
      std::array<pollfd, 2> waits = {pollfd{error_, POLLIN, 0}, pollfd{signals_, POLLIN, 0}};
      if (error_ < 0) {
        waits[0].fd = -1;
      }
      ::poll(waits.data(), waits.size(), 500);
      if ((waits[0].revents & (POLLIN | POLLHUP)) != 0) {
        passErrors();
      }
      if ((waits[1].revents & POLLIN) != 0) {
        takeSignal();
      }
      noteOutcome();
      if ((asked_ != 0 && Clock::now() > deadline_) || (over_ && Clock::now() > *over_ + kLeave)) {
        killTree(child_);
      }
    }
    noteOutcome();
    drain();
    return exitCode();
  }

 private:
  void noteOutcome() {
    if (over_ || outcome_.empty()) {
      return;
    }
    std::ifstream file(outcome_);
    std::string sentence;
    if (file >> code_ && file.get() == '\n') {
      over_ = Clock::now();
      std::getline(file, sentence, '\0');  // all there is
      writeAll(STDERR_FILENO, sentence);
    }
  }

  void passErrors() {
    std::array<char, 65536> buffer;
    const ssize_t n = ::read(error_, buffer.data(), buffer.size());
    if (n > 0) {
      writeAll(STDERR_FILENO, filter_.pass(std::string(buffer.data(), static_cast<size_t>(n))));
    } else if (n == 0) {
      error_ = -1;
    }
  }

  /// What is still in the pipe; a process that outlives mpirun may hold it open, so nobody waits
  /// for its end.
  void drain() {
    while (error_ >= 0) {
      pollfd wait{error_, POLLIN, 0};
      if (::poll(&wait, 1, 0) <= 0) {
        break;
      }
      passErrors();
    }
    writeAll(STDERR_FILENO, filter_.rest());
  }

  void takeSignal() {
    signalfd_siginfo info;
    if (::read(signals_, &info, sizeof info) != sizeof info) {
      return;
    }
    const int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGCHLD) {
      ended_ = ::waitpid(child_, &status_, WNOHANG) == child_;
    } else if (asked_ == 0) {
      asked_ = signal;
      deadline_ = Clock::now() + kPatience;
      ::kill(child_, SIGUSR1);
    } else {
      killTree(child_);
    }
  }

  int exitCode() const {
    if (asked_ != 0) {
      return 128 + (asked_ == SIGINT ? SIGINT : SIGTERM);
    }
    if (over_) {
      return code_;
    }
    if (WIFSIGNALED(status_)) {
      const int signal = WTERMSIG(status_);
      writeAll(STDERR_FILENO, "fdg-run: mpirun was killed by signal " + std::to_string(signal) +
                                  " (" + ::strsignal(signal) + "), and the run ended with it\n");
      return 1;
    }
    if (!outcome_.empty()) {
      if (!filter_.saidAnything()) {
        writeAll(STDERR_FILENO, "fdg-run: all ranks died before the run had ended\n");
      }
      return 1;
    }
    const int code = WEXITSTATUS(status_);
    if (code != 0) {
      writeAll(STDERR_FILENO, lastWord(filter_));
    }
    return code == 0 || code == 2 || code == 130 || code == 143 ? code : 1;
  }

  pid_t child_;
  int error_;
  int signals_;
  std::filesystem::path outcome_;
  std::optional<Clock::time_point> over_;  // since when the outcome is there
  int code_ = 0;                           // which is this
  BannerFilter filter_;
  int status_ = 0;
  bool ended_ = false;
  int asked_ = 0;  // the user's signal
  Clock::time_point deadline_;
};

std::string findMpirun() {
  if (const char* asked = std::getenv("FDG_MPIRUN"); asked != nullptr && *asked != '\0') {
    return asked;
  }
  std::vector<std::string> candidates = {FDG_MPIRUN};
  std::stringstream path(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) {
    candidates.push_back(folder + "/mpirun");
  }
  for (const auto& candidate : candidates) {
    if (!candidate.empty() && ::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  throw UserError(
      "more than one rank needs mpirun, and there is none; run scripts/setup, or name one in "
      "FDG_MPIRUN");
}

/// The first line of `mpirun --version`. Throws UserError with all that it says if it fails.
std::string versionOf(const std::string& mpirun) {
  std::string quoted = "'";
  for (const char letter : mpirun) {
    quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  std::FILE* pipe = ::popen((quoted + "' --version 2>&1").c_str(), "re");
  std::string text;
  for (int letter = 0; pipe != nullptr && (letter = std::fgetc(pipe)) != EOF;) {
    text += static_cast<char>(letter);
  }
  if (pipe == nullptr || ::pclose(pipe) > 0) {  // -1: whoever started us ignores children's ends
    text.erase(text.find_last_not_of(" \n") + 1);
    throw UserError(mpirun + " cannot run" + (text.empty() ? "" : ", it says:\n" + text));
  }
  return text.substr(0, text.find('\n'));
}

void passAsInterrupt(int /*signal*/) { ::kill(::getpid(), SIGINT); }

}  // namespace

std::vector<std::string> mpirunCommand(const std::filesystem::path& session, bool tolerant) {
  const std::string mpirun = findMpirun();
  const std::string version = versionOf(mpirun);
  // Open MPI 4 says "mpirun (Open MPI) 4.1.4", or OpenRTE where it is called by another name.
  if (version.find("Open MPI") == std::string::npos &&
      version.find("OpenRTE") == std::string::npos) {
    throw UserError(mpirun + " is not Open MPI's (it says \"" + version +
                    "\"); fdg-run is built with Open MPI: name its mpirun in FDG_MPIRUN");
  }
  std::vector<std::string> command = {mpirun, "--allow-run-as-root", "--oversubscribe", "--bind-to",
                                      "none"};
  const bool is_five = version.find(") 5.") != std::string::npos;
  if (tolerant && !is_five) {
    throw UserError(
        "on_failure: continue needs Open MPI 5, whose ranks can outlive one that dies "
        "(ULFM); " +
        mpirun + " says \"" + version +
        "\". Use the one that scripts/setup installs, or on_failure: restart");
  }
  if (tolerant) {
    command.insert(command.end(), {"--with-ft", "ulfm"});
  }
  if (is_five) {
    command.insert(command.end(), {"--mca", "coll", "^han,cuda", "--prtemca",
                                   "prte_local_tmpdir_base", session.string()});
  } else {
    command.insert(command.end(), {"--mca", "orte_tmpdir_base", session.string()});
  }
  return command;
}

int runUnderMpi(const std::vector<std::string>& command, const std::filesystem::path& outcome) {
  sigset_t wanted;
  sigset_t old_mask;
  ::sigemptyset(&wanted);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) {
    ::sigaddset(&wanted, signal);
  }
  ::sigprocmask(SIG_BLOCK, &wanted, &old_mask);
  const Descriptor signals(::signalfd(-1, &wanted, SFD_CLOEXEC));
  int ends[2];
  if (signals.get() < 0 || ::pipe2(ends, O_CLOEXEC) != 0) {
    throw UserError(std::string("cannot start mpirun: ") + std::strerror(errno));
  }
  const Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    throw UserError(std::string("cannot start mpirun: ") + std::strerror(errno));
  }
  if (child == 0) {
    becomeMpirun(command, write_end.get(), parent, old_mask);
  }
  write_end.close();
  const int code = Watch(child, read_end.get(), signals.get(), outcome).untilTheEnd();
  ::sigprocmask(SIG_SETMASK, &old_mask, nullptr);
  return code;
}

void endWithParent(bool is_rank_0) {
  struct sigaction action = {};
  action.sa_handler = is_rank_0 ? passAsInterrupt : SIG_IGN;
  ::sigaction(SIGUSR1, &action, nullptr);
  const pid_t parent = ::getppid();
  // Not PR_SET_PDEATHSIG: that fires when the *thread* that forked us ends, and mpirun forks from
  // threads.
  const int handle = static_cast<int>(::syscall(SYS_pidfd_open, parent, 0));
  if (handle < 0 || ::getppid() != parent) {
    return;
  }
  const SignalsHeldBack held_back;
  std::thread([handle] {
    pollfd wait{handle, POLLIN, 0};
    while (::poll(&wait, 1, -1) < 0 && errno == EINTR) {
    }
    std::_Exit(1);
  }).detach();
}

}  // namespace fdg
