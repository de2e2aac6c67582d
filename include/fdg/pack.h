// Packs a value into tensors and bytes, and back: the form in which it travels between processes.
//
// Tensors keep dtype, shape and strides and may be undefined, empty, zero-dimensional or
// non-contiguous. Everything else goes into `bytes` in host byte order: a run is on
// machines of one kind. Unpacking bytes that were not packed by the same type throws UserError.
// Cost: one copy of the plain parts; tensors are passed on as handles.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "base/Check.h"
#include "fdg/value.h"

namespace fdg::value {

struct Parts {
  std::vector<at::Tensor> tensors;
  std::string bytes;
};

template <class T>
void pack(const T& v, Parts& out);
template <class T>
void unpack(T& v, const Parts& in, size_t& tensor, size_t& byte);

namespace detail {
template <class T>
void putRaw(const T& v, Parts& out) {
  out.bytes.append(reinterpret_cast<const char*>(&v), sizeof v);
}
template <class T>
T getRaw(const Parts& in, size_t& byte) {
  if (in.bytes.size() - byte < sizeof(T)) {
    throw UserError("a message is shorter than its type says");
  }
  T v;
  std::memcpy(&v, in.bytes.data() + byte, sizeof v);
  byte += sizeof v;
  return v;
}
inline uint64_t getCount(const Parts& in, size_t& byte, size_t least_each) {
  const auto count = getRaw<uint64_t>(in, byte);
  if (least_each > 0 && count > (in.bytes.size() - byte) / least_each) {
    throw UserError("a message is shorter than its type says");
  }
  return count;
}
}  // namespace detail

template <class T>
void pack(const T& v, Parts& out) {
  if constexpr (Tensor<T>) {
    out.tensors.push_back(v);
  } else if constexpr (Plain<T>) {
    detail::putRaw(v, out);
  } else if constexpr (String<T>) {
    detail::putRaw<uint64_t>(v.size(), out);
    out.bytes += v;
  } else if constexpr (List<T>) {
    detail::putRaw<uint64_t>(v.size(), out);
    if constexpr (std::is_arithmetic_v<typename T::value_type> &&
                  !std::is_same_v<T, std::vector<bool>>) {
      out.bytes.append(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(v[0]));
    } else {
      for (const typename T::value_type& element : v) {
        pack(element, out);
      }
    }
  } else if constexpr (Optional<T>) {
    detail::putRaw(v.has_value(), out);
    if (v) {
      pack(*v, out);
    }
  } else if constexpr (Map<T>) {
    detail::putRaw<uint64_t>(v.size(), out);
    if constexpr (is_a<T, std::unordered_map>) {
      detail::putRaw<uint64_t>(v.bucket_count(), out);
    }
    for (const auto& element : v) {
      pack(element, out);
    }
  } else {
    forEachField(v, [&](const auto& field) { pack(field, out); });
  }
}

/// In the order in which the sender's elements lie: with as many buckets, what is inserted comes in
/// front of what is there.
template <class T>
void unpackUnordered(T& v, const Parts& in, size_t& tensor, size_t& byte) {
  constexpr uint64_t kMostBuckets = 1 << 24;  // of the empty ones; more only cost time
  const uint64_t size = detail::getCount(in, byte, 0);
  const auto buckets = detail::getRaw<uint64_t>(in, byte);
  std::vector<std::pair<typename T::key_type, typename T::mapped_type>> elements;
  for (uint64_t i = 0; i < size; ++i) {
    auto& [key, element] = elements.emplace_back();
    unpack(key, in, tensor, byte);
    unpack(element, in, tensor, byte);
  }
  v = T(std::min(buckets, kMostBuckets));
  for (auto element = elements.rbegin(); element != elements.rend(); ++element) {
    v.insert(std::move(*element));
  }
}

template <class T>
void unpack(T& v, const Parts& in, size_t& tensor, size_t& byte) {
  if constexpr (Tensor<T>) {
    if (tensor >= in.tensors.size()) {
      throw UserError("a message has fewer tensors than its type says");
    }
    v = in.tensors[tensor++];
  } else if constexpr (Plain<T>) {
    v = detail::getRaw<T>(in, byte);
  } else if constexpr (String<T>) {
    const uint64_t size = detail::getCount(in, byte, 1);
    v.assign(in.bytes, byte, size);
    byte += size;
  } else if constexpr (List<T>) {
    using Element = typename T::value_type;
    if constexpr (std::is_arithmetic_v<Element> && !std::is_same_v<T, std::vector<bool>>) {
      v.resize(detail::getCount(in, byte, sizeof(Element)));
      std::memcpy(v.data(), in.bytes.data() + byte, v.size() * sizeof(Element));
      byte += v.size() * sizeof(Element);
    } else {
      const uint64_t size = detail::getCount(in, byte, 0);
      v.clear();
      for (uint64_t i = 0; i < size; ++i) {
        Element element{};
        unpack(element, in, tensor, byte);
        v.push_back(std::move(element));
      }
    }
  } else if constexpr (Optional<T>) {
    v.reset();
    if (detail::getRaw<bool>(in, byte)) {
      unpack(v.emplace(), in, tensor, byte);
    }
  } else if constexpr (is_a<T, std::set>) {
    const uint64_t size = detail::getCount(in, byte, 0);
    v.clear();
    for (uint64_t i = 0; i < size; ++i) {
      typename T::key_type key{};
      unpack(key, in, tensor, byte);
      v.insert(v.end(), std::move(key));
    }
  } else if constexpr (is_a<T, std::unordered_map>) {
    unpackUnordered(v, in, tensor, byte);
  } else if constexpr (Map<T>) {
    const uint64_t size = detail::getCount(in, byte, 0);
    v.clear();
    for (uint64_t i = 0; i < size; ++i) {
      typename T::key_type key{};
      unpack(key, in, tensor, byte);
      unpack(v[std::move(key)], in, tensor, byte);
    }
  } else {
    forEachField(v, [&](auto& field) { unpack(field, in, tensor, byte); });
  }
}

/// The whole value; bytes or tensors left over mean that it was packed by another type.
template <class T>
void unpackAll(T& v, const Parts& in) {
  size_t tensor = 0;
  size_t byte = 0;
  unpack(v, in, tensor, byte);
  if (tensor != in.tensors.size() || byte != in.bytes.size()) {
    throw UserError("a message is longer than its type says");
  }
}

}  // namespace fdg::value
