#include <gtest/gtest.h>

#include "compiler/emit/BuildPlan.h"
#include "compiler/emit/RunTool.h"
#include "llvm/Support/FileSystem.h"

namespace fdg::compiler {
namespace {

class BuildPlan : public testing::Test {
 protected:
  BuildPlan() {
    toolchain_.clang = FDG_CLANGXX;
    toolchain_.header = FDG_STUB;
    toolchain_.precompiled = FDG_STUB_PCH;
    toolchain_.flags = {"-std=c++20", "-DFDG_PLAN", "-I" FDG_SOURCE, "-I" FDG_SOURCE "/include"};
    writeWhole(job_.source, "int f() { return 1; }\n");
  }

  Built compile(const std::string& code) {
    job_.code = code;
    testing::internal::CaptureStderr();
    const CompiledCode compiled = compileCode(job_, toolchain_);
    said_ = testing::internal::GetCapturedStderr();
    EXPECT_EQ(compiled.object.empty(), compiled.outcome != Built::made);
    return compiled.outcome;
  }

  TemporaryFolder folder_;
  Toolchain toolchain_;
  BuildJob job_{folder_.file("program.cpp"), "", "", folder_.file("program.plan"), {}};
  std::string said_;
};

TEST_F(BuildPlan, GeneratedCodeThatDoesNotCompileIsOurBug) {
  EXPECT_EQ(compile("int f() { return missing_name; }\n"), Built::we_are_wrong);
  EXPECT_NE(said_.find("missing_name"), std::string::npos);
  EXPECT_NE(said_.find("bug of fdgc, in its step CompileCode"), std::string::npos);
  EXPECT_TRUE(llvm::sys::fs::exists(job_.output + ".cpp"));
  EXPECT_NE(said_.find(job_.output + ".cpp"), std::string::npos);
}

TEST_F(BuildPlan, ErrorsOfTheProgramItselfAreTheProgramsOwn) {
  writeWhole(job_.source, "int f() { return missing_name; }\n");
  EXPECT_EQ(compile("int f() { return missing_name; }\n"), Built::program_is_wrong);
  EXPECT_EQ(said_.find("bug of fdgc"), std::string::npos);
  EXPECT_FALSE(llvm::sys::fs::exists(job_.output + ".cpp"));
}

TEST_F(BuildPlan, FlagsThatChangeCodeLeaveThePrecompiledHeaderAside) {
  job_.flags = {"-DSIZE=3"};
  EXPECT_EQ(compile("int g() { return SIZE; }\n"), Built::made) << said_;
  toolchain_.precompiled = folder_.file("not_there.pch");
  const std::string optimised =
      "#ifndef __OPTIMIZE__\n#error stale\n#endif\nint g() { return SIZE; }\n";
  job_.flags = {"-DSIZE=3", "-O1"};
  EXPECT_EQ(compile(optimised), Built::made) << said_;
}

}  // namespace
}  // namespace fdg::compiler
