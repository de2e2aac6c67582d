// What a rank is told about checkpoints: where and how often to write them, and what to go on from.
#pragma once

#include <algorithm>

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
  /// Of a resumed run: whether the loop stands before those that it goes on in. It is done again,
  /// and what is saved there would take the place of newer checkpoints.
  bool isRepeated(int loop) const {
    return resume != nullptr && std::ranges::any_of(resume->record.fragments, [&](const auto& f) {
      return loop < f.point.loop;
    });
  }
};

}  // namespace fdg::host
