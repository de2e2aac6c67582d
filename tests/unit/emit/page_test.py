"""The page of --emit=html and the picture of --emit=svg, as a browser would read them.

usage: page_test.py SPLIT_CHECK PROGRAM HEADER PRECOMPILED
"""
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

SPLIT_CHECK, PROGRAM, HEADER, PRECOMPILED = sys.argv[1:5]
VOID = {"meta", "br"}
SVG = "{http://www.w3.org/2000/svg}"


def emit(what):
    return subprocess.run([SPLIT_CHECK, PROGRAM, HEADER, PRECOMPILED, what], capture_output=True, check=True,
                          timeout=60).stdout.decode()


class Element:
    def __init__(self, tag, attributes):
        self.tag, self.attributes, self.children = tag, dict(attributes), []

    def find(self, **wanted):
        """All elements inside whose attributes have these words; tag= is the tag."""
        found = []
        for child in self.children:
            if isinstance(child, Element):
                if all(child.tag == v if k == "tag" else v in (child.attributes.get(k) or "").split()
                       for k, v in wanted.items()):
                    found.append(child)
                found += child.find(**wanted)
        return found

    def text(self, without=""):
        return "".join(c if isinstance(c, str) else c.text(without)
                       for c in self.children if isinstance(c, str) or c.attributes.get("class", "-") != without)


class Tree(html.parser.HTMLParser):
    """Strict: every tag must be closed in order."""

    def __init__(self, text):
        super().__init__()
        self.root = Element("", [])
        self.stack = [self.root]
        self.feed(text)
        assert len(self.stack) == 1, f"not closed: {[e.tag for e in self.stack]}"

    def handle_starttag(self, tag, attrs):
        element = Element(tag, attrs)
        self.stack[-1].children.append(element)
        if tag not in VOID:
            self.stack.append(element)

    def handle_endtag(self, tag):
        assert self.stack[-1].tag == tag, f"</{tag}> closes <{self.stack[-1].tag}>"
        self.stack.pop()

    def handle_data(self, data):
        self.stack[-1].children.append(data)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = emit("html")
        cls.root = Tree(cls.text).root
        cls.manifest = json.loads(emit("manifest"))
        cls.coverage = emit("coverage").splitlines()

    def row(self, line):
        (row,) = self.root.find(id=f"L{line}")
        return row

    def fragment(self, number):
        return self.manifest["fragments"][number]["name"]

    def test_source_is_shown_as_it_is(self):
        shown = [code.text(without="marks") for code in self.root.find(tag="td", **{"class": "code"})]
        self.assertEqual(shown, pathlib.Path(PROGRAM).read_text().splitlines())

    def test_nothing_of_the_program_is_markup(self):
        self.assertEqual(len(self.root.find(tag="script")), 1)
        self.assertEqual(self.text.count("<script"), 1)
        self.assertEqual(self.root.find(tag="b", id="x"), [])

    def test_needs_nothing_from_elsewhere(self):
        self.assertEqual(re.findall(r"https?:|@import|url\(|\ssrc=|<link", self.text), [])

    def test_names_are_unique_and_known(self):
        ids = [e.attributes["id"] for e in self.root.find() if "id" in e.attributes]
        self.assertEqual(len(ids), len(set(ids)))
        wanted = [e.attributes["aria-describedby"] for e in self.root.find() if "aria-describedby" in e.attributes]
        self.assertLessEqual(set(wanted), set(ids))
        links = [a.attributes["href"] for a in self.root.find(tag="a")]
        self.assertLessEqual({link.removeprefix("#") for link in links}, set(ids))

    def test_every_boundary_stands_at_its_line_with_its_facts(self):
        for boundary in self.manifest["boundaries"]:
            (tip,) = self.root.find(id=f"tip{boundary['id']}")
            marks = [m for m in self.row(boundary["line"]).find(**{"class": "mark"})
                     if m.attributes["aria-describedby"] == f"tip{boundary['id']}"]
            self.assertEqual(len(marks), 1, boundary["name"])
            self.assertEqual(marks[0].attributes["tabindex"], "0")
            way = f"{self.fragment(boundary['producer'])} → {', '.join(map(self.fragment, boundary['consumers']))}"
            self.assertIn(way, marks[0].text(without="tip"))
            if boundary["implicit"]:
                self.assertIn("sends the outcome", tip.text())
                continue
            for value in boundary["values"]:
                self.assertIn(value, marks[0].text())
            shown = ["drainable", "newest_able"] + ["callable"] * boundary["drainable"]["holds"]
            for key in shown:
                fact = boundary[key]
                said = f"{key.replace('_', '-')}: {'yes' if fact['holds'] else 'no'}" + (f", {fact['reason']}" if fact["reason"] else "")
                self.assertIn(said, tip.text())
            self.assertIn(f"held: {'yes' if boundary['held'] else 'no'}", tip.text())

    def test_lines_have_the_colour_of_their_fragment(self):
        names = {f["name"]: f["id"] for f in self.manifest["fragments"]}
        seen = set()
        for entry in self.coverage:
            line, what, _ = entry.split(": ", 2)
            if line in seen:
                continue  # the first statement of a line gives the colour
            seen.add(line)
            classes = self.row(line).attributes["class"].split()
            if what.startswith("owned by") and "," not in what:
                self.assertEqual(classes[0], "owned", entry)
                owner = what.removeprefix("owned by ")
                self.assertEqual(classes[1], f"f{names[owner]}", entry)
                self.assertIn(owner, [b.text() for b in self.row(line).find(**{"class": "badge"})])
            elif what.startswith("copied by"):
                self.assertEqual(classes, ["copied"], entry)
                self.assertIn("in " + what.removeprefix("copied by "), self.row(line).text())
            elif what.startswith("annotation"):
                self.assertEqual(classes, ["crossing"], entry)

    def test_every_fragment_is_in_the_legend_with_its_facts(self):
        (legend,) = self.root.find(**{"class": "legend"})
        for fragment, item in zip(self.manifest["fragments"], legend.find(tag="li"), strict=True):
            self.assertIn(fragment["name"], item.text())
            for key in ("replicable", "fusable"):
                self.assertIn(f"{key}: {'yes' if fragment[key]['holds'] else 'no'}", item.text())

    def test_both_themes(self):
        self.assertIn("prefers-color-scheme: dark", self.text)


class Picture(unittest.TestCase):
    """Texts are whole in the tooltips (title); what is drawn may be shortened."""

    @classmethod
    def setUpClass(cls):
        cls.root = xml.etree.ElementTree.fromstring(emit("svg"))
        cls.manifest = json.loads(emit("manifest"))
        cls.titles = [t.text for t in cls.root.iter(SVG + "title")]
        cls.texts = [t.text for t in cls.root.iter(SVG + "text")]

    def test_every_fragment_has_its_column_with_facts(self):
        for fragment in self.manifest["fragments"]:
            self.assertIn(fragment["name"], self.texts)
            (facts,) = [t for t in self.titles if t.startswith(fragment["name"] + "\n")]
            for key in ("replicable", "fusable"):
                self.assertIn(f"{key}: {'yes' if fragment[key]['holds'] else 'no'}", facts)

    def test_every_boundary_is_an_arrow_with_value_operation_and_facts(self):
        for boundary in self.manifest["boundaries"]:
            names = [self.manifest["fragments"][f]["name"] for f in [boundary["producer"], *boundary["consumers"]]]
            way = f"{names[0]} → {', '.join(names[1:])}"
            facts = [t for t in self.titles if way in t]
            if boundary["implicit"]:
                self.assertTrue(any("outcome of a condition" in t for t in facts), way)
                continue
            self.assertTrue(any(t.startswith(boundary["values"][0] + " (") and boundary["operation"] in t
                                and f"drainable: {'yes' if boundary['drainable']['holds'] else 'no'}" in t
                                for t in facts), way)

    def test_every_statement_stands_once_in_each_fragment_that_has_it(self):
        for entry in emit("coverage").splitlines():
            _, what, text = entry.split(": ", 2)
            begin = text.split("…")[0].split(" {")[0]
            if what.startswith("owned by") and not text.startswith(("if", "for", "while", "do", "switch")):
                self.assertEqual(sum((t or "").startswith(begin) for t in self.titles), 1, entry)

    def test_nothing_is_drawn_outside(self):
        width, height = float(self.root.get("width")), float(self.root.get("height"))
        for element in self.root.iter():
            for key, limit in (("x", width), ("x1", width), ("x2", width), ("cx", width), ("y", height)):
                self.assertTrue(0 <= float(element.get(key) or 0) <= limit, element.attrib)


unittest.main(argv=sys.argv[:1])
