#include "algorithms/parts/RowRecords.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "algorithms/parts/Limits.h"
#include "base/Check.h"

namespace fdg::rl {
namespace {

constexpr size_t kLine = 64;

template <size_t kBytes>
void copyFixed(const std::byte* from, std::byte* to, size_t step, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(to, from, kBytes);
    from += kBytes;
    to += step;
  }
}

/// Rows that lie together go apart, `step` bytes from one to the next.
void spread(const std::byte* from, size_t bytes, std::byte* to, size_t step, int64_t count) {
  switch (bytes) {
    case 4:
      return copyFixed<4>(from, to, step, count);
    case 8:
      return copyFixed<8>(from, to, step, count);
    case 16:
      return copyFixed<16>(from, to, step, count);
    default:
      for (int64_t i = 0; i < count; ++i) {
        std::memcpy(to + static_cast<size_t>(i) * step, from + static_cast<size_t>(i) * bytes,
                    bytes);
      }
  }
}

template <size_t kBytes>
void collectFixed(const std::byte* base, size_t step, std::span<const int64_t> rows,
                  std::byte* to) {
  for (const int64_t row : rows) {
    std::memcpy(to, base + static_cast<size_t>(row) * step, kBytes);
    to += kBytes;
  }
}

/// The rows at `base`, `step` bytes apart, come together.
void collect(const std::byte* base, size_t bytes, size_t step, std::span<const int64_t> rows,
             std::byte* to) {
  switch (bytes) {
    case 4:
      return collectFixed<4>(base, step, rows, to);
    case 8:
      return collectFixed<8>(base, step, rows, to);
    case 16:
      return collectFixed<16>(base, step, rows, to);
    default:
      for (const int64_t row : rows) {
        std::memcpy(to, base + static_cast<size_t>(row) * step, bytes);
        to += bytes;
      }
  }
}

}  // namespace

RowRecords::RowRecords(std::span<const size_t> field_bytes, int64_t rows)
    : sizes_(field_bytes.begin(), field_bytes.end()), rows_(rows) {
  for (const size_t bytes : sizes_) {
    offsets_.push_back(record_);
    record_ += bytes;
  }
  // A small record lies in one cache line.
  record_ = record_ <= kLine ? std::bit_ceil(record_) : (record_ + 15) / 16 * 16;
  if (!Limits::fitsMemory(rows, record_)) {
    throw UserError(std::to_string(rows) + " transitions of " + std::to_string(record_) +
                    " bytes are more than a machine can hold; set a smaller capacity");
  }
  bytes_ = std::make_shared<PagedVector<std::byte>>(record_ * static_cast<size_t>(rows));
}

void RowRecords::put(size_t field, int64_t first, int64_t count, const std::byte* rows) {
  const int64_t until_end = std::min(count, rows_ - first);
  spread(rows, sizes_[field], at(field, first), record_, until_end);
  spread(rows + static_cast<size_t>(until_end) * sizes_[field], sizes_[field], at(field, 0),
         record_, count - until_end);
}

void RowRecords::prefetch(int64_t row) const {
  constexpr size_t kMost = 8 * kLine;  // a longer row is a stream that the machine sees coming
  const std::byte* record = bytes_->data() + static_cast<size_t>(row) * record_;
  for (size_t at = 0; at < std::min(record_, kMost); at += kLine) {
    __builtin_prefetch(record + at);
  }
}

void RowRecords::gather(std::span<const int64_t> rows, std::span<std::byte* const> fields) const {
  constexpr size_t kTogether = 32;
  for (size_t first = 0; first < rows.size(); first += kTogether) {
    const auto here = rows.subspan(first, std::min(kTogether, rows.size() - first));
    const auto next = rows.subspan(first + here.size());
    for (const int64_t row : next.first(std::min(kTogether, next.size()))) {
      prefetch(row);
    }
    for (size_t f = 0; f < sizes_.size(); ++f) {
      collect(bytes_->data() + offsets_[f], sizes_[f], record_, here,
              fields[f] + first * sizes_[f]);
    }
  }
}

}  // namespace fdg::rl
