// What a checkpoint says about itself: FOLDER/checkpoint.json, written last.
//
// Which program, config and placement it belongs to, how to start that run again, and the state
// files with their checksums, and one of the record itself. Reading refuses any bytes that are not
// such a record, or not as it was written.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/Result.h"
#include "base/Rows.h"
#include "base/Written.h"

namespace fdg::checkpoint {

/// The head of an iteration of an outermost loop.
struct Point {
  int loop = -1;
  int64_t iteration = -1;
  auto operator<=>(const Point&) const = default;
};

/// The state of one fragment of one instance.
struct SavedFragment {
  int fragment = 0;
  int rank = 0;
  ReplicaRange replicas;
  Point point;
  std::string file;  ///< In the checkpoint's folder.
  int64_t bytes = 0;
  uint64_t hash = 0;
};

/// The call that the run was started by.
struct RunDescription {
  std::string plan;
  std::string policy;  ///< Its text.
  std::string out;
  uint64_t seed = 1;
  int ranks = 0;
  std::optional<int64_t> replicas;
  std::optional<int> window;
  bool force_mpi = false;
  std::string every;
  std::vector<std::pair<std::string, std::string>> config;  ///< Every field and its value.
};

struct Record {
  uint64_t run_id = 0;  ///< Of a run and of those that go on from it.
  int64_t number = 0;  ///< Counts the checkpoints of a run, over its resumptions.
  std::string program;
  uint64_t manifest_hash = 0;
  std::vector<std::string> fragment_names;
  Written log;  ///< Its lines that stand before the checkpoint.
  RunDescription run;
  std::vector<SavedFragment> fragments;
};

std::string writeRecord(const Record& record);
Result<Record> readRecord(const std::string& json);

}  // namespace fdg::checkpoint
