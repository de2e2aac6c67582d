#include "core/Safetensors.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/Check.h"
#include "fdg/rows.h"
#include "fdg/value.h"

namespace fdg {
namespace {

std::string scratch(const char* name) { return ::testing::TempDir() + "/" + name; }

TEST(Safetensors, ComeBackWithNamesTypesAndShapes) {
  const std::string path = scratch("weights.safetensors");
  const NamedTensors tensors = {{"a.weight", at::rand({3, 4})},
                                {"empty", at::empty({0, 2}, at::kLong)},
                                {"flag", at::ones({}, at::kBool)},
                                {"strided", at::arange(12).view({3, 4}).t()}};
  writeSafetensors(path, tensors);
  Result<NamedTensors> read = readSafetensors(path);
  ASSERT_TRUE(read.ok()) << read.error();
  ASSERT_EQ(read->size(), tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ((*read)[i].first, tensors[i].first);
    EXPECT_TRUE(value::sameBits((*read)[i].second, tensors[i].second.contiguous()));
  }
}

TEST(Safetensors, ATornFileIsRefused) {
  const std::string path = scratch("torn.safetensors");
  writeSafetensors(path, {{"a", at::rand({100})}});
  const auto size = std::filesystem::file_size(path);
  for (const auto cut :
       {size - 1, size / 2, decltype(size){9}, decltype(size){3}, decltype(size){0}}) {
    std::filesystem::resize_file(path, cut);
    EXPECT_FALSE(readSafetensors(path).ok()) << cut;
  }
}

TEST(Safetensors, AFolderThatIsMissingIsNamed) {
  try {
    writeSafetensors(scratch("no/such/folder/w.safetensors"), {});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("no/such/folder"), std::string::npos);
  }
}

TEST(Safetensors, ATensorHasANameThatTheFormatCanKeep) {
  for (const char* bad : {"__metadata__", "\xff"}) {
    EXPECT_THROW(writeSafetensors(scratch("bad.safetensors"), {{bad, at::ones(1)}}), UserError) << bad;
  }
  for (const char* good : {"", "a/b", "ε", "odd \"key\"\n"}) {
    writeSafetensors(scratch("good.safetensors"), {{good, at::ones(1)}});
    EXPECT_EQ(readSafetensors(scratch("good.safetensors"))->front().first, good);
  }
}

/// Keeps the names that a value's tensors are saved under.
class Names final : public RunBackend {
 public:
  void log(std::string_view /*key*/, double /*value*/, double /*weight*/) override {}
  void save(std::string_view /*name*/, const NamedTensors& tensors) override {
    names.clear();
    for (const auto& [name, tensor] : tensors) {
      names += name + "=" + std::to_string(tensor.item<int64_t>()) + " ";
    }
  }
  uint64_t seed() const override { return 1; }
  std::string names;
};

struct TwoMaps {
  std::map<std::string, at::Tensor> first, second;
};

TEST(Safetensors, AMapsKeysAreTheNamesOfItsTensors) {
  Names backend;
  fdg::Run run(backend);
  const auto saved = [&](const auto& value) {
    run.save("x", value);
    return backend.names;
  };
  const auto number = [](int64_t n) { return at::full({1}, n, at::kLong); };
  const std::map<std::string, at::Tensor> map = {{"b", number(1)}, {"a", number(2)}, {"a.c", number(3)}};
  EXPECT_EQ(saved(map), "a=2 a.c=3 b=1 ");
  EXPECT_EQ(saved(std::unordered_map<std::string, at::Tensor>(map.begin(), map.end())), "a=2 a.c=3 b=1 ");
  EXPECT_EQ(saved(std::map<std::string, at::Tensor>()), "");
  EXPECT_EQ(saved(std::map<int64_t, at::Tensor>{{7, number(1)}}), "0=1 ");
  EXPECT_EQ(saved(TwoMaps{map, {{"a", number(4)}}}), "0=2 1=3 2=1 3=4 ");  // names would not be one
  EXPECT_EQ(saved(std::vector<std::pair<std::string, at::Tensor>>{{"a", number(1)}}), "0=1 ");
}

TEST(Safetensors, TwoTensorsOfOneNameAreRefused) {
  EXPECT_THROW(
      writeSafetensors(scratch("two.safetensors"), {{"a", at::ones(1)}, {"a", at::ones(1)}}),
      UserError);
}

}  // namespace
}  // namespace fdg
