#include <torch/torch.h>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>

#include "base/RunFolder.h"
#include "core/Config.h"
#include "core/Crash.h"
#include "core/Failure.h"
#include "core/Names.h"
#include "core/Safetensors.h"
#include "fdg/program.h"

namespace fdg {
namespace {

/// The whole run in one process: all rows, a log file, saved tensors.
class SequentialBackend final : public RunBackend {
 public:
  SequentialBackend(uint64_t seed, std::string folder, bool quiet)
      : seed_(seed), folder_(std::move(folder)), quiet_(quiet) {
    log_.open(folder_ + "/log.jsonl");
    if (!log_) {
      throw UserError("cannot write " + folder_ + "/log.jsonl; choose another folder with --out");
    }
  }

  void log(std::string_view key, double value, double weight) override {
    if (weight == 0) {
      return;  // nothing happened that could be averaged
    }
    checkLogKey(key);
    char number[64];
    const auto end = std::to_chars(number, number + sizeof number, value).ptr;
    log_ << "{\"key\": \"" << key << "\", \"index\": " << counts_[std::string(key)]++
         << ", \"value\": " << std::string_view(number, end) << "}\n";
    if (!quiet_) {
      last_[std::string(key)] = value;
    }
  }

  void save(std::string_view name, const NamedTensors& tensors) override {
    checkSavedName(name);
    writeSafetensors(folder_ + "/" + std::string(name) + ".safetensors", tensors);
  }

  uint64_t seed() const override { return seed_; }

  void report() const {
    for (const auto& [key, value] : last_) {
      std::cout << key << ": " << value << " (last of " << counts_.at(key) << ")\n";
    }
    std::cout << "log and saved tensors: " << folder_ << "\n";
  }

 private:
  uint64_t seed_;
  std::string folder_;
  bool quiet_;
  std::ofstream log_;
  std::map<std::string, int64_t> counts_;
  std::map<std::string, double> last_;
};

void printUsage(const char* program, const VisitConfig& visit) {
  std::cout << "Runs " << program << " sequentially, in one process.\n\n"
            << "  --set FIELD=VALUE   change a config field\n"
            << "  --seed N            seed of all random streams (default 1)\n"
            << "  --out FOLDER        log and saved tensors (default runs/" << program
            << "-001, counting up)\n"
            << "  --quiet             print nothing\n\nFields and their values:\n";
  for (const auto& [name, value] : configValues(visit)) {
    std::cout << "  " << name << " = " << value << "\n";
  }
}

}  // namespace

int sequentialMain(int argc, char** argv, const char* program, const VisitConfig& visit,
                   const std::function<void(Run&)>& train) {
  try {
    const CrashStack stack;
    const CrashGuard crashes(std::string(program) + ": the training function failed",
                             CrashGuard::End::exits);
    torch::set_num_threads(1);
    uint64_t seed = 1;
    std::string folder;
    bool quiet = false;
    for (int i = 1; i < argc; ++i) {
      const std::string option = argv[i];
      if (option == "--help" || option == "-h") {
        printUsage(program, visit);
        return 0;
      }
      if (option == "--quiet") {
        quiet = true;
        continue;
      }
      if (option != "--set" && option != "--seed" && option != "--out") {
        throw UserError("unknown option " + option + "; --help lists the options");
      }
      if (++i == argc) {
        throw UserError(option + " needs a value");
      }
      const std::string value = argv[i];
      if (option == "--set") {
        setConfigField(visit, value);
      } else if (option == "--out") {
        folder = value;
      } else if (std::from_chars(value.data(), value.data() + value.size(), seed).ptr !=
                     value.data() + value.size() ||
                 value.empty()) {
        throw UserError("--seed " + value + ": a seed is a whole number ≥ 0");
      }
    }
    refuseUsedFolder(folder);
    SequentialBackend backend(seed, makeRunFolder(folder, program), quiet);
    Run run(backend);
    train(run);
    if (!quiet) {
      backend.report();
    }
    return 0;
  } catch (const UserError& error) {
    std::cerr << program << ": " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << program << ": the training function failed: " << sentenceOf(error) << "\n";
    return 1;
  }
}

}  // namespace fdg
