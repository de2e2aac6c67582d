#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "base/Seal.h"
#include "runtime/ConfigFile.h"
#include "runtime/PlanFile.h"
#include "runtime/host/Topology.h"
#include "runtime/place/Explain.h"
#include "runtime/place/Traffic.h"
#include "tests/unit/place/Plans.h"

namespace fdg {
namespace {

using ::testing::HasSubstr;

std::string contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

class PlanFile : public ::testing::Test {
 protected:
  PlanFile()
      : folder_(std::filesystem::temp_directory_path() /
                ("fdg-plan-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~PlanFile() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& content) const {
    const std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  /// The plan with one text in its manifest replaced by another of the same length.
  std::string altered(const std::string& from, const std::string& to) const {
    std::string bytes = contentOf(FDG_COUNT_PLAN);
    const size_t at = bytes.find(from);
    EXPECT_NE(at, std::string::npos);
    return write("altered.plan", bytes.replace(at, from.size(), to));
  }

  std::filesystem::path folder_;
};

TEST_F(PlanFile, ReadsManifestAndCode) {
  const auto manifest = readPlanManifest(FDG_COUNT_PLAN);
  ASSERT_TRUE(manifest.ok()) << manifest.error();
  EXPECT_EQ(manifest.value().program, "count");
  const auto code = loadPlan(FDG_COUNT_PLAN, manifest.value());
  ASSERT_TRUE(code.ok()) << code.error();
  EXPECT_EQ(code.value()->fragments.size(), 2u);
}

TEST_F(PlanFile, WhatIsNoPlanIsASentence) {
  EXPECT_THAT(readPlanManifest("nowhere.plan").error(),
              HasSubstr("cannot read the plan nowhere.plan: No such file"));
  EXPECT_THAT(readPlanManifest(folder_).error(), HasSubstr("is a folder, not a plan"));
  EXPECT_THAT(readPlanManifest(write("a.plan", "hello")).error(), HasSubstr("is not a plan"));
  EXPECT_THAT(readPlanManifest(write("empty.plan", "")).error(), HasSubstr("is not a plan"));
  EXPECT_THAT(readPlanManifest(write("apex.cpp", "int x;")).error(),
              HasSubstr("compile it first: fdgc"));
  EXPECT_THAT(readPlanManifest("/proc/self/exe").error(),
              HasSubstr("without a manifest, not a plan"));
}

TEST_F(PlanFile, AByteThatChangedIsFoundBeforeCodeIsLoaded) {
  std::string plan = sealed(contentOf(FDG_COUNT_PLAN));
  const auto manifest = readPlanManifest(write("sealed.plan", plan));
  ASSERT_TRUE(manifest.ok()) << manifest.error();
  EXPECT_TRUE(loadPlan(folder_ / "sealed.plan", manifest.value()).ok());
  plan[plan.size() / 2] ^= 1;
  EXPECT_THAT(readPlanManifest(write("flipped.plan", plan)).error(),
              HasSubstr("flipped.plan has changed since fdgc wrote it"));
}

TEST_F(PlanFile, OtherVersionsAreRefusedBeforeCodeIsLoaded) {
  EXPECT_THAT(
      readPlanManifest(altered("\"manifest_version\": 3", "\"manifest_version\": 9")).error(),
      HasSubstr("this plan has manifest version 9"));
  const std::string version = "\"interface_version\": ";
  EXPECT_THAT(
      readPlanManifest(altered(version + std::to_string(kInterfaceVersion), version + "7")).error(),
      HasSubstr("version 7 of the library's headers"));
  EXPECT_THAT(readPlanManifest(altered("\"torch_version\": \"2", "\"torch_version\": \"1")).error(),
              HasSubstr("was compiled against LibTorch 1."));
  EXPECT_THAT(readPlanManifest(altered("\"program\"", "\"prrgram\"")).error(),
              HasSubstr("damaged"));
  EXPECT_THAT(readPlanManifest(altered("{\"manifest_version\"", "[\"manifest_version\"")).error(),
              HasSubstr("not readable"));
}

TEST_F(PlanFile, EveryCutIsRefused) {
  const std::string whole = contentOf(FDG_COUNT_PLAN);
  for (size_t length = 0; length < whole.size(); length += 1 + whole.size() / 200) {
    EXPECT_FALSE(readPlanManifest(write("cut.plan", whole.substr(0, length))).ok()) << length;
  }
}

TEST_F(PlanFile, NoChangedByteCrashesTheReader) {
  const std::string whole = contentOf(FDG_COUNT_PLAN);
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = whole;
    const size_t section_headers = bytes.size() - std::min<size_t>(bytes.size(), 4096);
    for (int edit = 0; edit < 4; ++edit) {
      const size_t at = random() % 2 == 0
                            ? random() % 64
                            : section_headers + random() % (bytes.size() - section_headers);
      bytes[at] = static_cast<char>(random());
    }
    const auto manifest = readPlanManifest(write("odd.plan", bytes));
    EXPECT_TRUE(manifest.ok() || !manifest.error().empty());
  }
}

TEST_F(PlanFile, ConfigComesFromFileThenSet) {
  const Manifest manifest = readPlanManifest(FDG_COUNT_PLAN).orThrow();
  const host::PlanCode* code = loadPlan(FDG_COUNT_PLAN, manifest).orThrow();
  const std::unique_ptr<void, void (*)(void*)> config(code->make_config(), code->free_config);
  const VisitConfig visit = [&](ConfigVisitor& visitor) {
    code->visit_config(config.get(), visitor);
  };
  applyConfig(visit, manifest,
              write("c.yaml", "steps: 20\nopt: {rate: 0.25}\nsizes: [3, 4]\nfail: false\n"),
              {"steps=30"});
  using Values = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(configValues(visit),
            (Values{{"steps", "30"},
                    {"opt.rate", "0.25"},
                    {"fail", "false"},
                    {"number", "false"},
                    {"hang", "false"},
                    {"sizes", "3,4"}}));
  applyConfig(visit, manifest, write("d.yaml", "opt.rate: 1e-3\n"), {});
  EXPECT_EQ(configValues(visit)[1].second, "0.001");

  const auto errorOf = [&](const std::string& text,
                           const std::vector<std::string>& sets) -> std::string {
    try {
      applyConfig(visit, manifest, write("e.yaml", text), sets);
    } catch (const UserError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(errorOf("opt:\n  rat: 2\n", {}),
              HasSubstr("e.yaml:2:3: the config has no field \"opt.rat\"; did you mean opt.rate?"));
  EXPECT_THAT(errorOf("steps: many\n", {}),
              HasSubstr("e.yaml:1:1: steps=many: steps takes an integer"));
  EXPECT_THAT(errorOf("opt.rate: 1\nopt: {rate: 2}\n", {}),
              HasSubstr("e.yaml:2:7: opt.rate stands twice in the config"));
  EXPECT_THAT(errorOf("steps: [4]\n", {}), HasSubstr("e.yaml:1:1: steps=[4]: steps takes an integer"));
  EXPECT_THAT(errorOf("sizes: [3, many]\n", {}), HasSubstr("and \"many\" is none"));
  EXPECT_THAT(errorOf("sizes: [[3, 4], 5]\n", {}),
              HasSubstr("e.yaml:1:1: sizes=[[3, 4], 5]: sizes takes integers with commas"));
  EXPECT_THAT(errorOf("sizes: {a: 3}\n", {}), HasSubstr("sizes takes integers with commas"));
  EXPECT_THAT(errorOf("sizes: many\n", {}), HasSubstr("sizes takes integers with commas"));
  for (const char* none : {"sizes:\n", "steps: ~\n", "opt:\n  rate:\n"}) {
    EXPECT_THAT(errorOf(none, {}), HasSubstr(" has no value; leave the line out")) << none;
  }
  for (const char* group : {"opt: 3\n", "opt: [1]\n"}) {
    EXPECT_THAT(errorOf(group, {}), HasSubstr("e.yaml:1:1: opt is a group of fields, not ")) << group;
  }
  EXPECT_THAT(errorOf("opt: 3\n", {}), HasSubstr("write each in a line below it (it has opt.rate)"));
  EXPECT_EQ(errorOf("opt:\n#  rate: 3\n", {}), "");
  EXPECT_THAT(errorOf("a: &a {b: *a}\n", {}), HasSubstr("e.yaml:1:"));
  EXPECT_THAT(errorOf("- steps\n", {}), HasSubstr("the config takes a map"));
  EXPECT_THAT(errorOf("", {"step=3"}), HasSubstr("did you mean steps?"));
  EXPECT_EQ(errorOf("", {}), "");
}

/// --dry-run predicts what the host does: its routes are the predicted messages.
TEST(Traffic, EqualsTheRoutesOfTheHost) {
  for (const char* name : {"single", "dp-a", "dp-b", "dp-c", "dp-e", "apex"}) {
    for (const int n : {1, 2, 3, 5, 8}) {
      for (const Manifest& plan : {place::apexPlan(), place::dqnPlan(), place::ppoPlan()}) {
        const auto policy = place::findPolicy(name, {FDG_SOURCE "/policies"});
        const auto placement =
            place::place(plan, policy.value(), {.nodes = {{.ranks = n}}, .ranks_are_fixed = true});
        if (!placement) {
          continue;
        }
        const std::vector<int> nodes(static_cast<size_t>(n));
        const auto predicted = place::predictTraffic(plan, placement.value(), nodes);
        const host::Topology topology = host::layOut(plan, placement.value());
        for (size_t b = 0; b < predicted.size(); ++b) {
          EXPECT_EQ(predicted[b].total(),
                    static_cast<int64_t>(topology.boundaries[b].routes.size()))
              << name << " " << n << " " << plan.program << " " << plan.boundaries[b].name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace fdg
