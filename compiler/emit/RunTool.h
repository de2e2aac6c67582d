// Runs a program with an input text and takes its outputs: clang, the linker. Blocks; no shell in
// between.
#pragma once

#include <string>
#include <vector>

namespace fdg::compiler {

struct ToolResult {
  int exit_code = 0;
  std::string output;
  std::string errors;
};

/// A temporary folder that goes with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const;

 private:
  std::string path_;
};

/// `args[0]` is the program's path. Throws UserError if it cannot be started.
ToolResult runTool(const std::vector<std::string>& args, const std::string& input,
                   const TemporaryFolder& folder);

/// Writes beside the target and renames: a reader sees the old file or the whole new one.
/// Throws UserError naming the file and the cause.
void writeWhole(const std::string& file, const std::string& content);

}  // namespace fdg::compiler
