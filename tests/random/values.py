"""What is visible at a place of a random program, and the expressions that may stand there."""
import dataclasses
import random

FREE, DERIVED = -2, -1

# type → (C++ type, method of a component that makes one)
TYPES = {
    "number": ("int64_t", "next"), "flag": ("bool", "coin"), "mood": ("parts::Mood", "mood"),
    "tensor": ("torch::Tensor", "tensor"), "pair": ("parts::Pair", "pair"), "load": ("parts::Load", "load"),
    "note": ("parts::Note", "note"), "list": ("std::vector<int64_t>", "list"),
    "tensors": ("std::vector<torch::Tensor>", "tensors"), "text": ("std::string", "text"),
    "maybe": ("std::optional<int64_t>", "maybe"), "map": ("parts::Map", "map"), "two": ("parts::Two", "two"),
}
COMMON_TYPES = ["number"] * 6 + ["tensor"] * 5 + ["pair", "load", "note", "list", "flag", "two", "mood", "tensors",
                                                 "text", "maybe", "map"]
OPERATIONS = {
    "number": ["broadcast", "broadcast", "reduce_sum", "reduce_max"], "flag": ["broadcast", "reduce_any", "reduce_all"],
    "tensor": ["gather", "scatter", "append", "broadcast", "all_gather", "reduce_sum"],
    "pair": ["gather", "scatter", "append", "broadcast"],
}
ROLES = ["Environment", "Actor", "Buffer", "Learner", "Evaluator", "Cell"]


@dataclasses.dataclass(eq=False)
class Variable:
    name: str
    type: str
    home: int
    private: bool = False  # never crosses: may be written in place, captured, referred to
    constant: bool = False


@dataclasses.dataclass
class State:
    """What holds here on every way: variables that crossed since they were written, and those that their
    component surely made."""
    crossed: set = dataclasses.field(default_factory=set)
    owned: set = dataclasses.field(default_factory=set)

    def copy(self):
        return State(set(self.crossed), set(self.owned))

    def meet(self, others):
        for other in others:
            self.crossed &= other.crossed
            self.owned &= other.owned


@dataclasses.dataclass
class Place:
    """A loop, or a switch, around what is being written."""
    frozen: set  # outer variables that it does not write
    is_loop: bool = True
    exits: list = dataclasses.field(default_factory=list)


class Values:
    """Variables with their homes, and expressions over them; see generate.py."""

    def __init__(self, seed, plant=None):
        self.random = random.Random(seed)
        self.scopes = [[]]
        self.state = State()
        self.loops = []
        self.debts = []       # variables that have crossed and that no other component has used yet, in this block
        self.outer_debts = []  # … in the blocks around it
        self.budget = self.random.randint(6, 32)
        self.keys = 0
        self.components = []  # ways to name each
        self.plant, self.planted = plant, False  # statements to be put somewhere, once

    # Choices.

    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return self.random.choice(items)

    def visible(self):
        return [v for scope in self.scopes for v in scope]

    def usable(self, home, kind=None):
        """Variables that a statement of this home may read."""
        found = []
        for v in self.visible():
            if kind is not None and v.type != kind:
                continue
            if v.home == FREE or v.home == home or (home != FREE and (v.home == DERIVED or v in self.state.crossed)):
                found.append(v)
        return found

    def writable(self, home, kind=None):
        return [v for v in self.visible()
                if v.home == home and not v.constant and (kind is None or v.type == kind)
                and v not in self.debts + self.outer_debts and not any(v in loop.frozen for loop in self.loops)]

    def declare(self, kind, home, **more):
        variable = Variable(f"v{len(self.visible())}", kind, home, **more)
        self.scopes[-1].append(variable)
        return variable

    def component(self, home):
        return self.pick(self.components[home])

    def home(self):
        return self.random.randrange(len(self.components))

    def any_home(self):
        return self.pick([FREE, DERIVED] + [self.home() for _ in range(4)])

    # Expressions. Those of a component may call it once.

    def atom(self, home):
        variables = self.usable(home)
        if not variables or self.chance(0.2):
            return self.pick(["3", "cfg.steps", "cfg.bound", "int64_t{5}"])
        v = self.pick(variables)
        name = v.name
        return {
            "number": name, "flag": f"({name} ? 1 : 2)", "mood": f"static_cast<int64_t>({name})",
            "tensor": f"{name}.sum().item<int64_t>() % 1009", "pair": f"{name}.first[2].item<int64_t>()",
            "load": f"{name}.version", "note": self.pick([f"{name}.number", f"total({name}) % 1009"]),
            "list": f"static_cast<int64_t>({name}.size())", "tensors": f"static_cast<int64_t>({name}.size())",
            "text": f"static_cast<int64_t>({name}.size())", "maybe": f"{name}.value_or(4)",
            "map": f"static_cast<int64_t>({name}.size())", "two": self.pick([f"{name}.first", f"{name}.second"]),
        }[v.type]

    def number(self, home, depth=2):
        if depth == 0 or self.chance(0.3):
            return self.atom(home)
        a, b = self.number(home, depth - 1), self.number(home, depth - 1)
        return self.pick([f"({a} * 3 + {b}) % 101", f"({a} + {b}) % 1009", f"({a} - {b})", f"blend({a}, {b})",
                          f"std::max<int64_t>({a}, {b})", f"({a} % 2 == 0 ? {b} : 7)"])

    def tensor(self, home, fresh=False):
        variables = [v for v in self.usable(home) if v.type in ("tensor", "pair", "load", "tensors")]
        if not variables or self.chance(0.2):
            return f"(torch::arange(4, torch::kInt64) + {self.number(home, 1)})"
        v = self.pick(variables)
        name = v.name
        name = {"tensor": name, "pair": name + self.pick([".first", ".second"]), "load": name + ".values",
                "tensors": name + "[1]"}[v.type]
        if not fresh and not v.private and self.chance(0.4):
            return self.pick([name, f"same({name})", f"{name}.view({{-1}})"])
        return self.pick([f"({name} * 3 + {self.number(home, 1)}) % 101", f"{name}.clone()", f"({name} + {name})",
                          f"torch::stack({{{name}, {name}}}).sum(0) % 97", f"torch::where({name} > 3, {name}, {name} + 2)"])

    def condition(self, home):
        flags = self.usable(home, "flag")
        if flags and self.chance(0.3):
            return self.pick(flags).name
        if home >= 0 and self.chance(0.4):
            return f"{self.component(home)}.coin()"
        if self.chance(0.2):
            return f"{self.number(home, 1)} % 3 == 0 {self.pick(['||', '&&'])} {self.number(home, 1)} > 2"
        return f"{self.number(home, 1)} % {self.pick([2, 3])} {self.pick(['==', '!='])} 0"

    def value(self, home, kind, fresh=False):
        """A value of that type without a call of a component."""
        if kind == "number":
            return self.number(home)
        if kind == "tensor":
            return self.tensor(home, fresh)
        variables = [v for v in self.usable(home, kind) if not v.private]
        if variables and self.chance(0.5) and not fresh:
            return self.pick(variables).name
        n = self.number(home, 1)
        return {
            "flag": f"{n} > 3", "mood": f"static_cast<parts::Mood>(({n} % 2 + 2) % 2)",
            "pair": f"parts::Pair{{{self.tensor(home, fresh)}, {self.tensor(home, fresh)}}}",
            "load": f"parts::Load{{{self.tensor(home, fresh)}, {n}}}", "note": f"parts::Note{{{n}, {{{n}, 2}}}}",
            "list": f"std::vector<int64_t>{{{n}, 1}}",
            "tensors": f"std::vector<torch::Tensor>{{{self.tensor(home, fresh)}, {self.tensor(home, fresh)}}}",
            "text": 'std::string("ab")', "maybe": f"std::optional<int64_t>({n})", "map": f"parts::Map{{{{{n}, 3}}}}",
            "two": f"parts::Two{{{n}, 4}}",
        }[kind]

    def made(self, home, kind, fresh=False):
        """A value that the component surely owns."""
        component = self.component(home)
        if kind in ("number", "tensor") and self.chance(0.4):
            return f"{component}.answer({self.value(home, kind)})"
        if kind == "number" and self.chance(0.2):
            return f"feed({component}, {self.number(home, 1)})"
        return f"{component}.{TYPES[kind][1]}()"
