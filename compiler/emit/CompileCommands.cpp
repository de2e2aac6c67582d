#include "compiler/emit/CompileCommands.h"

#include "base/Check.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace fdg::compiler {
namespace {

/// The entries of other files.
llvm::json::Array others(const std::string& existing, const std::string& file) {
  llvm::json::Array kept;
  if (llvm::StringRef(existing).trim().empty()) {
    return kept;
  }
  auto json = llvm::json::parse(existing);
  const llvm::json::Array* entries = json ? json->getAsArray() : nullptr;
  if (entries == nullptr) {
    llvm::consumeError(json.takeError());
    throw UserError("the output exists and is not a compile_commands.json; name another with -o");
  }
  for (const llvm::json::Value& entry : *entries) {
    const llvm::json::Object* object = entry.getAsObject();
    if (object == nullptr || object->getString("file").value_or("") != file) {
      kept.push_back(entry);
    }
  }
  return kept;
}

}  // namespace

std::string compileCommands(const std::string& file, const std::string& folder,
                            const UserFlags& flags, const Toolchain& toolchain,
                            const std::string& existing) {
  llvm::json::Array arguments;
  arguments.push_back(toolchain.clang);
  for (const std::vector<std::string>& list : {toolchain.flags, flags.compile}) {
    for (const std::string& flag : list) {
      arguments.push_back(flag);
    }
  }
  arguments.push_back("-c");
  arguments.push_back(file);
  llvm::json::Array entries = others(existing, file);
  entries.push_back(llvm::json::Object{
      {"directory", folder}, {"file", file}, {"arguments", std::move(arguments)}});
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(entries))).str();
}

}  // namespace fdg::compiler
