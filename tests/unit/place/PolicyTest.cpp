#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "runtime/place/Policy.h"

namespace fdg::place {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string errorOf(const std::string& text) { return readPolicy(text, "my.yaml").error(); }

constexpr const char* kGroups = "groups:\n  every: {fragments: rest}\n";

TEST(Policy, ReadsEveryKey) {
  const auto policy = readPolicy(R"(
name: mine
about: A policy.
groups:
  worker: {fragments: [environment, actor], replicas: fill, device: cpu, fuse: false}
  eval: {fragments: evaluator, replicas: 2, with: worker, in: ranks, optional: true}
  learner: {fragments: rest, replicas: per-node, device: {gpu: [0, 2]}}
boundaries:
  default: {mode: ordered, window: 3}
  append: {mode: drain, pack: 50, take: 10, ahead: any, behind: 7}
  weights: {mode: newest, max_staleness: 4, optional: true}
stop: learner
fuse: false
approximate: true
on_failure: continue
)",
                                 "my.yaml");
  ASSERT_TRUE(policy.ok()) << policy.error();
  const Policy& p = policy.value();
  EXPECT_EQ(p.name, "mine");
  ASSERT_EQ(p.groups.size(), 3u);
  EXPECT_EQ(p.groups[0].fragments, (std::vector<std::string>{"environment", "actor"}));
  EXPECT_EQ(p.groups[0].count_kind, ReplicaCount::fill);
  EXPECT_EQ(p.groups[0].device, DeviceChoice::cpu);
  EXPECT_EQ(p.groups[0].fuse, false);
  EXPECT_EQ(p.groups[0].mark.line, 5);
  EXPECT_EQ(p.groups[0].mark.column, 3);
  EXPECT_EQ(p.groups[1].fragments, std::vector<std::string>{"evaluator"});
  EXPECT_EQ(p.groups[1].replicas, 2);
  EXPECT_EQ(p.groups[1].with, "worker");
  EXPECT_TRUE(p.groups[1].optional);
  EXPECT_EQ(p.groups[2].count_kind, ReplicaCount::per_node);
  EXPECT_EQ(p.groups[2].gpus, (std::vector<int>{0, 2}));
  ASSERT_EQ(p.rules.size(), 3u);
  EXPECT_EQ(p.rules[0].window, 3);
  EXPECT_EQ(p.rules[1].mode, Mode::drain);
  EXPECT_EQ(p.rules[1].pack, 50);
  EXPECT_EQ(p.rules[1].take, 10);
  EXPECT_EQ(p.rules[1].ahead, -1);
  EXPECT_EQ(p.rules[1].behind, 7);
  EXPECT_EQ(p.rules[2].mode, Mode::newest);
  EXPECT_EQ(p.rules[2].max_staleness, 4);
  EXPECT_TRUE(p.rules[2].optional);
  EXPECT_EQ(p.stop, "learner");
  EXPECT_FALSE(p.fuse);
  EXPECT_TRUE(p.approximate);
  EXPECT_EQ(p.on_failure, OnFailure::go_on);
}

TEST(Policy, GroupWithoutReplicasHasOneOrAsManyAsTheGroupItIsPlacedWith) {
  const auto policy =
      readPolicy("groups:\n  a: {fragments: actor}\n  b: {fragments: rest, with: a}\n", "p.yaml");
  ASSERT_TRUE(policy.ok()) << policy.error();
  EXPECT_EQ(policy.value().groups[0].count_kind, ReplicaCount::number);
  EXPECT_EQ(policy.value().groups[0].replicas, 1);
  EXPECT_EQ(policy.value().groups[1].count_kind, ReplicaCount::same);
}

TEST(Policy, UnknownKeyHasPlaceAllowedKeysAndNearestName) {
  const std::string error = errorOf("groups:\n  all: {fragments: rest, replicsa: 2}\n");
  EXPECT_THAT(
      error,
      StartsWith("my.yaml:2:26: unknown key \"replicsa\" in group all; did you mean replicas?"));
  EXPECT_THAT(error,
              HasSubstr("allowed: fragments, replicas, device, with, in, optional and fuse"));
}

struct Wrong {
  const char* name;
  const char* text;
  const char* sentence;
};

class WrongPolicy : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongPolicy, IsRefused) {
  EXPECT_THAT(errorOf(GetParam().text), HasSubstr(GetParam().sentence));
}

INSTANTIATE_TEST_SUITE_P(
    Sentences, WrongPolicy,
    ::testing::Values(
        Wrong{"Empty", "", "my.yaml: this policy is empty; it needs at least \"groups:\""},
        Wrong{"OnlyComment", "# nothing\n", "this policy is empty"},
        Wrong{"Scalar", "dp-a",
              "my.yaml:1:1: the policy takes a map of \"key: value\" lines, not \"dp-a\""},
        Wrong{"List", "- a\n- b\n", "the policy takes a map of \"key: value\" lines, not a list"},
        Wrong{"NoGroups", "name: x\n", "this policy has no \"groups:\""},
        Wrong{"EmptyGroups", "groups: {}\n", "my.yaml:1:9: groups is empty"},
        Wrong{"NullGroup", "groups:\n  all:\n",
              "group all takes a map of \"key: value\" lines, not nothing"},
        Wrong{"NoFragments", "groups:\n  all: {replicas: 2}\n",
              "my.yaml:2:3: group all has no \"fragments:\""},
        Wrong{"EmptyFragments", "groups:\n  all: {fragments: []}\n", "group all is empty"},
        Wrong{"FragmentMap", "groups:\n  all: {fragments: {a: b}}\n",
              "fragments takes a name or a list of names"},
        Wrong{"FragmentNested", "groups:\n  all: {fragments: [[a]]}\n",
              "fragments takes names, not a list"},
        Wrong{"RestNotAlone", "groups:\n  all: {fragments: [rest, actor]}\n",
              "\"rest\" stands alone"},
        Wrong{"TwoRests", "groups:\n  a: {fragments: rest}\n  b: {fragments: rest}\n",
              "my.yaml:3:3: a second group takes the rest"},
        Wrong{"NamedAll", "groups:\n  all: {fragments: rest}\nstop: al\n", "did you mean all?"},
        Wrong{"ReplicasZero", "groups:\n  g: {fragments: rest, replicas: 0}\n",
              "replicas takes a whole number from 1 to 1000000, fill, per-core, per-gpu or per-node, not \"0\""},
        Wrong{"ReplicasNegative", "groups:\n  g: {fragments: rest, replicas: -3}\n", "not \"-3\""},
        Wrong{"ReplicasHuge",
              "groups:\n  g: {fragments: rest, replicas: 99999999999999999999999}\n",
              "replicas takes a whole number from 1 to 1000000"},
        Wrong{"ReplicasFraction", "groups:\n  g: {fragments: rest, replicas: 1.5}\n",
              "not \"1.5\""},
        Wrong{"ReplicasWord", "groups:\n  g: {fragments: rest, replicas: per-cor}\n",
              "replicas takes a whole number from 1 to 1000000, fill, per-core, per-gpu or per-node, not \"per-cor\"; did "
              "you mean per-core?"},
        Wrong{"ReplicasList", "groups:\n  g: {fragments: rest, replicas: [1]}\n", "not a list"},
        Wrong{"Device", "groups:\n  g: {fragments: rest, device: cup}\n",
              "device takes auto, cpu or gpu (or {gpu: [0, 2]}: those GPUs), not \"cup\"; did you mean cpu?"},
        Wrong{"DeviceMap", "groups:\n  g: {fragments: rest, device: {tpu: [0]}}\n",
              "unknown key \"tpu\" in device"},
        Wrong{"GpuNotList", "groups:\n  g: {fragments: rest, device: {gpu: 0}}\n",
              "gpu takes a list of GPU numbers"},
        Wrong{"GpuNone", "groups:\n  g: {fragments: rest, device: {gpu: []}}\n",
              "gpu takes a list of GPU numbers such as [0, 2], not an empty one"},
        Wrong{"GpuNegative", "groups:\n  g: {fragments: rest, device: {gpu: [-1]}}\n",
              "from 0 to 1023, not \"-1\""},
        Wrong{"In", "groups:\n  g: {fragments: rest, in: thread}\n",
              "in takes ranks or threads, not \"thread\"; did you mean threads?"},
        Wrong{"WithItself", "groups:\n  g: {fragments: rest, with: g}\n",
              "group g is placed with \"g\", which is no other group"},
        Wrong{"WithUnknown",
              "groups:\n  work: {fragments: actor}\n  g: {fragments: rest, with: wrok}\n",
              "with \"wrok\", which is no other group; did you mean work?"},
        Wrong{"WithChain",
              "groups:\n  a: {fragments: x}\n  b: {fragments: y, with: a}\n  c: {fragments: rest, "
              "with: b}\n",
              "which is itself placed with a"},
        Wrong{"OptionalWord", "groups:\n  g: {fragments: rest, optional: maybe}\n",
              "optional takes true or false, not \"maybe\""},
        Wrong{"FuseNumber", "fuse: 1\ngroups:\n  g: {fragments: rest}\n",
              "my.yaml:1:7: fuse takes true or false"},
        Wrong{"NameMap", "name: {a: b}\ngroups:\n  g: {fragments: rest}\n",
              "name takes text, not a map"},
        Wrong{"Stop", "groups:\n  learner: {fragments: rest}\nstop: lerner\n",
              "my.yaml:3:7: stop takes all or the name of a group (all and learner), not "
              "\"lerner\"; did you mean "
              "learner?"},
        Wrong{"OnFailure", "groups:\n  g: {fragments: rest}\non_failure: retry\n",
              "on_failure takes stop, restart or continue"},
        Wrong{"Mode", "groups:\n  g: {fragments: rest}\nboundaries:\n  w: {mode: newst}\n",
              "my.yaml:4:13: mode takes ordered, drain, newest or inline, not \"newst\"; did you "
              "mean newest?"},
        Wrong{"WindowZero", "groups:\n  g: {fragments: rest}\nboundaries:\n  w: {window: 0}\n",
              "window takes a whole number from 1 to"},
        Wrong{"AheadWord", "groups:\n  g: {fragments: rest}\nboundaries:\n  w: {ahead: some}\n",
              "ahead takes a whole number from 0 to 9007199254740992 or any, not \"some\""},
        Wrong{"BehindNothing", "groups:\n  g: {fragments: rest}\nboundaries:\n  w: {behind: ~}\n",
              "or any, not nothing"},
        Wrong{"ReplicasNothing", "groups:\n  g: {fragments: rest, replicas: ~}\n",
              "fill, per-core, per-gpu or per-node, not nothing"},
        Wrong{"DefaultDrains",
              "groups:\n  g: {fragments: rest}\nboundaries:\n  default: {mode: drain}\n",
              "the default mode is always ordered"},
        Wrong{"DefaultPacks",
              "groups:\n  g: {fragments: rest}\nboundaries:\n  default: {pack: 3}\n",
              "the default rule takes mode and window only"},
        Wrong{"DoubleKey", "groups:\n  g: {fragments: rest}\n  g: {fragments: actor}\n",
              "my.yaml:3:3: \"g\" stands twice in groups"},
        Wrong{"KeyIsList", "groups:\n  [a, b]: {fragments: rest}\n",
              "a key of groups is a word, not a list"},
        Wrong{"NotYaml", "groups: [a\n", "this is not YAML"},
        Wrong{"Tabs", "groups:\n\tall: x\n", "this is not YAML"},
        Wrong{"TwoDocuments", "groups:\n  g: {fragments: rest}\n---\nname: x\n",
              "a second document starts here"},
        Wrong{"LeadingComma", ",,,groups: x\n", "a second document starts here"},
        Wrong{"UnknownAlias", "groups: *nothing\n", "this is not YAML"},
        Wrong{"Latin1", "name: caf\xe9\n", "my.yaml:1:10: this is not UTF-8 text (byte 233)"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Policy, AllMistakesAreSaidInTheOrderOfTheFile) {
  const std::string error =
      errorOf("nme: x\ngroups:\n  g: {fragments: rest, replicas: none}\nstop: h\n");
  const size_t first = error.find("my.yaml:1:1");
  const size_t second = error.find("\nmy.yaml:3:");
  const size_t third = error.find("\nmy.yaml:4:");
  EXPECT_NE(first, std::string::npos) << error;
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  EXPECT_NE(third, std::string::npos) << error;
}

TEST(Policy, ManyMistakesAreCounted) {
  std::string text = std::string(kGroups) + "boundaries:\n";
  for (int i = 0; i < 100; ++i) {
    text += "  b" + std::to_string(i) + ": {window: 0}\n";
  }
  EXPECT_THAT(errorOf(text), HasSubstr("and 80 more mistakes"));
}

TEST(Policy, QuietAboutRightOnes) {
  for (const char* text :
       {"groups:\n  g: {fragments: rest}\n", "{groups: {g: {fragments: [rest]}}}",
        "groups: {g: {fragments: rest, replicas: '3'}}", "---\ngroups: {g: {fragments: a}}\n...\n",
        "x: &a 1\n"}) {
    const auto policy = readPolicy(text, "p.yaml");
    EXPECT_EQ(policy.ok(), std::string(text).find("x:") == std::string::npos) << policy.error();
  }
}

TEST(Policy, NoBytesCrashTheReader) {
  const std::string seed =
      std::string(kGroups) + "boundaries:\n  default: {window: 2}\nstop: all\n";
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string text = seed;
    for (int edit = 0; edit < 1 + static_cast<int>(random() % 6); ++edit) {
      text += text.empty() ? "g" : "";
      const size_t at = random() % text.size();
      static constexpr char kLetters[] =
          "{}[]:,&*!|>-?#'\"%@`\n\t \0\xff\x80\xe2"
          "a1";
      const char letter = kLetters[random() % (sizeof kLetters - 1)];
      switch (random() % 3) {
        case 0:
          text[at] = letter;
          break;
        case 1:
          text.insert(at, 1 + random() % 3, letter);
          break;
        default:
          text.erase(at, 1 + random() % 5);
          break;
      }
    }
    const auto policy = readPolicy(text, "fuzz.yaml");
    EXPECT_TRUE(policy.ok() || !policy.error().empty());
  }
}

TEST(Policy, DeepNestingAliasesAndSizeAreSentences) {
  for (const char* open : {"[", "{a: ", "- ", "? ", "!!seq ["}) {
    std::string deep;
    for (int i = 0; i < 100'000; ++i) {
      deep += open;
    }
    EXPECT_FALSE(errorOf(deep).empty()) << open;
  }
  std::string laughs = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + before + ", *a" +
              before + "]\n";
  }
  EXPECT_THAT(errorOf(laughs), HasSubstr("unknown key"));
  EXPECT_FALSE(errorOf("groups: &g {a: *g}\n").empty());
  EXPECT_THAT(errorOf(std::string(3 << 20, 'x')), HasSubstr("at most 1 MiB"));
  EXPECT_THAT(errorOf(std::string("a\0b", 3)), HasSubstr("not UTF-8 text (byte 0)"));
}

TEST(FindPolicy, TakesNamesAndPathsAndListsWhatThereIs) {
  const std::vector<std::string> folders = {FDG_SOURCE "/nowhere", FDG_SOURCE "/policies"};
  const auto found = findPolicy("dp-a", folders);
  ASSERT_TRUE(found.ok()) << found.error();
  EXPECT_EQ(found.value().name, "dp-a");
  EXPECT_TRUE(findPolicy(FDG_SOURCE "/policies/dp-b.yaml", {}).ok());
  EXPECT_THAT(findPolicy("dpa", folders).error(),
              HasSubstr("there is no policy \"dpa\"; did you mean dp-a?"));
  EXPECT_THAT(findPolicy("dpa", folders).error(), HasSubstr("single"));
  EXPECT_THAT(findPolicy("x", {}).error(), HasSubstr("no policies found"));
  EXPECT_THAT(findPolicy("", folders).error(), HasSubstr("there is no policy \"\""));
  EXPECT_THAT(findPolicy("none.yaml", folders).error(),
              HasSubstr("cannot read the policy none.yaml: No such file"));
  EXPECT_THAT(findPolicy(FDG_SOURCE "/policies", folders).error(), HasSubstr("is a folder"));
}

}  // namespace
}  // namespace fdg::place
