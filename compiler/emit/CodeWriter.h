// Writes C++ line by line with indentation and #line directives, so that every message about
// generated code points into the user's file.
#pragma once

#include <string>
#include <string_view>

#include "compiler/read/SourceText.h"

namespace fdg::compiler {

class CodeWriter {
 public:
  /// `file` is the user's file as #line shall name it.
  explicit CodeWriter(std::string file) : file_(std::move(file)) {}

  /// A line of our own; it belongs to the source line of what was written last.
  void line(std::string_view text);
  void blank() { line(""); }
  /// The user's text, unchanged but for the indentation of its first line.
  void copy(const Piece& piece) { copy("", piece, ""); }
  /// The user's text with something of ours around it, on the same line.
  void copy(std::string_view before, const Piece& piece, std::string_view after);
  /// `text` and an opening brace; what follows is indented.
  void open(std::string_view text);
  void open(std::string_view before, const Piece& piece, std::string_view after);
  /// The closing brace, followed by `text`.
  void close(std::string_view text = "");
  /// A closing brace, `text` and an opening one: `} else {`.
  void reopen(std::string_view text);
  /// The next line is line `line` of the user's file.
  void mark(int line);
  /// From here on lines belong to the generated file itself.
  void leaveSource();

  const std::string& text() const { return text_; }

 private:
  void put(std::string_view text);

  std::string file_;
  std::string text_;
  int indent_ = 0;
  int next_line_ = -1;  // the source line that the compiler will take the next line for; -1: none
  bool named_ = false;
};

/// `text` as a C++ string literal.
std::string quoted(std::string_view text);

}  // namespace fdg::compiler
