#include "core/Crash.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace fdg {
namespace {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FDG_SANITIZER_SPEAKS
#endif
#endif
constexpr size_t kStack = 64 << 10;

struct Cause {
  int signal;
  std::string_view text;
};
constexpr std::array<Cause, 5> kCauses = {
    Cause{SIGSEGV,
          "the program crashed (SIGSEGV): it used memory that is not its own, as behind a null "
          "pointer or the end of an array, or its recursion has no end"},
    Cause{SIGBUS,
          "the program crashed (SIGBUS): it used memory that is not there, as behind the end of a "
          "file that it maps, or shared memory that is full"},
    Cause{SIGFPE,
          "the program divides an integer by zero; look for a period or a size that is 0 in its "
          "config (--explain lists the fields)"},
    Cause{SIGILL,
          "the program crashed (SIGILL): this machine does not know the instruction; was it "
          "compiled for another one?"},
    Cause{SIGABRT,
          "the program aborted (SIGABRT), by abort(), an assert, or an exception in a place that "
          "may not throw; what it says about it stands above"},
};

thread_local const CrashPlace* at_work [[gnu::tls_model("initial-exec")]] = nullptr;
volatile pid_t owner = 0;  // the process at work; 0: none
CrashGuard::End how_to_end = CrashGuard::End::exits;
std::array<char, 256> beginning;
std::array<struct sigaction, kCauses.size()> before;

/// One sentence, put together without memory of anyone else's.
class Sentence {
 public:
  void add(std::string_view text) {
    const size_t n = std::min(text.size(), text_.size() - size_ - 1);
    std::memcpy(text_.data() + size_, text.data(), n);
    size_ += n;
  }
  void add(int64_t number) {
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    add({digits.data(), static_cast<size_t>(end - digits.data())});
  }
  void say() {
    text_[size_++] = '\n';
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text_.data(), size_);
  }

 private:
  std::array<char, 1024> text_;
  size_t size_ = 0;
};

void say(std::string_view cause) {
  Sentence sentence;
  sentence.add(beginning.data());
  if (at_work != nullptr) {
    sentence.add(at_work->text.empty() ? "" : " on ");
    sentence.add(at_work->text);
    if (at_work->iterations != nullptr) {
      sentence.add(", iteration ");
      sentence.add(std::max<int64_t>(0, *at_work->iterations - 1));
    }
  }
  sentence.add(": ");
  sentence.add(cause);
  sentence.say();
}

bool isOwner() { return owner != 0 && owner == ::getpid(); }

[[noreturn]] void dieBy(int signal) {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  ::sigaction(signal, &action, nullptr);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(signal);
  endProcess(1);
}

[[noreturn]] void end(int signal) {
  if (how_to_end == CrashGuard::End::dies) {
    dieBy(SIGKILL);
  }
  if (signal != 0 && how_to_end == CrashGuard::End::dies_by_it) {
    dieBy(signal);
  }
  endProcess(1);
}

void onCrash(int signal, siginfo_t* info, void* /*context*/) {
  if (!isOwner()) {
    dieBy(signal);
  }
  const auto* cause = std::ranges::find(kCauses, signal, &Cause::signal);
  const bool from_outside = info->si_code <= 0 && info->si_pid != ::getpid();
  say(from_outside ? "another process sent it the signal of a crash" : cause->text);
  end(signal);
}

constexpr std::string_view kLeft =
    "the program ends the process by itself (exit, quick_exit or _Exit), in the middle of the run; let "
    "the training function return, or throw an exception";

/// It was the program if a fragment was at work on this thread, or wherever the code claims success.
void onExit(int code) {
  if (!isOwner() || (at_work == nullptr && code != 0)) {
    return;
  }
  say(kLeft);
  end(0);
}

void watchExits() {
  static const bool is_watched = [] {
    ::on_exit([](int code, void*) { onExit(code); }, nullptr);
    std::at_quick_exit([] { onExit(0); });
    return true;
  }();
  static_cast<void>(is_watched);
}

}  // namespace

CrashGuard::CrashGuard(const std::string& who, End end) {
  const size_t size = std::min(who.size(), beginning.size() - 1);
  std::memcpy(beginning.data(), who.data(), size);
  beginning[size] = '\0';
  how_to_end = end;
  watchExits();
  struct sigaction action = {};
  action.sa_sigaction = onCrash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < kCauses.size(); ++i) {
#ifdef FDG_SANITIZER_SPEAKS
    ::sigaction(kCauses[i].signal, nullptr, &before[i]);  // and says far more
#else
    ::sigaction(kCauses[i].signal, &action, &before[i]);
#endif
  }
  owner = ::getpid();
}

CrashGuard::~CrashGuard() {
  owner = 0;
  for (size_t i = 0; i < kCauses.size(); ++i) {
    ::sigaction(kCauses[i].signal, &before[i], nullptr);
  }
}

CrashStack::CrashStack() {
  void* memory = ::mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return;
  }
  memory_ = memory;
  const stack_t stack = {.ss_sp = memory_, .ss_flags = 0, .ss_size = kStack};
  ::sigaltstack(&stack, &before_);
}

CrashStack::~CrashStack() {
  if (memory_ != nullptr) {
    ::sigaltstack(&before_, nullptr);
    ::munmap(memory_, kStack);
  }
}

AtWork::AtWork(const CrashPlace& place) : before_(at_work) { at_work = &place; }
AtWork::~AtWork() { at_work = before_; }

void endProcess(int code) {
  for (;;) {
    ::syscall(SYS_exit_group, code);
  }
}

}  // namespace fdg

// Before the C library's, so that what a component calls comes here. Nothing else does: the library's
// own exit() ends by another way.
extern "C" {
void _exit(int code) {  // NOLINT(bugprone-reserved-identifier)
  fdg::onExit(code);
  fdg::endProcess(code);
}
void _Exit(int code) noexcept {  // NOLINT(bugprone-reserved-identifier)
  fdg::onExit(code);
  fdg::endProcess(code);
}
}
