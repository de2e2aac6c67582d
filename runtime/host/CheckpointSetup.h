// What a rank is told about checkpoints: where and how often to write them, and what to go on from.
#pragma once

#include "runtime/checkpoint/Folder.h"

namespace fdg::host {

struct CheckpointSetup {
  std::string folder;            ///< Empty: none are written.
  int64_t every_iterations = 0;  ///< 0: by time.
  double every_seconds = 0;
  checkpoint::RunDescription run;
  uint64_t manifest_hash = 0;
  const checkpoint::Found* resume = nullptr;

  bool writes() const { return !folder.empty(); }
};

}  // namespace fdg::host
