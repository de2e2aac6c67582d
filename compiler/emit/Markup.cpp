#include "compiler/emit/Markup.h"

#include "llvm/Support/JSON.h"

namespace fdg::compiler {
namespace {

bool beginsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : llvm::json::fixUTF8(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default: {
        const bool forbidden = static_cast<unsigned char>(c) < 0x20U && c != '\t' && c != '\n';
        safe += forbidden ? std::string("\uFFFD") : std::string(1, c);
      }
    }
  }
  return safe;
}

std::string shortened(std::string_view text, size_t limit) {
  size_t characters = 0;
  size_t cut = 0;  // where the last character but one of the limit ends
  for (size_t i = 0; i < text.size(); ++i) {
    if (beginsCharacter(text[i]) && ++characters == limit) {
      cut = i;
    }
  }
  return characters <= limit ? std::string(text) : std::string(text.substr(0, cut)) + "…";
}

std::string factText(const FactLine& fact) {
  return fact.name + ": " + (fact.holds ? "yes" : "no") +
         (fact.reason.empty() ? "" : ", " + fact.reason);
}

}  // namespace fdg::compiler
