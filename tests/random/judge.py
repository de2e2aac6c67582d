"""Programs → what fdgc says about each, and whether its fragments do what it does.

Many programs are parsed, compiled and run together, since that is what takes time; one that breaks a whole batch is
found by its lines and left out.
"""
import dataclasses
import json
import pathlib
import re
import subprocess

from program import PRELUDE


@dataclasses.dataclass
class Outcome:
    status: str  # uncompilable, refused, accepted, broken, generated, equal, differs, skipped
    text: str = ""
    messages: tuple = ()

    def fault(self, program):
        """Why this must not be; None if it may."""
        if program.kind == "illegal" and self.status != "broken":
            said = f"{self.status}: {' '.join(self.messages)} {self.text}"
            return None if set(program.expected) & set(self.messages) else f"{said}, not {' or '.join(program.expected)}"
        if self.status in ("broken", "generated", "differs") or (program.kind == "legal" and self.status != "equal"):
            return f"{self.status}: {' '.join(self.messages)} {self.text}"
        return None


class Judge:
    def __init__(self, build, folder):
        self.bin = pathlib.Path(build).resolve() / "bin"
        self.folder = pathlib.Path(folder)
        self.toolchain = json.loads((pathlib.Path(build) / "share/fdg/toolchain.json").read_text())
        optional = pathlib.Path(self.toolchain["optional_library"])
        self.optional = [optional] if optional.exists() else []
        # Unoptimised: the optimiser is not what is tested. The precompiled header fits all the same.
        self.compile = [self.toolchain["clang"], *self.toolchain["flags"], "-O0", "-Xclang", "-fno-validate-pch",
                        "-include-pch", self.toolchain["precompiled"], "-Wall", "-Wextra", "-Werror",
                        "-ferror-limit=0"]

    def judge(self, programs, tag, build=True):
        """Outcomes by name. Without `build` accepted programs are not run."""
        outcomes = {}
        left = self.compilable(list(programs), tag, outcomes)
        while left:
            source = self.folder / f"{tag}.cpp"
            begins = write(source, left)
            bad = self.split(source, begins, left, outcomes)
            if not bad and build:
                bad = self.build(source, begins, left, outcomes)
            if not bad:
                break
            left = [program for program in left if program.name not in bad]
        return outcomes

    def compilable(self, programs, tag, outcomes):
        """Changed programs need not be C++ any more, and may be left without a warning."""
        unsure = [program for program in programs if program.kind == "wild" or program.name.startswith("t")]
        source = self.folder / f"{tag}.changed.cpp"
        begins = write(source, unsure)
        done = run([*self.compile, "-fsyntax-only", source])
        bad = blame(done.stderr, source, begins, "uncompilable", outcomes) if done.returncode != 0 else []
        return [program for program in programs if program.name not in bad]

    def split(self, source, begins, programs, outcomes):
        """Fills in what fdgc says. The names of programs that are no C++ are left out of the next try."""
        done = run([self.bin / "random_split", self.bin / "fdgc", source, source.with_suffix(".out.cpp"), "-Wall", "-Wextra",
                    "-Werror"])
        if done.returncode == 1:
            return blame(done.stderr, source, begins, "uncompilable", outcomes)
        if done.returncode != 0:
            raise RuntimeError(f"random_split: exit code {done.returncode}: {done.stderr}")
        for line in done.stdout.splitlines():
            name, status, *rest = line.split(" ")
            broken = status == "broken"
            outcomes[name.split("::")[0]] = Outcome(status, " ".join(rest) if broken else "", () if broken else tuple(rest))
        return []

    def build(self, source, begins, programs, outcomes):
        accepted = {program.name for program in programs if outcomes[program.name].status == "accepted"}
        if not accepted:
            return []
        library = source.with_suffix(".so")
        done = run([*self.compile, source.with_suffix(".out.cpp"), "-shared", "-o", library,
                    *self.toolchain["link"], *self.optional])
        if done.returncode != 0:
            return blame(done.stderr, source, begins, "generated", outcomes)
        done = run([self.bin / "random_run", library])
        if done.returncode != 0:
            raise RuntimeError(f"random_run: exit code {done.returncode}: {done.stderr}")
        for line in done.stdout.splitlines():
            name, status, *rest = line.split(" ")
            name = name.split("::")[0]
            outcomes[name] = Outcome(status, " ".join(rest), outcomes[name].messages)
        library.unlink()
        return []

    def over_mpi(self, text, name):
        """A program of its own as a plan, every fragment on a rank of its own. None: equal."""
        source = self.folder / f"{name}.cpp"
        source.write_text(text)
        plan = source.with_suffix(".plan")
        done = run([self.bin / "fdgc", source, "-o", plan])
        if done.returncode != 0:
            return f"fdgc: exit code {done.returncode}: {done.stderr}"
        manifest = json.loads(run([self.bin / "fdgc", source, "--emit=manifest"]).stdout)
        groups = [f'  g{f["id"]}: {{fragments: ["{f["name"]}"], replicas: 1}}' for f in manifest["fragments"]]
        policy = source.with_suffix(".yaml")
        policy.write_text("\n".join(["name: apart", "groups:", *groups, ""]))
        done = run([self.bin / "fdg-run", "--verify", "1000", "--window", "1", "--policy", policy, plan],
                   cwd=self.folder)
        return None if done.returncode == 0 else done.stdout + done.stderr


def run(command, **options):
    return subprocess.run([str(part) for part in command], text=True, capture_output=True, check=False, timeout=1800,
                          errors="replace", **options)


def write(source, programs):
    """The file of all programs; the line at which each begins."""
    text, begins = PRELUDE + "\n", []
    for program in programs:
        begins.append((text.count("\n") + 1, program.name))
        text += program.text() + "\n"
    source.write_text(text)
    return begins


def blame(errors, source, begins, status, outcomes):
    """The programs in whose lines a compiler found errors."""
    bad = set()
    for line, text in re.findall(rf"{re.escape(source.name)}:(\d+):\d+: (?:fatal )?error: (.*)", errors):
        name = max((begin, name) for begin, name in begins if begin <= int(line))[1]
        if name not in bad:
            outcomes[name] = Outcome(status, text)
        bad.add(name)
    if not bad:  # in a template, for which one of them asks
        for line in re.findall(rf"{re.escape(source.name)}:(\d+):\d+: note: ", errors):
            bad.add(max((begin, name) for begin, name in begins if begin <= int(line))[1])
        outcomes.update({name: Outcome(status, re.findall("error: .*", errors)[0]) for name in bad})
    if not bad:
        raise RuntimeError(f"{source}: {errors}")
    return bad
