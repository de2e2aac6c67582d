#include "runtime/checkpoint/StateFile.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "core/Safetensors.h"
#include "fdg/trace_hash.h"

namespace fdg::checkpoint {
namespace {

using Json = nlohmann::ordered_json;

at::Tensor asTensor(const std::string& bytes) {
  return at::from_blob(const_cast<char*>(bytes.data()), {static_cast<int64_t>(bytes.size())},
                       at::kByte)
      .clone();
}

std::string asText(const at::Tensor& bytes) {
  return {static_cast<const char*>(bytes.const_data_ptr()), static_cast<size_t>(bytes.numel())};
}

/// The tensors of all items, those that share memory found together.
class Collector {
 public:
  explicit Collector(const Items& items) {
    for (const auto& [name, parts] : items) {
      for (const at::Tensor& tensor : parts.tensors) {
        if (tensor.defined() && tensor.numel() > 0) {
          shared_[tensor.storage().unsafeGetStorageImpl()].push_back(tensor);
        }
      }
    }
  }

  /// How to find the tensor again; what is not in the file yet is added under `name`.
  Json place(const std::string& name, const at::Tensor& tensor) {
    if (!tensor.defined()) {
      return nullptr;
    }
    if (tensor.grad_fn() != nullptr) {
      throw UserError("a checkpoint cannot keep " + name +
                      ", which belongs to a gradient graph; keep it detached (x.detach())");
    }
    Json place = {{"requires_grad", tensor.requires_grad()}};
    if (tensor.numel() == 0) {
      tensors_.emplace_back(name, tensor);
      place["tensor"] = name;
    } else if (!hasViews(tensor)) {
      place["tensor"] = once(name, tensor);
    } else {
      place["tensor"] = once(name, wholeMemory(tensor));
      place["sizes"] = tensor.sizes().vec();
      place["strides"] = tensor.strides().vec();
      place["offset"] = tensor.storage_offset();
    }
    return place;
  }
  NamedTensors& tensors() { return tensors_; }

 private:
  static bool isSame(const at::Tensor& a, const at::Tensor& b) {
    return a.storage_offset() == b.storage_offset() && a.sizes() == b.sizes() &&
           a.strides() == b.strides();
  }
  /// Others see the same memory otherwise. (As another type: they become copies.)
  bool hasViews(const at::Tensor& tensor) const {
    return std::ranges::any_of(shared_.at(tensor.storage().unsafeGetStorageImpl()),
                               [&](const at::Tensor& other) {
                                 return other.scalar_type() == tensor.scalar_type() &&
                                        !isSame(other, tensor);
                               });
  }
  static at::Tensor wholeMemory(const at::Tensor& tensor) {
    const auto elements = static_cast<int64_t>(tensor.storage().nbytes() / tensor.itemsize());
    return tensor.detach().as_strided({elements}, {1}, 0);
  }
  /// Under which name that memory is in the file: under this one, if it was not there yet.
  std::string once(const std::string& name, const at::Tensor& tensor) {
    const auto [known, is_new] = names_.emplace(
        std::pair(tensor.storage().unsafeGetStorageImpl(), tensor.scalar_type()), name);
    if (is_new) {
      tensors_.emplace_back(name, tensor);
    }
    return known->second;
  }

  std::map<const void*, std::vector<at::Tensor>> shared_;
  std::map<std::pair<const void*, at::ScalarType>, std::string> names_;  // of what is in the file
  NamedTensors tensors_;
};

at::Tensor tensorAt(const Json& place, const std::map<std::string, at::Tensor>& tensors) {
  if (place.is_null()) {
    return {};
  }
  at::Tensor tensor = tensors.at(place.at("tensor").get<std::string>());
  if (place.contains("sizes")) {
    tensor = tensor.as_strided(place.at("sizes").get<std::vector<int64_t>>(),
                               place.at("strides").get<std::vector<int64_t>>(),
                               place.at("offset").get<int64_t>());
  }
  if (place.at("requires_grad").get<bool>()) {
    tensor.set_requires_grad(true);
  }
  return tensor;
}

}  // namespace

int64_t writeStateFile(const std::string& path, const Items& items) {
  Collector collector(items);
  Json layout = Json::array();
  for (const auto& [name, parts] : items) {
    Json places = Json::array();
    for (size_t i = 0; i < parts.tensors.size(); ++i) {
      places.push_back(collector.place(name + "." + std::to_string(i), parts.tensors[i]));
    }
    layout.push_back({{"name", name}, {"tensors", places}});
    collector.tensors().emplace_back(name + ".bytes", asTensor(parts.bytes));
  }
  collector.tensors().emplace_back("layout", asTensor(layout.dump()));
  writeSafetensors(path, collector.tensors());
  return static_cast<int64_t>(std::filesystem::file_size(path));
}

Result<Items> readStateFile(const std::string& path) {
  auto read = readSafetensors(path);
  if (!read) {
    return Error{read.error()};
  }
  try {
    std::map<std::string, at::Tensor> tensors(read->begin(), read->end());
    Items items;
    for (const Json& item : Json::parse(asText(tensors.at("layout")))) {
      const auto name = item.at("name").get<std::string>();
      value::Parts parts;
      parts.bytes = asText(tensors.at(name + ".bytes"));
      for (const Json& place : item.at("tensors")) {
        parts.tensors.push_back(tensorAt(place, tensors));
      }
      items.emplace_back(name, std::move(parts));
    }
    return items;
  } catch (const std::exception&) {
    return Error{path + " is not a fragment's state"};
  }
}

uint64_t hashOf(const Items& items) {
  value::Hasher hasher;
  for (const auto& [name, parts] : items) {
    hasher.bytes(name.data(), name.size());
    const uint64_t hash = value::hashParts(parts);
    hasher.bytes(&hash, sizeof hash);
  }
  return hasher.value();
}

}  // namespace fdg::checkpoint
