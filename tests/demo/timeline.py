#!/usr/bin/env python3
"""Draws pieces of a timeline that CLOTHO_TRACE wrote, as an SVG: a row for each thread and queue, a colour for each category.

    CLOTHO_CACHE=0 CLOTHO_TRACE=trace.json make demo
    tests/demo/timeline.py trace.json picture.svg TITLE=FROM..TO ...

A piece goes from one event to another, each named as `name` or `name:number` (the first is 1; -1 is the last), and has an axis
of its own in milliseconds. What is too narrow to be seen is as wide as a quarter of a pixel; spans that stand inside of others are
below them, as in Perfetto.
"""

import html
import json
import sys

WIDTH, LABELS, RIGHT = 1000, 132, 14
BAR, GAP, AXIS, TITLE = 17, 7, 36, 26
FONT = "font-family='DejaVu Sans,Verdana,sans-serif'"
# Okabe and Ito's colours, lightened, which people see apart who do not see all colours: two shades for each category.
CATEGORIES = {
    "build": ("builds: stages, and LLVM for each kernel", ("#f2b84b", "#e09a1f")),
    "api": ("calls of the API", ("#c9c9c9", "#b3b3b3")),
    "command": ("commands, by queue", ("#3fb892", "#1f9873")),
    "chunk": ("runs of work-groups, and copies", ("#8ec9f0", "#5aa9dd")),
}


def read(path):
    """The events; a process that was killed leaves the bracket open."""
    text = open(path, encoding="utf-8").read().rstrip().rstrip(",")
    return json.loads(text if text.endswith("]") else text + "]")


def find(spans, name):
    """A span by `name` or `name:number`, in the order of their beginnings; commands come before other categories."""
    name, _, number = name.partition(":")
    found = [s for s in spans if s["name"] == name]
    commands = [s for s in found if s["cat"] == "command"]
    found = sorted(commands or found, key=lambda s: s["ts"])
    if not found:
        sys.exit(f"no event '{name}'")
    number = int(number or 1)
    return found[number - 1 if number > 0 else number]


def depths(spans):
    """Each span with how many others it stands in."""
    open_until = []
    for span in sorted(spans, key=lambda s: (s["ts"], -s["dur"])):
        while open_until and open_until[-1] <= span["ts"]:
            open_until.pop()
        yield span, len(open_until)
        open_until.append(span["ts"] + span["dur"])


def step(length):
    """A round distance between marks of an axis of this length, for about ten of them."""
    power = 10.0
    while power > length:
        power /= 10
    return next(power * n for n in (0.1, 0.2, 0.5, 1, 2, 5, 10) if length / (power * n) <= 12)


class Picture:
    def __init__(self):
        self.parts, self.height = [], 0

    def text(self, x, y, text, size=11, anchor="start", colour="#222", weight="normal"):
        self.parts.append(
            f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' text-anchor='{anchor}' fill='{colour}' font-weight='{weight}'>"
            f"{html.escape(text)}</text>"
        )

    def box(self, x, y, width, height, colour, title=""):
        title = f"<title>{html.escape(title)}</title>" if title else ""
        self.parts.append(f"<rect x='{x:.1f}' y='{y:.1f}' width='{width:.2f}' height='{height}' fill='{colour}'>{title}</rect>")

    def line(self, x1, y1, x2, y2, colour):
        self.parts.append(f"<path d='M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}' stroke='{colour}'/>")

    def legend(self):
        x, y = LABELS, 18
        for label, (colour, _) in CATEGORIES.values():
            self.box(x, y - 10, 14, 12, colour)
            self.text(x + 19, y, label)
            x += 40 + 6.4 * len(label)
        self.height = 28

    def piece(self, title, rows, begin, end):
        """`rows`: names and spans, in order. `begin` and `end` in microseconds."""
        scale = (WIDTH - LABELS - RIGHT) / (end - begin)
        place = lambda ts: LABELS + (ts - begin) * scale
        top = self.height + TITLE
        self.text(LABELS, top - 8, title, 13, weight="bold")
        y, layout = top + 4, []
        for name, spans in rows:
            placed = list(depths(spans))
            layout.append((name, placed, y))
            y += (1 + max(depth for _, depth in placed)) * BAR + GAP
        marks = step((end - begin) / 1000)
        for n in range(int((end - begin) / 1000 / marks) + 1):
            x = place(begin + 1000 * n * marks)
            self.line(x, top, x, y, "#e4e4e4")
            self.text(x, y + 13, f"{n * marks:g}", anchor="middle", colour="#555")
        self.text((LABELS + WIDTH - RIGHT) / 2, y + 28, "milliseconds from the first event of the piece", anchor="middle", colour="#555")
        for name, placed, row in layout:
            self.text(LABELS - 8, row + 12, name, anchor="end")
            self.line(8, row - GAP / 2, WIDTH - RIGHT, row - GAP / 2, "#eee")
            for number, (span, depth) in enumerate(placed):
                self.span(span, place, number % 2, row + depth * BAR)
        self.height = y + AXIS

    def span(self, span, place, shade, y):
        left = max(place(span["ts"]), LABELS)
        right = min(place(span["ts"] + span["dur"]), WIDTH - RIGHT)
        colour = CATEGORIES[span["cat"]][1][shade]
        what = [span["name"]] + [f"{k} {v}" for k, v in span["args"].items() if k in ("kernel", "global", "local", "groups")]
        self.box(left, y, max(right - left, 0.25), BAR - 2, colour, "" if right - left < 3 else f"{', '.join(what)}: {span['dur'] / 1000:.3f} ms")
        for label in (f"{span['name']} {span['args'].get('kernel', '')}".strip(), span["name"]):
            if right - left > 5.7 * len(label) + 5:
                return self.text((left + right) / 2, y + 11.5, label, 10, "middle", "#111")

    def svg(self):
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {self.height:.0f}' width='{WIDTH}' {FONT}>"
            f"<rect width='100%' height='100%' fill='white'/>" + "\n".join(self.parts) + "</svg>\n"
        )


def main(path, out, *pieces):
    events = read(path)
    names = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M"}
    spans = [e for e in events if e["ph"] == "X"]
    # Queues first, then threads in the order in which they begin to do something.
    order = sorted(names, key=lambda tid: (not names[tid].startswith("queue"), min(s["ts"] for s in spans if s["tid"] == tid)))
    picture = Picture()
    picture.legend()
    for piece in pieces:
        title, _, ends = piece.partition("=")
        first, _, last = ends.partition("..")
        begin, end = find(spans, first)["ts"], find(spans, last)
        end = end["ts"] + end["dur"]
        margin = (end - begin) / 100
        begin, end = begin - margin, end + margin
        seen = [s for s in spans if s["ts"] < end and s["ts"] + s["dur"] > begin]
        rows = [(names[tid], [s for s in seen if s["tid"] == tid]) for tid in order]
        picture.piece(title, [row for row in rows if row[1]], begin, end)
    with open(out, "w", encoding="utf-8") as file:
        file.write(picture.svg())


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
