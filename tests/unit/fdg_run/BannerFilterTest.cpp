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

TEST(BannerFilter, TakesOutWhatOpenMpiPutsATagInFrontOf) {
  const std::string tagged =
      "[vm:00000] *** An error occurred in Socket closed\n"
      "[vm:00000] ***    and MPI will try to terminate your MPI job as well)\n"
      "[a-b.c:07613] [[28995,0],0] ORTE_ERROR_LOG: Data unpack had inadequate space\n"
      "[vm:1] 1 more process has sent help message help-mpi-btl-tcp.txt / peer hung up\n"
      "[vm:1] 13 more processes have sent help message help-mpi-api.txt / mpi-abort\n"
      "[vm:1] Set MCA parameter \"orte_base_help_aggregate\" to 0 to see all help\n"
      "[warn] Epoll MOD(1) on fd 25 failed. Old events were 6; read change was 0 (none): Bad file descriptor\n";
  const std::string ours =
      "fdg-run: one\n[env:3] episode 7\n[vm:1] 3 more episodes\n[3, 4]\n[ 0] x\n[a:] *** \n[:]\n[1:2]\n"
      "[vm:1]*** \n[vm 1:1] *** x\n[W512 c10.cpp:12] Warning: x\n[warn] Epochs: 3\n[warn]\n";
  const std::string mixed = "[vm:1] *** x\n" + ours + tagged + "[vm:1] *** no line feed";
  for (size_t piece = 1; piece < mixed.size(); ++piece) {
    BannerFilter filter;
    EXPECT_EQ(passAll(filter, mixed, piece), ours) << piece;
    EXPECT_EQ(filter.banners(), "[vm:1] *** x\n" + tagged + "[vm:1] *** no line feed");
  }
  for (const std::string& end : {"[", "[vm:1]", "[vm:1] **", "[vm:1] 3"}) {
    BannerFilter filter;
    EXPECT_EQ(passAll(filter, end, 1), end);
  }
  BannerFilter only;
  EXPECT_EQ(passAll(only, tagged, 3), "");
  EXPECT_FALSE(only.saidAnything());
}

TEST(BannerFilter, OnlyABannerIsNothingSaid) {
  BannerFilter filter;
  EXPECT_EQ(passAll(filter, kRule + "\nlost\n" + kRule + "\n", 7), "");
  EXPECT_FALSE(filter.saidAnything());
  EXPECT_EQ(filter.banners(), "lost\n");
}

}  // namespace
}  // namespace fdg
