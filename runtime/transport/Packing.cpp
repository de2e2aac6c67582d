#include "runtime/transport/Packing.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <fmt/format.h>

#include <cstdlib>

#include "runtime/transport/Copying.h"

namespace fdg::transport {
namespace {

constexpr uint32_t kMagic = 0x46444701;  // "FDG" and the version of the layout
constexpr int32_t kUndefined = -1;
constexpr int32_t kMostDimensions = 64;

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
  if (t.is_contiguous() && t.device().is_cpu() && !t.is_conj() && !t.is_neg()) {
    return t;
  }
  return t.detach().resolve_conj().resolve_neg().cpu().contiguous();
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

/// Bytes of a tensor with these sizes; refuses what cannot be in the image.
size_t bytesOf(c10::IntArrayRef sizes, size_t element, size_t most) {
  size_t count = element;
  bool is_empty = false;
  for (const int64_t size : sizes) {
    if (size < 0) {
      refuse("a tensor has a negative size");
    }
    is_empty = is_empty || size == 0;
  }
  if (is_empty) {
    return 0;
  }
  for (const int64_t size : sizes) {
    if (static_cast<uint64_t>(size) > most / count) {
      refuse("a tensor is larger than the message");
    }
    count *= static_cast<size_t>(size);
  }
  return count;
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

at::Tensor readTensor(Reader& reader, std::span<const std::byte> image,
                      const std::shared_ptr<void>& owner) {
  const auto entry = reader.take<TensorEntry>();
  if (entry.dimensions == kUndefined) {
    return {};
  }
  const auto type = static_cast<c10::ScalarType>(entry.dtype);
  if (entry.dtype < 0 || entry.dtype > 127 || !canTravel(type)) {
    refuse("a tensor has an unknown dtype");
  }
  if (entry.dimensions < 0 || entry.dimensions > kMostDimensions) {
    refuse("a tensor has an impossible number of dimensions");
  }
  std::array<int64_t, kMostDimensions> sizes;
  const size_t dimensions = static_cast<size_t>(entry.dimensions);
  std::memcpy(sizes.data(), reader.takeBytes(dimensions * sizeof(int64_t)),
              dimensions * sizeof(int64_t));
  const c10::IntArrayRef shape(sizes.data(), dimensions);
  const size_t bytes = bytesOf(shape, c10::elementSize(type), image.size());
  if (entry.offset % kImageAlignment != 0 || entry.offset > image.size() ||
      bytes > image.size() - entry.offset) {
    refuse("a tensor lies outside of it");
  }
  if (bytes == 0 || !owner) {
    at::Tensor copy = at::empty(shape, type);
    if (bytes > 0) {
      std::memcpy(copy.data_ptr(), image.data() + entry.offset, bytes);
    }
    return copy;
  }
  auto* data = const_cast<std::byte*>(image.data() + entry.offset);
  return at::from_blob(
      data, shape, [owner](void*) {}, at::TensorOptions(type));
}

}  // namespace

void Image::lay(const Message& message) {
  front_.clear();
  pieces_.clear();
  const auto& [tensors, bytes] = message.parts;
  WireHeader wire;
  wire.tensors = static_cast<uint32_t>(tensors.size());
  wire.bytes = bytes.size();
  wire.header = message.header;
  append(front_, &wire, 1);
  size_t front = sizeof wire;
  for (const at::Tensor& t : tensors) {
    front += sizeof(TensorEntry) + (t.defined() ? t.dim() : 0) * sizeof(int64_t);
  }
  size_t end = front + bytes.size();
  if (!bytes.empty()) {
    pieces_.push_back({front, reinterpret_cast<const std::byte*>(bytes.data()), bytes.size(), {}});
  }
  for (const at::Tensor& t : tensors) {
    TensorEntry entry{0, kUndefined, 0};
    if (!t.defined()) {
      append(front_, &entry, 1);
      continue;
    }
    at::Tensor plain = plainTensor(t);
    entry = {static_cast<int32_t>(plain.scalar_type()), static_cast<int32_t>(plain.dim()),
             alignUp(end)};
    append(front_, &entry, 1);
    append(front_, plain.sizes().data(), plain.sizes().size());
    end = entry.offset + plain.nbytes();
    if (plain.nbytes() > 0) {
      const auto* data = static_cast<const std::byte*>(plain.const_data_ptr());
      pieces_.push_back({entry.offset, data, plain.nbytes(), std::move(plain)});
    }
  }
  size_ = end;
  const uint64_t size = size_;
  std::memcpy(front_.data() + offsetof(WireHeader, size), &size, sizeof size);
}

void Image::copy(std::byte* to, size_t begin, size_t end) const {
  const auto copyPart = [&](size_t offset, const std::byte* data, size_t size) {
    const size_t first = std::max(begin, offset);
    const size_t last = std::min(end, offset + size);
    if (first < last) {
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
  pieces_.clear();
  size_ = 0;
}

Buffer::Buffer(size_t size)
    : data_(static_cast<std::byte*>(std::aligned_alloc(kImageAlignment, alignUp(size + 1)))),
      size_(size) {
  if (data_ == nullptr) {
    throw UserError(fmt::format("there is no memory for a message of {} bytes", size));
  }
}

Buffer::~Buffer() { std::free(data_); }

void readImage(std::span<const std::byte> image, const std::shared_ptr<void>& owner,
               Message& message) {
  Reader reader(image);
  const WireHeader wire = readHeader(reader, image.size());
  message.header = wire.header;
  message.value = {};
  message.parts.tensors.clear();
  for (uint32_t i = 0; i < wire.tensors; ++i) {
    message.parts.tensors.push_back(readTensor(reader, image, owner));
  }
  const std::byte* bytes = reader.takeBytes(wire.bytes);
  message.parts.bytes.assign(reinterpret_cast<const char*>(bytes), wire.bytes);
}

bool hasTensors(std::span<const std::byte> image) {
  Reader reader(image);
  return readHeader(reader, image.size()).tensors > 0;
}

}  // namespace fdg::transport
