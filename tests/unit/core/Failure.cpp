#include "core/Failure.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "fdg/fragment.h"

namespace fdg {
namespace {

TEST(Failure, LibTorchSpeaksWithoutItsStack) {
  try {
    at::zeros({3}).add(at::zeros({4}));
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("frame #0"), std::string::npos);
    EXPECT_EQ(sentenceOf(error),
              "The size of tensor a (3) must match the size of tensor b (4) at non-singleton "
              "dimension 0");
  }
  EXPECT_EQ(sentenceOf(std::runtime_error("frame #0")), "frame #0");
}

}  // namespace
}  // namespace fdg
