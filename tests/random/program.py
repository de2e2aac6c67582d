"""A random program as a tree of statements: rendered, copied, changed."""
import copy
import dataclasses
import re

PRELUDE = '''#include "tests/random/parts.h"
#pragma clang diagnostic ignored "-Wunused"
#pragma clang diagnostic ignored "-Wunused-parameter"
#pragma clang diagnostic ignored "-Wunused-but-set-variable"

int64_t shared_count = 0;
int64_t blend(int64_t a, int64_t b) { return (a * 31 + b) % 1009; }
void addTo(int64_t& to, int64_t value) { to = (to + value) % 1009; }
torch::Tensor same(const torch::Tensor& t) { return t; }
void raise(torch::Tensor& t, int64_t value) { t.add_(value); }
int64_t total(const parts::Note& note) {
  int64_t sum = note.number;
  for (const int64_t number : note.list) {
    sum += number;
  }
  return sum;
}
template <class C>
int64_t feed(C& cell, int64_t value) {
  cell.take(value);
  return cell.next();
}
'''


@dataclasses.dataclass
class Node:
    """One statement: its text; or the head of a block, its statements, and further blocks behind it (else)."""
    text: str
    body: list = None
    more: list = dataclasses.field(default_factory=list)  # of (head, statements)
    tail: str = "}"
    keep: bool = False  # not to be changed: a component's declaration

    def blocks(self):
        return ([] if self.body is None else [self.body]) + [body for _, body in self.more]

    def lines(self, indent):
        pad = "  " * indent
        yield pad + self.text
        if self.body is None:
            return
        for node in self.body:
            yield from node.lines(indent + 1)
        for head, body in self.more:
            yield pad + head
            for node in body:
                yield from node.lines(indent + 1)
        yield pad + self.tail


@dataclasses.dataclass
class Program:
    name: str
    kind: str  # "legal", "wild" or "illegal"
    body: list
    expected: tuple = ()  # messages, one of which must come for an illegal one
    about: str = ""

    def text(self):
        lines = [f"namespace {self.name} {{", "struct Config {", "  int64_t steps = 4;", "  int64_t bound = 3;",
                 "};", "void train(fdg::Run& run, const Config& cfg) {"]
        for node in self.body:
            lines += node.lines(1)
        return "\n".join(lines + ["}", f"}}  // namespace {self.name}", f"FDG_PROGRAM({self.name}::train)", ""])

    def copy(self, **changes):
        return dataclasses.replace(self, body=copy.deepcopy(self.body), **changes)

    def size(self):
        return len(self.text())

    def blocks(self):
        """All lists of statements, outermost first."""
        found = [self.body]
        for block in found:
            for node in block:
                found += node.blocks()
        return found


def standalone(program):
    """The program as a file of its own, ready for tests/accept."""
    text = program.text().replace(f"namespace {program.name} {{\n", "").replace(f"}}  // namespace {program.name}\n", "")
    text = text.replace(f"FDG_PROGRAM({program.name}::train)", "FDG_PROGRAM(train)")
    helpers, lines = [], PRELUDE.split("\n")
    for i, line in enumerate(lines):
        name = re.match(r"^[\w:]+&? ?(\w+)\(|^\w+ (shared_count)", line)
        if name and re.search(rf"\b{name.group(1) or name.group(2)}\b", text):
            first = i - 1 if lines[i - 1].startswith("template") else i
            last = next(j for j in range(i, len(lines)) if j == i and line.endswith(("}", ";")) or lines[j] == "}")
            helpers += lines[first:last + 1]
    return '#include "../random/parts.h"\n\n' + "\n".join(helpers + ["", text])
