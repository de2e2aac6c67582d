#include "core/Safetensors.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/Check.h"
#include "core/Names.h"
#include "core/WholeFile.h"

namespace fdg {
namespace {

struct DtypeName {
  at::ScalarType type;
  const char* name;
};
constexpr DtypeName kDtypes[] = {{at::kDouble, "F64"},    {at::kFloat, "F32"}, {at::kHalf, "F16"},
                                 {at::kBFloat16, "BF16"}, {at::kLong, "I64"},  {at::kInt, "I32"},
                                 {at::kShort, "I16"},     {at::kChar, "I8"},   {at::kByte, "U8"},
                                 {at::kBool, "BOOL"}};

const char* dtypeName(at::ScalarType type) {
  for (const auto& dtype : kDtypes) {
    if (dtype.type == type) {
      return dtype.name;
    }
  }
  throw UserError(std::string("tensors of type ") + c10::toString(type) +
                  " cannot be saved as safetensors; convert them first");
}

/// What a file of these tensors consists of.
struct Image {
  std::string head;  // length and JSON
  std::vector<at::Tensor> plain;

  std::vector<std::string_view> pieces() const {
    std::vector<std::string_view> all = {head};
    for (const at::Tensor& tensor : plain) {
      all.emplace_back(static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes());
    }
    return all;
  }
};

Image imageOf(const std::string& name_of_file, const NamedTensors& tensors) {
  Image image;
  nlohmann::ordered_json header;
  size_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    if (!isUtf8(name) || name == "__metadata__") {
      throw UserError("a tensor of " + name_of_file + " cannot be called " + shownText(name) +
                      "; a name is UTF-8 text, and __metadata__ is the format's own");
    }
    image.plain.push_back(tensor.detach().to(at::kCPU).contiguous());
    if (header.contains(name)) {
      throw UserError("two tensors of " + name_of_file + " are called \"" + name + "\"");
    }
    const size_t end = offset + image.plain.back().nbytes();
    header[name] = {{"dtype", dtypeName(tensor.scalar_type())},
                    {"shape", tensor.sizes().vec()},
                    {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.empty() ? "{}" : header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  const uint64_t length = text.size();
  image.head.assign(reinterpret_cast<const char*>(&length), sizeof length);
  image.head += text;
  return image;
}

}  // namespace

void writeSafetensors(const std::string& path, const NamedTensors& tensors) {
  const Image image = imageOf(path, tensors);
  writeWholeFile(path, image.pieces());
}

std::string safetensorsBytes(const std::string& name, const NamedTensors& tensors) {
  std::string bytes;
  const Image image = imageOf(name, tensors);
  for (const std::string_view piece : image.pieces()) {
    bytes += piece;
  }
  return bytes;
}

Result<NamedTensors> readSafetensors(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  if (!file || !(content << file.rdbuf())) {
    return Error{"cannot read " + path + ": " + std::strerror(errno)};
  }
  const std::string bytes = content.str();
  uint64_t length = 0;
  if (bytes.size() >= 8) {
    std::memcpy(&length, bytes.data(), 8);
  }
  const Error torn{path + " is not a whole safetensors file"};
  if (bytes.size() < 8 || length > bytes.size() - 8) {
    return torn;
  }
  const auto header = nlohmann::ordered_json::parse(bytes.substr(8, length), nullptr, false);
  if (!header.is_object()) {
    return torn;
  }
  NamedTensors tensors;
  const std::string_view data = std::string_view(bytes).substr(8 + length);
  try {
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") {
        continue;
      }
      const auto begin = entry.at("data_offsets").at(0).get<size_t>();
      const auto end = entry.at("data_offsets").at(1).get<size_t>();
      const auto shape = entry.at("shape").get<std::vector<int64_t>>();
      const auto wanted = entry.at("dtype").get<std::string>();
      for (const auto& dtype : kDtypes) {
        if (dtype.name == wanted) {
          at::Tensor tensor = at::empty(shape, dtype.type);
          if (begin > end || end > data.size() || end - begin != tensor.nbytes()) {
            return torn;
          }
          std::memcpy(tensor.mutable_data_ptr(), data.data() + begin, end - begin);
          tensors.emplace_back(name, tensor);
        }
      }
    }
  } catch (const std::exception&) {
    return torn;
  }
  return tensors;
}

}  // namespace fdg
