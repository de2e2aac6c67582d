#include "runtime/Options.h"

#include <torch/version.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "base/Check.h"
#include "base/Manifest.h"
#include "base/NearestName.h"

namespace fdg {
namespace {

constexpr const char* kFooter = R"(
Examples:
  fdg-run apex.plan                                   everything in this process
  fdg-run --policy dp-a apex.plan                     the policy's own ranks, on this machine
  fdg-run --policy dp-a -n 4 apex.plan                4 ranks
  fdg-run --policy dp-a --replicas 8 -n 3 apex.plan   8 workers on 2 ranks, the learner on the third
  fdg-run --set envs=64 --set dqn.lr=1e-4 apex.plan   other config; the fields: fdg-run --explain apex.plan
  fdg-run --policy my.yaml --dry-run apex.plan        shows the placement, starts nothing
  fdg-run --verify 20 --policy dp-a ppo.plan          20 iterations against the sequential run
  fdg-run --checkpoint runs/a --every 10m apex.plan   writes checkpoints; fdg-run --resume runs/a goes on
  mpirun -n 4 fdg-run --policy dp-a apex.plan         the same under mpirun or srun, on several machines too

Exit codes: 0 done, 1 the run failed (or --verify found a difference), 2 the call is wrong, 130 and 143 after
Ctrl-C and SIGTERM.)";

/// A whole number in a range, or a sentence.
template <class T>
T wholeNumber(const std::string& option, const std::string& text, T least, T most) {
  T value{};
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || value < least ||
      value > most) {
    throw UserError(option + " " + text + ": takes a whole number from " + std::to_string(least) +
                    " to " + std::to_string(most));
  }
  return value;
}

/// "60", "2ms", "60s", "5m" or "2h" → seconds.
double seconds(const std::string& option, const std::string& text, const char* more = "") {
  const auto end =
      std::ranges::find_if(text, [](unsigned char letter) { return std::isalpha(letter) != 0; });
  const std::string digits(text.begin(), end);
  const std::string name(end, text.end());
  const double unit = name.empty() || name == "s" ? 1
                      : name == "ms"              ? 1e-3
                      : name == "m"               ? 60
                      : name == "h"               ? 3600
                                                  : 0;
  double value = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (unit == 0 || digits.empty() || parsed.ptr != digits.data() + digits.size() || !(value > 0) ||
      value > 1e9) {
    throw UserError(option + " " + text + ": takes a time such as 2ms, 60s, 5m or 2h" + more);
  }
  return value * unit;
}

/// Options whose texts are checked after the parse, for sentences of our own.
struct Texts {
  std::string ranks, replicas, seed, verify, window, stuck_after, carrier, latency;
};

void describe(CLI::App& app, Options& options, Texts& texts) {
  app.add_option("PLAN", options.plan, "the plan, made by fdgc")->type_name("FILE");
  app.add_option("--policy", options.policy, "a policy's name or YAML file (default: single)")
      ->type_name("POLICY");
  app.add_option("-n", texts.ranks, "ranks; without it as many as the policy wants")
      ->type_name("N");
  app.add_option("--replicas", texts.replicas, "replicas of the policy's fill group")
      ->type_name("N");
  app.add_option("--set", options.sets, "change a config field; may be repeated")
      ->type_name("FIELD=VALUE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--config", options.config, "config fields from a YAML file")->type_name("FILE");
  app.add_option("--seed", texts.seed, "seed of all random streams (default: 1)")->type_name("N");
  app.add_option("--out", options.out,
                 "log and saved weights (default: runs/PROGRAM-001, counting up)")
      ->type_name("FOLDER");
  app.add_flag("--oversubscribe", options.oversubscribe,
               "start however many ranks on this machine, even 33 or more a core");
  app.add_flag("--dry-run", options.dry_run, "show the placement, start nothing");
  app.add_option("--cluster", options.cluster,
                 "with --dry-run: on the cluster that this YAML file describes")
      ->type_name("FILE");
  app.add_option("--timings", options.timings,
                 "write how long fragments compute; with --cluster: estimate from it")
      ->type_name("FILE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("--explain", options.explain, "show fragments, boundaries, facts and config fields");
  app.add_option("--verify", texts.verify, "compare N iterations with the sequential run")
      ->type_name("N");
  app.add_option("--carrier", texts.carrier,
                 "auto, or mpi: use MPI between ranks of one machine too")
      ->type_name("CARRIER");
  app.add_option("--inject-latency", texts.latency,
                 "add this to every message, to see how a policy fares on a slower network")
      ->type_name("TIME");
  app.add_option("--window", texts.window, "default window of boundaries, over the policy's")
      ->type_name("N");
  app.add_option("--stuck-after", texts.stuck_after,
                 "end a run without any progress (default: 300s)")
      ->type_name("TIME");
  app.add_option("--checkpoint", options.checkpoint,
                 "write checkpoints to go on from into this folder; the last two are kept")
      ->type_name("FOLDER");
  app.add_option("--every", options.every,
                 "how often: a time such as 60s, or a number of iterations (default: 5m)")
      ->type_name("TIME|N");
  app.add_option("--resume", options.resume,
                 "go on from the newest checkpoint in this folder; needs nothing else")
      ->type_name("FOLDER");
  app.add_option("--timeline", options.timeline, "write what every fragment did when, for Perfetto")
      ->type_name("FILE");
  app.add_flag("--quiet", options.quiet, "print errors only");
  app.add_flag("--worker", options.worker)->group("");
  app.add_option("--terminal", options.terminal)->group("");
}

void checkCheckpoints(Options& options) {
  const bool keeps = !options.checkpoint.empty() || !options.resume.empty();
  if (!options.every.empty() && !keeps) {
    throw UserError("--every " + options.every +
                    ": says how often checkpoints are written, but not where; add --checkpoint "
                    "FOLDER");
  }
  if (keeps && options.verify > 0) {
    throw UserError(
        "--verify compares a run from its start with the sequential run; leave --checkpoint and "
        "--resume out");
  }
  if (options.every.empty() && options.resume.empty()) {
    options.every = "5m";
  }
  if (!options.every.empty()) {
    intervalOf(options.every);
  }
}

void checkTimings(const Options& options) {
  if (!options.cluster.empty() && !options.dry_run) {
    throw UserError("--cluster " + options.cluster +
                    ": describes a cluster for --dry-run; to run on one, start fdg-run there with "
                    "mpirun or srun");
  }
  if (options.timings.empty()) {
    return;
  }
  if (options.dry_run && options.cluster.empty()) {
    throw UserError("--timings " + options.timings.front() +
                    ": a dry run estimates for a cluster; add --cluster FILE");
  }
  if (!options.dry_run && options.timings.size() > 1) {
    throw UserError("--timings " + options.timings[1] + ": a run writes one file of timings");
  }
  if (options.verify > 0) {
    throw UserError("--timings " + options.timings.front() +
                    ": a run under --verify is slowed by its comparison; leave one of them out");
  }
}

void check(Options& options, const Texts& texts) {
  constexpr int kMany = 1'000'000;
  if (!texts.ranks.empty()) {
    options.ranks = wholeNumber<int>("-n", texts.ranks, 1, kMany);
  }
  if (!texts.replicas.empty()) {
    options.replicas = wholeNumber<int64_t>("--replicas", texts.replicas, 1, kMany);
  }
  if (!texts.seed.empty()) {
    options.seed = wholeNumber<uint64_t>("--seed", texts.seed, 0, UINT64_MAX);
  }
  if (!texts.verify.empty()) {
    options.verify = wholeNumber<int64_t>("--verify", texts.verify, 1, int64_t{1} << 40);
  }
  if (!texts.window.empty()) {
    options.window = wholeNumber<int>("--window", texts.window, 1, kMany);
  }
  if (!texts.stuck_after.empty()) {
    options.stuck_after = seconds("--stuck-after", texts.stuck_after);
  }
  if (!texts.carrier.empty() && texts.carrier != "auto" && texts.carrier != "mpi") {
    throw UserError("--carrier " + texts.carrier + ": takes auto or mpi");
  }
  if (!texts.latency.empty()) {
    options.latency = seconds("--inject-latency", texts.latency);
  }
  options.force_mpi = texts.carrier == "mpi" || options.latency > 0;
  checkCheckpoints(options);
  if (!options.timeline.empty() && options.verify > 0) {
    throw UserError("--timeline " + options.timeline +
                    ": a run under --verify is slowed by its comparison; leave one of them out");
  }
  checkTimings(options);
  if (options.plan.empty() && options.resume.empty()) {
    throw UserError("which plan? Write fdg-run [OPTIONS] PROGRAM.plan; --help lists the options");
  }
}

std::vector<std::string> optionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty() && option->nonpositional()) {
      names.push_back(option->get_name());
    }
  }
  return names;
}

[[noreturn]] void refuseEmpty(const CLI::Option& option) {
  throw UserError(option.get_name() + " is given an empty text; it takes " +
                  option.get_type_name() + " (--help lists the options)");
}

/// "--out=", of which the parser would take the word behind it for the value.
void refuseEmptyTexts(const CLI::App& app, const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") {
      return;
    }
    for (const CLI::Option* option : app.get_options()) {
      if (argument == option->get_name() + "=") {
        refuseEmpty(*option);
      }
    }
  }
}

void refuseExtras(const CLI::App& app) {
  std::vector<std::string> extras = app.remaining();
  std::erase(extras, "--");
  for (const auto& extra : extras) {
    if (extra.starts_with('-')) {
      const std::string name = extra.substr(0, extra.find('='));
      throw UserError("unknown option " + name + didYouMean(name, optionNames(app)) +
                      " (--help lists the options)");
    }
  }
  if (!extras.empty()) {
    throw UserError("one plan at a time: what is \"" + extras.front() + "\"?");
  }
}

}  // namespace

Interval intervalOf(const std::string& every) {
  if (std::ranges::all_of(every, [](unsigned char c) { return std::isdigit(c) != 0; })) {
    return {wholeNumber<int64_t>("--every", every, 1, int64_t{1} << 40), 0};
  }
  return {0, seconds("--every", every, ", or a number of iterations")};
}

Options parseOptions(const std::vector<std::string>& arguments) {
  CLI::App app("Runs a plan under a policy: on this machine, or as ranks of MPI.", "fdg-run");
  Options options;
  Texts texts;
  describe(app, options, texts);
  app.footer(kFooter);
  app.set_version_flag("--version");
  app.allow_extras();
  refuseEmptyTexts(app, arguments);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    options.text = app.help();
    return options;
  } catch (const CLI::CallForVersion&) {
    options.text = std::string("fdg-run 0.1.0 (manifest ") + std::to_string(kManifestVersion) +
                   ", interface " + std::to_string(kInterfaceVersion) + ", LibTorch " +
                   TORCH_VERSION + ")\n";
    return options;
  } catch (const CLI::ParseError& error) {
    throw UserError(std::string(error.what()) + " (--help lists the options)");
  }
  refuseExtras(app);
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() > 0) {
      options.given.push_back(option->get_name());
    }
    if (std::ranges::count(option->results(), "") > 0) {
      refuseEmpty(*option);
    }
  }
  check(options, texts);
  return options;
}

std::vector<std::string> workerArguments(const Options& options) {
  std::vector<std::string> arguments = {"--worker", "--policy=" + options.policy,
                                        "--seed=" + std::to_string(options.seed),
                                        "--stuck-after=" + std::to_string(options.stuck_after)};
  const auto add = [&](bool wanted, const std::string& argument) {
    if (wanted) {
      arguments.push_back(argument);
    }
  };
  add(options.ranks > 0, "-n" + std::to_string(options.ranks));
  add(options.replicas.has_value(), "--replicas=" + std::to_string(options.replicas.value_or(0)));
  for (const auto& set : options.sets) {
    arguments.insert(arguments.end(), {"--set", set});
  }
  add(!options.config.empty(), "--config=" + options.config);
  add(!options.out.empty(), "--out=" + options.out);
  add(options.verify > 0, "--verify=" + std::to_string(options.verify));
  add(options.force_mpi, "--carrier=mpi");
  add(options.latency > 0, "--inject-latency=" + std::to_string(options.latency) + "s");
  add(options.window.has_value(), "--window=" + std::to_string(options.window.value_or(0)));
  add(!options.checkpoint.empty(), "--checkpoint=" + options.checkpoint);
  add(!options.checkpoint.empty(), "--every=" + options.every);
  add(!options.resume.empty(), "--resume=" + options.resume);
  add(!options.timeline.empty(), "--timeline=" + options.timeline);
  add(!options.timings.empty(),
      "--timings=" + (options.timings.empty() ? "" : options.timings.front()));
  add(options.quiet, "--quiet");
  add(options.terminal > 0, "--terminal=" + std::to_string(options.terminal));
  arguments.insert(arguments.end(), {"--", options.plan});
  return arguments;
}

}  // namespace fdg
