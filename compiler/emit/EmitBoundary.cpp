// The part of FragmentEmitter that writes boundaries: sends, receives, exchanges and drain blocks.
#include <algorithm>

#include "compiler/emit/FragmentEmitter.h"

namespace fdg::compiler {
namespace {

std::string idOf(const Boundary& boundary) { return std::to_string(boundary.info.id); }

/// Whether a policy may drain it.
bool isDrainable(const Boundary& b) {
  return b.info.loose && b.info.drainable.holds && !b.info.loops.empty();
}

}  // namespace

bool FragmentEmitter::isConsumer(const Boundary& b) const {
  return std::ranges::find(b.info.consumers, id_) != b.info.consumers.end();
}

/// The producer gets the result of a reduction too, where it reads it or its replicas must agree.
bool FragmentEmitter::exchanges(const Boundary& b) const {
  const bool joins = isReduction(b.info.operation) || b.info.operation == OperationKind::all_gather;
  return isProducer(b) && !b.info.implicit && joins &&
         (b.info.producer_needs_result || isConsumer(b));
}

bool FragmentEmitter::mayDrain(const Boundary& b) const {
  return isDrainable(b) && isConsumer(b) && !isProducer(b) && b.drain_block.contains(id_);
}

const Boundary* FragmentEmitter::choiceAt(const clang::Stmt* control) const {
  const auto found = std::ranges::find_if(split_.boundaries, [&](const Boundary& b) {
    return b.info.implicit && b.place == control && (isProducer(b) || isConsumer(b));
  });
  return found == split_.boundaries.end() || in_drain_block_ ? nullptr : &*found;
}

std::string FragmentEmitter::valueList(const Boundary& b) const {
  std::string list = idOf(b);
  for (const clang::ValueDecl* value : b.values) {
    list += ", " + value->getNameAsString();
  }
  return list;
}

void FragmentEmitter::annotation(const clang::Stmt* place) {
  for (const Boundary& b : split_.boundaries) {
    if (b.place == place && (isProducer(b) || isConsumer(b))) {
      boundary(b);
    }
  }
}

void FragmentEmitter::boundary(const Boundary& b) {
  out_.mark(source_.lineOf(source_.wholeStatement(b.place).begin));
  if (exchanges(b)) {
    out_.line("co_await fdg_ports.exchange(" + valueList(b) + ");");
  } else if (isProducer(b)) {
    const bool has_consumer =
        std::ranges::any_of(b.info.consumers, [&](int c) { return c != id_; });
    if (has_consumer) {
      out_.line("co_await fdg_ports.send(" + valueList(b) + ");");
    }
  } else {
    receive(b);
  }
}

void FragmentEmitter::receive(const Boundary& b) {
  const std::string wait = "co_await fdg_ports.receive(" + valueList(b) + ");";
  if (!mayDrain(b)) {
    out_.line(wait);
    return;
  }
  out_.open("if (fdg_ports.drained(" + idOf(b) + "))");
  out_.line("co_await fdg_ports.drain(" + idOf(b) + ");");
  out_.reopen("else");
  out_.line(wait);
  const std::vector<const clang::Stmt*>& block = b.drain_block.at(id_);
  for (const clang::Stmt* stmt : block) {
    statement(stmt);
  }
  already_emitted_.insert(block.begin(), block.end());
  out_.close();
}

/// Whether it is at either end of a boundary in the loop that a policy may drain.
bool FragmentEmitter::mayDrainIn(const clang::Stmt* loop) const {
  return std::ranges::any_of(split_.boundaries, [&](const Boundary& b) {
    return isDrainable(b) && b.info.loops.front() == number(loop) &&
           (isProducer(b) || isConsumer(b));
  });
}

/// In front of the outermost loop: what one message of a drained boundary does. The block may then
/// run whenever the fragment waits for anything.
void FragmentEmitter::registerDrains(const clang::Stmt* loop) {
  for (const Boundary& b : split_.boundaries) {
    if (!mayDrain(b) || b.info.loops.front() != number(loop)) {
      continue;
    }
    std::string types;
    std::string parameters;
    for (size_t i = 0; i < b.values.size(); ++i) {
      const std::string separator = i == 0 ? "" : ", ";
      types += separator + b.spelled_types[i];
      parameters += separator + "[[maybe_unused]] " + b.spelled_types[i] + "& " +
                    b.values[i]->getNameAsString();
    }
    out_.mark(source_.lineOf(source_.wholeStatement(b.place).begin));
    out_.open("fdg_ports.onDrain<" + types + ">(" + idOf(b) + ", [&](" + parameters + ")");
    in_drain_block_ = true;
    for (const clang::Stmt* stmt : b.drain_block.at(id_)) {
      statement(stmt);
    }
    in_drain_block_ = false;
    out_.close(");");
  }
}

}  // namespace fdg::compiler
