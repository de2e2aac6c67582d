#include <gtest/gtest.h>

#include "runtime/BannerFilter.h"

namespace fdg {
namespace {

const std::string kRule(70, '-');

std::string passAll(BannerFilter& filter, const std::string& text, size_t piece) {
  std::string out;
  for (size_t at = 0; at < text.size(); at += piece) {
    out += filter.pass(text.substr(at, piece));
  }
  return out + filter.rest();
}

TEST(BannerFilter, TakesBannersOutInPiecesOfAnySize) {
  const std::string text =
      "fdg-run: one\n" + kRule + "\nprterun noticed\n\n" + kRule + "\ntwo\n--- three\n-\n";
  for (size_t piece = 1; piece < text.size(); ++piece) {
    BannerFilter filter;
    EXPECT_EQ(passAll(filter, text, piece), "fdg-run: one\ntwo\n--- three\n-\n") << piece;
    EXPECT_EQ(filter.banners(), "prterun noticed\n\n");
    EXPECT_TRUE(filter.saidAnything());
  }
}

TEST(BannerFilter, HalfLinesPassAtOnce) {
  BannerFilter filter;
  EXPECT_EQ(filter.pass("\rapex: 12"), "\rapex: 12");
  EXPECT_EQ(filter.pass("-----"), "-----");
  EXPECT_EQ(filter.pass("\n--"), "\n");
  EXPECT_EQ(filter.pass("x"), "--x");
}

TEST(BannerFilter, OnlyABannerIsNothingSaid) {
  BannerFilter filter;
  EXPECT_EQ(passAll(filter, kRule + "\nlost\n" + kRule + "\n", 7), "");
  EXPECT_FALSE(filter.saidAnything());
  EXPECT_EQ(filter.banners(), "lost\n");
}

}  // namespace
}  // namespace fdg
