// What ranks post to each other ↔ bytes.
#pragma once

#include <optional>
#include <string>

#include "fdg/fragment.h"
#include "runtime/host/Record.h"

namespace fdg::host {

template <class T>
std::string packed(const T& letter) {
  value::Parts parts;
  value::pack(letter, parts);
  return parts.bytes;
}

template <class T>
T unpacked(std::string bytes) {
  value::Parts parts;
  parts.bytes = std::move(bytes);
  T letter;
  value::unpackAll(letter, parts);
  return letter;
}

/// What rank 0 posts: an order about checkpoints, or last of all the exit code (that of a signal
/// also before the others have ended).
struct FromRank0 {
  std::optional<CheckpointOrder> order;
  int code = 0;
};

}  // namespace fdg::host
