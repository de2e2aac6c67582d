#include "core/Safetensors.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/Check.h"
#include "fdg/rows.h"

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

TEST(Safetensors, TwoTensorsOfOneNameAreRefused) {
  EXPECT_THROW(
      writeSafetensors(scratch("two.safetensors"), {{"a", at::ones(1)}, {"a", at::ones(1)}}),
      UserError);
}

}  // namespace
}  // namespace fdg
