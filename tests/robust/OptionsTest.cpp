// Every number that a program's user can set, with values that make no sense: each is refused by a
// sentence that names the field, before the first iteration. And each field is on the program's
// page.
//
// Over the compiled plans of algorithms/, because only fdgc knows a config's fields by name.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>

#include "core/Config.h"
#include "fdg/fragment.h"

namespace fdg {
namespace {

using testing::HasSubstr;
using Settings = std::vector<std::string>;

class Nowhere final : public RunBackend {
 public:
  void log(std::string_view /*key*/, double /*value*/, double /*weight*/) override {}
  void save(std::string_view /*name*/, const NamedTensors& /*tensors*/) override {}
  uint64_t seed() const override { return 1; }
};

struct LoopReached {};

/// Ends the program where its first iteration would begin.
class UntilLoop final : public host::Tape {
 public:
  void at(int /*statement*/) override {}

 private:
  void crossed(int /*boundary*/, host::Box& /*values*/) override {}
  void enterLoop(int /*loop*/) override {}
  void leaveLoop(int /*loop*/) override {}
  bool next(int /*loop*/) override { throw LoopReached(); }
};

class Program {
 public:
  explicit Program(const std::string& name) : name_(name) {
    const std::string path = std::string(FDG_TEST_PLANS) + "/" + name + ".plan";
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      throw std::runtime_error(::dlerror());
    }
    code_ = reinterpret_cast<const host::PlanCode* (*)()>(::dlsym(library, "fdgPlanCode"))();
  }

  std::vector<std::pair<std::string, std::string>> fields() const {
    const Config config(code_->make_config(), code_->free_config);
    return configValues(visitOf(config));
  }

  /// What the program says to these settings; "accepted" where its loop is reached.
  std::string with(const Settings& settings) const {
    try {
      const Config config(code_->make_config(), code_->free_config);
      for (const std::string& each : settings) {
        setConfigField(visitOf(config), each);
      }
      Nowhere nowhere;
      Run run(nowhere);
      UntilLoop tape;
      code_->sequential(run, config.get(), tape);
      return "ended without a loop";
    } catch (const LoopReached&) {
      return "accepted";
    } catch (const UserError& error) {
      return error.what();
    } catch (const std::exception& error) {
      return std::string("failed: ") + error.what();
    }
  }

  std::string page() const {
    std::ifstream file(std::string(FDG_TEST_PAGES) + "/" + name_ + ".md");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

 private:
  using Config = std::unique_ptr<void, void (*)(void*)>;
  VisitConfig visitOf(const Config& config) const {
    return
        [this, raw = config.get()](ConfigVisitor& visitor) { code_->visit_config(raw, visitor); };
  }

  std::string name_;
  const host::PlanCode* code_;
};

/// "dqn.lr" → "lr"
std::string shortName(const std::string& field) { return field.substr(field.rfind('.') + 1); }

bool isOneOf(const std::string& field, const Settings& names) {
  return std::ranges::find(names, shortName(field)) != names.end();
}

enum class Kind { flag, integer, real, layers, word };

Kind kindOf(const Program& program, const std::string& field) {
  const auto says = [&](const char* value) { return program.with({field + "=" + value}); };
  if (says("word").find("takes true or false") != std::string::npos) {
    return Kind::flag;
  }
  if (says("word").find("takes an integer") != std::string::npos) {
    return Kind::integer;
  }
  if (says("word").find("takes a number") != std::string::npos) {
    return Kind::real;
  }
  return says("word").find("integers with commas") != std::string::npos ? Kind::layers : Kind::word;
}

Settings absurdValues(Kind kind, const std::string& field) {
  switch (kind) {
    case Kind::flag:
      return {"maybe"};
    case Kind::word:
      return {"nonsense"};
    case Kind::layers:
      return {"0", "-1", "8,0", "9000000000000000000"};
    case Kind::integer: {
      Settings values = {"-1", "-9000000000000000000", "9000000000000000000"};
      if (!isOneOf(field, {"eval_every", "lr_decay", "explore_steps", "random_steps", "beta_steps",
                           "soft_limit", "frame_capacity"})) {
        values.emplace_back("0");
      }
      return values;
    }
    case Kind::real: {
      Settings values = {"nan", "inf", "-inf", "1e9", "1e300", "-1e300"};
      if (!isOneOf(field, {"entropy_target", "initial_log_std", "value_low", "value_high"})) {
        values.emplace_back("-1");
      }
      if (isOneOf(field, {"gamma", "lambda", "decay", "rms_decay", "beta1", "beta2", "target_rate",
                          "alpha", "beta", "explore_start", "explore_end", "explore_return"})) {
        values.emplace_back("2");
      }
      if (isOneOf(field, {"lr", "policy_lr", "critic_lr", "clip", "target_rate", "temperature",
                          "reward_scale"})) {
        values.emplace_back("0");
      }
      return values;
    }
  }
  return {};
}

class EachProgram : public testing::TestWithParam<const char*> {};

TEST_P(EachProgram, RefusesAbsurdNumbersByTheirFieldsNames) {
  const Program program(GetParam());
  ASSERT_EQ(program.with({}), "accepted");
  for (const auto& [field, value] : program.fields()) {
    for (const std::string& absurd : absurdValues(kindOf(program, field), field)) {
      const std::string set = field + "=" + absurd;
      const std::string said = program.with({set});
      const bool names = field == "env" ? said.find(absurd) != std::string::npos
                                        : said.find(field) != std::string::npos;
      EXPECT_TRUE(names && !said.starts_with("failed")) << set << ": " << said;
    }
  }
}

TEST_P(EachProgram, HasAllFieldsOnItsPage) {
  const Program program(GetParam());
  const std::string page = program.page();
  for (const auto& [field, value] : program.fields()) {
    EXPECT_TRUE(page.find("`" + field + "`") != std::string::npos ||
                page.find("`" + shortName(field) + "`") != std::string::npos)
        << "algorithms/" << GetParam() << ".md does not say what " << field << " is";
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, EachProgram,
                         testing::Values("a2c", "a3c", "apex", "ddpg", "dqn", "fastsac", "mappo",
                                         "ppo", "sac", "td3"),
                         [](const auto& info) { return std::string(info.param); });

class OffPolicy : public testing::TestWithParam<const char*> {};

TEST_P(OffPolicy, RefusesWhatLearnsNothing) {
  const Program program(GetParam());
  const std::string replay = GetParam() == std::string("apex") ? "replay." : "";
  const Settings small = {"warmup=100", "batch=16", "envs=4"};
  const auto with = [&](Settings more) {
    more.insert(more.begin(), small.begin(), small.end());
    return program.with(more);
  };
  EXPECT_EQ(with({replay + "capacity=100"}), "accepted");
  EXPECT_THAT(with({replay + "capacity=99"}),
              HasSubstr("warmup is 100; it must be at most " + replay + "capacity, 99"));
  EXPECT_THAT(with({replay + "capacity=100", "batch=101"}),
              HasSubstr("batch is 101; it must be at most " + replay + "capacity, 100"));
  EXPECT_THAT(with({replay + "capacity=3", "warmup=1", "batch=1"}),
              HasSubstr("envs × n_step is "));
  EXPECT_THAT(with({"sync=10", "eval_every=25"}),
              HasSubstr("eval_every is 25; it must be a multiple of sync, 10, or 0"));
  EXPECT_EQ(with({"sync=10", "eval_every=30"}), "accepted");
  EXPECT_EQ(with({"sync=10", "eval_every=0"}), "accepted");
}

INSTANTIATE_TEST_SUITE_P(Programs, OffPolicy,
                         testing::Values("apex", "ddpg", "dqn", "fastsac", "sac", "td3"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Options, RefusesASoftLimitBelowTheWarmUp) {
  EXPECT_THAT(Program("apex").with({"replay.soft_limit=999"}),
              HasSubstr("warmup is 1000; it must be at most replay.soft_limit, 999"));
}

TEST(Options, RefusesMoreMinibatchesThanSamples) {
  EXPECT_THAT(Program("ppo").with({"envs=2", "horizon=4", "minibatches=9"}),
              HasSubstr("minibatches is 9; it must be at most envs × horizon, 8"));
  EXPECT_EQ(Program("ppo").with({"envs=2", "horizon=4", "minibatches=8"}), "accepted");
  EXPECT_THAT(Program("mappo").with({"worlds=2", "horizon=4", "minibatches=9"}),
              HasSubstr("minibatches is 9; it must be at most worlds × horizon, 8"));
}

/// What a short try may mean is told, once, and runs.
TEST(Options, WarnsOfRunsTooShortToLearn) {
  const auto warning = [](const Settings& settings) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(Program("dqn").with(settings), "accepted");
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(warning({"steps=126", "eval_every=100"}), "");
  EXPECT_THAT(
      warning({"steps=124", "eval_every=100"}),
      HasSubstr("warmup=1000 transitions, and steps=124 with envs=8 make no more than 992"));
  EXPECT_THAT(warning({"steps=126", "eval_every=126"}),
              HasSubstr("eval_every=126 is not within the run's steps=126"));
}

}  // namespace
}  // namespace fdg
