#include "compiler/emit/RewriteSource.h"

#include "base/Check.h"
#include "compiler/emit/RunTool.h"
#include "llvm/Support/FileSystem.h"

namespace fdg::compiler {

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
  writeWhole(target.str().str(), text);
  fs::setPermissions(target, *permissions);
}

}  // namespace fdg::compiler
