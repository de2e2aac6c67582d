#include "runtime/host/Repeats.h"

#include <gtest/gtest.h>

#include "fdg/rows.h"

namespace fdg::host {
namespace {

using value::Parts;

/// Observation and next observation of so many three-step transitions, stacks of four frames.
Parts transitions(int64_t rows, at::ScalarType type, int64_t side = 20) {
  const at::Tensor video = at::randint(0, 256, {rows + 6, side, side}).to(type);
  const at::Tensor stacks = video.unfold(0, 4, 1).permute({0, 3, 1, 2});
  Parts parts;
  parts.tensors = {stacks.slice(0, 0, rows).contiguous(), at::arange(rows),
                   stacks.slice(0, 3, rows + 3).contiguous()};
  parts.bytes = "what else there is";
  return parts;
}

size_t bytesOf(const Parts& parts) {
  size_t bytes = parts.bytes.size();
  for (const at::Tensor& t : parts.tensors) {
    bytes += t.defined() ? t.nbytes() : 0;
  }
  return bytes;
}

Parts sharedOf(Parts parts) {
  shareRepeats(parts);
  return parts;
}

TEST(Repeats, TravelOnceAndComeOutBitForBit) {
  for (const auto type : {at::kByte, at::kFloat, at::kDouble, at::kHalf, at::kLong, at::kBool}) {
    for (const int64_t rows : {4, 5, 50, 333}) {
      const Parts sent = transitions(rows, type);
      Parts got = sharedOf(sent);
      if (rows >= 50) {
        EXPECT_LT(bytesOf(got), bytesOf(sent) / 6) << rows;
      }
      restoreRepeats(got);
      ASSERT_TRUE(value::sameParts(sent, got));
    }
  }
}

TEST(Repeats, OfSeveralSizesAndManyDimensions) {
  Parts sent = transitions(30, at::kByte);
  const at::Tensor frame = at::rand({1, 1, 1, 7, 30});
  sent.tensors.push_back(frame.expand({3, 2, 4, 7, 30}).contiguous());
  sent.tensors.push_back(at::full({9, 8, 8}, std::nan("")));
  sent.tensors.push_back(at::cat({at::full({9, 8, 8}, -0.0F), at::full({9, 8, 8}, 0.0F)}));
  Parts got = sharedOf(sent);
  EXPECT_EQ(got.tensors.size(), sent.tensors.size() + 3);  // a pool for each kind of slice
  restoreRepeats(got);
  EXPECT_TRUE(value::sameParts(sent, got));
}

TEST(Repeats, AreLeftWhereSharingGainsNothing) {
  for (const at::Tensor& t :
       {at::Tensor(), at::zeros({}), at::zeros({0}), at::zeros({0, 4, 20, 20}), at::zeros({50}),
        at::zeros({50, 400}), at::rand({50, 20, 20}), at::zeros({50, 3, 3}),
        at::zeros({50, 20, 40}).slice(2, 0, 20), at::zeros({1, 1, 1}).expand({50, 20, 20}),
        at::zeros({50, 20, 20}).requires_grad_(), at::zeros({1, 20, 20})}) {
    Parts sent;
    sent.tensors = {t};
    Parts got = sharedOf(sent);
    ASSERT_EQ(got.tensors.size(), 1);
    EXPECT_TRUE(got.tensors[0].is_same(t));
    restoreRepeats(got);
    EXPECT_TRUE(value::sameParts(sent, got));
  }
  Parts none;
  shareRepeats(none);
  restoreRepeats(none);
  EXPECT_TRUE(none.bytes.empty());
}

TEST(Repeats, ThatAreDamagedAreRefused) {
  const Parts good = sharedOf(transitions(20, at::kByte));
  const auto refused = [](Parts bad) {
    try {
      restoreRepeats(bad);
    } catch (const UserError&) {
      return true;
    }
    return false;
  };
  ASSERT_FALSE(refused(good));
  const size_t text = std::string("what else there is").size();
  for (size_t size = 0; size < text; ++size) {
    Parts bad = good;
    bad.bytes.resize(size);
    refused(bad);  // another number may stand there: no more than that
  }
  for (size_t at = text; at < good.bytes.size(); ++at) {
    for (const int change : {1, 64, 128, 255}) {
      Parts bad = good;
      bad.bytes[at] = static_cast<char>(bad.bytes[at] ^ change);
      EXPECT_TRUE(refused(bad)) << at << " " << change;
    }
  }
  for (const int64_t place : {-1, 27, 1 << 30}) {
    Parts bad = good;
    bad.tensors[2] = bad.tensors[2].clone();
    bad.tensors[2][3][1] = place;
    EXPECT_TRUE(refused(bad));
  }
  for (size_t t : {0, 2, 3}) {
    for (const at::Tensor& other :
         {at::Tensor(), at::zeros({4}), at::zeros({3, 3, 3}).transpose(0, 1)}) {
      Parts bad = good;
      bad.tensors[t] = other;
      EXPECT_TRUE(refused(bad));
    }
  }
  Parts bad = good;
  bad.tensors.pop_back();
  EXPECT_TRUE(refused(bad));
}

}  // namespace
}  // namespace fdg::host
