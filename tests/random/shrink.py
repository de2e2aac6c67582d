"""A failing program → a smaller one that fails in the same way.

Loses statements, blocks and variables, puts blocks in place of what holds them; keeps what still fails, until nothing
is left to lose. A round is two calls of the judge: one for all its tries, long runs of neighbouring changes as well as
single ones, and one for what failed taken together. A file costs seconds whatever is in it.
"""
import re

from wild import is_annotation

TRIES = 60
ROUNDS = 40


def lose(block, i):
    del block[i]


def changes(program, fault):
    """All ways to have one thing less, in the order of the text: (block, place in it, edit)."""
    # A program that should be accepted stays legal only with its annotations.
    keeps = program.kind == "legal" and fault.startswith("refused")
    found = []
    for b, block in enumerate(program.blocks()):
        for i, node in enumerate(block):
            edits = [] if keeps and is_annotation(node) else [lose]
            if node.body is not None:
                edits += [lambda block, i: block.__setitem__(slice(i, i + 1), list(block[i].body or [])),
                          lambda block, i: setattr(block[i], "body", [])]
            if node.more:
                edits += [lambda block, i: setattr(block[i], "more", [])]
            found += [(b, i, edit) for edit in edits]
    return found


def variables(program, edits):
    """For each variable the edits that lose all statements which name it."""
    blocks = program.blocks()
    names = sorted(set(re.findall(r"\bv\d+\b", program.text())))
    return [[edit for edit in edits if edit[2] is lose and re.search(rf"\b{name}\b", blocks[edit[0]][edit[1]].text)]
            for name in names]


def apply(program, edits, name):
    """Later places first, so that earlier ones stay where they are; one edit at a place."""
    changed = program.copy(name=name)
    blocks = changed.blocks()
    done = set()
    for b, i, edit in sorted(edits, key=lambda e: (e[0], e[1]), reverse=True):
        if (b, i) not in done and i < len(blocks[b]):
            done.add((b, i))
            edit(blocks[b], i)
    return changed


def runs(edits, tried):
    """Neighbouring edits: halves, quarters, eighths, …, and single ones; later rounds go on with the single ones."""
    found, size = [], len(edits) // 2
    while tried == 0 and size > 1 and len(found) + len(edits) // size <= TRIES // 2:
        found += [edits[first:first + size] for first in range(0, len(edits), size)]
        size //= 2
    return found, [[edit] for edit in edits[tried:tried + TRIES - len(found)]]


def same_failure(fault, other):
    """The first words tell the kind: "differs: …", "refused: … separates_nothing"."""
    return other is not None and fault.split(":")[0] == other.split(":")[0] and (
        not fault.startswith("refused") or fault == other)


def failing(program, groups, fault, judge):
    """The groups of edits after which the program fails as before."""
    tries = {f"t{i}": apply(program, edits, f"t{i}") for i, edits in enumerate(groups)}
    tries = {name: tried for name, tried in tries.items() if tried.size() < program.size()}
    build = fault.startswith(("differs", "broken", "generated"))
    outcomes = judge.judge(tries.values(), f"shrink_{program.name}", build)
    return [groups[int(name[1:])] for name, tried in tries.items()
            if name in outcomes and same_failure(fault, outcomes[name].fault(tried))]


def shrink(program, fault, judge):
    tried = 0  # single edits of this program
    for _ in range(ROUNDS):
        edits = changes(program, fault)
        longer, single = runs(edits, tried)
        more = variables(program, edits) if tried == 0 else []
        found = failing(program, longer + more + single, fault, judge)
        tried += len(single)
        if found:
            program, tried = together(program, found, fault, judge), 0
        elif tried >= len(edits):
            break
    return program


def together(program, found, fault, judge):
    """As many of these groups of edits at once as still fail."""
    parts = [found] + [found[first::step] for step in (2, 3, 4) for first in range(step)]
    groups = [[edit for edits in part for edit in edits] for part in parts] if len(found) > 1 else []
    groups = failing(program, groups, fault, judge) if groups else []
    return min((apply(program, edits, program.name) for edits in groups + found), key=lambda tried: tried.size())
