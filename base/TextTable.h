// Rows of text as an aligned table for people. UTF-8 letters count as one column. Pure; any thread.
#pragma once

#include <string>
#include <vector>

namespace fdg {

class TextTable {
 public:
  /// Titles of the columns; a title that starts with '>' aligns its column to the right.
  explicit TextTable(std::vector<std::string> titles);

  /// Missing cells at the end stay empty.
  void row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  /// Every line starts with `indent`; the last column is not padded.
  std::string text(const std::string& indent = "  ") const;

 private:
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;  // the first one holds the titles
};

/// Breaks `text` at spaces so that lines have at most `width` letters; further lines start with
/// `indent`.
std::string wrapText(const std::string& text, size_t width, const std::string& indent);

/// Columns that UTF-8 `text` takes.
size_t textWidth(const std::string& text);

}  // namespace fdg
