#include "runtime/place/ClusterFile.h"

#include <charconv>
#include <cmath>
#include <map>

#include "runtime/place/Yaml.h"

namespace fdg::place {
namespace {

constexpr int64_t kMostNodes = 100'000;
constexpr int64_t kMostRanks = 1'000'000;

using Units = std::map<std::string, double>;

const Units& timeUnits() {
  static const Units kUnits = {{"ns", 1e-9}, {"us", 1e-6}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}};
  return kUnits;
}

const Units& rateUnits() {
  static const Units kUnits = {
      {"KB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}, {"Mbit/s", 1e6 / 8}, {"Gbit/s", 1e9 / 8}};
  return kUnits;
}

class Reader {
 public:
  explicit Reader(const std::string& file) : yaml_(file) {}

  Result<Cluster> read(const std::string& text) {
    cluster_.nodes.clear();
    if (const auto root = yaml_.load(text)) {
      readRoot(*root);
    }
    if (!yaml_.clean()) {
      return yaml_.error();
    }
    return std::move(cluster_);
  }

 private:
  void readRoot(const YAML::Node& root) {
    bool has_between = false;
    yaml_.entries(root, "a cluster", {"nodes", "within", "between"},
                  [&](const std::string& key, const YAML::Node& value, Mark at) {
                    if (key == "nodes") {
                      readNodes(value);
                    } else if (key == "within") {
                      readWire(value, key, at, cluster_.within);
                    } else {
                      has_between = true;
                      readWire(value, key, at, cluster_.between);
                    }
                  });
    if (yaml_.clean() && cluster_.nodes.empty()) {
      yaml_.mistake(Yaml::markOf(root), "a cluster has nodes, such as nodes: [{cores: 8}]");
    }
    if (yaml_.clean() && cluster_.nodes.size() > 1 && !has_between) {
      yaml_.mistake(Yaml::markOf(root),
                    "what joins the nodes? Add between: {latency: 20us, bandwidth: 10Gbit/s}");
    }
  }

  void readNodes(const YAML::Node& list) {
    if (!list.IsSequence()) {
      yaml_.mistake(Yaml::markOf(list),
                    "nodes takes a list such as [{count: 2, cores: 8}], not " + shown(list));
      return;
    }
    for (const auto& kind : list) {
      readKind(kind);
    }
  }

  /// Nodes of one kind.
  void readKind(const YAML::Node& kind) {
    Node node{.ranks = 0, .cores = 0, .gpus = 0};
    int64_t count = 1;
    yaml_.entries(kind, "a kind of node", {"count", "cores", "ranks", "gpus"},
                  [&](const std::string& key, const YAML::Node& value, Mark) {
                    const int64_t most = key == "count" ? kMostNodes : 4096;
                    const auto number = yaml_.integer(value, key, key == "gpus" ? 0 : 1, most);
                    if (key == "count") {
                      count = number.value_or(1);
                    } else {
                      (key == "cores"   ? node.cores
                       : key == "ranks" ? node.ranks
                                        : node.gpus) = static_cast<int>(number.value_or(1));
                    }
                  });
    if (node.cores == 0) {
      if (kind.IsMap()) {
        yaml_.mistake(Yaml::markOf(kind), "how many cores has a node of this kind? Add cores: 8");
      }
      return;
    }
    node.ranks = node.ranks == 0 ? node.cores : node.ranks;
    const int64_t nodes = static_cast<int64_t>(cluster_.nodes.size()) + count;
    ranks_ += count * node.ranks;
    if (nodes > kMostNodes || ranks_ > kMostRanks) {
      yaml_.mistake(Yaml::markOf(kind), "with these the cluster has " + std::to_string(nodes) +
                                            " nodes and " + std::to_string(ranks_) +
                                            " ranks; at most " + std::to_string(kMostNodes) +
                                            " and " + std::to_string(kMostRanks) + " are placed");
      return;
    }
    cluster_.nodes.insert(cluster_.nodes.end(), static_cast<size_t>(count), node);
  }

  void readWire(const YAML::Node& map, const std::string& name, Mark at, Wire& wire) {
    bool has_latency = false;
    bool has_bandwidth = false;
    yaml_.entries(map, name, {"latency", "bandwidth"},
                  [&](const std::string& key, const YAML::Node& value, Mark) {
                    const bool is_latency = key == "latency";
                    (is_latency ? has_latency : has_bandwidth) = true;
                    (is_latency ? wire.latency : wire.bandwidth) = quantity(
                        value, key, is_latency ? "a time such as 20us" : "a rate such as 10Gbit/s",
                        is_latency ? timeUnits() : rateUnits());
                  });
    if (map.IsMap() && !(has_latency && has_bandwidth)) {
      yaml_.mistake(at, name + " needs both a latency and a bandwidth");
    }
  }

  double quantity(const YAML::Node& node, const std::string& key, const std::string& example,
                  const Units& units) {
    if (node.IsScalar()) {
      const std::string& text = node.Scalar();
      double value = 0;
      const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
      std::string unit(parsed.ptr, text.data() + text.size());
      unit.erase(0, unit.find_first_not_of(' ') == std::string::npos ? unit.size()
                                                                     : unit.find_first_not_of(' '));
      const auto factor = units.find(unit);
      const bool zero_is_fine = &units == &timeUnits();
      if (parsed.ec == std::errc() && factor != units.end() && std::isfinite(value) &&
          (value > 0 || (zero_is_fine && value == 0)) && value <= 1e9) {
        return value * factor->second;
      }
    }
    std::string names;
    for (const auto& [unit, factor] : units) {
      names += (names.empty() ? "" : ", ") + unit;
    }
    yaml_.mistake(Yaml::markOf(node),
                  key + " takes " + example + ", not " + shown(node) + " (units: " + names + ")");
    return 0;
  }

  Yaml yaml_;
  Cluster cluster_;
  int64_t ranks_ = 0;
};

}  // namespace

Result<Cluster> readCluster(const std::string& text, const std::string& file) {
  return Reader(file).read(text);
}

}  // namespace fdg::place
