#include "compiler/emit/RewriteSource.h"

#include "base/Check.h"
#include "compiler/emit/RunTool.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace fdg::compiler {
namespace {

/// Where the file's lines end in "\r\n", what was put in does too.
std::string withLineEndsOf(llvm::StringRef path, const std::string& text) {
  const auto old = llvm::MemoryBuffer::getFile(path);
  const size_t end = old ? (*old)->getBuffer().find('\n') : llvm::StringRef::npos;
  if (end == llvm::StringRef::npos || end == 0 || (*old)->getBuffer()[end - 1] != '\r') {
    return text;
  }
  std::string ended;
  for (const char c : text) {
    ended += c == '\n' && !ended.ends_with('\r') ? "\r\n" : std::string(1, c);
  }
  return ended;
}

}  // namespace

void rewriteSource(const std::string& file, const std::string& text) {
  namespace fs = llvm::sys::fs;
  llvm::SmallString<128> target;
  if (const auto error = fs::real_path(file, target)) {
    throw UserError(file + " cannot be written: " + error.message());
  }
  const auto permissions = fs::getPermissions(target);
  // Renaming over it would go through, and who may do anything may do that too.
  if (!permissions || (*permissions & fs::all_write) == fs::no_perms ||
      fs::access(target, fs::AccessMode::Write)) {
    throw UserError(file + " is read-only, so --fix cannot change it; make it writable first");
  }
  writeWhole(target.str().str(), withLineEndsOf(target, text));
  fs::setPermissions(target, *permissions);
}

}  // namespace fdg::compiler
