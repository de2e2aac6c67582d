// A plan by hand, as fdgc would write it: a source that makes rows and a sink that adds them up.
// FAULT, if defined, breaks what the manifest says of itself, for the refusals.
#include <torch/torch.h>
#include <torch/version.h>
#include <unistd.h>

#include "fdg/fdg.h"
#include "base/Manifest.h"
#include "fdg/fragment.h"

#ifndef FDG_TEST_MANIFEST_VERSION
#define FDG_TEST_MANIFEST_VERSION "3"
#endif
#ifndef FDG_TEST_INTERFACE
#define FDG_TEST_INTERFACE "5"
#endif
#ifndef FDG_TEST_TORCH
#define FDG_TEST_TORCH TORCH_VERSION
#endif

#define FDG_TEST_FRAGMENT(id, name, role, component)                                               \
  "{\"id\": " id ", \"name\": \"" name "\", \"roles\": [\"" role                                   \
  "\"], \"components\": [\"" component                                                             \
  "\"], \"lines\": [1, 2], \"replicable\": {\"holds\": true, \"reason\": \"\"}, \"approximate\": " \
  "false,"                                                                                         \
  " \"approximate_reason\": \"\", \"fusable\": {\"holds\": true, \"reason\": \"\"}}"

__attribute__((section(".fdg.manifest"), used)) extern const char fdgManifest[] =
    "{\"manifest_version\": " FDG_TEST_MANIFEST_VERSION ", \"interface_version\": " FDG_TEST_INTERFACE
    ", \"torch_version\": \"" FDG_TEST_TORCH
    "\", \"compiler\": \"clang\", \"program\": \"count\", \"source\": \"count.cpp\", \"source_hash\": \"0\","
    " \"config_type\": \"Config\", \"config\": ["
    "{\"name\": \"steps\", \"type\": \"int\", \"default\": \"10\", \"about\": \"Iterations.\"},"
    "{\"name\": \"opt.rate\", \"type\": \"float\", \"default\": \"0.5\", \"about\": \"A rate.\"},"
    "{\"name\": \"fail\", \"type\": \"bool\", \"default\": \"false\", \"about\": \"Throw in the sink.\"},"
    "{\"name\": \"number\", \"type\": \"bool\", \"default\": \"false\", \"about\": \"Throw a number.\"},"
    "{\"name\": \"hang\", \"type\": \"bool\", \"default\": \"false\", \"about\": \"Hang in the sink.\"},"
    "{\"name\": \"sizes\", \"type\": \"ints\", \"default\": \"{1}\", \"about\": \"Some sizes.\"}],"
    " \"fragments\": [" FDG_TEST_FRAGMENT("0", "environment", "environment", "source") "," FDG_TEST_FRAGMENT(
        "1", "learner", "learner", "sink") "],"
    " \"boundaries\": [{\"id\": 0, \"name\": \"value\", \"operation\": \"gather\", \"loose\": false,"
    " \"implicit\": false, \"values\": [\"value\"], \"types\": [\"at::Tensor\"], \"producer\": 0,"
    " \"consumers\": [1], \"producer_needs_result\": false, \"loops\": [1], \"conditional\": false,"
    " \"line\": 4, \"only_for_drain\": -1, \"drainable\": {\"holds\": false, \"reason\": \"no\"},"
    " \"newest_able\": {\"holds\": false, \"reason\": \"no\"},"
    " \"callable\": {\"holds\": false, \"reason\": \"no\"}, \"held\": false}],"
    " \"loops\": [{\"id\": 1, \"parent\": -1, \"line\": 3, \"has_boundary\": true, \"trip_count\": \"cfg.steps\", \"fragments\": [], \"carries\": [], \"resumable\": {\"holds\": true, \"reason\": \"\"}}],"
    " \"rate_classes\": [{\"fragments\": [0, 1], \"loosen\": []}]}";

namespace {

struct Options {
  double rate = 0.5;
};
struct Config {
  int64_t steps = 10;
  Options opt;
  bool fail = false;
  bool number = false;
  bool hang = false;
  std::vector<int64_t> sizes = {1};
};

fdg::host::Task source(fdg::Run& run, const void* config, fdg::host::Ports& ports) {
  const auto& cfg = *static_cast<const Config*>(config);
  const fdg::Rows rows = run.rows(8);
  fdg::host::Loop loop = ports.loop(1);
  for (int64_t i = 0; i < cfg.steps; ++i) {
    if (!co_await loop.next()) {
      break;
    }
    torch::Tensor value =
        torch::arange(rows.begin, rows.end, torch::kDouble) + static_cast<double>(i);
    co_await ports.send(0, value);
  }
}

fdg::host::Task sink(fdg::Run& run, const void* config, fdg::host::Ports& ports) {
  const auto& cfg = *static_cast<const Config*>(config);
  fdg::host::Loop loop = ports.loop(1);
  for (int64_t i = 0; i < cfg.steps; ++i) {
    if (!co_await loop.next()) {
      break;
    }
    torch::Tensor value;
    co_await ports.receive(0, value);
    if (cfg.fail && i == 3) {
      throw fdg::UserError("the sink is full");
    }
    if (cfg.number && i == 3) {
      throw 42;
    }
    while (cfg.hang && i == 3) {
      ::usleep(1000);
    }
    ports.at(5);
    run.log("loss", value.sum() * cfg.opt.rate);
  }
}

constexpr fdg::host::FragmentCode kFragments[] = {{0, source}, {1, sink}};

void visit(void* config, fdg::ConfigVisitor& visitor) {
  auto& cfg = *static_cast<Config*>(config);
  visitor.field("steps", cfg.steps);
  visitor.field("opt.rate", cfg.opt.rate);
  visitor.field("fail", cfg.fail);
  visitor.field("number", cfg.number);
  visitor.field("hang", cfg.hang);
  visitor.field("sizes", cfg.sizes);
}

}  // namespace

extern "C" const fdg::host::PlanCode* fdgPlanCode() {
  static const fdg::host::PlanCode code = {
      fdg::kInterfaceVersion,
      [] { return static_cast<void*>(new Config); },
      [](void* config) { delete static_cast<Config*>(config); },
      visit,
      {kFragments, std::size(kFragments)},
      nullptr};
  return &code;
}
