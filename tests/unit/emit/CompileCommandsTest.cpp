#include <gtest/gtest.h>

#include "base/Check.h"
#include "compiler/emit/CompileCommands.h"
#include "llvm/Support/JSON.h"

namespace fdg::compiler {
namespace {

std::string make(const std::string& file, const std::string& existing) {
  Toolchain toolchain;
  toolchain.clang = "/usr/bin/clang++-19";
  toolchain.precompiled = "/share/program.pch";
  toolchain.flags = {"-std=c++20"};
  return compileCommands(file, "/work", {{"-DSMALL"}, {"-lmine"}, true}, toolchain, existing);
}

std::vector<std::string> files(const std::string& json) {
  std::vector<std::string> names;
  const llvm::json::Value commands = llvm::cantFail(llvm::json::parse(json));
  for (const llvm::json::Value& entry : *commands.getAsArray()) {
    names.push_back(entry.getAsObject()->getString("file")->str());
  }
  return names;
}

TEST(CompileCommands, SaysHowToCompileWithoutThePrecompiledHeader) {
  const auto json = llvm::cantFail(llvm::json::parse(make("/work/a.cpp", "")));
  const llvm::json::Object& entry = *json.getAsArray()->front().getAsObject();
  EXPECT_EQ(entry.getString("directory"), "/work");
  const llvm::json::Array expected(
      {"/usr/bin/clang++-19", "-std=c++20", "-DSMALL", "-c", "/work/a.cpp"});
  EXPECT_EQ(*entry.getArray("arguments"), expected);
}

TEST(CompileCommands, KeepsOtherFilesAndReplacesItsOwn) {
  const std::string two = make("/work/b.cpp", make("/work/a.cpp", ""));
  EXPECT_EQ(files(two), (std::vector<std::string>{"/work/a.cpp", "/work/b.cpp"}));
  EXPECT_EQ(files(make("/work/a.cpp", two)),
            (std::vector<std::string>{"/work/b.cpp", "/work/a.cpp"}));
}

TEST(CompileCommands, DoesNotOverwriteWhatIsNone) {
  EXPECT_THROW(make("/work/a.cpp", "int main() {}"), UserError);
  EXPECT_THROW(make("/work/a.cpp", "{}"), UserError);
}

}  // namespace
}  // namespace fdg::compiler
