// A message as one contiguous image, and back: what travels through shared memory and MPI.
//
//   WireHeader | one entry per tensor (dtype, dimensions, offset, sizes, strides) | bytes |
//   tensors, each at 64 bytes
//
// An image is laid out once and may be copied out in any ranges, so a large tensor is copied once,
// straight to where it goes. Large tensors may also stay apart: then the image says only how each
// is laid out, and its memory travels beside it. Tensors of every dtype travel, also undefined,
// empty and zero-dimensional ones and tensors on a device (moved to the CPU). Sums over a tensor
// depend on its strides in the last bits, so these are kept: what lies between its first and last
// element travels along, unless that is more than four times its elements; then it is made
// contiguous. Refused with a UserError: sparse and quantised tensors, and images that are damaged.
// Any thread, one object per thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/transport/Channel.h"

namespace fdg::transport {

constexpr size_t kImageAlignment = 64;

/// The layout of one message. Refers to the message's bytes, keeps its tensors alive until clear().
class Image {
 public:
  /// Memory of a tensor: from its first element to its last.
  struct Piece {
    size_t offset = 0;  // in the image
    const std::byte* data = nullptr;
    size_t size = 0;
    at::Tensor keeps;
  };

  /// Reuses its memory: after the first messages a layout allocates nothing. Tensors of
  /// `apart_from` bytes or more stay apart.
  void lay(const Message& message, size_t apart_from = std::numeric_limits<size_t>::max());
  size_t size() const { return size_; }
  /// What stays apart, in the order in which readImage wants it.
  const std::vector<Piece>& apart() const { return apart_; }
  /// Copies the bytes [begin, end) of the image to `to`; with streaming stores where they are many,
  /// unless whoever reads them next does so from here (`read_here`: MPI, in this process's memory).
  void copy(std::byte* to, size_t begin, size_t end, bool read_here = false) const;
  void clear();

 private:
  std::vector<std::byte> front_;   // header and entries
  std::vector<at::Tensor> plain_;  // the message's, as they are sent
  std::vector<Piece> pieces_;      // ascending offsets; what lies between them is padding
  std::vector<Piece> apart_;
  size_t size_ = 0;
};

/// Memory for an image outside shared memory, aligned for its tensors.
class Buffer {
 public:
  explicit Buffer(size_t size);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::byte* data() { return data_; }
  size_t size() const { return size_; }
  std::span<const std::byte> bytes() const { return {data_, size_}; }
  size_t capacity() const { return capacity_; }
  /// What it holds stays; at most the capacity.
  void resize(size_t size) { size_ = std::min(size, capacity_); }

 private:
  void* memory_;  // data_ at the next multiple of kImageAlignment
  std::byte* data_;
  size_t size_;
  size_t capacity_;
};

/// Gives buffers and takes large ones back when nobody holds them any more, to give them again: new
/// memory costs a page fault for every 4 KB. Keeps at most 64 MB. Any thread.
class BufferPool : public std::enable_shared_from_this<BufferPool> {
 public:
  std::shared_ptr<Buffer> take(size_t size);

 private:
  void giveBack(std::unique_ptr<Buffer> buffer);

  std::mutex mutex_;
  std::deque<std::unique_ptr<Buffer>> free_;  // the last given back at the end
  size_t bytes_ = 0;
};

/// Reads an image into `message`. With an owner the tensors are views of the image's memory and
/// keep the owner alive; without one they are copies. Those that stayed apart are views of `apart`.
void readImage(std::span<const std::byte> image, const std::shared_ptr<void>& owner,
               Message& message, std::span<const std::shared_ptr<Buffer>> apart = {});

/// A tensor as it travels: dense, on the CPU, without a history; `t` itself if it is that already.
at::Tensor plainTensor(const at::Tensor& t);
/// From its first element to its last, in storage: with gaps, each of several that are one once.
int64_t elementsSpanned(const at::Tensor& t);

/// True if a tensor in the image would be lent by readImage (it has one that is not empty).
bool hasTensors(std::span<const std::byte> image);

}  // namespace fdg::transport
