#include "runtime/checkpoint/StateFile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "fdg/archive.h"

namespace fdg::checkpoint {
namespace {

using testing::HasSubstr;

class StateFile : public testing::Test {
 protected:
  std::string path_ = testing::TempDir() + "/state-" + std::to_string(::getpid()) + ".safetensors";
  void TearDown() override { std::filesystem::remove(path_); }

  template <class T>
  static value::Parts saved(T& value) {
    value::Parts parts;
    Archive archive = Archive::saver(parts);
    archive(value);
    return parts;
  }
  template <class T>
  void restoreItem(const char* name, T& value) {
    Items items = readStateFile(path_).orThrow();
    for (auto& [item, parts] : items) {
      if (item == name) {
        Archive archive = Archive::restorer(parts);
        archive(value);
        archive.finish();
        return;
      }
    }
    FAIL() << "no item " << name;
  }
};

struct Mixed {
  int64_t count = 0;
  std::string text;
  std::vector<double> numbers;
  std::optional<torch::Tensor> tensor;
  std::vector<bool> flags;
};

TEST_F(StateFile, KeepsEveryKindOfField) {
  Mixed mixed{7, "a \n b", {1.5, -2}, torch::arange(6).view({2, 3}), {true, false, true}};
  const int64_t bytes = writeStateFile(path_, {{"mixed", saved(mixed)}});
  EXPECT_EQ(bytes, static_cast<int64_t>(std::filesystem::file_size(path_)));
  Mixed other;
  restoreItem("mixed", other);
  EXPECT_EQ(other.count, 7);
  EXPECT_EQ(other.text, "a \n b");
  EXPECT_EQ(other.numbers, mixed.numbers);
  EXPECT_EQ(other.flags, mixed.flags);
  EXPECT_TRUE(torch::equal(*other.tensor, *mixed.tensor));
}

TEST_F(StateFile, KeepsEveryKindOfTensor) {
  std::vector<torch::Tensor> tensors = {
      torch::Tensor(),
      torch::empty({0, 4}),
      torch::tensor(2.5),
      torch::arange(12).view({3, 4}).t(),
      torch::tensor({true, false}),
      torch::randn({2, 2}).to(torch::kBFloat16),
      torch::randn({3}, torch::kFloat64).requires_grad_(true),
  };
  writeStateFile(path_, {{"tensors", saved(tensors)}});
  std::vector<torch::Tensor> other;
  restoreItem("tensors", other);
  ASSERT_EQ(other.size(), tensors.size());
  EXPECT_FALSE(other[0].defined());
  for (size_t i = 1; i < tensors.size(); ++i) {
    EXPECT_EQ(other[i].scalar_type(), tensors[i].scalar_type()) << i;
    EXPECT_TRUE(torch::equal(other[i], tensors[i])) << i;
    EXPECT_EQ(other[i].requires_grad(), tensors[i].requires_grad()) << i;
  }
}

struct Fitted {
  torch::Tensor weight = torch::ones({2}, torch::requires_grad());
  torch::Tensor same = weight;
  torch::Tensor other = weight;
};

TEST_F(StateFile, LeavesComeBackWhereTheirOptimizerKnowsThem) {
  Fitted kept;
  kept.other = torch::full({2}, 3.0, torch::requires_grad());
  (kept.weight * 5).sum().backward();
  writeStateFile(path_, {{"fitted", saved(kept)}});
  Fitted fitted;
  torch::optim::SGD optimizer({fitted.weight}, 1.0);
  restoreItem("fitted", fitted);
  EXPECT_TRUE(torch::equal(fitted.weight.grad(), torch::full({2}, 5.0)));
  EXPECT_FALSE(fitted.other.grad().defined());
  optimizer.step();
  EXPECT_TRUE(torch::equal(fitted.weight, torch::full({2}, -4.0)));
  EXPECT_TRUE(fitted.same.is_same(fitted.weight));
  EXPECT_TRUE(torch::equal(fitted.other, torch::full({2}, 3.0))) << "was one with weight, is no longer";
}

struct NeedsArguments {
  explicit NeedsArguments(int64_t n) : count(n) {}
  template <class A>
  void archive(A& a) {
    a(count);
  }
  int64_t count;
};

TEST_F(StateFile, OwnedObjectsAreMadeAndDropped) {
  auto there = std::make_unique<Mixed>();
  there->count = 4;
  std::unique_ptr<Mixed> gone;
  auto needs = std::make_unique<NeedsArguments>(1);
  writeStateFile(path_, {{"there", saved(there)}, {"gone", saved(gone)}, {"needs", saved(needs)}});
  std::unique_ptr<Mixed> made;
  restoreItem("there", made);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->count, 4);
  restoreItem("gone", made);
  EXPECT_EQ(made, nullptr);
  std::unique_ptr<NeedsArguments> none;
  try {
    restoreItem("needs", none);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot be made without arguments"));
  }
}

TEST_F(StateFile, TensorsThatShareMemoryShareItAgain) {
  torch::Tensor ring = torch::zeros({4, 3});
  torch::Tensor row = ring[2];
  torch::Tensor same = ring;
  writeStateFile(path_, {{"row", saved(row)}, {"ring", saved(ring)}, {"same", saved(same)}});
  const Items items = readStateFile(path_).orThrow();
  torch::Tensor other_row = items[0].second.tensors[0];
  const torch::Tensor other_ring = items[1].second.tensors[0];
  const torch::Tensor other_same = items[2].second.tensors[0];
  EXPECT_EQ(other_row.sizes(), row.sizes());
  other_row.fill_(5);
  EXPECT_TRUE(torch::equal(other_ring[2], torch::full({3}, 5.0)));
  EXPECT_TRUE(torch::equal(other_same, other_ring));
}

TEST_F(StateFile, AnEmptyPartOfATensorDoesNotStandForIt) {
  torch::Tensor ring = torch::arange(12).view({4, 3});
  torch::Tensor nothing = ring.slice(0, 0, 0);
  writeStateFile(path_, {{"nothing", saved(nothing)}, {"ring", saved(ring)}});
  const Items items = readStateFile(path_).orThrow();
  EXPECT_EQ(items[0].second.tensors[0].sizes(), nothing.sizes());
  EXPECT_TRUE(torch::equal(items[1].second.tensors[0], ring));
}

TEST_F(StateFile, AGradientGraphIsRefusedByName) {
  torch::Tensor product = torch::ones({2}).requires_grad_(true) * 2;
  try {
    writeStateFile(path_, {{"product", saved(product)}});
    FAIL() << "must be refused";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("product.0"));
    EXPECT_THAT(error.what(), HasSubstr("detach"));
  }
}

TEST_F(StateFile, TornBytesAreASentence) {
  torch::Tensor tensor = torch::arange(100);
  writeStateFile(path_, {{"tensor", saved(tensor)}});
  std::ifstream file(path_, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), {});
  for (const size_t size : {size_t{0}, size_t{5}, size_t{100}, whole.size() - 1}) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << whole.substr(0, size);
    EXPECT_FALSE(readStateFile(path_).ok()) << size;
  }
}

TEST_F(StateFile, AModuleAndItsOptimizerGoOnAsIfNothingHadHappened) {
  const auto train = [](torch::nn::Linear& net, torch::optim::Adam& optimizer, int from, int to) {
    for (int i = from; i < to; ++i) {
      optimizer.zero_grad();
      net(torch::full({2, 3}, 0.1 * i)).square().sum().backward();
      optimizer.step();
    }
  };
  torch::manual_seed(1);
  torch::nn::Linear net(3, 2);
  torch::optim::Adam optimizer(net->parameters(), 0.1);
  train(net, optimizer, 0, 5);
  writeStateFile(path_, {{"net", saved(net)}, {"optimizer", saved(optimizer)}});
  train(net, optimizer, 5, 10);

  torch::nn::Linear other(3, 2);
  torch::optim::Adam other_optimizer(other->parameters(), 0.1);
  restoreItem("net", other);
  restoreItem("optimizer", other_optimizer);
  train(other, other_optimizer, 5, 10);
  EXPECT_TRUE(torch::equal(other->weight, net->weight));
}

struct Fixed {
  explicit Fixed(int64_t n) : value(n) {}
  int64_t value;
  template <class A>
  void archive(A& a) {
    a(value);
  }
};

TEST_F(StateFile, OtherShapesThanSavedAreRefused) {
  std::vector<Fixed> two = {Fixed(1), Fixed(2)};
  value::Parts parts = saved(two);
  std::vector<Fixed> three = {Fixed(0), Fixed(0), Fixed(0)};
  Archive archive = Archive::restorer(parts);
  EXPECT_THROW(archive(three), UserError);
  std::unique_ptr<Fixed> some = std::make_unique<Fixed>(4);
  parts = saved(some);
  std::unique_ptr<Fixed> none;
  Archive other = Archive::restorer(parts);
  EXPECT_THROW(other(none), UserError);
}

}  // namespace
}  // namespace fdg::checkpoint
