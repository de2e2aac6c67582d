// A crossing value → the operation that an inferred annotation gives it (language.md, rule 12).
//
// `reduce_mean` for a learner's gradients, `reduce_sum` for the size of a buffer, `append` for rows
// that only buffers take, `gather` or `scatter` for other shares, `broadcast` for the rest. What is
// a share goes by roles: what environments and actors give, what is drawn for run.rows, and what is
// computed from shares. A wrong guess is not silent: wholes are compared between replicas, and rows
// counted. One fixpoint over the definitions.
#pragma once

#include <vector>

#include "base/Manifest.h"
#include "compiler/split/ComponentGroups.h"

namespace fdg::compiler {

class OperationChooser {
 public:
  OperationChooser(const Graph& graph, const ComponentGroups& groups,
                   const std::vector<Crossing>& crossings);

  OperationKind choose(const Crossing& crossing) const;
  /// What the definition makes is rows, each replica its own.
  bool isShareAt(int definition) const { return share_[static_cast<size_t>(definition)]; }
  /// What a component's call alone gives: the size of a buffer, a learner's gradients.
  bool isSizeOfBuffer(int definition) const;
  bool isGradient(int definition) const;
  /// What a learner gives and takes back, and replicas may have differently: moments, statistics.
  bool goesBack(int definition) const;

 private:
  bool raise(int node);
  bool isShare(int node) const;
  bool onlyForBuffers(const Crossing& crossing) const;
  int width(ComponentGroups::Object group) const;
  std::string soleMethod(int node, const char* role) const;

  const Graph& graph_;
  const ComponentGroups& groups_;
  const std::vector<Crossing>& crossings_;
  std::vector<bool> share_;                    ///< By definition.
  std::set<ComponentGroups::Object> by_rows_;  ///< Components that run.rows sizes.
};

/// What crosses, and what the replicas of one group settle among themselves or a condition decides
/// for other groups: gradients, sizes of buffers. Those cross to nobody.
std::vector<Crossing> crossingsAndSettled(const Graph& graph, const ComponentGroups& groups);

}  // namespace fdg::compiler
