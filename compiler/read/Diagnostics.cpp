#include "compiler/read/Diagnostics.h"

#include <string>

namespace fdg::compiler {
namespace {

using Level = clang::DiagnosticsEngine::Level;

struct Text {
  Level level;
  const char* text;
  const char* name;
};

constexpr Level error = Level::Error;
constexpr Level warning = Level::Warning;
constexpr Level remark = Level::Remark;
constexpr Level note = Level::Note;

constexpr Text kTexts[] = {
#define FDG_MESSAGE(name, level, text) {level, text, #name},
#include "compiler/Diagnostics.def"
#undef FDG_MESSAGE
};

/// The message as it is shown: its name behind it leads to its paragraph in docs/diagnostics.md.
std::string shownText(const Text& message) {
  return message.level == note ? message.text
                               : message.text + std::string(" [") + message.name + "]";
}

Level levelOf(Message message, const DiagnosticSettings& settings) {
  const Level level = kTexts[static_cast<size_t>(message)].level;
  if (level == Level::Warning && message == Message::random_outside_stream &&
      settings.random_is_error) {
    return Level::Error;
  }
  return level == Level::Remark && !settings.show_remarks ? Level::Ignored : level;
}

}  // namespace

const char* messageText(Message message) { return kTexts[static_cast<size_t>(message)].text; }

Diagnostics::Diagnostics(clang::DiagnosticsEngine& engine, DiagnosticSettings settings)
    : engine_(engine), settings_(settings) {
  for (size_t i = 0; i < std::size(kTexts); ++i) {
    const Level level = levelOf(static_cast<Message>(i), settings_);
    // Remarks are off by default in clang and have no group here, so those that are shown are
    // notes' kin.
    ids_.push_back(engine_.getDiagnosticIDs()->getCustomDiagID(
        static_cast<clang::DiagnosticIDs::Level>(level), shownText(kTexts[i])));
  }
}

clang::DiagnosticBuilder Diagnostics::report(clang::SourceLocation place, Message message) {
  if (levelOf(message, settings_) >= Level::Error) {
    ++errors_;
  }
  return engine_.Report(place, ids_[static_cast<size_t>(message)]);
}

}  // namespace fdg::compiler
