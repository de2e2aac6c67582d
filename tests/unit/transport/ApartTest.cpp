// What goes to another thread: moved where nobody else has it, else copied as it is.
#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include "runtime/transport/Apart.h"

namespace fdg::transport {
namespace {

/// Where its memory is before and after.
bool isMoved(value::Parts& parts) {
  const void* before = parts.tensors[0].const_data_ptr();
  setApart(parts);
  return parts.tensors[0].const_data_ptr() == before;
}

value::Parts partsOf(at::Tensor t) {
  value::Parts parts;
  parts.tensors.push_back(std::move(t));
  return parts;
}

TEST(Apart, MovesWhatNobodyElseHas) {
  value::Parts parts = partsOf(at::arange(1000));
  EXPECT_TRUE(isMoved(parts));
  EXPECT_TRUE(parts.tensors[0].equal(at::arange(1000)));
}

TEST(Apart, CopiesWhatHasAnotherHandleOrView) {
  const at::Tensor mine = at::arange(1000);
  value::Parts parts = partsOf(mine);
  EXPECT_FALSE(isMoved(parts));
  EXPECT_TRUE(parts.tensors[0].equal(mine));
  parts = partsOf(mine.slice(0, 10, 20));
  EXPECT_FALSE(isMoved(parts));
  EXPECT_TRUE(parts.tensors[0].equal(mine.slice(0, 10, 20)));
  value::Parts twice;
  twice.tensors = {at::ones({5})};
  twice.tensors.push_back(twice.tensors[0]);
  EXPECT_FALSE(isMoved(twice));
  EXPECT_NE(twice.tensors[0].const_data_ptr(), twice.tensors[1].const_data_ptr());
}

TEST(Apart, CopiesMemoryOfSomeoneElse) {
  float memory[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  value::Parts parts = partsOf(at::from_blob(memory, {8}));
  EXPECT_FALSE(isMoved(parts));
  memory[0] = 9;
  EXPECT_EQ(parts.tensors[0][0].item<float>(), 1);
}

TEST(Apart, KeepsStrides) {
  const at::Tensor base = at::arange(24.0).reshape({4, 6});
  for (const at::Tensor& t : {base.t(), base.slice(1, 0, 4, 2), base.select(0, 1).expand({3, 6}),
                              base.slice(0, 1, 1), base[1][2], base.slice(0, 1, 3)}) {
    value::Parts parts = partsOf(t);
    setApart(parts);
    EXPECT_EQ(parts.tensors[0].strides(), t.strides());
    EXPECT_TRUE(parts.tensors[0].equal(t));
    EXPECT_FALSE(parts.tensors[0].is_alias_of(base));
  }
}

TEST(Apart, CanBeLearnedFrom) {
  value::Parts parts;
  {
    const c10::InferenceMode quick;
    parts = partsOf(at::ones({3}));
    setApart(parts);
  }
  EXPECT_FALSE(parts.tensors[0].is_inference());
  parts = partsOf(at::ones({3}).requires_grad_());
  setApart(parts);
  EXPECT_FALSE(parts.tensors[0].requires_grad());
}

TEST(Apart, RefusesWhatCannotTravel) {
  value::Parts parts = partsOf(at::ones({3, 3}).to_sparse());
  EXPECT_THROW(setApart(parts), UserError);
  EXPECT_TRUE(parts.tensors[0].is_sparse()) << "untouched";
  parts = partsOf(at::Tensor());
  setApart(parts);
  EXPECT_FALSE(parts.tensors[0].defined());
}

}  // namespace
}  // namespace fdg::transport
