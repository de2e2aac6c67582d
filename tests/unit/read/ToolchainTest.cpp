#include <gtest/gtest.h>
#include <utime.h>

#include <filesystem>
#include <fstream>

#include "base/Check.h"
#include "compiler/read/Toolchain.h"

namespace fdg::compiler {
namespace {

using Flags = std::vector<std::string>;

TEST(UserFlags, ThosePrecompiledHeadersDoNotMindFit) {
  for (const Flags& flags :
       {Flags{"-DN=3", "-I", "folder", "-Wall", "-w", "-lmine", "-L", "folder"},
        Flags{"-U", "N", "-isystem", "folder", "-fdiagnostics-color", "-ferror-limit=0"}}) {
    EXPECT_TRUE(sortUserFlags(flags).fit_precompiled_header) << flags.front();
  }
}

TEST(UserFlags, ThoseThatChangeLanguageOrCodeDoNot) {
  for (const char* flag : {"-O0", "-O3", "-march=native", "-std=c++23", "-fsanitize=address",
                           "-ffast-math", "-fno-exceptions", "-g", "-m32"}) {
    EXPECT_FALSE(sortUserFlags({flag}).fit_precompiled_header) << flag;
  }
}

TEST(UserFlags, LinkersGoToTheLinker) {
  const UserFlags sorted = sortUserFlags({"-DN", "-l", "mine", "-Wl,-z,now", "-Lfolder"});
  EXPECT_EQ(sorted.compile, Flags{"-DN"});
  EXPECT_EQ(sorted.link, (Flags{"-l", "mine", "-Wl,-z,now", "-Lfolder"}));
}

TEST(UserFlags, RefusesWhatIsNotTheirs) {
  for (const Flags& flags : {Flags{"-c"}, Flags{"-o", "x"}, Flags{"-MD"}, Flags{"other.cpp"},
                             Flags{"-include-pch", "x"}, Flags{"-I"}}) {
    EXPECT_THROW(sortUserFlags(flags), UserError) << flags.front();
  }
}

class Precompiled : public testing::Test {
 protected:
  Precompiled() {
    folder_ = std::filesystem::path(testing::TempDir()) / "fdg_precompiled";
    std::filesystem::create_directories(folder_);
    for (const char* name : {"first.h", "last.h", "program.pch"}) {
      std::ofstream(folder_ / name) << "\n";
      setTime(name, 1000);
    }
    std::ofstream(folder_ / "program.d")
        << (folder_ / "program.pch").string() << ": \\\n  " << (folder_ / "first.h").string()
        << " /usr/none.h \\\n  " << (folder_ / "last.h").string() << "\n";
    toolchain_.precompiled = (folder_ / "program.pch").string();
  }
  ~Precompiled() override { std::filesystem::remove_all(folder_); }

  void setTime(const char* name, time_t when) const {
    const utimbuf times{when, when};
    ASSERT_EQ(utime((folder_ / name).c_str(), &times), 0);
  }

  std::filesystem::path folder_;
  Toolchain toolchain_;
};

TEST_F(Precompiled, IsTakenWhenNothingChangedSince) {
  EXPECT_NO_THROW(checkPrecompiledHeader(toolchain_));
}

TEST_F(Precompiled, IsRefusedWhenAnyHeaderChangedSince) {
  for (const char* name : {"first.h", "last.h"}) {
    setTime(name, 2000);
    EXPECT_THROW(checkPrecompiledHeader(toolchain_), UserError) << name;
    setTime(name, 1000);
  }
}

TEST_F(Precompiled, IsRefusedWhenItIsGone) {
  std::filesystem::remove(folder_ / "program.pch");
  EXPECT_THROW(checkPrecompiledHeader(toolchain_), UserError);
}

}  // namespace
}  // namespace fdg::compiler
