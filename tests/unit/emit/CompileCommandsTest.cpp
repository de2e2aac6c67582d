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
  const auto json = llvm::cantFail(llvm::json::parse(make("/project/a.cpp", "")));
  const llvm::json::Object& entry = *json.getAsArray()->front().getAsObject();
  EXPECT_EQ(entry.getString("directory"), "/work");
  const llvm::json::Array expected(
      {"/usr/bin/clang++-19", "-std=c++20", "-DSMALL", "-c", "/project/a.cpp"});
  EXPECT_EQ(*entry.getArray("arguments"), expected);
}

TEST(CompileCommands, KeepsOtherFilesAndReplacesItsOwn) {
  const std::string two = make("/project/b.cpp", make("/project/a.cpp", ""));
  EXPECT_EQ(files(two), (std::vector<std::string>{"/project/a.cpp", "/project/b.cpp"}));
  EXPECT_EQ(files(make("/project/a.cpp", two)),
            (std::vector<std::string>{"/project/b.cpp", "/project/a.cpp"}));
}

TEST(CompileCommands, DoesNotOverwriteWhatIsNone) {
  EXPECT_THROW(make("/project/a.cpp", "int main() {}"), UserError);
  EXPECT_THROW(make("/project/a.cpp", "{}"), UserError);
}

}  // namespace
}  // namespace fdg::compiler
