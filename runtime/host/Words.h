// Words: what rank 0 posts to the others, and how it and their batches become letters.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "fdg/pack.h"
#include "runtime/host/Record.h"
#include "runtime/transport/Transport.h"

namespace fdg::host {

/// An order about checkpoints, or last of all the exit code (that of a signal also before the
/// others have ended).
struct FromRank0 {
  std::optional<CheckpointOrder> order;
  int code = 0;
};

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

/// Rank 0's last word.
inline void tellOthers(transport::Transport& transport, int code) {
  for (int rank = 1; rank < transport.size(); ++rank) {
    transport.post(rank, packed(FromRank0{std::nullopt, code}));
  }
}

}  // namespace fdg::host
