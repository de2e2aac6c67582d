#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/AddTerms.h"
#include "core/Finite.h"
#include "core/UnequalTerms.h"
#include "fdg/terms.h"
#include "fdg/trace_hash.h"

namespace fdg::value {

Hindrance hindranceOf(const at::Tensor& t) {
  if (!t.defined()) {
    return Hindrance::none;
  }
  if (t.layout() != at::kStrided) {
    return Hindrance::sparse;
  }
  return t.grad_fn()         ? Hindrance::history
         : t.requires_grad() ? Hindrance::gradients
                             : Hindrance::none;
}

void RowCount::leaf(int64_t rows, const char* kind) {
  ++leaves_;
  if (count_ && *count_ != rows) {
    throw UserError(
        "field " + std::to_string(leaves_) + " of the value is a " + kind + " with " +
        std::to_string(rows) + " rows, but the fields before it have " + std::to_string(*count_) +
        "; every tensor and vector of a value that is gathered or scattered leads with the "
        "same number of rows");
  }
  count_ = rows;
}

void refuseUnequalScalars() {
  throw UserError(
      "a field without rows (a scalar, a string, a map) differs between the replicas; reduce it, "
      "or make "
      "it the same on all of them");
}

/// In memory in the order of the parts' dimensions, as the whole would be. A part of one row does
/// not say where its rows lie among the dimensions.
at::Tensor concatTensors(const std::vector<at::Tensor>& parts) {
  const at::Tensor& model = *std::ranges::max_element(
      parts, {}, [](const at::Tensor& part) { return part.size(0); });
  std::vector<int64_t> order(static_cast<size_t>(model.dim()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](int64_t dimension) { return model.stride(dimension); });
  if (std::ranges::is_sorted(order)) {
    return at::cat(parts, 0);
  }
  std::vector<int64_t> back(order.size());
  std::vector<at::Tensor> ordered;
  for (size_t i = 0; i < order.size(); ++i) {
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  }
  for (const at::Tensor& part : parts) {
    ordered.push_back(part.permute(order));
  }
  return at::cat(ordered, back.front()).permute(back);
}

namespace {

/// As bytes in row order; a sparse tensor, which will be refused where it is sent, as a dense one.
at::Tensor plainly(const at::Tensor& t) {
  return (t.layout() == at::kStrided ? t : t.to_dense()).to(at::kCPU).contiguous();
}

}  // namespace

bool sameBits(const at::Tensor& a, const at::Tensor& b) {
  if (a.defined() != b.defined()) {
    return false;
  }
  if (!a.defined()) {
    return true;
  }
  if (a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes()) {
    return false;
  }
  const at::Tensor x = plainly(a);
  const at::Tensor y = plainly(b);
  return std::memcmp(x.const_data_ptr(), y.const_data_ptr(), x.nbytes()) == 0;
}

bool sameParts(const Parts& a, const Parts& b) {
  if (a.bytes != b.bytes || a.tensors.size() != b.tensors.size()) {
    return false;
  }
  for (size_t i = 0; i < a.tensors.size(); ++i) {
    if (!sameBits(a.tensors[i], b.tensors[i])) {
      return false;
    }
  }
  return true;
}

void refuseTerm(const char* what) {
  throw UserError(std::string("this value cannot be reduced: ") + what);
}

namespace {

double totalWeight(std::span<const double> weights) {
  double total = 0;
  for (const double weight : weights) {
    total += weight;
  }
  if (!(total > 0)) {
    throw UserError("reduce_mean over terms whose weights add up to 0: no replica had any rows");
  }
  return total;
}

/// The same layout in memory, of numbers that addTerms takes.
bool canBeAdded(OperationKind how, std::span<const at::Tensor> terms) {
  if (terms.size() < 2 || !terms[0].defined()) {
    return false;
  }
  const at::ScalarType type = terms[0].scalar_type();
  return canAdd(how, type) &&
         std::ranges::all_of(terms, [&](const at::Tensor& t) {
           return t.defined() && t.is_cpu() && t.layout() == at::kStrided && t.is_contiguous() &&
                  !t.is_neg() && t.scalar_type() == type && t.sizes() == terms[0].sizes();
         });
}

/// Where canBeAdded: no tensor for each step, and each term is read once.
at::Tensor addTensors(OperationKind how, std::span<const at::Tensor> terms,
                      std::span<const double> weights) {
  std::vector<const std::byte*> data;
  for (const at::Tensor& term : terms) {
    data.push_back(static_cast<const std::byte*>(term.const_data_ptr()));
  }
  at::Tensor sum = at::empty(terms[0].sizes(), terms[0].scalar_type());
  const size_t refused = addTerms(how, sum.scalar_type(), data, weights,
                                  static_cast<std::byte*>(sum.mutable_data_ptr()), sum.nbytes());
  if (refused < terms.size()) {
    refuseNotFinite(refused);
  }
  if (how == OperationKind::reduce_mean) {
    totalWeight(weights);
  }
  return sum;
}

}  // namespace

at::Tensor reduceTensors(OperationKind how, std::span<const at::Tensor> terms,
                         std::span<const double> weights) {
  if (canBeAdded(how, terms)) {
    return addTensors(how, terms, weights);
  }
  for (size_t i = 0; i < terms.size(); ++i) {
    const at::Tensor& term = terms[i];
    if (term.defined() != terms[0].defined() ||
        (term.defined() &&
         (term.sizes() != terms[0].sizes() || term.scalar_type() != terms[0].scalar_type()))) {
      std::vector<std::vector<std::string>> texts;
      for (const at::Tensor& each : terms) {
        texts.push_back({shapeText(each)});
      }
      refuseUnequalTerms(texts);
    }
    if (!isFinite(term)) {
      refuseNotFinite(i);
    }
  }
  if (!terms[0].defined()) {
    return terms[0];
  }
  at::NoGradGuard no_grad;
  switch (how) {
    case OperationKind::reduce_mean: {
      if (!terms[0].is_floating_point()) {
        refuseTerm("reduce_mean of integers; use reduce_sum, or make it floating point");
      }
      const double total = totalWeight(weights);
      at::Tensor sum = terms[0] * weights[0];
      for (size_t i = 1; i < terms.size(); ++i) {
        sum.add_(terms[i] * weights[i]);
      }
      return sum.div_(total);
    }
    case OperationKind::reduce_sum: {
      at::Tensor sum = terms[0].clone();
      for (size_t i = 1; i < terms.size(); ++i) {
        sum.add_(terms[i]);
      }
      return sum;
    }
    case OperationKind::reduce_max: {
      at::Tensor most = terms[0];
      for (size_t i = 1; i < terms.size(); ++i) {
        most = at::maximum(most, terms[i]);
      }
      return most;
    }
    case OperationKind::reduce_all:
    case OperationKind::reduce_any: {
      if (terms[0].scalar_type() != at::kBool) {
        refuseTerm("reduce_all and reduce_any take bools");
      }
      at::Tensor folded = terms[0];
      for (size_t i = 1; i < terms.size(); ++i) {
        folded = how == OperationKind::reduce_all ? at::logical_and(folded, terms[i])
                                                  : at::logical_or(folded, terms[i]);
      }
      return folded;
    }
    default:
      FDG_CHECK(false, "reduceTensors with an operation that is no reduction");
  }
}

double reduceNumbers(OperationKind how, std::span<const double> terms,
                     std::span<const double> weights) {
  for (size_t i = 0; i < terms.size(); ++i) {
    if (!std::isfinite(terms[i])) {
      refuseNotFinite(i);
    }
  }
  double folded = how == OperationKind::reduce_mean ? terms[0] * weights[0] : terms[0];
  for (size_t i = 1; i < terms.size(); ++i) {
    switch (how) {
      case OperationKind::reduce_mean:
        folded += terms[i] * weights[i];
        break;
      case OperationKind::reduce_sum:
        folded += terms[i];
        break;
      case OperationKind::reduce_max:
        folded = std::max(folded, terms[i]);
        break;
      default:
        refuseTerm("reduce_all and reduce_any take bools");
    }
  }
  return how == OperationKind::reduce_mean ? folded / totalWeight(weights) : folded;
}

int64_t reduceIntegers(OperationKind how, std::span<const int64_t> terms) {
  int64_t folded = terms[0];
  for (size_t i = 1; i < terms.size(); ++i) {
    switch (how) {
      case OperationKind::reduce_sum:
        folded += terms[i];
        break;
      case OperationKind::reduce_max:
        folded = std::max(folded, terms[i]);
        break;
      case OperationKind::reduce_mean:
        refuseTerm("reduce_mean of integers; use reduce_sum, or make it floating point");
      default:
        refuseTerm("reduce_all and reduce_any take bools");
    }
  }
  return folded;
}

bool reduceBools(OperationKind how, std::span<const bool> terms) {
  if (how != OperationKind::reduce_all && how != OperationKind::reduce_any) {
    refuseTerm("a bool takes reduce_all or reduce_any");
  }
  bool folded = terms[0];
  for (const bool term : terms) {
    folded = how == OperationKind::reduce_all ? folded && term : folded || term;
  }
  return folded;
}

namespace {

constexpr uint64_t kRowBase = 0x9E3779B97F4A7C15ULL | 1;

uint64_t mix(uint64_t h) {
  h = (h ^ (h >> 32)) * 0xD6E8FEB86659FD93ULL;
  h = (h ^ (h >> 32)) * 0xD6E8FEB86659FD93ULL;
  return h ^ (h >> 32);
}

uint64_t power(uint64_t base, int64_t exponent) {
  uint64_t result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) {
      result *= base;
    }
    base *= base;
  }
  return result;
}

}  // namespace

TraceHash join(const TraceHash& first, const TraceHash& second) {
  TraceHash joined = first;
  joined.whole = 0;
  joined.rows_hash = first.rows_hash * power(kRowBase, second.rows) + second.rows_hash;
  joined.rows = first.rows + second.rows;
  joined.has_rows = first.has_rows || second.has_rows;
  return joined;
}

void Hasher::bytes(const void* data, size_t size) {
  const auto* p = static_cast<const unsigned char*>(data);
  state_ ^= size;
  for (; size >= 8; p += 8, size -= 8) {
    uint64_t word;
    std::memcpy(&word, p, 8);
    state_ = (state_ ^ word) * 0xFF51AFD7ED558CCDULL;
    state_ ^= state_ >> 29;
  }
  uint64_t tail = 0;
  std::memcpy(&tail, p, size);
  state_ = mix(state_ ^ tail);
}

void Hasher::tensor(const at::Tensor& t) {
  const int64_t kind = t.defined() ? static_cast<int64_t>(t.scalar_type()) : -1;
  bytes(&kind, sizeof kind);
  if (t.defined()) {
    bytes(t.sizes().data(), t.sizes().size() * sizeof(int64_t));
    const at::Tensor plain = plainly(t);
    bytes(plain.const_data_ptr(), plain.nbytes());
  }
}

uint64_t Hasher::value() const { return mix(state_); }

void addRow(uint64_t& polynomial, uint64_t row) { polynomial = polynomial * kRowBase + row; }

uint64_t leafFactor(int leaf) { return mix(static_cast<uint64_t>(leaf) + 1) | 1; }

void addTensorRows(TraceHash& hash, const at::Tensor& t, int leaf) {
  const at::Tensor plain = plainly(t);
  const int64_t rows = plain.size(0);
  const size_t row_bytes = rows == 0 ? 0 : plain.nbytes() / static_cast<size_t>(rows);
  const auto* data = static_cast<const char*>(plain.const_data_ptr());
  uint64_t polynomial = 0;
  for (int64_t row = 0; row < rows; ++row) {
    Hasher hasher;
    hasher.bytes(data + static_cast<size_t>(row) * row_bytes, row_bytes);
    addRow(polynomial, hasher.value());
  }
  hash.rows_hash += leafFactor(leaf) * polynomial;
  hash.rows = rows;
  hash.has_rows = true;
}

uint64_t hashParts(const Parts& parts) {
  Hasher hasher;
  hasher.bytes(parts.bytes.data(), parts.bytes.size());
  for (const at::Tensor& t : parts.tensors) {
    hasher.tensor(t);
  }
  return hasher.value();
}

}  // namespace fdg::value
