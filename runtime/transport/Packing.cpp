#include "runtime/transport/Packing.h"

#include <ATen/EmptyTensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "runtime/transport/Copying.h"

namespace fdg::transport {
namespace {

constexpr uint32_t kMagic = 0x46444703;  // "FDG" and the version of the layout
constexpr int32_t kUndefined = -1;
constexpr int32_t kStrided = 0x100;  // in `dtype`: strides follow the sizes
constexpr int32_t kApart =
    0x200;  // in `dtype`: its memory is the next of those that travel beside the image
constexpr int64_t kMostGaps = 4;  // storage per element that is sent along
constexpr int32_t kMostDimensions = 64;
constexpr size_t kPooledFrom = 32 << 10;
constexpr size_t kMostPooled = 64 << 20;

struct WireHeader {
  uint32_t magic = kMagic;
  uint32_t tensors = 0;
  uint64_t size = 0;   // of the whole image
  uint64_t bytes = 0;  // of the plain parts
  Header header;
};

struct TensorEntry {
  int32_t dtype = 0;
  int32_t dimensions = 0;  // kUndefined: an undefined tensor
  uint64_t offset = 0;
};

static_assert(std::is_trivially_copyable_v<WireHeader> &&
              std::is_trivially_copyable_v<TensorEntry>);

size_t alignUp(size_t n) { return (n + kImageAlignment - 1) / kImageAlignment * kImageAlignment; }

bool canTravel(c10::ScalarType type) {
  const auto number = static_cast<int>(type);
  return number >= 0 && number < static_cast<int>(c10::ScalarType::NumOptions) &&
         type != c10::ScalarType::Undefined && !c10::isQIntType(type);
}

bool hasStrides(const at::Tensor& t) { return !t.is_contiguous() && t.numel() > 0; }

/// How many follow the entry of a tensor: its sizes, and its strides where they say more.
size_t numbersOf(const at::Tensor& t) {
  const auto dimensions = static_cast<size_t>(t.defined() ? t.dim() : 0);
  return t.defined() && hasStrides(t) ? 2 * dimensions : dimensions;
}

template <class T>
void append(std::vector<std::byte>& to, const T* values, size_t count) {
  const auto* first = reinterpret_cast<const std::byte*>(values);
  to.insert(to.end(), first, first + count * sizeof(T));
}

[[noreturn]] void refuse(const char* what) {
  throw UserError(
      fmt::format("a message is damaged: {}; this is a fault of the memory or the network, "
                  "or the ranks run different builds of FDG",
                  what));
}

/// Reads plain values from the front of an image, never past its end.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> image) : image_(image) {}

  template <class T>
  T take() {
    T value;
    std::memcpy(&value, takeBytes(sizeof value), sizeof value);
    return value;
  }
  const std::byte* takeBytes(size_t size) {
    if (size > image_.size() - at_) {
      refuse("it is shorter than its header says");
    }
    const std::byte* first = image_.data() + at_;
    at_ += size;
    return first;
  }
  size_t at() const { return at_; }

 private:
  std::span<const std::byte> image_;
  size_t at_ = 0;
};

using Numbers = std::array<int64_t, kMostDimensions>;

c10::IntArrayRef takeNumbers(Reader& reader, Numbers& numbers, size_t count) {
  std::memcpy(numbers.data(), reader.takeBytes(count * sizeof(int64_t)), count * sizeof(int64_t));
  const c10::IntArrayRef taken(numbers.data(), count);
  if (std::ranges::any_of(taken, [](int64_t number) { return number < 0; })) {
    refuse("a tensor has a negative size or stride");
  }
  return taken;
}

/// Strides of a contiguous tensor; bytes in storage, which must be in the image.
size_t bytesOf(c10::IntArrayRef sizes, Numbers& strides, size_t element, size_t most) {
  if (std::ranges::find(sizes, 0) != sizes.end()) {
    strides.fill(1);
    return 0;
  }
  size_t count = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    strides[d] = static_cast<int64_t>(count);
    if (static_cast<uint64_t>(sizes[d]) > most / (count * element)) {
      refuse("a tensor is larger than the message");
    }
    count *= static_cast<size_t>(sizes[d]);
  }
  return count * element;
}

/// The same of one whose strides are given.
size_t bytesOf(c10::IntArrayRef sizes, c10::IntArrayRef strides, size_t element, size_t most) {
  uint64_t span = 1;
  uint64_t count = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const auto steps = static_cast<uint64_t>(sizes[d] - 1);
    const auto stride = static_cast<uint64_t>(strides[d]);
    if (sizes[d] == 0 || (steps > 0 && stride > (most / element - span) / steps)) {
      refuse("a tensor is larger than the message");
    }
    span += steps * stride;
    if (span > most / element || __builtin_mul_overflow(count, steps + 1, &count) ||
        count > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      refuse("a tensor is larger than the message");
    }
  }
  return span * element;
}

WireHeader readHeader(Reader& reader, size_t size) {
  const auto wire = reader.take<WireHeader>();
  if (wire.magic != kMagic) {
    refuse("it does not begin as one");
  }
  if (wire.size != size) {
    refuse("its size is not what its header says");
  }
  if (wire.tensors > size / sizeof(TensorEntry) || wire.bytes > size) {
    refuse("its header counts more than it holds");
  }
  return wire;
}

/// A piece of memory that tensors may lie in, and who keeps it.
struct Memory {
  std::span<const std::byte> bytes;
  std::shared_ptr<void> owner;
};

/// The next that stayed apart, which has to be what the entry says.
Memory takeApart(const TensorEntry& entry, std::span<const std::shared_ptr<Buffer>>& apart) {
  if (apart.empty() || entry.offset != 0) {
    refuse("a tensor that travels beside it is missing");
  }
  const std::shared_ptr<Buffer> next = apart.front();
  apart = apart.subspan(1);
  return {next->bytes(), next};
}

at::Tensor readTensor(Reader& reader, const Memory& image,
                      std::span<const std::shared_ptr<Buffer>>& apart) {
  const auto entry = reader.take<TensorEntry>();
  if (entry.dimensions == kUndefined) {
    return {};
  }
  const int32_t dtype = entry.dtype & ~(kStrided | kApart);
  const auto type = static_cast<c10::ScalarType>(dtype);
  if (dtype < 0 || dtype > 127 || !canTravel(type)) {
    refuse("a tensor has an unknown dtype");
  }
  if (entry.dimensions < 0 || entry.dimensions > kMostDimensions) {
    refuse("a tensor has an impossible number of dimensions");
  }
  Numbers size_numbers;
  Numbers stride_numbers;
  const size_t dimensions = static_cast<size_t>(entry.dimensions);
  const size_t element = c10::elementSize(type);
  const bool is_apart = (entry.dtype & kApart) != 0;
  const Memory beside = is_apart ? takeApart(entry, apart) : Memory();
  const Memory& memory = is_apart ? beside : image;
  const size_t most = memory.bytes.size();
  const c10::IntArrayRef sizes = takeNumbers(reader, size_numbers, dimensions);
  const size_t bytes =
      (entry.dtype & kStrided) != 0
          ? bytesOf(sizes, takeNumbers(reader, stride_numbers, dimensions), element, most)
          : bytesOf(sizes, stride_numbers, element, most);
  const c10::IntArrayRef strides(stride_numbers.data(), dimensions);
  if (entry.offset % kImageAlignment != 0 || entry.offset > most || bytes > most - entry.offset ||
      (is_apart && bytes != most)) {
    refuse("a tensor lies outside of it");
  }
  if (bytes == 0) {
    return at::empty(sizes, type);
  }
  if (!memory.owner) {
    at::Tensor copy = at::detail::empty_strided_cpu(sizes, strides, type);  // without the dispatcher
    std::memcpy(copy.data_ptr(), memory.bytes.data() + entry.offset, bytes);
    return copy;
  }
  auto* data = const_cast<std::byte*>(memory.bytes.data() + entry.offset);
  return at::from_blob(
      data, sizes, strides, [owner = memory.owner](void*) {}, at::TensorOptions(type));
}

}  // namespace

int64_t elementsSpanned(const at::Tensor& t) {
  if (t.is_contiguous() || t.numel() == 0) {
    return t.numel();
  }
  int64_t span = 1;
  for (int64_t d = 0; d < t.dim(); ++d) {
    span += (t.size(d) - 1) * t.stride(d);
  }
  return span;
}

at::Tensor plainTensor(const at::Tensor& t) {
  if (t.layout() != at::kStrided) {
    throw UserError(
        "a sparse tensor cannot cross a boundary; call to_dense() before the annotation");
  }
  if (!canTravel(t.scalar_type())) {
    throw UserError(
        fmt::format("a tensor of dtype {} cannot cross a boundary; convert it before the "
                    "annotation (dequantize())",
                    c10::toString(t.scalar_type())));
  }
  const bool plain = t.device().is_cpu() && !t.is_conj() && !t.is_neg();
  const at::Tensor here = plain ? t : t.detach().resolve_conj().resolve_neg().cpu();
  const bool dense = here.is_contiguous() || elementsSpanned(here) <= kMostGaps * here.numel();
  return dense ? here : here.contiguous();
}

void Image::lay(const Message& message, size_t apart_from) {
  clear();
  const auto& [tensors, bytes] = message.parts;
  WireHeader wire;
  wire.tensors = static_cast<uint32_t>(tensors.size());
  wire.bytes = bytes.size();
  wire.header = message.header;
  append(front_, &wire, 1);
  size_t front = sizeof wire;
  for (const at::Tensor& t : tensors) {
    plain_.push_back(t.defined() ? plainTensor(t) : t);
    front += sizeof(TensorEntry) + numbersOf(plain_.back()) * sizeof(int64_t);
  }
  size_t end = front + bytes.size();
  if (!bytes.empty()) {
    pieces_.push_back({front, reinterpret_cast<const std::byte*>(bytes.data()), bytes.size(), {}});
  }
  for (at::Tensor& plain : plain_) {
    TensorEntry entry{0, kUndefined, 0};
    if (!plain.defined()) {
      append(front_, &entry, 1);
      continue;
    }
    const bool strided = hasStrides(plain);
    const size_t size = static_cast<size_t>(elementsSpanned(plain)) * plain.element_size();
    const bool is_apart = size >= apart_from;
    entry = {static_cast<int32_t>(plain.scalar_type()) | (strided ? kStrided : 0) |
                 (is_apart ? kApart : 0),
             static_cast<int32_t>(plain.dim()), is_apart ? 0 : alignUp(end)};
    append(front_, &entry, 1);
    append(front_, plain.sizes().data(), plain.sizes().size());
    if (strided) {
      append(front_, plain.strides().data(), plain.strides().size());
    }
    end = is_apart ? end : entry.offset + size;
    if (size > 0) {
      const auto* data = static_cast<const std::byte*>(plain.const_data_ptr());
      (is_apart ? apart_ : pieces_).push_back({entry.offset, data, size, std::move(plain)});
    }
  }
  size_ = end;
  const uint64_t size = size_;
  std::memcpy(front_.data() + offsetof(WireHeader, size), &size, sizeof size);
}

void Image::copy(std::byte* to, size_t begin, size_t end, bool read_here) const {
  const auto copyPart = [&](size_t offset, const std::byte* data, size_t size) {
    const size_t first = std::max(begin, offset);
    const size_t last = std::min(end, offset + size);
    if (first < last && read_here) {
      std::memcpy(to + (first - begin), data + (first - offset), last - first);
    } else if (first < last) {
      copyOut(to + (first - begin), data + (first - offset), last - first);
    }
  };
  copyPart(0, front_.data(), front_.size());
  for (const Piece& piece : pieces_) {
    copyPart(piece.offset, piece.data, piece.size);
  }
}

void Image::clear() {
  front_.clear();
  plain_.clear();
  pieces_.clear();
  apart_.clear();
  size_ = 0;
}

Buffer::Buffer(size_t size)
    : memory_(std::malloc(size + kImageAlignment)), size_(size), capacity_(size) {
  if (memory_ == nullptr) {
    throw UserError(fmt::format("there is no memory for a message of {} bytes", size));
  }
  const auto address = reinterpret_cast<uintptr_t>(memory_);
  data_ = static_cast<std::byte*>(memory_) + (alignUp(address) - address);
}

Buffer::~Buffer() { std::free(memory_); }

std::shared_ptr<Buffer> BufferPool::take(size_t size) {
  if (size < kPooledFrom) {
    return std::make_shared<Buffer>(size);
  }
  std::unique_ptr<Buffer> buffer;
  {
    const std::lock_guard lock(mutex_);
    const auto fits = std::ranges::find_if(free_, [size](const std::unique_ptr<Buffer>& one) {
      return one->capacity() >= size && one->capacity() / 2 <= size;
    });
    if (fits != free_.end()) {
      buffer = std::move(*fits);
      bytes_ -= buffer->capacity();
      free_.erase(fits);
    }
  }
  if (!buffer) {
    buffer = std::make_unique<Buffer>(size);
  }
  buffer->resize(size);
  return {buffer.release(), [pool = weak_from_this()](Buffer* used) {
            std::unique_ptr<Buffer> back(used);
            if (const auto still_there = pool.lock()) {
              still_there->giveBack(std::move(back));
            }
          }};
}

void BufferPool::giveBack(std::unique_ptr<Buffer> buffer) {
  const std::lock_guard lock(mutex_);
  bytes_ += buffer->capacity();
  free_.push_back(std::move(buffer));
  while (bytes_ > kMostPooled) {
    bytes_ -= free_.front()->capacity();
    free_.pop_front();
  }
}

void readImage(std::span<const std::byte> image, const std::shared_ptr<void>& owner,
               Message& message, std::span<const std::shared_ptr<Buffer>> apart) {
  Reader reader(image);
  const WireHeader wire = readHeader(reader, image.size());
  message.header = wire.header;
  message.value = {};
  message.parts.tensors.clear();
  const Memory memory{image, owner};
  for (uint32_t i = 0; i < wire.tensors; ++i) {
    message.parts.tensors.push_back(readTensor(reader, memory, apart));
  }
  if (!apart.empty()) {
    refuse("more travels beside it than its tensors");
  }
  const std::byte* bytes = reader.takeBytes(wire.bytes);
  message.parts.bytes.assign(reinterpret_cast<const char*>(bytes), wire.bytes);
}

bool hasTensors(std::span<const std::byte> image) {
  Reader reader(image);
  return readHeader(reader, image.size()).tensors > 0;
}

}  // namespace fdg::transport
