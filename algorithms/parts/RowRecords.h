// RowRecords: rows of several fields, the fields of a row side by side, so that a row drawn at
// random costs one wait for memory. Fields are plain bytes.
//
// Copies in and out; checks nothing. Memory is taken at construction. Different rows may be
// written and read at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/parts/PageAllocator.h"

namespace fdg::rl {

/// Memory that lives as long as someone holds it.
struct SharedBytes {
  std::shared_ptr<void> owner;
  std::span<std::byte> bytes;
};

class RowRecords {
 public:
  /// field_bytes: of one row. Throws UserError for more than memory can have addresses.
  RowRecords(std::span<const size_t> field_bytes, int64_t rows);

  /// Writes `count` rows of a field, which lie one after another, from row `first` on; after the
  /// last row comes the first.
  void put(size_t field, int64_t first, int64_t count, const std::byte* rows);
  /// These rows of every field, each field's one after another.
  void gather(std::span<const int64_t> rows, std::span<std::byte* const> fields) const;

  std::byte* at(size_t field, int64_t row) const { return bytes_->data() + offset(field, row); }
  /// Where that lies in `bytes`.
  size_t offset(size_t field, int64_t row) const {
    return static_cast<size_t>(row) * record_ + offsets_[field];
  }
  void prefetch(int64_t row) const;
  /// All of it, to save and restore.
  SharedBytes bytes() const { return {bytes_, *bytes_}; }

 private:
  std::vector<size_t> sizes_, offsets_;
  int64_t rows_;
  size_t record_ = 0;  // bytes from one row to the next
  std::shared_ptr<PagedVector<std::byte>> bytes_;
};

}  // namespace fdg::rl
