#include "runtime/host/Reduction.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "core/Finite.h"
#include "fdg/task.h"
#include "runtime/host/Finite.h"
#include "runtime/host/OnDevice.h"

namespace fdg::host {
namespace {

std::vector<double> weightsOf(const BoundaryInfo& info, const Terms& terms) {
  std::vector<double> weights;
  for (const Box& term : terms.boxes) {
    const std::optional<double> weight = term.ops().weight(term.data());
    if (!weight && info.operation == OperationKind::reduce_mean &&
        std::ranges::adjacent_find(terms.rows, std::not_equal_to<>()) != terms.rows.end()) {
      throw UserError(
          "line " + std::to_string(info.line) + ": reduce_mean of " + info.name +
          " over replicas that own different numbers of rows; give each term its weight with "
          "fdg::weighted(value, rows)");
    }
    weights.push_back(weight.value_or(1.0));
  }
  return weights;
}

}  // namespace

Box reduceTerms(const BoundaryInfo& info, const Terms& terms) {
  if (terms.boxes.size() == 1 && !isFinite(terms.boxes.front())) {
    throw UserError("the only term of a reduction is not finite (NaN or infinity)");
  }
  std::vector<const void*> data;
  for (const Box& term : terms.boxes) {
    data.push_back(term.data());
  }
  const ValueOps& type = terms.boxes.front().ops();
  return {type, type.reduce(info.operation, data, weightsOf(info, terms))};
}

std::shared_ptr<transport::Folding> openFolding(const BoundaryInfo& info,
                                                const BoundaryTopology& topology,
                                                const Endpoint& self,
                                                transport::Transport& transport) {
  const auto here = std::ranges::find(topology.producers, self.id, &Endpoint::id);
  if (!isReduction(info.operation) || !topology.producers_join ||
      here == topology.producers.end() || crossesDevices(topology, self)) {
    return nullptr;
  }
  transport::FoldSpec spec;
  spec.self = static_cast<size_t>(here - topology.producers.begin());
  for (const Endpoint& producer : topology.producers) {
    spec.members.push_back(producer.id);
    spec.ranks.push_back(producer.rank);
  }
  return transport.openFolding(spec);
}

Reduction::Reduction(std::shared_ptr<transport::Folding> folding, size_t self, value::Parts term)
    : folding_(std::move(folding)),
      term_(std::make_shared<FlatTerm>(self, term.tensors)),
      layout_(std::move(term)) {
  leaveLayout(layout_);
  folding_->begin(term_);
}

void Reduction::join(const BoundaryInfo& info, const Terms& terms,
                     const std::vector<Layout>& layouts) {
  rest_ = reduceTerms(info, terms);
  term_->joins({info.operation, weightsOf(info, terms)}, layouts);
  folding_->join();
}

bool Reduction::tryFinish(Box& out) {
  if (!folding_->tryFinish()) {
    if (folding_->isBroken()) {
      throw Closed{};
    }
    return false;
  }
  if (folding_->refused() != transport::kNobody) {
    value::refuseNotFinite(folding_->refused());
  }
  value::Parts parts;
  const ValueOps& type = rest_.ops();
  type.pack(rest_.data(), parts);
  parts.tensors = term_->result();
  out = Box(type, type.make());
  type.unpack(const_cast<void*>(out.data()), parts);
  return true;
}

}  // namespace fdg::host
