// The tensors of one replica's term as one flat run of bytes, folded with those of the others.
//
// Tensors lie in their order, each in row order, at multiples of transport::kFoldAlignment. The
// result is written into tensors of its own. What the members have to agree on before, and whether
// they do, is its layout: dtypes, shapes and strides. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fdg/pack.h"
#include "runtime/host/FoldPiece.h"
#include "runtime/transport/Folding.h"

namespace fdg::host {

/// Whether its tensors are worth folding where they are, and can be. The same on all replicas if
/// their tensors are of the same shapes and dtypes.
bool isFoldable(const value::Parts& term);

/// Of the tensors of a term, as words.
using Layout = std::vector<int64_t>;

/// Takes the tensors out of `term` and leaves their layout in its bytes.
void leaveLayout(value::Parts& term);
/// Takes the layout out of the bytes again and leaves as many undefined tensors. Throws UserError
/// if it is damaged.
Layout takeLayout(value::Parts& term);
/// As value::shapeText: of each tensor.
std::vector<std::string> shapesOf(const Layout& layout);

class FlatTerm final : public transport::FoldWork {
 public:
  /// Of member `self`.
  FlatTerm(size_t self, const std::vector<at::Tensor>& own);
  /// Before it folds: with terms of these layouts, one for each member. Throws UserError if they
  /// differ in shape or dtype, or what they are of cannot be reduced.
  void joins(FoldRule rule, const std::vector<Layout>& layouts);

  size_t size() const override { return size_; }
  void take(std::byte* to, size_t begin, size_t end) const override;
  size_t fold(std::byte* to, std::span<const std::byte* const> others, size_t begin,
              size_t end) const override;
  void place(const std::byte* from, size_t begin, size_t end) override;

  /// The reduced tensors, with the strides that reduceTensors would give them.
  std::vector<at::Tensor> result() const;

 private:
  struct Piece {
    size_t offset = 0;
    size_t bytes = 0;
    at::Tensor own;  // in row order
    at::Tensor result;
    at::Tensor model;  // where strides are other than those of row order: has the result's
  };

  /// Calls f(piece, from, count, at): `count` bytes at `from` within the piece lie at `at` within
  /// the range [begin, end).
  template <class F>
  void forEachPiece(size_t begin, size_t end, const F& f) const;

  FoldRule rule_;
  size_t self_;
  std::vector<Piece> pieces_;  // of every tensor
  size_t size_ = 0;
};

}  // namespace fdg::host
