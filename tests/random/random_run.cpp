// random_run FILE.so: runs every program of a file that random_split projected and a compiler built.
//
// Each program runs as it was written, as the sequential copy that tells what crosses, and as its fragments,
// all in this thread: first as one instance, then every fragment as an instance of its own, window 1, with copies of
// what crosses. All must log, save and send the same, bit for bit. Standard output gets a line for each:
//   NAME equal N CROSSINGS [all]     all: every annotation was reached, so fdg-run --verify can prove it too
//   NAME differs TEXT
//   NAME broken TEXT                 a crash, a deadlock, an exception in the fragments alone
//   NAME skipped TEXT                the program itself fails when it is run as it was written
// Each program runs in a process of its own.
#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <torch/torch.h>
#include <unistd.h>

#include <functional>
#include <iostream>
#include <memory>

#include "base/Check.h"
#include "runtime/host/Scheduler.h"
#include "runtime/host/Verify.h"
#include "runtime/place/Policy.h"
#include "tests/random/CopyingTransport.h"
#include "tests/random/Programs.h"

namespace random_programs {
namespace {

using fdg::Manifest;
using fdg::host::Trace;

constexpr unsigned kSecondsPerProgram = 20;  // of processor time: a busy machine fails nothing
constexpr unsigned kSecondsOnTheClock = 900;  // for one that waits for ever
constexpr uint64_t kSeed = 1;

/// What a program says to its Run, when nothing but itself is there.
class PlainRun final : public fdg::RunBackend {
 public:
  void log(std::string_view key, double value, double weight) override {
    if (weight != 0) {
      logs.emplace_back(key, value);
    }
  }
  void save(std::string_view name, const fdg::NamedTensors& tensors) override {
    saves.emplace_back(name, fdg::host::hashOf(tensors));
  }
  uint64_t seed() const override { return kSeed; }

  std::vector<std::pair<std::string, double>> logs;
  std::vector<std::pair<std::string, uint64_t>> saves;
};

fdg::place::Placement placed(const Manifest& manifest, bool apart) {
  std::string policy = "name: random\ngroups:\n";
  if (apart) {
    for (const fdg::FragmentInfo& fragment : manifest.fragments) {
      policy += "  g" + std::to_string(fragment.id) + ": {fragments: [\"" + fragment.name + "\"], replicas: 1}\n";
    }
  } else {
    policy += "  all: {fragments: rest, replicas: 1}\n";
  }
  policy += "boundaries:\n  default: {mode: ordered, window: 1}\n";
  const int ranks = apart ? std::max(1, static_cast<int>(manifest.fragments.size())) : 1;
  return fdg::place::collapse(fdg::place::place(manifest, fdg::place::readPolicy(policy, "random.yaml").orThrow(),
                                                fdg::place::thisMachine(ranks))
                                  .orThrow());
}

Trace runFragments(const Manifest& manifest, const fdg::host::PlanCode& code, const void* config, bool apart) {
  const fdg::place::Placement placement = placed(manifest, apart);
  const fdg::host::Topology topology = fdg::host::layOut(manifest, placement);
  const std::unique_ptr<fdg::transport::Transport> transport =
      apart ? std::make_unique<CopyingTransport>() : fdg::transport::makeLocalTransport();
  fdg::host::Batch batch;
  fdg::host::HostContext context{manifest, placement, topology, *transport, kSeed, false, 0, true, batch, [](auto) {}};
  fdg::host::Scheduler scheduler(context, code, config, 10);
  transport->connect();
  scheduler.run([] {});
  std::vector<fdg::host::Batch> batches;
  batches.push_back(std::move(batch));
  return fdg::host::mergeTrace(manifest, std::move(batches));
}

/// Is the oracle itself what the program says? Empty: yes.
std::string compareOracle(const PlainRun& plain, const Trace& oracle) {
  const auto same = [](const auto& saved, const fdg::host::SavePoint& point) {
    return saved == std::pair(point.name, point.hash);
  };
  if (!std::ranges::equal(plain.saves, oracle.saves, same)) {
    return "the sequential copy saves something else than the program";
  }
  for (size_t i = 0; i < std::min(plain.logs.size(), oracle.logs.size()); ++i) {
    if (plain.logs[i] != std::pair(oracle.logs[i].key, oracle.logs[i].value)) {
      return "value " + std::to_string(i) + " that the program logs is " + plain.logs[i].first + " = " +
             std::to_string(plain.logs[i].second) + ", the sequential copy logs " + oracle.logs[i].key + " = " +
             std::to_string(oracle.logs[i].value);
    }
  }
  return plain.logs.size() == oracle.logs.size() ? "" : "the sequential copy logs more or less than the program";
}

std::string judge(const Entry& entry) {
  const Manifest manifest = fdg::readManifest(entry.manifest).orThrow();
  const fdg::host::PlanCode& code = *entry.code();
  const std::unique_ptr<void, void (*)(void*)> config(code.make_config(), code.free_config);
  PlainRun plain;
  try {
    fdg::Run run(plain);
    entry.plain(run, config.get());
  } catch (const std::exception& error) {
    return std::string("skipped ") + error.what();
  }
  const Trace oracle = fdg::host::sequentialTrace(manifest, code, config.get(), kSeed, 0);
  if (const std::string text = compareOracle(plain, oracle); !text.empty()) {
    return "differs " + text;
  }
  for (const bool apart : {false, true}) {
    const Trace trace = runFragments(manifest, code, config.get(), apart);
    const auto verdict = fdg::host::compareBits(manifest, trace, oracle, "sequential run");
    if (!verdict.equal) {
      return "differs " + verdict.text;
    }
  }
  return "equal " + std::to_string(manifest.fragments.size()) + " " + std::to_string(oracle.crossings.size()) +
         (fdg::host::neverFired(manifest, oracle).empty() ? " all" : "");
}

std::string oneLine(std::string text) {
  for (char& c : text) {
    c = c == '\n' ? ' ' : c;
  }
  return text;
}

void limitTime() {
  const rlimit limit = {kSecondsPerProgram, kSecondsPerProgram};
  ::setrlimit(RLIMIT_CPU, &limit);
  ::alarm(kSecondsOnTheClock);
}

void judgeInOwnProcess(const Entry& entry) {
  std::cout.flush();
  const pid_t child = ::fork();
  if (child == 0) {
    limitTime();
    std::string verdict;
    try {
      verdict = judge(entry);
    } catch (const std::exception& error) {
      verdict = std::string("broken ") + error.what();
    }
    std::cout << entry.name << " " << oneLine(verdict) << std::endl;
    std::_Exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) {
    std::cout << entry.name << " broken signal " << (WIFSIGNALED(status) ? WTERMSIG(status) : 0) << "\n";
  }
}

int runAll(const char* file) {
  torch::set_num_threads(1);
  void* library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::cerr << ::dlerror() << "\n";
    return 2;
  }
  const auto list = reinterpret_cast<const List* (*)()>(::dlsym(library, "randomPrograms"));
  FDG_CHECK(list != nullptr, "not a file of projected programs");
  for (const Entry& entry : list()->entries) {
    judgeInOwnProcess(entry);
  }
  return 0;
}

}  // namespace
}  // namespace random_programs

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: random_run FILE.so\n";
    return 2;
  }
  return random_programs::runAll(argv[1]);
}
