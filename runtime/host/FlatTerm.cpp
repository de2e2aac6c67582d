#include "runtime/host/FlatTerm.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "core/UnequalTerms.h"
#include "runtime/host/Trailer.h"
#include "runtime/transport/Packing.h"

namespace fdg::host {
namespace {

/// Below, a message is faster.
constexpr size_t kLeastFolded = 64 << 10;

/// The layout of one tensor: in words dtype or −1, whether its strides are those of row order,
/// dimensions, sizes, and other strides.
struct TensorLayout {
  int64_t dtype = -1;
  bool is_plain = true;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
};

[[noreturn]] void refuseDamaged() { throw UserError("the layout of a term is damaged"); }

void putLayout(const at::Tensor& t, Layout& words) {
  if (!t.defined()) {
    words.insert(words.end(), {-1, 1, 0});
    return;
  }
  const at::IntArrayRef sizes = t.sizes();
  const bool is_plain = t.strides() == at::IntArrayRef(c10::contiguous_strides(sizes));
  words.insert(words.end(), {static_cast<int64_t>(t.scalar_type()), is_plain ? 1 : 0, t.dim()});
  words.insert(words.end(), sizes.begin(), sizes.end());
  if (!is_plain) {
    words.insert(words.end(), t.strides().begin(), t.strides().end());
  }
}

std::vector<TensorLayout> readLayout(const Layout& words) {
  std::vector<TensorLayout> layouts;
  auto at = words.begin();
  const auto need = [&](int64_t count) {
    if (count < 0 || count > words.end() - at) {
      refuseDamaged();
    }
  };
  const auto takeList = [&](int64_t count) {
    need(count);
    std::vector<int64_t> list(at, at + count);
    at += count;
    return list;
  };
  while (at != words.end()) {
    TensorLayout& one = layouts.emplace_back();
    need(3);
    one.dtype = *at++;
    one.is_plain = *at++ != 0;
    const int64_t dimensions = *at++;
    one.sizes = takeList(dimensions);
    if (!one.is_plain) {
      one.strides = takeList(dimensions);
    }
  }
  return layouts;
}

/// A tensor with the strides that the reduction of tensors of these layouts has.
at::Tensor modelOf(const FoldRule& rule, size_t tensor,
                   const std::vector<std::vector<TensorLayout>>& layouts) {
  std::vector<at::Tensor> terms;
  for (const std::vector<TensorLayout>& term : layouts) {
    const TensorLayout& one = term[tensor];
    const auto dtype = static_cast<at::ScalarType>(one.dtype);
    terms.push_back(one.is_plain ? at::zeros(one.sizes, dtype)
                                 : at::empty_strided(one.sizes, one.strides, dtype).zero_());
  }
  return value::reduceTensors(rule.operation, terms, rule.weights);
}

}  // namespace

bool isFoldable(const value::Parts& term) {
  size_t bytes = 0;
  for (const at::Tensor& t : term.tensors) {
    if (!t.defined()) {
      continue;
    }
    if (t.layout() != at::kStrided || t.is_quantized() || t.is_complex()) {
      return false;
    }
    bytes += static_cast<size_t>(t.numel()) * t.element_size();
  }
  return bytes >= kLeastFolded;
}

std::vector<std::string> shapesOf(const Layout& layout) {
  std::vector<std::string> shapes;
  for (const TensorLayout& one : readLayout(layout)) {
    shapes.push_back(one.dtype < 0 ? value::shapeText(at::Tensor())
                                   : value::shapeText(static_cast<at::ScalarType>(one.dtype), one.sizes));
  }
  return shapes;
}

void leaveLayout(value::Parts& term) {
  Layout words;
  for (const at::Tensor& t : term.tensors) {
    putLayout(t, words);
  }
  words.push_back(static_cast<int64_t>(term.tensors.size()));
  appendWords(term.bytes, words);
  term.tensors.clear();
}

Layout takeLayout(value::Parts& term) {
  std::optional<Layout> words = takeWords<int64_t>(term.bytes);
  if (!words || words->empty() || words->back() < 0 ||
      std::cmp_less_equal(words->size(), words->back())) {
    refuseDamaged();
  }
  term.tensors.assign(static_cast<size_t>(words->back()), at::Tensor());
  words->pop_back();
  return std::move(*words);
}

FlatTerm::FlatTerm(size_t self, const std::vector<at::Tensor>& own) : self_(self) {
  for (const at::Tensor& t : own) {
    Piece piece;
    if (t.defined()) {
      piece.own = transport::plainTensor(t).contiguous();
      piece.result = at::empty(piece.own.sizes(), piece.own.scalar_type());
      piece.bytes = piece.own.nbytes();
    }
    piece.offset = (size_ + transport::kFoldAlignment - 1) / transport::kFoldAlignment *
                   transport::kFoldAlignment;
    size_ = piece.offset + piece.bytes;
    pieces_.push_back(std::move(piece));
  }
}

void FlatTerm::joins(FoldRule rule, const std::vector<Layout>& layouts) {
  rule_ = std::move(rule);
  std::vector<std::vector<TensorLayout>> terms;
  for (const Layout& layout : layouts) {
    terms.push_back(readLayout(layout));
  }
  std::optional<at::ScalarType> tried;
  for (size_t i = 0; i < pieces_.size(); ++i) {
    bool is_plain = true;
    for (const std::vector<TensorLayout>& term : terms) {
      if (term.size() != pieces_.size() || term[i].dtype != terms[0][i].dtype ||
          term[i].sizes != terms[0][i].sizes) {
        std::vector<std::vector<std::string>> shapes;
        std::ranges::transform(layouts, std::back_inserter(shapes), shapesOf);
        value::refuseUnequalTerms(shapes);
      }
      is_plain = is_plain && term[i].is_plain;
    }
    Piece& piece = pieces_[i];
    if (!piece.own.defined()) {
      continue;
    }
    if (const at::ScalarType type = piece.own.scalar_type(); tried != type) {
      // What cannot be reduced is refused here, on all members, by an element of nothing.
      const std::vector<at::Tensor> nothing(terms.size(), at::zeros({1}, type));
      value::reduceTensors(rule_.operation, nothing, rule_.weights);
      tried = type;
    }
    piece.model = is_plain ? at::Tensor() : modelOf(rule_, i, terms);
  }
}

template <class F>
void FlatTerm::forEachPiece(size_t begin, size_t end, const F& f) const {
  auto piece = std::ranges::partition_point(
      pieces_, [begin](const Piece& p) { return p.offset + p.bytes <= begin; });
  for (; piece != pieces_.end() && piece->offset < end; ++piece) {
    const size_t first = std::max(begin, piece->offset);
    const size_t last = std::min(end, piece->offset + piece->bytes);
    if (first < last) {
      f(*piece, first - piece->offset, last - first, first - begin);
    }
  }
}

void FlatTerm::take(std::byte* to, size_t begin, size_t end) const {
  forEachPiece(begin, end, [to](const Piece& piece, size_t from, size_t count, size_t at) {
    std::memcpy(to + at, static_cast<const std::byte*>(piece.own.const_data_ptr()) + from, count);
  });
}

size_t FlatTerm::fold(std::byte* to, std::span<const std::byte* const> others, size_t begin,
                      size_t end) const {
  size_t refused = transport::kNobody;
  std::vector<const std::byte*> terms(others.size());
  forEachPiece(begin, end, [&](const Piece& piece, size_t from, size_t count, size_t at) {
    for (size_t i = 0; i < others.size(); ++i) {
      terms[i] = i == self_ ? static_cast<const std::byte*>(piece.own.const_data_ptr()) + from
                            : others[i] + at;
    }
    refused = std::min(refused, foldPiece(rule_, piece.own.scalar_type(), terms, to + at, count));
  });
  return refused;
}

void FlatTerm::place(const std::byte* from, size_t begin, size_t end) {
  forEachPiece(begin, end, [from](const Piece& piece, size_t to, size_t count, size_t at) {
    std::memcpy(static_cast<std::byte*>(piece.result.mutable_data_ptr()) + to, from + at, count);
  });
}

std::vector<at::Tensor> FlatTerm::result() const {
  std::vector<at::Tensor> tensors;
  for (const Piece& piece : pieces_) {
    tensors.push_back(piece.model.defined() ? at::empty_like(piece.model).copy_(piece.result)
                                            : piece.result);
  }
  return tensors;
}

}  // namespace fdg::host
