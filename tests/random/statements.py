"""Statements of one component, or of none, without anything of others in them."""
import re

from program import Node
from values import COMMON_TYPES, DERIVED, TYPES, Values


class Statements(Values):
    def is_own(self, home, text):
        """Does the component surely have a part in what that text computes?"""
        mine = {v.name for v in self.state.owned - self.state.crossed if v.home == home}
        called = {re.search(r"c\d+", name).group() for name in self.components[home]} if home >= 0 else set()
        return bool((mine | called) & set(re.findall(r"\b(?:same_)?([vc]\d+)\b", text)))

    def written(self, variable, text):
        """It is computed as the text says, from here on."""
        own = self.is_own(variable.home, text)
        self.state.crossed.discard(variable)
        self.state.owned.discard(variable)
        if own:
            self.state.owned.add(variable)

    def declaration(self, home):
        kind = self.pick(COMMON_TYPES)
        made = home >= 0 and self.chance(0.75)
        private = home >= 0 and self.chance(0.25)
        text = self.made(home, kind) if made else self.value(home, kind, fresh=private)
        variable = self.declare(kind, home, private=private, constant=self.chance(0.15))
        self.written(variable, text)
        spelled = "auto" if made and self.chance(0.5) else TYPES[kind][0]
        return [Node(f"{'const ' if variable.constant else ''}{spelled} {variable.name} = {text};")]

    def several(self, home):
        """Two variables of one declaration, or bindings."""
        form = self.pick(["comma", "pair", "two", "load"])
        if form == "comma" or home < 0:
            first, second = self.number(home), self.number(home)
            a, b = self.declare("number", home), self.declare("number", home)
            self.written(a, first)
            self.written(b, second)
            return [Node(f"int64_t {a.name} = {first}, {b.name} = {second};")]
        text = self.made(home, form)
        kinds = {"pair": ("tensor", "tensor"), "two": ("number", "number"), "load": ("tensor", "number")}[form]
        a, b = (self.declare(kind, home) for kind in kinds)
        for v in (a, b):
            self.written(v, text)
        return [Node(f"auto [{a.name}, {b.name}] = {text};")]

    def assignment(self, home):
        variables = self.writable(home)
        if not variables:
            return self.declaration(home)
        v = self.pick(variables)
        if v.type == "number" and self.chance(0.6):
            return [Node(self.change_number(v))]
        if v.type == "tensor" and v.private and self.chance(0.7):
            return [Node(self.change_tensor(v))]
        if v.type in ("note", "list", "map", "load", "pair", "two", "maybe") and self.chance(0.6):
            return [Node(self.change_part(v))]
        text = self.made(home, v.type) if home >= 0 and self.chance(0.6) else self.value(home, v.type, fresh=v.private)
        if text == v.name:
            return [Node(self.change_number(v))] if v.type == "number" else self.consumption(max(home, 0))
        self.written(v, text)
        return [Node(f"{v.name} = {text};")]

    def change_number(self, v):
        """`x += …` and its kin read the variable too."""
        n = self.made(v.home, "number") if v.home >= 0 and self.chance(0.4) else self.number(v.home, 1)
        text = self.pick([f"{v.name} += {n};", f"{v.name} = ({v.name} * 3 + {n}) % 1009;", f"addTo({v.name}, {n});",
                          f"++{v.name};", f"{v.name} -= {n};"])
        if v.home >= 0 and self.chance(0.15):
            text = f"{self.component(v.home)}.bump({v.name});"
        self.written(v, text)
        return text

    def change_tensor(self, v):
        """In place: only what never crosses."""
        n = self.number(v.home, 1)
        text = self.pick([f"{v.name}.add_({n});", f"{v.name}[1] = {n};", f"{v.name} += {n};", f"raise({v.name}, {n});",
                          f"{v.name}.slice(0, 0, 2).mul_(2);", f"{self.component(v.home)}.fill({v.name});",
                          f"{{ auto view = {v.name}.view({{-1}}); view.add_({n}); }}"])
        self.written(v, text)
        return text

    def change_part(self, v):
        n = self.number(v.home, 1)
        t = self.tensor(v.home, fresh=True) if v.type in ("load", "pair") else ""
        text = {
            "note": self.pick([f"{v.name}.number = {n};", f"{v.name}.list.push_back({n});"]),
            "list": self.pick([f"{v.name}.push_back({n});", f"{v.name}.assign(2, {n});",
                               f"if (!{v.name}.empty()) {v.name}[0] = {n};", f"{v.name}.insert({v.name}.begin(), {n});"]),
            "map": self.pick([f"{v.name}[{n} % 3] = 2;", f"{v.name}.erase(7);", f"{v.name}.emplace({n}, 1);"]),
            "load": self.pick([f"{v.name}.version = {n};", f"{v.name}.values = {t};"]),
            "pair": f"{v.name}.{self.pick(['first', 'second'])} = {t};",
            "two": self.pick([f"{v.name}.first = {n};", f"{v.name}.second += 1;"]),
            "maybe": self.pick([f"{v.name} = {n};", f"{v.name}.reset();"]),
        }[v.type]
        replaced = "assign(" in text or v.type == "maybe"
        self.written(v, text.split("assign(")[-1].split(" = ")[-1] if replaced else text)
        return text

    def consumption(self, home, variable=None):
        """The component takes something; `variable`: that at least."""
        component = self.component(home)
        if variable is None:
            variables = self.usable(home)
            variable = self.pick(variables) if variables and self.chance(0.8) else None
        if variable is None:
            return [Node(f"{component}.take({self.number(home)});")]
        name = variable.name
        if variable.type == "number":
            name = self.pick([name, f"({name} * 2 + {self.number(home, 1)}) % 101"])
        elif variable.type == "tensor":
            name = self.pick([name, f"({name} + {self.number(home, 1)})"])
        return [self.around(Node(f"{component}.take({name});"))]

    def around(self, node):
        """The same statement in one of the forms that must make no difference."""
        if self.chance(0.85):
            return node
        return self.pick([Node("{", [node]), Node("try {", [node], [("} catch (const std::exception&) {", [])]),
                          Node("if constexpr (sizeof(int64_t) == 8) {", [node]),
                          Node("do {", [node], tail="} while (false);")])

    def special(self, home):
        return self.pick([self.several, self.reference, self.lambda_call, self.moved, self.log, self.walk])(home)

    def reference(self, home):
        """A reference, or what is like one, in a block of its own; writes through it are writes of the variable."""
        variables = [v for v in self.writable(home, "number")]
        if home < 0 or not variables:
            return self.consumption(max(home, 0))
        v = self.pick(variables)
        n = self.component(home) + ".next()"
        self.written(v, n)
        return [Node("{", [Node(text) for text in self.pick([
            [f"auto& other = {v.name};", f"other = (other + {n}) % 1009;"],
            ["auto change = &addTo;", f"change({v.name}, {n});"],
            [f"auto held = std::make_shared<int64_t>({v.name});", "auto same = held;", f"*same = (*same + {n}) % 1009;",
             f"{v.name} = *held;"],
            [f"int64_t* const other = &{v.name};", f"*other = (*other + {n}) % 1009;"]])])]

    def lambda_call(self, home):
        if home < 0:
            n = self.number(home)
            v = self.declare("number", home)
            self.written(v, n)
            return [Node(f"const auto twist{v.name} = [](int64_t a) {{ return (a * 5 + 1) % 101; }};"),
                    Node(f"int64_t {v.name} = twist{v.name}({n});")]
        variables = [v for v in self.writable(home, "number") if v.private]
        change = f"{self.pick(variables).name} += 1; " if variables else ""
        v = self.declare("number", home)
        call = f"ask{v.name}"
        self.written(v, self.components[home][0])
        return [Node(f"auto {call} = [&](int64_t a) {{ {change}return {self.components[home][0]}.answer(a); }};"),
                Node(f"int64_t {v.name} = {call}(3);"), Node(f"{v.name} += {call}(4) % 7;")]

    def moved(self, home):
        """The last use may move."""
        if home < 0:
            return self.declaration(home)
        kind = self.pick(["list", "text", "note", "tensor"])
        name = f"given{len(self.visible())}"
        return [Node("{", [Node(f"auto {name} = {self.component(home)}.{TYPES[kind][1]}();"),
                           Node(f"{self.component(home)}.take(std::move({name}));")])]

    def log(self, home):
        self.keys += 1
        if home >= 0 and self.chance(0.5):
            return [Node(f'run.log("k{self.keys}", {self.component(home)}.peek());')]
        return [Node(f'run.log("k{self.keys}", {self.number(max(home, DERIVED))});')]

    def walk(self, home):
        """A loop over parts without anything of others in it."""
        lists = self.usable(home, "list")
        if home < 0 or not lists:
            return self.consumption(max(home, 0))
        component = self.component(home)
        head = f"for (const int64_t item : {self.pick(lists).name})"
        if self.chance(0.3):
            return [Node(head, [Node(f"{component}.take(item);")], tail="")]
        return [Node(head + " {", [Node("if (item % 5 == 4) continue;"), Node(f"{component}.take(item + 1);")])]
