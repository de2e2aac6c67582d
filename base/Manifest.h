// The manifest: the plan as data, the only thing that compiler and runtime share.
//
// fdgc writes it as JSON into the section `.fdg.manifest` of the plan; fdg-run reads it before it
// loads any code. Field names are stable and documented in docs/manifest.md. Nothing about
// placement or policy is in it. Reading refuses any bytes that are not a manifest with a sentence;
// it never crashes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/Result.h"

namespace fdg {

constexpr int kManifestVersion = 3;
/// Raised whenever generated code and the headers under include/fdg stop fitting together.
constexpr int kInterfaceVersion = 5;

/// Yes, or no with the reason (a sentence that names the line).
struct Fact {
  bool holds = true;
  std::string reason;
};

struct ConfigField {
  std::string name;          ///< Dotted for nested structs: "dqn.lr".
  std::string type;          ///< "int", "float", "bool", "string", "ints" or "floats".
  std::string default_text;  ///< As the source has it.
  std::string about;         ///< The `///` text.
};

struct FragmentInfo {
  int id = 0;
  std::string name;                     ///< "actor", "buffer+learner", "actor2", …
  std::vector<std::string> roles;       ///< Roles of its components; may be empty.
  std::vector<std::string> components;  ///< Variable names.
  std::vector<int> lines;               ///< Source lines it owns or copies, ascending.
  Fact replicable;
  bool approximate = false;  ///< Replicas together are not the same as one.
  std::string approximate_reason;
  Fact fusable;
};

/// What a boundary's value means; see docs/language.md.
enum class OperationKind {
  gather,
  scatter,
  append,
  broadcast,
  all_gather,
  reduce_mean,
  reduce_sum,
  reduce_max,
  reduce_all,
  reduce_any
};

struct BoundaryInfo {
  int id = 0;
  std::string name;  ///< The first value's name, made unique by number: "weights", "obs2".
  OperationKind operation = OperationKind::gather;
  bool loose = false;
  bool implicit = false;            ///< The outcome of a condition (a choice), not an annotation.
  std::vector<std::string> values;  ///< Variable names, in the order of the annotation.
  std::vector<std::string> types;   ///< Canonical types, one per value.
  int producer = -1;                ///< Fragment id.
  std::vector<int>
      consumers;  ///< Fragment ids; the producer itself where only replicas are synchronised.
  bool producer_needs_result =
      false;  ///< The variable is read by the producer after a reduction or all_gather.
  std::vector<int> loops;    ///< Ids of the loops around it, outermost first.
  bool conditional = false;  ///< Under an if or switch inside its innermost loop.
  int line = 0;
  /// A choice that only leads to this drained boundary; it is not sent when that boundary is
  /// drained. -1: none.
  int only_for_drain = -1;
  Fact drainable;
  Fact newest_able;
  Fact callable;  ///< Drained, its blocks may run in the producer's thread.
  bool held = false;  ///< A received value outlives its iteration.
};

struct LoopInfo {
  int id = 0;
  int parent = -1;  ///< Enclosing loop, -1: none.
  int line = 0;
  bool has_boundary = false;
  std::optional<std::string>
      trip_count;  ///< Source text of the bound, where it is free: "cfg.steps".
  /// Of an outermost loop with boundaries: the fragments that go round it, the variables that each
  /// carries from one iteration to the next, and whether a checkpoint can keep all that changes.
  std::vector<int> fragments;
  std::vector<std::vector<std::string>> carries;
  Fact resumable;
};

/// Fragments joined by ordered boundaries run at one rate.
struct RateClass {
  std::vector<int> fragments;
  /// Names of the boundaries that a policy must loosen to separate this class from the others.
  std::vector<std::string> loosen;
};

struct Manifest {
  int manifest_version = kManifestVersion;
  int interface_version = kInterfaceVersion;
  std::string torch_version;
  std::string compiler;  ///< "clang 19.1.7".
  std::string program;   ///< Name of the training function.
  std::string source;    ///< File name as given.
  std::string source_hash;
  std::string config_type;
  std::vector<ConfigField> config;
  std::vector<FragmentInfo> fragments;
  std::vector<BoundaryInfo> boundaries;
  std::vector<LoopInfo> loops;
  std::vector<RateClass> rate_classes;
};

const char* operationName(OperationKind kind);
std::optional<OperationKind> operationFromName(const std::string& name);
bool isReduction(OperationKind kind);

/// JSON with two spaces of indentation, keys in a fixed order: the same manifest gives the same
/// bytes.
std::string writeManifest(const Manifest& manifest);
Result<Manifest> readManifest(const std::string& json);

}  // namespace fdg
