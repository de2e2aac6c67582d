#include "fdg/run.h"

#include <algorithm>

#include "base/Check.h"
#include "fdg/fragment.h"

namespace fdg {

Rows Run::rows(int64_t n, int64_t block) const {
  const Rows rows = cutRows(n, backend_->replicas(), block);
  backend_->noteRows(rows, block);
  return rows;
}

Stream Run::stream(std::string_view name) {
  if (std::ranges::find(streams_taken_, name) != streams_taken_.end()) {
    throw UserError(
        "run.stream(\"" + std::string(name) +
        "\") is taken twice: two users of one name would draw the same numbers; give each its "
        "own name");
  }
  streams_taken_.emplace_back(name);
  return {seed(), name};
}

double Run::asNumber(const torch::Tensor& value) {
  if (!value.defined() || value.numel() != 1) {
    throw UserError("run.log takes one number; this tensor has " +
                    std::to_string(value.defined() ? value.numel() : 0) + " elements");
  }
  return value.item<double>();
}

bool host::Task::resume() {
  auto& promise = handle_.promise();
  while (!handle_.done()) {
    if (promise.waiting != nullptr) {
      if (!promise.waiting->poll()) {
        return false;
      }
      promise.waiting = nullptr;
    }
    ++promise.advances;
    handle_.resume();
    if (promise.failure) {
      std::rethrow_exception(std::exchange(promise.failure, nullptr));
    }
  }
  return true;
}

}  // namespace fdg
