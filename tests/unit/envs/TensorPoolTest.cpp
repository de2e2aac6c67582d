#include "algorithms/envs/TensorPool.h"

#include <gtest/gtest.h>

#include <functional>

namespace fdg::rl {
namespace {

TEST(TensorPool, GivesATensorAgainThatNobodyHolds) {
  TensorPool pool({2, 3}, torch::kFloat32);
  const void* first = pool.take().data_ptr();
  EXPECT_EQ(pool.take().data_ptr(), first);
  const torch::Tensor held = pool.take();
  EXPECT_EQ(held.data_ptr(), first);
  EXPECT_NE(pool.take().data_ptr(), first);
}

TEST(TensorPool, NeverGivesWhatSomeoneLooksAt) {
  const std::vector<std::function<torch::Tensor(const torch::Tensor&)>> looks = {
      [](const torch::Tensor& t) { return t; },
      [](const torch::Tensor& t) { return t.view({6}); },
      [](const torch::Tensor& t) { return t[1]; },
      [](const torch::Tensor& t) { return t.detach(); },
      [](const torch::Tensor& t) { return t.transpose(0, 1).narrow(0, 0, 1); }};
  for (size_t i = 0; i < looks.size(); ++i) {
    TensorPool pool({2, 3}, torch::kFloat32);
    std::vector<torch::Tensor> views;
    for (int step = 0; step < 40; ++step) {  // more than the pool keeps
      views.push_back(looks[i](pool.take().fill_(step)));
      for (int seen = 0; seen <= step; ++seen) {
        ASSERT_TRUE(views[static_cast<size_t>(seen)].eq(seen).all().item<bool>()) << i;
      }
    }
  }
}

TEST(TensorPool, GivesWhatItSaysWhateverWasDoneToATensorBefore) {
  const std::vector<std::function<void(torch::Tensor&)>> changes = {
      [](torch::Tensor& t) { t.unsqueeze_(0); }, [](torch::Tensor& t) { t.resize_({7}); },
      [](torch::Tensor& t) { t.t_(); },          [](torch::Tensor& t) { t.requires_grad_(); },
      [](torch::Tensor& t) { t.set_(torch::ones({6, 6}).narrow(1, 2, 3)); }};
  for (size_t i = 0; i < changes.size(); ++i) {
    TensorPool pool({2, 3}, torch::kFloat32);
    {
      torch::Tensor tensor = pool.take();
      changes[i](tensor);
    }
    const torch::Tensor again = pool.take();
    EXPECT_EQ(again.sizes(), (torch::IntArrayRef{2, 3})) << i;
    EXPECT_TRUE(again.is_contiguous()) << i;
    EXPECT_FALSE(again.requires_grad()) << i;
  }
}

}  // namespace
}  // namespace fdg::rl
