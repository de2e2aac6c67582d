"""A failing program → a smaller one that fails in the same way.

Tries to lose every statement and every block, to put blocks in place of what holds them, and to lose components;
keeps what still fails, until nothing is left to lose. All tries of a round are judged together.
"""
import copy

from wild import is_annotation

TRIES = 40


def changes(program):
    """All programs with one thing less."""
    for b, block in enumerate(program.blocks()):
        for i, node in enumerate(block):
            edits = [lambda block, i: block.__delitem__(i)]
            # A program that should be accepted stays legal only with its annotations.
            if program.kind == "legal" and is_annotation(node):
                edits = []
            if node.body is not None:
                edits += [lambda block, i: block.__setitem__(slice(i, i + 1), list(block[i].body or [])),
                          lambda block, i: setattr(block[i], "body", [])]
            if node.more:
                edits += [lambda block, i: setattr(block[i], "more", [])]
            for edit in edits:
                yield b, i, edit


def apply(program, edits, name):
    """Later places first, so that earlier ones stay where they are."""
    changed = program.copy(name=name)
    blocks = changed.blocks()
    for b, i, edit in sorted(edits, key=lambda e: (e[0], e[1]), reverse=True):
        if i < len(blocks[b]):
            edit(blocks[b], i)
    return changed


def same_failure(fault, other):
    """The first words tell the kind: "differs: …", "refused: … separates_nothing"."""
    return other is not None and fault.split(":")[0] == other.split(":")[0] and (
        not fault.startswith("refused") or fault == other)


def shrink(program, fault, judge):
    build = fault.startswith(("differs", "broken", "generated"))
    for round_number in range(60):
        edits = list(changes(program))
        found = []
        for first in range(0, len(edits), TRIES):
            tries = {f"t{i}": apply(program, [edit], f"t{i}") for i, edit in enumerate(edits[first:first + TRIES])}
            outcomes = judge.judge(tries.values(), f"shrink_{program.name}", build)
            found += [edits[first + int(name[1:])] for name, tried in tries.items()
                      if name in outcomes and same_failure(fault, outcomes[name].fault(tried))]
        if not found:
            return program
        program = best(program, found, fault, judge, build)
    return program


def best(program, found, fault, judge, build):
    """As many of the edits together as still fail."""
    tries = {}
    for size in {len(found), len(found) // 2, len(found) // 4, 3, 1}:
        for start in range(0, len(found), max(size, 1)):
            if size > 0 and len(tries) < TRIES:
                name = f"b{len(tries)}"
                tries[name] = apply(program, found[start:start + size], name)
    outcomes = judge.judge(tries.values(), f"shrink_{program.name}", build)
    failing = [tried for name, tried in tries.items()
               if name in outcomes and same_failure(fault, outcomes[name].fault(tried))]
    smallest = min(failing, key=lambda tried: tried.size(), default=apply(program, found[:1], program.name))
    return copy.deepcopy(smallest).copy(name=program.name)
