"""What benches print: a row for each thing measured, with its peer and its bar; the same as JSON."""
import json
import pathlib
import statistics
import time


def median_of(values):
    """Of all turns: their median, least and most."""
    return statistics.median(values), min(values), max(values)


def timed_us(call, calls):
    """The median of so many calls, each with its number."""
    seconds = []
    for i in range(calls):
        begin = time.perf_counter()
        call(i)
        seconds.append(time.perf_counter() - begin)
    return 1e6 * statistics.median(seconds)


class Table:
    def __init__(self, digits):
        """`digits` behind the point of numbers below 10."""
        self.rows, self.digits = [], digits
        print("| what | ours | peer | ratio | bar | met |\n|---|---|---|---|---|---|")

    def shown(self, values):
        digits = 0 if values[0] >= 1000 else 1 if values[0] >= 10 else self.digits
        return "{:,.{d}f} ({:,.{d}f} to {:,.{d}f})".format(*values, d=digits)

    def row(self, what, unit, ours, theirs, peer, bar, ratio=None, met=None):
        """`ours`, `theirs`: median, least and most. `ratio`: what is better the larger it is, unless the bar is a time."""
        self.rows.append({"what": what, "unit": unit, "ours": ours, "peer": peer, "theirs": theirs, "ratio": ratio,
                          "bar": bar, "met": met})
        beside = f"{peer} {self.shown(theirs)} {unit}" if theirs else "–"
        print("| " + " | ".join([what, f"{self.shown(ours)} {unit}", beside, f"{ratio:.2f}" if ratio else "–", bar,
                                 {True: "yes", False: "**no**", None: "–"}[met]]) + " |", flush=True)

    def write(self, path):
        pathlib.Path(path).write_text(json.dumps(self.rows, indent=1, ensure_ascii=False) + "\n")
