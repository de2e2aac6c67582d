#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "fdg/box.h"

namespace fdg::value {
namespace {

enum class Colour { red, blue };

struct Inner {
  at::Tensor values;
  std::vector<float> weights;
};

struct Message {
  at::Tensor observation;
  Inner inner;
  int64_t step = 0;
  Colour colour = Colour::red;
  std::string name;
  std::optional<at::Tensor> extra;
  std::map<std::string, double> numbers;
  std::pair<bool, std::array<int, 2>> pair;
};

Message rowsFrom(int64_t begin, int64_t end) {
  Message m;
  m.observation = at::arange(begin * 3, end * 3, at::kFloat).view({-1, 3});
  m.inner.values = at::arange(begin, end, at::kLong);
  for (int64_t i = begin; i < end; ++i) {
    m.inner.weights.push_back(static_cast<float>(i) / 2);
  }
  m.step = 4;
  m.colour = Colour::blue;
  m.name = "x";
  m.extra = at::arange(begin, end, at::kDouble);
  m.numbers = {{"a", 1.5}};
  m.pair = {true, {1, 2}};
  return m;
}

bool equal(const Message& a, const Message& b) {
  Parts x, y;
  pack(a, x);
  pack(b, y);
  return sameParts(x, y);
}

TEST(Value, ComesBackAsItWasPacked) {
  const Message m = rowsFrom(0, 5);
  Parts parts;
  pack(m, parts);
  Message back;
  unpackAll(back, parts);
  EXPECT_TRUE(equal(m, back));
  EXPECT_EQ(back.colour, Colour::blue);
  EXPECT_EQ(back.pair.second[1], 2);
}

TEST(Value, EveryCutOfAPackedValueIsRefused) {
  Parts parts;
  pack(rowsFrom(0, 5), parts);
  for (size_t size = 0; size < parts.bytes.size(); ++size) {
    Parts cut{parts.tensors, parts.bytes.substr(0, size)};
    Message back;
    EXPECT_THROW(unpackAll(back, cut), UserError) << size;
  }
  parts.tensors.pop_back();
  Message back;
  EXPECT_THROW(unpackAll(back, parts), UserError);
}

TEST(Value, HashMapsKeepTheirOrder) {
  std::unordered_map<std::string, int64_t> map;
  for (int64_t i = 0; i < 300; ++i) {
    map["k" + std::to_string(i * i % 211)] = i;
    if (i % 3 == 0) {
      map.erase("k" + std::to_string(i));
    }
    Parts parts;
    pack(map, parts);
    decltype(map) back = {{"something", 1}};
    unpackAll(back, parts);
    EXPECT_TRUE(std::equal(map.begin(), map.end(), back.begin(), back.end())) << i;
  }
}

TEST(Value, WhatCannotCrossIsNamed) {
  at::Tensor leaf = at::ones({2}).requires_grad_();
  EXPECT_EQ(hindranceIn(at::ones({2})), Hindrance::none);
  EXPECT_EQ(hindranceIn(at::Tensor()), Hindrance::none);
  EXPECT_EQ(hindranceIn(leaf), Hindrance::gradients);
  EXPECT_EQ(hindranceIn(std::vector<at::Tensor>{at::ones({2}), leaf * 2}), Hindrance::history);
  EXPECT_EQ(hindranceIn(std::optional<at::Tensor>(at::ones({2}).to_sparse())), Hindrance::sparse);
}

TEST(Value, JoinedRowsLieAsTheWholeWould) {
  const at::Tensor frames = at::arange(6 * 5 * 4 * 3, at::kFloat).view({6, 5, 4, 3});
  for (const at::Tensor& whole :
       {frames, frames.permute({0, 3, 1, 2}), frames.permute({2, 0, 3, 1}), frames.flatten(1).t()}) {
    const int64_t rows = whole.size(0);
    const at::Tensor joined = concatTensors({whole.slice(0, 0, 1).clone(), whole.slice(0, 1, rows).clone()});
    EXPECT_TRUE(at::equal(joined, whole));
    EXPECT_EQ(joined.strides(), whole.strides());
  }
}

TEST(Value, SlicesJoinToTheWhole) {
  const Message whole = rowsFrom(0, 7);
  EXPECT_EQ(countRows(whole), 7);
  for (int64_t cut = 0; cut <= 7; ++cut) {
    const Message first = sliceRows(whole, 0, cut);
    const Message second = sliceRows(whole, cut, 7);
    const Message* parts[] = {&first, &second};
    EXPECT_TRUE(equal(concatRows<Message>(parts), whole)) << cut;
  }
}

TEST(Value, FieldsWithDifferentRowsAreRefused) {
  Message m = rowsFrom(0, 7);
  m.inner.weights.pop_back();
  EXPECT_THROW(countRows(m), UserError);
}

TEST(Value, ScalarsMustAgreeWhenRowsAreJoined) {
  const Message a = rowsFrom(0, 2);
  Message b = rowsFrom(2, 4);
  b.step = 5;
  const Message* parts[] = {&a, &b};
  EXPECT_THROW(concatRows<Message>(parts), UserError);
}

TEST(TraceHash, SharesJoinToTheWholesHash) {
  const Message whole = rowsFrom(0, 9);
  const TraceHash expected = traceHash(whole);
  for (int64_t cut = 0; cut <= 9; ++cut) {
    const TraceHash joined =
        join(traceHash(sliceRows(whole, 0, cut)), traceHash(sliceRows(whole, cut, 9)));
    EXPECT_EQ(joined.rows_hash, expected.rows_hash) << cut;
    EXPECT_EQ(joined.plain, expected.plain);
    EXPECT_EQ(joined.rows, 9);
  }
}

TEST(TraceHash, SeesEveryBitAndTheOrder) {
  const Message whole = rowsFrom(0, 9);
  Message changed = rowsFrom(0, 9);
  changed.observation[3][1] += 1e-6F;
  EXPECT_NE(traceHash(changed).rows_hash, traceHash(whole).rows_hash);
  const TraceHash swapped =
      join(traceHash(sliceRows(whole, 4, 9)), traceHash(sliceRows(whole, 0, 4)));
  EXPECT_NE(swapped.rows_hash, traceHash(whole).rows_hash);
}

TEST(Terms, MeanIsWeightedInOrder) {
  const Weighted<at::Tensor> a{at::full({2}, 1.0F), 3};
  const Weighted<at::Tensor> b{at::full({2}, 5.0F), 1};
  const Weighted<at::Tensor>* terms[] = {&a, &b};
  const double weights[] = {3, 1};
  const auto mean = reduceTerms<Weighted<at::Tensor>>(OperationKind::reduce_mean, terms, weights);
  EXPECT_EQ(mean.value[0].item<float>(), 2.0F);
  EXPECT_EQ(mean.weight, 4);
}

TEST(Terms, OneTermComesBackUnchanged) {
  const at::Tensor term = at::rand({5}) * 0.1F;
  const at::Tensor* terms[] = {&term};
  const double weights[] = {0.3};
  EXPECT_TRUE(sameBits(reduceTerms<at::Tensor>(OperationKind::reduce_mean, terms, weights), term));
}

TEST(Terms, ANonFiniteTermNamesItsReplica) {
  const at::Tensor good = at::ones({2});
  const at::Tensor bad = good / 0;
  const at::Tensor* terms[] = {&good, &bad};
  const double weights[] = {1, 1};
  try {
    reduceTerms<at::Tensor>(OperationKind::reduce_sum, terms, weights);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("replica 1"), std::string::npos);
  }
}

/// The reduction as it is written down: at:: operations, one term after the other.
at::Tensor reducedStepByStep(OperationKind how, const std::vector<at::Tensor>& terms,
                             const std::vector<double>& weights) {
  const bool is_mean = how == OperationKind::reduce_mean;
  at::Tensor sum = is_mean ? terms[0] * weights[0] : terms[0].clone();
  double total = weights[0];
  for (size_t i = 1; i < terms.size(); ++i) {
    sum.add_(is_mean ? terms[i] * weights[i] : terms[i]);
    total += weights[i];
  }
  return is_mean ? sum.div_(total) : sum;
}

TEST(Terms, HaveTheBitsOfTheirStepsInWhateverLayout) {
  at::manual_seed(3);
  const auto asTheyAre = [](const at::Tensor& t) { return t; };
  const auto transposed = [](const at::Tensor& t) { return t.t(); };
  const auto everyOther = [](const at::Tensor& t) { return t.slice(1, 0, t.size(1), 2); };
  const auto second = [](const at::Tensor& t) { return t.slice(0, 1); };
  const auto none = [](const at::Tensor& t) { return t.slice(0, 0, 0); };
  for (const auto& form : std::vector<std::function<at::Tensor(const at::Tensor&)>>{
           asTheyAre, transposed, everyOther, second, none}) {
    for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kHalf}) {
      for (const OperationKind how : {OperationKind::reduce_sum, OperationKind::reduce_mean}) {
        std::vector<at::Tensor> terms;
        std::vector<double> weights;
        while (terms.size() < 9) {
          terms.push_back(form(at::randn({7, 37}).to(type)));
          weights.push_back(0.3 + static_cast<double>(terms.size()));
          if (terms.size() > 1) {
            const at::Tensor found = reduceTensors(how, terms, weights);
            EXPECT_TRUE(sameBits(found, reducedStepByStep(how, terms, weights)));
          }
        }
      }
    }
  }
}

TEST(Terms, AreReadAndNotWritten) {
  const std::vector<at::Tensor> terms = {at::ones({5}), at::full({5}, 2.0F), at::full({5}, 4.0F)};
  const std::vector<double> weights(3, 1.0);
  const at::Tensor sum = reduceTensors(OperationKind::reduce_sum, terms, weights);
  EXPECT_EQ(sum[4].item<float>(), 7.0F);
  EXPECT_EQ(terms[0][4].item<float>(), 1.0F);
  EXPECT_EQ(terms[2][4].item<float>(), 4.0F);
}

TEST(Terms, TheFirstThatIsNotFiniteIsNamed) {
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kHalf}) {
    for (size_t bad = 0; bad < 4; ++bad) {
      std::vector<at::Tensor> terms;
      for (size_t i = 0; i < 4; ++i) {
        terms.push_back(at::ones({3}, type));
        if (i >= bad) {
          terms.back()[2] = i % 2 == 0 ? INFINITY : NAN;
        }
      }
      try {
        reduceTensors(OperationKind::reduce_mean, terms, std::vector<double>(4, 0.0));
        FAIL();
      } catch (const UserError& error) {
        EXPECT_NE(std::string(error.what()).find("replica " + std::to_string(bad) + " "),
                  std::string::npos)
            << error.what();
      }
    }
  }
}

TEST(Terms, OfDifferentShapesOrNumbersAreRefused) {
  const std::vector<double> weights(2, 1.0);
  for (const auto& other : {at::ones({4}), at::ones({3}, at::kDouble), at::ones({3, 1})}) {
    const std::vector<at::Tensor> terms = {at::ones({3}), other};
    EXPECT_THROW(reduceTensors(OperationKind::reduce_sum, terms, weights), UserError);
  }
}

TEST(Terms, NoRowsAtAllIsRefused) {
  const at::Tensor term = at::ones({2});
  const at::Tensor* terms[] = {&term, &term};
  const double weights[] = {0, 0};
  EXPECT_THROW(reduceTerms<at::Tensor>(OperationKind::reduce_mean, terms, weights), UserError);
}

TEST(Terms, BoolsAndIntegersHaveTheirOwnReductions) {
  const bool yes = true, no = false;
  const bool* bools[] = {&yes, &no};
  const int64_t three = 3, four = 4;
  const int64_t* integers[] = {&three, &four};
  const double weights[] = {1, 1};
  EXPECT_FALSE(reduceTerms<bool>(OperationKind::reduce_all, bools, weights));
  EXPECT_TRUE(reduceTerms<bool>(OperationKind::reduce_any, bools, weights));
  EXPECT_EQ(reduceTerms<int64_t>(OperationKind::reduce_sum, integers, weights), 7);
  EXPECT_THROW(reduceTerms<int64_t>(OperationKind::reduce_mean, integers, weights), UserError);
  EXPECT_THROW(reduceTerms<bool>(OperationKind::reduce_sum, bools, weights), UserError);
}

}  // namespace
}  // namespace fdg::value
