#include "base/Rows.h"

#include <algorithm>
#include <string>

#include "base/Check.h"

namespace fdg {
namespace {

int64_t firstBlock(int64_t blocks, int64_t replica, int64_t count) {
  const int64_t each = blocks / count;
  const int64_t extra = blocks % count;
  return replica * each + std::min(replica, extra);
}

}  // namespace

Rows cutRows(int64_t total, ReplicaRange replicas, int64_t block) {
  if (total < 0) {
    throw UserError("run.rows(" + std::to_string(total) +
                    "): the number of rows must be at least 0");
  }
  if (block < 1 || total % block != 0) {
    throw UserError("run.rows(" + std::to_string(total) + ", " + std::to_string(block) +
                    "): the block must be at least 1 and divide the number of rows");
  }
  const int64_t blocks = total / block;
  return {firstBlock(blocks, replicas.first, replicas.count) * block,
          firstBlock(blocks, replicas.last, replicas.count) * block, total};
}

}  // namespace fdg
