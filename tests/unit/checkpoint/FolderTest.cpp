#include "runtime/checkpoint/Folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/Check.h"
#include "base/Seal.h"

namespace fdg::checkpoint {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Folder : public testing::Test {
 protected:
  std::string folder_ = testing::TempDir() + "/checkpoints-" + std::to_string(::getpid());
  void TearDown() override { fs::remove_all(folder_); }

  std::string make(int64_t number, uint64_t run_id = 1) {
    const std::string name = nameOf({4, number * 10}, Manifest());
    const std::string open = openFolder(folder_, name);
    std::ofstream(open + "/actor-0.safetensors") << "12345";
    Record record;
    record.run_id = run_id;
    record.number = number;
    record.program = "apex";
    record.fragment_names = {"actor"};
    record.log = {3 * number, 300 * number, 77};
    record.run.policy = "groups: {}\n";
    record.run.replicas = 8;
    record.run.config = {{"envs", "8"}, {"dqn.lr", "0.001"}};
    record.fragments.push_back({0, 1, {0, 2, 8}, {4, number * 10}, "actor-0.safetensors", 5, 77});
    return closeFolder(folder_, name, record);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      found.push_back(entry.path().filename());
    }
    std::ranges::sort(found);
    return found;
  }
};

TEST_F(Folder, TheLastTwoAreKeptAndTheNewestIsFound) {
  make(1);
  make(2);
  make(3);
  EXPECT_THAT(names(), ElementsAre("iteration-000000020", "iteration-000000030"));
  const Found found = findCheckpoint(folder_).orThrow();
  EXPECT_EQ(found.record.number, 3);
  EXPECT_EQ(found.record.log, (Written{9, 900, 77}));
  EXPECT_EQ(found.record.run.replicas, 8);
  EXPECT_EQ(found.record.run.window, std::nullopt);
  EXPECT_EQ(found.record.run.config[1].first, "dqn.lr");
  EXPECT_EQ(found.record.fragments[0].replicas, (ReplicaRange{0, 2, 8}));
  EXPECT_EQ(found.record.fragments[0].point, (Point{4, 30}));
  EXPECT_EQ(findCheckpoint(folder_ + "/iteration-000000020").orThrow().record.number, 2);
}

TEST_F(Folder, WhatWasNeverWholeIsNotRead) {
  make(1);
  openFolder(folder_, nameOf({4, 20}, Manifest()));
  EXPECT_EQ(findCheckpoint(folder_).orThrow().record.number, 1);
  removeUnfinished(folder_);
  EXPECT_THAT(names(), ElementsAre("iteration-000000010"));
}

TEST_F(Folder, WhatHasAnotherNameOrIsOfAnotherRunIsLeftAlone) {
  fs::rename(make(1), folder_ + "/best");
  fs::copy(make(2), folder_ + "/iteration-000000020-copy", fs::copy_options::recursive);
  make(3, /*run_id=*/7);
  fs::create_directories(folder_ + "/.iteration-notes");
  for (int64_t number = 4; number < 8; ++number) {
    make(number);
  }
  removeUnfinished(folder_);
  EXPECT_THAT(names(), ElementsAre(".iteration-notes", "best", "iteration-000000020-copy",
                                   "iteration-000000030", "iteration-000000060",
                                   "iteration-000000070"));
  EXPECT_EQ(highestNumber(folder_), 7);
}

TEST_F(Folder, OfSeveralRunsTheUserNamesOne) {
  const std::string one = make(1);
  const std::string other = make(2, /*run_id=*/7);
  make(3, /*run_id=*/7);
  EXPECT_THAT(findCheckpoint(folder_).error(),
              testing::AllOf(HasSubstr("of several runs"), HasSubstr(one), HasSubstr("iteration-000000030")));
  EXPECT_EQ(findCheckpoint(one).orThrow().record.number, 1);
  EXPECT_EQ(findCheckpoint(other).orThrow().record.number, 2);
  fs::remove_all(one);
  EXPECT_EQ(findCheckpoint(folder_).orThrow().record.number, 3);
}

/// The folder that a run goes on in is found from it.
TEST_F(Folder, HoweverItIsNamedItIsTheSame) {
  const std::string path = fs::canonical(make(1)).string();
  fs::create_directory_symlink(path, folder_ + "/newest");
  const fs::path before = fs::current_path();
  fs::current_path(path);
  for (const std::string& name : {path, path + "/", path + "//", std::string("."), std::string("./"),
                                  "../" + fs::path(path).filename().string(), folder_ + "/newest"}) {
    EXPECT_EQ(findCheckpoint(name).orThrow().folder, path) << name;
  }
  fs::current_path(before);
  fs::remove(folder_ + "/newest");
  EXPECT_EQ(findCheckpoint(folder_ + "/").orThrow().folder, path);
}

TEST_F(Folder, ADamagedOneIsRefusedWithTheOneBeforeIt) {
  const std::string before = make(1);
  const std::string newest = make(2);
  std::ofstream(newest + "/actor-0.safetensors", std::ios::app) << "6";
  EXPECT_THAT(findCheckpoint(folder_).error(),
              testing::AllOf(HasSubstr("has 6 bytes instead of 5"), HasSubstr("--resume " + before)));
  fs::remove(newest + "/actor-0.safetensors");
  EXPECT_THAT(findCheckpoint(folder_).error(), HasSubstr("is missing"));
  std::ofstream(newest + "/checkpoint.json", std::ios::trunc) << "{}";
  EXPECT_THAT(findCheckpoint(folder_).error(), HasSubstr("cannot be read"));
}

TEST_F(Folder, AChangedPolicyIsRefused) {
  std::ofstream(make(1) + "/policy.yaml", std::ios::app) << "stop: all\n";
  EXPECT_THAT(findCheckpoint(folder_).error(), HasSubstr("policy.yaml is not the policy"));
}

TEST_F(Folder, WhereThereIsNoneItSaysSo) {
  EXPECT_THAT(findCheckpoint(folder_ + "/no").error(), HasSubstr("is not a folder of checkpoints"));
  fs::create_directories(folder_);
  EXPECT_THAT(findCheckpoint(folder_).error(), HasSubstr("holds no whole checkpoint: there is no checkpoint.json in it"));
  make(1);
  EXPECT_THROW(refuseUsedCheckpoints(folder_), UserError);
}

TEST(Record, NoBytesCrashTheReader) {
  const std::string whole = writeRecord({});
  for (size_t cut = 0; cut + 2 < whole.size(); cut += 7) {
    EXPECT_FALSE(readRecord(whole.substr(0, cut)).ok());
  }
  for (const char* text : {"[]", "null", "{\"version\": \"x\"}", "{\"version\": 99}"}) {
    EXPECT_FALSE(readRecord(text).ok()) << text;
  }
}

std::string withItsChecksum(const std::string& text) {
  auto json = nlohmann::ordered_json::parse(text);
  json.erase("checksum");
  json["checksum"] = checksumOf(json.dump());
  return json.dump();
}

TEST(Record, AnyChangeIsNoticedAndBlanksAreNone) {
  Record record;
  record.run.config = {{"lr", "0.001"}};
  record.run.out = "runs/\xff";  // a name that JSON cannot keep
  record.fragments.resize(1);
  const std::string whole = writeRecord(record);
  EXPECT_TRUE(readRecord(whole).ok()) << readRecord(whole).error();
  EXPECT_TRUE(readRecord(nlohmann::ordered_json::parse(whole).dump()).ok());
  EXPECT_TRUE(readRecord(withItsChecksum(whole)).ok());
  for (size_t i = 0; i < whole.size(); ++i) {
    if (std::isdigit(static_cast<unsigned char>(whole[i])) != 0) {
      std::string edited = whole;
      edited[i] = whole[i] == '9' ? '8' : '9';
      EXPECT_FALSE(readRecord(edited).ok()) << i << ": " << edited.substr(i - 20, 40);
    }
  }
  auto json = nlohmann::ordered_json::parse(whole);
  json.erase("log_lines");
  EXPECT_FALSE(readRecord(json.dump()).ok());
  json = nlohmann::ordered_json::parse(whole);
  json["run"]["seed"] = 2;
  EXPECT_THAT(readRecord(json.dump()).error(), HasSubstr("was changed since it was written"));
}

/// Else the fuzzer would come no further than the version.
TEST(Record, WhatTheFuzzerBeginsWithIsOfThisVersion) {
  const std::string version = "\"version\":" + nlohmann::json::parse(writeRecord({}))["version"].dump();
  int whole = 0;
  for (const auto& entry : fs::directory_iterator(FDG_SOURCE "/tests/fuzz/kept/record")) {
    std::ifstream file(entry.path());
    std::string text(std::istreambuf_iterator<char>(file), {});
    whole += readRecord(text).ok() ? 1 : 0;
    std::erase(text, ' ');
    EXPECT_THAT(text, HasSubstr(version)) << entry.path();
  }
  EXPECT_EQ(whole, 2);
}

TEST(Record, NumbersThatDoNotFitAreNotBentUntilTheyDo) {
  const std::string whole = writeRecord({});
  const std::string field = "\"log_lines\": 0";
  for (const char* number : {"1.5", "1e70", "18446744073709551615", "true", "\"1\""}) {
    std::string text = whole;
    text.replace(text.find(field), field.size(), std::string("\"log_lines\": ") + number);
    EXPECT_FALSE(readRecord(withItsChecksum(text)).ok()) << number;
  }
}

}  // namespace
}  // namespace fdg::checkpoint
