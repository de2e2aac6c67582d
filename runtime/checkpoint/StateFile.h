// What one fragment carries ↔ a safetensors file, one item per variable.
//
// Tensors keep dtype, shape and whether they require a gradient; undefined ones stay undefined.
// Tensors that share memory share it again after reading. Item I's tensors are called "I.0", "I.1",
// …, its other fields "I.bytes"; "layout" (JSON as bytes) says what belongs where.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/Result.h"
#include "fdg/pack.h"

namespace fdg::checkpoint {

using Items = std::vector<std::pair<std::string, value::Parts>>;

/// Writes and syncs; the bytes written. Throws UserError if the file cannot be written, or for a
/// tensor that has a gradient graph.
int64_t writeStateFile(const std::string& path, const Items& items);
Result<Items> readStateFile(const std::string& path);
/// Equal for equal contents.
uint64_t hashOf(const Items& items);

}  // namespace fdg::checkpoint
