#include "base/Manifest.h"

#include <array>
#include <nlohmann/json.hpp>

namespace fdg {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 10> kOperationNames = {
    "gather",      "scatter",    "append",     "broadcast",  "all_gather",
    "reduce_mean", "reduce_sum", "reduce_max", "reduce_all", "reduce_any"};

/// One description of every struct serves writing and reading: `a(name, field)`.
struct Writer {
  Json& out;
  template <class T>
  void operator()(const char* name, const T& field);
};
struct Reader {
  const Json& in;
  template <class T>
  void operator()(const char* name, T& field);
};

template <class A, class T>
requires std::is_same_v<std::remove_const_t<T>, Fact>
void describe(A& a, T& v) {
  a("holds", v.holds);
  a("reason", v.reason);
}
template <class A, class T>
requires std::is_same_v<std::remove_const_t<T>, ConfigField>
void describe(A& a, T& v) {
  a("name", v.name);
  a("type", v.type);
  a("default", v.default_text);
  a("about", v.about);
}
template <class A, class T>
requires std::is_same_v<std::remove_const_t<T>, FragmentInfo>
void describe(A& a, T& v) {
  a("id", v.id);
  a("name", v.name);
  a("roles", v.roles);
  a("components", v.components);
  a("lines", v.lines);
  a("replicable", v.replicable);
  a("approximate", v.approximate);
  a("approximate_reason", v.approximate_reason);
  a("fusable", v.fusable);
}
template <class A, class T>
requires std::is_same_v<std::remove_const_t<T>, BoundaryInfo>
void describe(A& a, T& v) {
  a("id", v.id);
  a("name", v.name);
  a("operation", v.operation);
  a("loose", v.loose);
  a("implicit", v.implicit);
  a("values", v.values);
  a("types", v.types);
  a("producer", v.producer);
  a("consumers", v.consumers);
  a("producer_needs_result", v.producer_needs_result);
  a("loops", v.loops);
  a("conditional", v.conditional);
  a("line", v.line);
  a("only_for_drain", v.only_for_drain);
  a("drainable", v.drainable);
  a("newest_able", v.newest_able);
  a("callable", v.callable);
  a("held", v.held);
}
template <class A, class T>
requires std::is_same_v<std::remove_const_t<T>, LoopInfo>
void describe(A& a, T& v) {
  a("id", v.id);
  a("parent", v.parent);
  a("line", v.line);
  a("has_boundary", v.has_boundary);
  a("trip_count", v.trip_count);
  a("fragments", v.fragments);
  a("carries", v.carries);
  a("resumable", v.resumable);
}
template <class A, class T>
requires std::is_same_v<std::remove_const_t<T>, RateClass>
void describe(A& a, T& v) {
  a("fragments", v.fragments);
  a("loosen", v.loosen);
}
template <class A, class T>
requires std::is_same_v<std::remove_const_t<T>, Manifest>
void describe(A& a, T& v) {
  a("manifest_version", v.manifest_version);
  a("interface_version", v.interface_version);
  a("torch_version", v.torch_version);
  a("compiler", v.compiler);
  a("program", v.program);
  a("source", v.source);
  a("source_hash", v.source_hash);
  a("config_type", v.config_type);
  a("config", v.config);
  a("fragments", v.fragments);
  a("boundaries", v.boundaries);
  a("loops", v.loops);
  a("rate_classes", v.rate_classes);
}

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

template <class T>
Json toJson(const T& v) {
  if constexpr (std::is_same_v<T, OperationKind>) {
    return operationName(v);
  } else if constexpr (requires { v.has_value(); }) {
    return v ? Json(*v) : Json();
  } else if constexpr (requires(Writer w) { describe(w, v); }) {
    Json object = Json::object();
    Writer writer{object};
    describe(writer, v);
    return object;
  } else if constexpr (is_list<T>) {
    Json list = Json::array();
    for (const auto& element : v) {
      list.push_back(toJson(element));
    }
    return list;
  } else {
    return v;
  }
}

template <class T>
void fromJson(const Json& json, T& v) {
  if constexpr (std::is_same_v<T, OperationKind>) {
    const auto kind = operationFromName(json.get<std::string>());
    if (!kind) {
      throw std::invalid_argument("unknown operation " + json.dump());
    }
    v = *kind;
  } else if constexpr (requires { v.has_value(); }) {
    if (!json.is_null()) {
      v = json.get<typename T::value_type>();
    }
  } else if constexpr (requires(Reader r) { describe(r, v); }) {
    Reader reader{json};
    describe(reader, v);
  } else if constexpr (is_list<T>) {
    if (!json.is_array()) {
      throw std::invalid_argument("a list was expected");
    }
    for (const Json& element : json) {
      fromJson(element, v.emplace_back());
    }
  } else {
    v = json.get<T>();
  }
}

template <class T>
void Writer::operator()(const char* name, const T& field) {
  out[name] = toJson(field);
}

template <class T>
void Reader::operator()(const char* name, T& field) {
  const auto it = in.find(name);
  if (it == in.end()) {
    throw std::invalid_argument(std::string("the field ") + name + " is missing");
  }
  try {
    fromJson(*it, field);
  } catch (const std::exception& error) {
    throw std::invalid_argument(std::string(name) + ": " + error.what());
  }
}

/// Ids that point nowhere would be our crash later; here they are a sentence.
std::string danglingId(const Manifest& m) {
  const auto fragments = static_cast<int>(m.fragments.size());
  const auto isFragment = [&](int id) { return id >= 0 && id < fragments; };
  for (int i = 0; i < fragments; ++i) {
    if (m.fragments[static_cast<size_t>(i)].id != i) {
      return "fragment ids do not count from 0";
    }
  }
  for (size_t i = 0; i < m.boundaries.size(); ++i) {
    const auto& boundary = m.boundaries[i];
    if (boundary.id != static_cast<int>(i)) {
      return "boundary ids do not count from 0";
    }
    if (!isFragment(boundary.producer)) {
      return "boundary " + boundary.name + " has no producer";
    }
    for (const int consumer : boundary.consumers) {
      if (!isFragment(consumer)) {
        return "boundary " + boundary.name + " has an unknown consumer";
      }
    }
    if (boundary.only_for_drain >= static_cast<int>(m.boundaries.size())) {
      return "boundary " + boundary.name + " refers to an unknown boundary";
    }
  }
  for (const auto& rate_class : m.rate_classes) {
    for (const int fragment : rate_class.fragments) {
      if (!isFragment(fragment)) {
        return "a rate class has an unknown fragment";
      }
    }
  }
  return {};
}

}  // namespace

const char* operationName(OperationKind kind) { return kOperationNames[static_cast<size_t>(kind)]; }

std::optional<OperationKind> operationFromName(const std::string& name) {
  for (size_t i = 0; i < kOperationNames.size(); ++i) {
    if (name == kOperationNames[i]) {
      return static_cast<OperationKind>(i);
    }
  }
  return std::nullopt;
}

bool isReduction(OperationKind kind) { return kind >= OperationKind::reduce_mean; }

std::string writeManifest(const Manifest& manifest) { return toJson(manifest).dump(2) + "\n"; }

Result<Manifest> readManifest(const std::string& json) {
  const Json parsed = Json::parse(json, nullptr, false);
  if (!parsed.is_object()) {
    return Error{"the manifest of this plan is not readable; build the plan again with fdgc"};
  }
  try {
    Manifest manifest;
    Reader version{parsed};
    version("manifest_version", manifest.manifest_version);
    if (manifest.manifest_version != kManifestVersion) {
      return Error{"this plan has manifest version " + std::to_string(manifest.manifest_version) +
                   ", this fdg-run reads version " + std::to_string(kManifestVersion) +
                   "; build the plan again with the fdgc beside this fdg-run"};
    }
    fromJson(parsed, manifest);
    if (const std::string fault = danglingId(manifest); !fault.empty()) {
      return Error{"the manifest of this plan is damaged (" + fault +
                   "); build the plan again with fdgc"};
    }
    return manifest;
  } catch (const std::exception& error) {
    return Error{std::string("the manifest of this plan is damaged (") + error.what() +
                 "); build the plan again with fdgc"};
  }
}

}  // namespace fdg
