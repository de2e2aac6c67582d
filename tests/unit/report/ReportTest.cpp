#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/Check.h"
#include "runtime/report/EventFile.h"
#include "runtime/report/Lines.h"
#include "runtime/report/LogFile.h"
#include "runtime/report/Report.h"
#include "runtime/report/TimelineFile.h"

namespace fdg::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A stream whose text can be read back.
class Captured {
 public:
  Captured() : file_(std::tmpfile()) {}
  ~Captured() { std::fclose(file_); }
  std::FILE* file() { return file_; }
  std::string text() {
    std::fflush(file_);
    std::rewind(file_);
    std::string all(1 << 16, '\0');
    all.resize(std::fread(all.data(), 1, all.size(), file_));
    return all;
  }

 private:
  std::FILE* file_;
};

class ReportTest : public ::testing::Test {
 protected:
  ReportTest()
      : folder_(std::filesystem::temp_directory_path() /
                ("fdg-report-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~ReportTest() override { std::filesystem::remove_all(folder_); }

  ReportOptions options(bool quiet, int columns) {
    return {.folder = folder_,
            .program = "apex",
            .quiet = quiet,
            .columns = columns,
            .lines = lines_.file(),
            .table = table_.file()};
  }
  std::vector<nlohmann::json> log() const {
    std::vector<nlohmann::json> points;
    std::ifstream file(folder_ / "log.jsonl");
    for (std::string line; std::getline(file, line);) {
      points.push_back(nlohmann::json::parse(line));
    }
    return points;
  }

  std::filesystem::path folder_;
  Captured lines_;
  Captured table_;
};

Status statusAt(int64_t iterations, double seconds) {
  return {.iterations = iterations,
          .seconds = seconds,
          .fragments = {{.name = "actor",
                         .replicas = 2,
                         .iterations = iterations,
                         .computing = 3,
                         .waiting = 1}}};
}

TEST_F(ReportTest, ALossIsSaidAtOnceAndInTheTable) {
  Report quiet(options(true, 0));
  const std::string line = quiet.tellLoss("rank 2 has died", 75.2);
  EXPECT_EQ(line, "after 1 min 15 s: rank 2 has died");
  EXPECT_EQ(lines_.text(), "fdg-run: rank 2 has died\n");
  Report report(options(false, 0));
  Status status = statusAt(10, 2);
  status.fragments.front().lost = 1;
  report.finish({.status = status, .losses = {line}});
  EXPECT_THAT(table_.text(), HasSubstr("in 2.0 s\n" + line + "\n"));
  EXPECT_THAT(table_.text(), HasSubstr("2, 1 lost"));
}

TEST_F(ReportTest, LogHasEveryPointWithItsIndexPerKey) {
  Report report(options(true, 0));
  report.point({"loss", 0.1, 5, {5, 2}});
  report.point({"eval/return", 475, 5, {5, 3}});
  report.point({"loss", 1.0 / 3, 6, {6, 2}});
  report.flush();
  const auto points = log();
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0]["key"], "loss");
  EXPECT_EQ(points[0]["value"].get<double>(), 0.1);
  EXPECT_EQ(points[2]["value"].get<double>(), 1.0 / 3);
  EXPECT_EQ(points[2]["index"], 1);
  EXPECT_EQ(points[2]["iteration"], 6);
  EXPECT_EQ(points[1]["index"], 0);
  EXPECT_GE(points[0]["seconds"].get<double>(), 0);
}

TEST_F(ReportTest, OddValuesAndKeysStayJson) {
  Report report(options(true, 0));
  report.point({"a \"b\"\n\xff", std::nan(""), 0, {}});
  report.point({"x", std::numeric_limits<double>::infinity(), 0, {}});
  report.point({"x", -std::numeric_limits<double>::infinity(), 0, {}});
  report.flush();
  const auto points = log();
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0]["value"], "nan");
  EXPECT_EQ(points[1]["value"], "inf");
  EXPECT_EQ(points[2]["value"], "-inf");
}

TEST_F(ReportTest, QuietPrintsNothing) {
  Report report(options(true, 80));
  report.status(statusAt(10, 100));
  report.finish({.status = statusAt(10, 100)});
  EXPECT_EQ(lines_.text() + table_.text(), "");
}

TEST_F(ReportTest, PlainLinesComeEveryFiveSeconds) {
  Report report(options(false, 0));
  for (int tick = 1; tick <= 60; ++tick) {
    report.status(statusAt(tick * 100, tick * 0.2));
  }
  const std::string text = lines_.text();
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
  EXPECT_THAT(text, HasSubstr("apex: 2,500 iterations, 500/s, waiting: actor 25 %"));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
}

TEST_F(ReportTest, ATerminalHasOneLineThatFits) {
  Report report(options(false, 30));
  report.point({"loss", 0.25, 1, {}});
  report.status(statusAt(1000, 0.2));
  report.status(statusAt(2000, 0.4));
  const std::string text = lines_.text();
  EXPECT_EQ(std::ranges::count(text, '\n'), 0);
  EXPECT_EQ(std::ranges::count(text, '\r'), 2);
  EXPECT_THAT(text, HasSubstr("…\x1b[K"));
}

TEST_F(ReportTest, ClosingTableSaysWhereTimeAndMessagesWent) {
  Report report(options(false, 0));
  report.finish({.status = statusAt(20000, 61.5),
                 .boundaries = {{.name = "experience",
                                 .executions = 12,
                                 .messages = 24,
                                 .bytes = 3'200'000,
                                 .longest_queue = 3,
                                 .waited = 0.5}},
                 .saved = {"runs/x/model.safetensors"}});
  for (const char* part :
       {"apex: finished after 20,000 iterations in 1 min 2 s", "75 %", "3.2 MB", "experience",
        "saved: runs/x/model.safetensors", "tensorboard --logdir"}) {
    EXPECT_THAT(table_.text(), HasSubstr(part));
  }
}

TEST_F(ReportTest, AFolderThatIsNotThereIsASentence) {
  ReportOptions missing = options(true, 0);
  missing.folder = folder_ / "none";
  try {
    Report report(missing);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("none/log.jsonl: No such file or directory; choose another folder"));
  }
}

void writeText(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}
std::string textOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(ReportTest, ALogGoesOnBehindWhatWasKept) {
  const std::string path = folder_ / "kept.jsonl";
  Written kept;
  {
    LogFile log(path);
    log.write("loss", 1, 0, 0.5);
    log.write("return", 2, 0, 1.5);
    kept = log.written();
    log.write("loss", 3, 1, 2.5);
    log.sync();
    EXPECT_EQ(log.written().bytes, static_cast<int64_t>(textOf(path).size()));
  }
  const std::string before = textOf(path);
  LogFile log(path, kept);
  EXPECT_EQ(log.seconds(), 1.5);
  EXPECT_EQ(log.written(), kept);
  log.flush();
  EXPECT_EQ(textOf(path), before);  // nothing was logged yet
  log.write("loss", 4, 1, 3.5);
  log.flush();
  EXPECT_EQ(textOf(path), before.substr(0, static_cast<size_t>(kept.bytes)) +
                              "{\"key\": \"loss\", \"index\": 1, \"value\": 4, \"iteration\": 1, "
                              "\"seconds\": 3.500}\n");
  EXPECT_EQ(log.written().bytes, static_cast<int64_t>(textOf(path).size()));
}

TEST_F(ReportTest, ALogThatIsNotWhatWasKeptIsRefusedAndLeftAsItIs) {
  const std::filesystem::path path = folder_ / "edited.jsonl";
  Written kept;
  {
    LogFile log(path);
    for (int i = 0; i < 4; ++i) {
      log.write("loss", 0.5 * i, i, i);
    }
    kept = log.written();
    log.write("loss", 7, 7, 7);
    log.flush();
  }
  const std::string whole = textOf(path);
  const auto size = static_cast<size_t>(kept.bytes);
  std::vector<std::string> others;
  for (size_t i = 0; i < size; i += 5) {
    others.push_back(whole);
    others.back()[i] ^= 1;                                     // a byte
    others.push_back(whole.substr(0, i) + whole.substr(i + 1));  // without it
    others.push_back(whole.substr(0, i));                      // nothing from there on
    others.push_back(whole.substr(0, i) + "x" + whole.substr(i));
  }
  const size_t second = whole.find('\n') + 1;
  others.push_back(whole.substr(second));  // without a line, with as many behind as that takes
  others.push_back(whole.substr(second) + whole.substr(0, second));
  for (const std::string& other : others) {
    writeText(path, other);
    EXPECT_THROW(LogFile(path, kept), UserError) << other;
    EXPECT_EQ(textOf(path), other);
  }
  std::filesystem::remove(path);
  EXPECT_THROW(LogFile(path, kept), UserError);
  EXPECT_FALSE(std::filesystem::exists(path));
  writeText(path, whole.substr(0, size));
  LogFile(path, kept).flush();
}

TEST(LogFile, AFullDiskIsSaid) {
  LogFile log("/dev/full");
  log.write("loss", 1, 0, 0);
  EXPECT_THROW(log.flush(), UserError);
}

TEST_F(ReportTest, TheTimelineHasATrackForEveryFragment) {
  ReportOptions with = options(true, 0);
  with.timeline = folder_ / "t.json";
  Report report(with);
  report.span({1, "actor 0", "wait for \"weights\"", 5'000'000'000'000'000, 5'000'000'000'000'250, 7});
  report.span({1, "actor 0", "compute", 5'000'000'000'000'250, 5'000'000'000'000'300, 7});
  report.span({0, "learner 0", "compute", 5'000'000'000'000'000, 5'000'000'000'000'001, 3});
  report.finish({});
  std::ifstream file(with.timeline);
  const auto events = nlohmann::json::parse(file);
  std::map<std::string, std::pair<int, int>> tracks;
  std::vector<nlohmann::json> spans;
  for (const auto& event : events) {
    if (event["name"] == "thread_name") {
      tracks[event["args"]["name"]] = {event["pid"], event["tid"]};
    } else if (event["ph"] == "X") {
      spans.push_back(event);
    }
  }
  ASSERT_EQ(tracks.size(), 2u);
  EXPECT_EQ(tracks["actor 0"].first, 1);
  EXPECT_NE(tracks["actor 0"].second, tracks["learner 0"].second);
  ASSERT_EQ(spans.size(), 3u);
  EXPECT_EQ(spans[0]["name"], "wait for \"weights\"");
  EXPECT_EQ(spans[0]["dur"], 250);
  EXPECT_EQ(spans[0]["args"]["iteration"], 7);
  EXPECT_EQ(spans[1]["ts"].get<int64_t>() - spans[0]["ts"].get<int64_t>(), 250);
}

TEST_F(ReportTest, ATimelineEndsAtItsLimitAndSaysSo) {
  const std::string path = folder_ / "long.json";
  {
    TimelineFile timeline(path);
    for (int64_t i = 0; i < TimelineFile::kMostSpans + 10; ++i) {
      timeline.write({0, "actor 0", "compute", i, i + 1, i});
    }
  }
  std::ifstream file(path);
  const auto events = nlohmann::json::parse(file);
  EXPECT_EQ(events.size(), static_cast<size_t>(TimelineFile::kMostSpans) + 2);
  EXPECT_THAT(events.back()["name"], HasSubstr("ends here"));
}

TEST(TimelineFile, AFullDiskIsSaid) {
  TimelineFile timeline("/dev/full");
  timeline.write({0, "actor 0", "compute", 0, 1, 0});
  EXPECT_THROW(timeline.flush(), UserError);
  EXPECT_THROW(TimelineFile("/nowhere/t.json"), UserError);
}

TEST(EventFile, ChecksumsFollowTheStandard) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(crc32c(""), 0u);
}

TEST(EventFile, ScalarEventIsTheWireFormat) {
  const std::string event = scalarEvent("a", 1.0F, 300, 2.0);
  const std::string expected(
      "\x09\0\0\0\0\0\0\0\x40"
      "\x10\xAC\x02"
      "\x2A\x0A"
      "\x0A\x08"
      "\x0A\x01"
      "a"
      "\x15\0\0\x80\x3F",
      24);
  EXPECT_EQ(event, expected);
}

TEST(Lines, StatusLeavesOutWhatIsNotKnown) {
  EXPECT_EQ(statusLine({.iterations = 1234567}, 0, {}), "1,234,567 iterations");
  EXPECT_EQ(statusLine({.iterations = 5}, 2.5, {{"loss", 0.0125}, {"eval/return", 475}}),
            "5 iterations, 2.5/s, return 475, loss 0.0125");
  EXPECT_EQ(statusLine({.iterations = 5}, 0, {{"train/return", 20}, {"eval/return", 475}}),
            "5 iterations, return 20");
}

TEST(Lines, Numbers) {
  EXPECT_EQ(grouped(-1234), "-1,234");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(byteText(0), "0 B");
  EXPECT_EQ(byteText(1500), "1.5 KB");
  EXPECT_EQ(byteText(999'600), "1.0 MB");
}

}  // namespace
}  // namespace fdg::report
