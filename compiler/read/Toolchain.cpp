#include "compiler/read/Toolchain.h"

#include <algorithm>
#include <string_view>

#include "base/Check.h"
#include "clang/Basic/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace fdg::compiler {
namespace {

std::vector<std::string> strings(const llvm::json::Object& object, const char* key) {
  std::vector<std::string> list;
  if (const llvm::json::Array* array = object.getArray(key)) {
    for (const llvm::json::Value& value : *array) {
      list.push_back(value.getAsString().value_or("").str());
    }
  }
  return list;
}

bool startsWithAny(std::string_view flag, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return flag.starts_with(prefix); });
}

bool isAny(std::string_view flag, std::initializer_list<std::string_view> flags) {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

}  // namespace

Toolchain readToolchain(const std::string& executable) {
  llvm::SmallString<256> path(executable);
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "..", "share", "fdg", "toolchain.json");
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  const std::string refusal = "fdgc's own installation is incomplete: " + std::string(path) +
                              " is missing or damaged; build the target fdgc again";
  const auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    throw UserError(refusal);
  }
  auto json = llvm::json::parse((*file)->getBuffer());
  if (!json) {
    llvm::consumeError(json.takeError());
    throw UserError(refusal);
  }
  const llvm::json::Object* object = json->getAsObject();
  if (object == nullptr) {
    throw UserError(refusal);
  }
  const auto text = [&](const char* key) { return object->getString(key).value_or("").str(); };
  Toolchain toolchain;
  toolchain.clang = text("clang");
  toolchain.header = text("header");
  toolchain.precompiled = text("precompiled");
  toolchain.flags = strings(*object, "flags");
  toolchain.link = strings(*object, "link");
  toolchain.torch_version = text("torch");
  toolchain.compiler_version = std::string("clang ") + CLANG_VERSION_STRING;
  if (const std::string library = text("optional_library"); llvm::sys::fs::exists(library)) {
    toolchain.link.push_back(library);
  }
  return toolchain;
}

UserFlags sortUserFlags(const std::vector<std::string>& flags) {
  UserFlags sorted;
  for (size_t i = 0; i < flags.size(); ++i) {
    const std::string& flag = flags[i];
    if (!startsWithAny(flag, {"-"}) || flag == "-") {
      throw UserError("after -- come flags for clang, but " + flag +
                      " is none; fdgc takes one source file");
    }
    if (isAny(flag, {"-c", "-S", "-E", "-o", "-x", "-include-pch", "-emit-llvm", "-fsyntax-only",
                     "-shared"}) ||
        startsWithAny(flag, {"-M"})) {
      throw UserError("the flag " + flag + " after -- is fdgc's own business; leave it out");
    }
    std::vector<std::string>& list =
        startsWithAny(flag, {"-l", "-L", "-Wl,"}) ? sorted.link : sorted.compile;
    list.push_back(flag);
    const bool takes_value = isAny(flag, {"-D", "-U", "-I", "-l", "-L", "-isystem", "-iquote",
                                          "-include", "-Xclang", "-mllvm"});
    if (takes_value) {
      if (i + 1 == flags.size()) {
        throw UserError("the flag " + flag + " after -- needs a value");
      }
      list.push_back(flags[++i]);
    }
    // Anything unknown may change the language or the target, and clang refuses a precompiled
    // header of another language or target. -Xclang -verify is what tests of diagnostics need.
    const bool harmless =
        flag == "-Xclang"
            ? startsWithAny(flags[i], {"-verify"})
            : startsWithAny(flag, {"-D", "-U", "-I", "-W", "-w", "-l", "-L", "-isystem", "-iquote",
                                   "-fdiagnostics", "-fcolor", "-fno-color", "-ferror-limit",
                                   "-pedantic", "-fmodule-file=", "-fprebuilt-module-path="});
    sorted.fit_precompiled_header &= harmless;
  }
  return sorted;
}

void checkPrecompiledHeader(const Toolchain& toolchain) {
  llvm::sys::fs::file_status header;
  const auto list =
      llvm::MemoryBuffer::getFile(llvm::StringRef(toolchain.precompiled).drop_back(3).str() + "d");
  if (llvm::sys::fs::status(toolchain.precompiled, header) || !list) {
    throw UserError("the precompiled header " + toolchain.precompiled +
                    " is missing; build the target fdgc again");
  }
  llvm::SmallVector<llvm::StringRef> files;
  (*list)->getBuffer().split(files, ' ', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef file : files) {
    // What others installed does not change under us; there are thousands of those.
    if (file.starts_with("/usr/") || file.contains("/site-packages/") ||
        !file.trim().ends_with(".h")) {
      continue;
    }
    llvm::sys::fs::file_status status;
    if (!llvm::sys::fs::status(file.trim(), status) &&
        status.getLastModificationTime() > header.getLastModificationTime()) {
      throw UserError(file.trim().str() +
                      " was changed after it was precompiled; build the target fdgc again");
    }
  }
}

}  // namespace fdg::compiler
