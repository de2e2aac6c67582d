"""Legal programs with something moved, lost or doubled: anything may come of it but a crash or a silent fault.

fdgc may refuse such a program, with any of its messages. If it accepts it, the fragments must do what the program
does.
"""
import copy
import random
import re

from generate import Generator
from program import Node


def is_annotation(node):
    return node.text.startswith("fdg::partition(")


def places(program, wanted):
    return [(block, i) for block in program.blocks() for i, node in enumerate(block) if not node.keep and wanted(node)]


def lose(rng, program):
    found = places(program, lambda node: rng.random() < 0.3 or is_annotation(node))
    if found:
        block, i = rng.choice(found)
        del block[i]


def double(rng, program):
    found = places(program, lambda node: not re.match(r"(const )?[\w:<>]+&? \[?\w+[, \w\]]* = ", node.text))
    if found:
        block, i = rng.choice(found)
        block.insert(rng.randint(i + 1, len(block)), copy.deepcopy(block[i]))


def swap(rng, program):
    found = [(block, i) for block, i in places(program, lambda node: True) if i + 1 < len(block)]
    if found:
        block, i = rng.choice(found)
        block[i], block[i + 1] = block[i + 1], block[i]


def move_annotation(rng, program):
    found = places(program, is_annotation)
    if found:
        block, i = rng.choice(found)
        node = block.pop(i)
        target = rng.choice([block] * 3 + program.blocks())
        target.insert(rng.randint(0, len(target)), node)


def annotate(rng, program):
    """Some variable, anywhere."""
    names = sorted(set(re.findall(r"\bv\d+\b", program.text())))
    if names:
        block = rng.choice(program.blocks())
        block.insert(rng.randint(0, len(block)),
                     Node(f"fdg::partition(fdg::{rng.choice(['broadcast', 'gather'])}, {rng.choice(names)});"))


def rename(rng, program):
    """A statement reads or writes another variable than it did."""
    names = sorted(set(re.findall(r"\bv\d+\b", program.text())))
    found = places(program, lambda node: node.body is None and re.search(r"\bv\d+\b", node.text))
    if found:
        block, i = rng.choice(found)
        old = rng.choice(re.findall(r"\bv\d+\b", block[i].text))
        block[i].text = re.sub(rf"\b{old}\b", rng.choice(names), block[i].text)


def unwrap(rng, program):
    found = places(program, lambda node: node.body is not None and not node.text.startswith(("switch", "case", "default")))
    if found:
        block, i = rng.choice(found)
        block[i:i + 1] = block[i].body


def wild(name, seed):
    program = Generator(f"wild {seed}").program(name, "wild")
    rng = random.Random(f"changes {seed}")
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3])):
        rng.choice([lose, double, swap, move_annotation, annotate, rename, rename, unwrap])(rng, program)
    return program
