"""Programs from the accepted subset (docs/language.md, section 5), legal by construction.

Every variable has a home: one component, or FREE (computed from the config alone), or DERIVED (from values that
crossed). A statement of a component reads free and derived variables, its own ones, and those of others only
where they have crossed since they were last written, on every way there. So every annotation separates, and
fdgc must accept the program. Inside these rules everything is drawn at random.
"""
from program import Node, Program
from statements import Statements
from values import COMMON_TYPES, FREE, OPERATIONS, ROLES, TYPES, Place


class Generator(Statements):
# Boundaries.

    def crossing(self):
        """An annotation, and debts: others must use what crossed."""
        if len(self.components) < 2:
            return self.statement()
        able = [v for v in self.visible() if v in self.state.owned and v.home >= 0 and not v.private
                and v not in self.state.crossed and not self.is_frozen_out(v)]
        before = []
        if not able or self.chance(0.3):
            before = self.made_declaration(self.home())
            able = [self.scopes[-1][-1]]
        chosen = [self.pick(able)]
        if len(able) > 1 and self.chance(0.2):
            chosen = self.random.sample(able, 2)
        operation = self.pick(OPERATIONS.get(chosen[0].type, ["broadcast"]))
        if len(chosen) == 2 and operation not in OPERATIONS.get(chosen[1].type, ["broadcast"]):
            operation = "broadcast"
        loose = ".loose()" if self.chance(0.2) else ""
        for v in chosen:
            self.state.crossed.add(v)
            self.debts.append(v)
        return before + [Node(f"fdg::partition(fdg::{operation}{loose}, {', '.join(v.name for v in chosen)});")]

    def is_frozen_out(self, v):
        """An annotation writes its variable too: the loops around must know."""
        return any(v in loop.frozen for loop in self.loops)

    def made_declaration(self, home):
        kind = self.pick(COMMON_TYPES)
        text = self.made(home, kind)
        variable = self.declare(kind, home)
        self.written(variable, text)
        return [Node(f"{self.pick(['auto', TYPES[kind][0]])} {variable.name} = {text};")]

    def pay(self):
        v = self.debts.pop(self.random.randrange(len(self.debts)))
        home = self.pick([h for h in range(len(self.components)) if h != v.home])
        if v.type in ("number", "tensor") and self.chance(0.3):
            made = self.declare(v.type, home)
            text = f"{self.component(home)}.answer({v.name})"
            self.written(made, text)
            return [Node(f"auto {made.name} = {text};")]
        node = self.consumption(home, v)[0]
        if self.chance(0.2):
            return [Node(f"if ({self.condition(self.any_home())}) {{", [node])]
        return [node]

    # Control.

    def leave_scope(self):
        gone = set(self.scopes.pop())
        self.state.crossed -= gone
        self.state.owned -= gone

    def block(self, size):
        """Statements in a scope of their own, every debt paid."""
        self.scopes.append([])
        outer, self.debts = self.debts, []
        self.outer_debts += outer
        nodes = self.statements(size)
        del self.outer_debts[len(self.outer_debts) - len(outer):]
        self.leave_scope()
        self.debts = outer
        return nodes

    def header_variable(self, home):
        """`if (const int64_t v = …)` and its kin: in the scope of the control statement, which is open already."""
        text = f"{self.component(home)}.next() % 4" if home >= 0 else self.number(home, 1)
        v = self.declare("number", home, constant=self.chance(0.7))
        self.written(v, text)
        return f"{'const ' if v.constant else ''}{self.pick(['auto', 'int64_t'])} {v.name} = int64_t({text})", v.name

    def statements(self, size):
        nodes = []
        for _ in range(size):
            if self.debts and self.chance(0.5):
                nodes += self.pay()
            if self.budget > 0:
                nodes += self.statement()
            if self.plant and not self.planted and self.chance(0.15):
                nodes += self.plant(self)
                self.planted = True
        while self.debts:
            nodes += self.pay()
        if not nodes and self.chance(0.7):
            nodes = self.consumption(self.home())
        return nodes

    def statement(self):
        self.budget -= 1
        depth = len(self.scopes)
        if depth < 5 and self.chance(0.3):
            return self.pick([self.branch, self.branch, self.loop, self.loop, self.selection, self.bare_block])()
        if self.loops and self.chance(0.1):
            return self.jump()
        if self.chance(0.3):
            return self.crossing()
        home = self.any_home()
        form = self.pick([self.declaration, self.declaration, self.assignment, self.assignment, self.special])
        if home >= 0 and self.chance(0.35):
            form = self.consumption
        return form(home)

    def bare_block(self):
        return [Node("{", self.block(self.random.randint(1, 3)))]

    def branch(self):
        home = self.any_home()
        condition = self.condition(home)
        self.scopes.append([])
        if self.chance(0.3):
            declared, name = self.header_variable(home)
            condition = self.pick([declared, f"{declared}; {name} % 2 == 0"])
        start = self.state.copy()
        node = Node(f"if ({condition}) {{", self.block(self.random.randint(1, 4)))
        ends = [self.state]
        complete = False
        for _ in range(self.pick([0, 1, 1, 2])):
            self.state = start.copy()
            complete = self.chance(0.6)
            head = "} else {" if complete else f"}} else if ({self.condition(self.any_home())}) {{"
            node.more.append((head, self.block(self.random.randint(1, 3))))
            ends.append(self.state)
            if complete:
                break
        self.state = ends[0] if complete else start
        self.state.meet(ends)
        self.leave_scope()
        return [node]

    def selection(self):
        home = self.any_home()
        moods = self.usable(home, "mood")
        self.scopes.append([])
        if moods and self.chance(0.5):
            selector, labels = self.pick(moods).name, ["parts::Mood::calm", "parts::Mood::busy"]
        else:
            number = f"{self.component(home)}.next()" if home >= 0 and self.chance(0.4) else self.number(home, 1)
            selector, labels = f"({number} + cfg.steps) % 3", ["0", "1", "2"]
            if self.chance(0.3):
                declared, name = self.header_variable(home)
                selector = f"{declared}; ({name} + cfg.steps) % 3"
        start = self.state.copy()
        has_default = self.chance(0.5) and len(labels) > 2
        cases, ends = [], []
        self.loops.append(Place(set(), is_loop=False))
        for label in labels[:2]:
            self.state = start.copy()
            cases.append(Node(f"case {label}: {{", self.block(self.random.randint(1, 3)), tail="  break;\n}"))
            ends.append(self.state)
        if has_default:
            self.state = start.copy()
            cases.append(Node("default: {", self.block(self.random.randint(1, 2))))
            ends.append(self.state)
        self.state = ends[0] if has_default else start
        self.state.meet(ends + self.loops.pop().exits)
        self.leave_scope()
        return [Node(f"switch ({selector}) {{", cases)]

    def loop(self):
        outer = self.visible()
        writable = {v for v in outer if v not in self.debts + self.outer_debts and self.chance(0.5)}
        start = self.state.copy()
        self.state.crossed -= writable
        self.state.owned -= writable
        self.loops.append(Place(set(outer) - writable))
        make = self.pick([self.counted, self.counted, self.counted, self.conditional, self.at_least_once, self.ranged,
                          self.endless])
        node = make()
        ends = [self.state] + self.loops.pop().exits
        self.state = start
        self.state.meet(ends)
        return node

    def counted(self):
        bound = self.pick(["cfg.steps", "cfg.bound", "2", "cfg.steps - 1"])
        self.scopes.append([])
        i = self.declare("number", FREE, constant=True)
        node = Node(f"for (int64_t {i.name} = 0; {i.name} < {bound}; {self.pick(['++' + i.name, i.name + ' += 1'])}) {{",
                    self.block(self.random.randint(2, 5)))
        self.leave_scope()
        return [node]

    def conditional(self):
        home = self.home()
        if self.chance(0.4):
            return [Node(f"while ({self.component(home)}.next() % 4 != 0) {{", self.block(self.random.randint(1, 4)))]
        if self.chance(0.4):
            self.scopes.append([])
            node = Node(f"while ({self.header_variable(home)[0]}) {{", self.block(self.random.randint(1, 4)))
            self.leave_scope()
            return [node]
        i = f"w{len(self.visible())}"
        body = self.block(self.random.randint(1, 4))
        return [Node(f"for (int64_t {i} = cfg.bound; {i} > 0;) {{", [Node(f"--{i};")] + body)]

    def at_least_once(self):
        home = self.home()
        body = self.block(self.random.randint(1, 4))
        return [Node("do {", body, tail=f"}} while ({self.component(home)}.next() % 3 != 0);")]

    def endless(self):
        home = self.home()
        body = self.block(self.random.randint(1, 3))
        return [Node(self.pick(["while (true) {", "for (;;) {"]),
                     [Node(f"if ({self.component(home)}.next() % 3 == 0) break;")] + body)]

    def ranged(self):
        home = self.any_home()
        lists = self.usable(home, "list")
        if home < 0 and not lists:
            return self.counted()
        made = home >= 0 and (not lists or self.chance(0.4))
        text = f"{self.component(home)}.list()" if made else self.pick(lists).name
        self.scopes.append([])
        item = self.declare("number", home, constant=True)
        self.written(item, text)
        node = Node(f"for (const auto {item.name} : {text}) {{", self.block(self.random.randint(1, 4)))
        self.leave_scope()
        return [node]

    def jump(self):
        text = self.pick(["break;", "continue;", "break;", "continue;"] + (["return;"] if self.chance(0.2) else []))
        targets = [place for place in self.loops if place.is_loop or text == "break;"]
        if not targets:
            return self.statement()
        if text != "return;":
            targets[-1].exits.append(self.state.copy())
        condition = self.condition(self.any_home())
        before = self.consumption(self.home()) if self.chance(0.4) else []
        return [Node(f"if ({condition}) {{", before + [Node(text)])]

    # The whole.

    def declare_components(self):
        nodes = []
        plain = 2 if self.plant else 0  # what is planted names c0 and c1
        roles = self.random.sample(ROLES[:-1], 2)
        for i in range(max(plain, self.pick([1, 2, 2, 2, 3, 3, 3, 4, 5, 6]))):
            role = roles[i] if i < plain else self.pick(ROLES)
            seed = f"{'run.rows(4), ' if self.chance(0.3) else ''}{i + 3}"
            name = f"c{i}"
            form = 0 if i < plain else self.random.random()
            if form < 0.8:
                nodes.append(Node(f"parts::{role} {name}({seed});", keep=True))
                self.components.append([name])
            elif form < 0.9:
                nodes.append(Node(f"auto {name} = std::make_unique<parts::{role}>({seed});", keep=True))
                self.components.append([f"(*{name})"])
            else:
                nodes.append(Node(f"std::vector<parts::{role}> {name}(2, parts::{role}({seed}));", keep=True))
                self.components.append([f"{name}[0]", f"{name}[1]", f"{name}.back()"])
            if form < 0.8 and self.chance(0.1):
                nodes.append(Node(f"auto& same_{name} = {name};", keep=True))
                self.components[-1].append(f"same_{name}")
        return nodes

    def program(self, name, kind="legal"):
        nodes = self.declare_components()
        while self.budget > 0:
            nodes += self.statements(self.random.randint(2, 6))
        if self.plant and not self.planted:
            nodes += self.plant(self)
        for names in self.components:
            self.keys += 1
            nodes.append(Node(f'run.log("k{self.keys}", {names[0]}.peek());'))
        return Program(name, kind, nodes)


def legal(name, seed):
    return Generator(f"legal {seed}").program(name)
