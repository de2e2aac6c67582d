#include "compiler/emit/RunTool.h"

#include "base/Check.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace fdg::compiler {
namespace {

std::string readAll(const std::string& file) {
  const auto buffer = llvm::MemoryBuffer::getFile(file);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  llvm::SmallString<128> path;
  if (const std::error_code error = llvm::sys::fs::createUniqueDirectory("fdgc", path)) {
    throw UserError("a temporary folder cannot be made: " + error.message() +
                    "; is TMPDIR writable?");
  }
  path_ = std::string(path);
}

TemporaryFolder::~TemporaryFolder() { llvm::sys::fs::remove_directories(path_); }

std::string TemporaryFolder::file(const std::string& name) const { return path_ + "/" + name; }

ToolResult runTool(const std::vector<std::string>& args, const std::string& input,
                   const TemporaryFolder& folder) {
  // Names per tool and input, so that two tools may use one folder.
  const std::string stem = folder.file(llvm::sys::path::filename(args.front()).str());
  writeWhole(stem + ".in", input);
  const std::string in = stem + ".in";
  const std::string out = stem + ".out";
  const std::string err = stem + ".err";
  std::vector<llvm::StringRef> pointers(args.begin(), args.end());
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(in), llvm::StringRef(out),
                                                      llvm::StringRef(err)};
  std::string cause;
  bool not_started = false;
  ToolResult result;
  result.exit_code = llvm::sys::ExecuteAndWait(args.front(), pointers, std::nullopt, redirects, 0,
                                               0, &cause, &not_started);
  if (not_started) {
    throw UserError(args.front() + " cannot be started: " + cause);
  }
  result.output = readAll(out);
  result.errors = readAll(err);
  return result;
}

void writeWhole(const std::string& file, const std::string& content) {
  const auto refuse = [&](const std::string& cause) -> void {
    throw UserError(file + " cannot be written: " + cause);
  };
  // A rename would put a plain file where a device or a pipe stands.
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(file, status) && llvm::sys::fs::exists(status) &&
      !llvm::sys::fs::is_regular_file(status)) {
    refuse("something that is no regular file has this name; name another output with -o");
  }
  llvm::SmallString<128> temporary;
  int descriptor = -1;
  if (const auto error = llvm::sys::fs::createUniqueFile(file + ".%%%%%%", descriptor, temporary)) {
    refuse(error.message());
  }
  llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
  out << content;
  out.close();
  if (out.has_error()) {
    const std::string cause = out.error().message();
    out.clear_error();
    llvm::sys::fs::remove(temporary);
    refuse(cause);
  }
  if (const auto error = llvm::sys::fs::rename(temporary, file)) {
    llvm::sys::fs::remove(temporary);
    refuse(error.message());
  }
}

}  // namespace fdg::compiler
