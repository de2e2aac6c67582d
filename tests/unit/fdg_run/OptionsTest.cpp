#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/Check.h"
#include "runtime/Options.h"

namespace fdg {
namespace {

using ::testing::HasSubstr;

using Arguments = std::vector<std::string>;

std::string errorOf(const Arguments& arguments) {
  try {
    parseOptions(arguments);
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

TEST(Options, Defaults) {
  const Options o = parseOptions({"a.plan"});
  EXPECT_EQ(o.plan, "a.plan");
  EXPECT_EQ(o.policy, "single");
  EXPECT_EQ(o.ranks, 0);
  EXPECT_EQ(o.seed, 1u);
  EXPECT_FALSE(o.replicas || o.window || o.quiet || o.dry_run || o.force_mpi || o.worker);
}

TEST(Options, SurviveTheWayToAWorker) {
  const Options door = parseOptions({"--policy",   "dp-a",
                                     "-n",         "3",
                                     "--replicas", "8",
                                     "--set",      "a=1",
                                     "--set",      "--b=x,y z",
                                     "--config",   "c d.yaml",
                                     "--seed",     "18446744073709551615",
                                     "--out",      "runs/x",
                                     "--verify",   "50",
                                     "--carrier",  "mpi",
                                     "--window",   "7",
                                     "--quiet",    "--stuck-after",
                                     "5m",         "--",
                                     "-odd.plan"});
  const Options worker = parseOptions(workerArguments(door));
  EXPECT_TRUE(worker.worker);
  EXPECT_EQ(worker.plan, "-odd.plan");
  EXPECT_EQ(worker.policy, "dp-a");
  EXPECT_EQ(worker.ranks, 3);
  EXPECT_EQ(worker.replicas, 8);
  EXPECT_EQ(worker.sets, (Arguments{"a=1", "--b=x,y z"}));
  EXPECT_EQ(worker.config, "c d.yaml");
  EXPECT_EQ(worker.seed, UINT64_MAX);
  EXPECT_EQ(worker.out, "runs/x");
  EXPECT_EQ(worker.verify, 50);
  EXPECT_TRUE(worker.force_mpi && worker.quiet);
  EXPECT_EQ(worker.window, 7);
  EXPECT_EQ(worker.stuck_after, 300);
}

TEST(Options, SetTakesOneValueEach) {
  const Options o = parseOptions({"--set", "a=1", "x.plan"});
  EXPECT_EQ(o.sets, Arguments{"a=1"});
  EXPECT_EQ(o.plan, "x.plan");
}

TEST(Options, WrongOnesAreSentences) {
  EXPECT_THAT(errorOf({}), HasSubstr("which plan?"));
  EXPECT_THAT(errorOf({"--polcy", "x", "a.plan"}),
              HasSubstr("unknown option --polcy; did you mean --policy?"));
  EXPECT_THAT(errorOf({"-n", "two", "a.plan"}), HasSubstr("-n two: takes a whole number from 1"));
  EXPECT_THAT(errorOf({"-n", "0", "a.plan"}), HasSubstr("-n 0"));
  EXPECT_THAT(errorOf({"-n", "99999999999999999999", "a.plan"}), HasSubstr("takes a whole number"));
  EXPECT_THAT(errorOf({"--seed", "-1", "a.plan"}), HasSubstr("--seed"));
  EXPECT_THAT(errorOf({"--seed", "1.5", "a.plan"}), HasSubstr("--seed 1.5"));
  EXPECT_THAT(errorOf({"--carrier", "tcp", "a.plan"}), HasSubstr("takes auto or mpi"));
  EXPECT_THAT(errorOf({"--stuck-after", "5x", "a.plan"}), HasSubstr("takes a time such as"));
  EXPECT_THAT(errorOf({"--inject-latency", "2us", "a.plan"}), HasSubstr("takes a time such as"));
  EXPECT_THAT(errorOf({"--checkpoint", "k", "--every", "0", "a.plan"}), HasSubstr("from 1 to"));
  EXPECT_THAT(errorOf({"--checkpoint", "k", "--every", "-3", "a.plan"}),
              HasSubstr("takes a time such as 2ms, 60s, 5m or 2h, or a number of iterations"));
  EXPECT_THAT(errorOf({"--stuck-after", "nan", "a.plan"}), HasSubstr("takes a time such as"));
  EXPECT_THAT(errorOf({"--window", "0", "a.plan"}), HasSubstr("--window 0"));
  EXPECT_THAT(errorOf({"--verify", "0", "a.plan"}), HasSubstr("--verify 0"));
  EXPECT_THAT(errorOf({"a.plan", "b.plan"}), HasSubstr("one plan at a time: what is \"b.plan\"?"));
  EXPECT_THAT(errorOf({"a.plan", "--policy"}), HasSubstr("--policy"));
}

TEST(Options, AnEmptyTextIsRefusedEverywhere) {
  for (const char* option :
       {"--policy", "-n", "--replicas", "--set", "--config", "--seed", "--out", "--cluster",
        "--timings", "--verify", "--carrier", "--inject-latency", "--window", "--stuck-after",
        "--checkpoint", "--every", "--resume", "--timeline"}) {
    EXPECT_THAT(errorOf({option, "", "a.plan"}),
                HasSubstr(std::string(option) + " is given an empty text; it takes "));
    if (std::string(option) != "-n") {
      EXPECT_THAT(errorOf({std::string(option) + "=", "a.plan"}),
                  HasSubstr(std::string(option) + " is given an empty text; it takes "));
    }
  }
  EXPECT_THAT(errorOf({""}), HasSubstr("PLAN is given an empty text; it takes FILE"));
}

TEST(Options, HelpHasExamplesAndVersionNamesWhatMustFit) {
  EXPECT_THAT(parseOptions({"--help"}).text, HasSubstr("fdg-run --policy dp-a -n 4 apex.plan"));
  EXPECT_THAT(parseOptions({"--version"}).text, HasSubstr("LibTorch 2."));
}

}  // namespace
}  // namespace fdg
