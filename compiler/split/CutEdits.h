// Changes to a program's text that cut it, each in two renderings of the same tokens: `lines` for a
// file that people read, `inline_` for parsing again, where no line may move, because messages and
// plans name lines.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/read/SourceText.h"

namespace fdg::compiler {

class CutEdits {
 public:
  /// Statements in front of an offset.
  void lead(unsigned offset, const std::string& indent,
            const std::vector<std::string>& statements) {
    for (const std::string& statement : statements) {
      lines_.insert(offset, statement + "\n" + indent);
      inline_.insert(offset, onOneLine(statement) + " ");
    }
    empty_ &= statements.empty();
  }
  /// Statements behind an offset; in the file they begin at `line_end`, behind a comment on the
  /// line.
  void follow(unsigned offset, unsigned line_end, const std::string& indent,
              const std::vector<std::string>& statements) {
    for (const std::string& statement : statements) {
      lines_.insert(line_end, "\n" + indent + statement);
      inline_.insert(offset, " " + statement);
    }
    empty_ &= statements.empty();
  }
  /// A name in the place of a text that holds `line_breaks` of them.
  void replace(TextRange range, const std::string& name, long line_breaks) {
    lines_.replace(range, name);
    inline_.replace(range, name + std::string(static_cast<size_t>(line_breaks), '\n'));
    empty_ = false;
  }

  bool empty() const { return empty_; }
  const TextEdits& lines() const { return lines_; }
  const TextEdits& inLine() const { return inline_; }

 private:
  static std::string onOneLine(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  TextEdits lines_, inline_;
  bool empty_ = true;
};

}  // namespace fdg::compiler
