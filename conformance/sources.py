#!/usr/bin/env python3
"""Builds OpenCL C sources here and on other platforms, and compares what compiles and how long that takes.

Usage: sources.py LIST.tsv CLOTHO=VENDORS [PEER=VENDORS ...] [--write] [--again NAME] [--only TEXT] [--limit SECONDS] [--rounds N]
       [--built TEXT]

The list names the sources, which are no part of this project: program, path and build options, with tabs between. Paths, in
options too, are relative to the list's folder. The first platform is Clotho. Each VENDORS is a folder with one .icd file. Each build is
a process of its own without a disk cache, see build_source.py for what is timed; the platforms take turns, source by source.
Outcomes are kept in LIST.json: what is there is not built again, but for `--again NAME` (a platform's name). `--limit` is in
seconds of processor time; `--rounds` builds several times, of which the shortest counts; `--only` takes the sources with that
text in program or path. `--write` brings SOURCES.md up to date; `--built` says what the library was built from, if that is not this
checkout.
"""

import argparse
import datetime
import json
import os
import pathlib
import resource
import signal
import statistics
import subprocess
import sys
from collections import Counter, defaultdict

HERE = pathlib.Path(__file__).resolve().parent
# Caches off: Clotho's, PoCL's; Intel's runtime has none unless its configuration asks for one.
COLD = {"CLOTHO_CACHE": "0", "POCL_KERNEL_CACHE": "0"}
# So many times the limit by the clock.
STILL = 20
# Between what an entry of the list is known by in the outcomes.
SEPARATOR = "\t"


def listed(file):
    """-> [(program, path, options)]"""
    lines = file.read_text().splitlines()
    entries = [tuple((line + "\t\t").split("\t")[:3]) for line in lines if line.strip()]
    repeated = [entry for entry, count in Counter(entries).items() if count > 1]
    if repeated:
        sys.exit(f"twice in the list: {repeated[0]}")
    return entries


def build(folder, vendors, entry, limit):
    """-> what build_source.py says, or {'error': why it said nothing}. `limit`: seconds of processor time."""
    _, path, options = entry
    process = subprocess.Popen(
        [sys.executable, HERE / "build_source.py", path, options], cwd=folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        env=dict(os.environ, OCL_ICD_VENDORS=str(vendors), **COLD),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
    late = {"error": f"no end within {limit} s", "late": True}
    try:
        # On a busy machine the clock runs faster. What waits for nothing ends as well.
        said, errors = process.communicate(timeout=STILL * limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return late
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return late
    if process.returncode < 0:
        return {"error": f"crash: {signal.Signals(-process.returncode).name}"}
    try:
        # A platform may print as well.
        return json.loads(said.decode(errors="replace").splitlines()[-1])
    except (ValueError, IndexError):
        return {"error": f"ended with {process.returncode}: {errors.decode(errors='replace')[-300:]}"}


def shortest(outcomes):
    good = [outcome for outcome in outcomes if "error" not in outcome]
    if not good:
        return outcomes[-1]
    return good[0] | {what: min(outcome[what] for outcome in good) for what in ("build", "wall", "cpu")}


def run(entries, platforms, options, results):
    folder = options.list.parent
    for number, entry in enumerate(entries):
        kept = results.setdefault(SEPARATOR.join(entry), {})
        for name, vendors in platforms.items():
            if name in kept and name not in options.again:
                continue
            rounds = [build(folder, vendors, entry, options.limit)]
            while len(rounds) < options.rounds and "error" not in rounds[-1]:
                rounds.append(build(folder, vendors, entry, options.limit))
            kept[name] = outcome = shortest(rounds)
            told = outcome.get("error") or f"{outcome['wall']:.2f} s, {len(outcome['kernels'])} kernels"
            print(f"{number + 1}/{len(entries)} {' '.join(entry[:2])} {name}: {told}", flush=True)
            save(options.list, results)


def outcomes(file):
    return file.with_suffix(".json")


def save(file, results):
    part = file.with_suffix(".json.part")
    part.write_text(json.dumps(results, indent=0))
    part.rename(outcomes(file))


def compiles(kept, name):
    return "error" not in kept.get(name, {"error": "not run"})


def table(titles, rows):
    lines = [f"| {' | '.join(titles)} |", f"|{'---|' * len(titles)}"]
    return lines + [f"| {' | '.join(map(str, row))} |" for row in rows]


def programs(entries, results, names):
    """The rows of the first table, with a sum."""
    rows = defaultdict(Counter)
    for entry in entries:
        kept = results[SEPARATOR.join(entry)]
        for row in (rows[entry[0]], rows[None]):
            row["sources"] += 1
            row["kernels"] += len(kept[names[0]].get("kernels", ()))
            row.update(("run", name) for name in names if name in kept)
            row.update(name for name in names if compiles(kept, name))
    def cells(row):
        ran = {name: "" if row["run", name] == row["sources"] else f" of {row['run', name]}" for name in names}
        return [row["sources"], row["kernels"], *(f"{row[name]}{ran[name]}" for name in names)]
    total = rows.pop(None)
    return [[program, *cells(rows[program])] for program in sorted(rows, key=str.lower)] + [["**all**", *cells(total)]]


def seconds(value):
    return f"{value:.2f}"


def times(shared, names, platform):
    """Median and longest build, by the clock and in processor time, of sources that all platforms build."""
    rows = []
    for name in names:
        columns = [sorted(kept[name][what] for kept in shared.values()) for what in ("wall", "cpu")]
        cells = [seconds(value) for column in columns for value in (statistics.median(column), column[-1])]
        rows.append([name, platform[name], *cells])
    return rows


def report(entries, results, names, built):
    kept = {entry: results[SEPARATOR.join(entry)] for entry in entries}
    shared = {entry: found for entry, found in kept.items() if all(compiles(found, name) for name in names)}
    platform = {name: next((found[name]["platform"] for found in kept.values() if "platform" in found.get(name, ())), "?")
                for name in names}
    here, peers = names[0], names[1:]
    lines = [
        "# Real sources",
        "",
        "Sources of well-known programs, each built through the system's ICD loader in a process of its own, with cold caches "
        "(`sources.py`; the sources are not kept here). Timed is what passes from clCreateProgramWithSource to the machine code of "
        "all kernels: `build_source.py` says how each platform is asked for it, and what is launched for kernels with images.",
        "",
        f"Run on {datetime.date.today()} with {here} at {built}, on {processor()}, at a load average of "
        f"{os.getloadavg()[2]:.0f}. On a busy machine the clock runs ahead of the processor time, which counts all threads.",
        "",
        *table(["program", "sources", "kernels", *names], programs(entries, results, names)),
        "",
        f"Kernels are counted in the sources that compile with {here}. \"Of\": so many were tried on that platform.",
        "",
        f"## What a peer compiles and {here} does not",
        "",
    ]
    missed = [(entry, found) for entry, found in kept.items()
              if not compiles(found, here) and any(compiles(found, name) for name in peers)]
    lines += [f"- {entry[0]} `{entry[1]}` ({', '.join(name for name in peers if compiles(found, name))}): "
              f"{found[here]['error']}" for entry, found in missed] or ["None."]
    late = {name: sum(found.get(name, {}).get("late", False) for found in kept.values()) for name in names}
    lines += [
        "",
        "## Time",
        "",
        f"Seconds, for the {len(shared)} sources that all of them compile"
        + "".join(f"; {name} did not end in time with {count} more" for name, count in late.items() if count) + ".",
        "",
        *table(["", "platform", "median", "longest", "median of processor time", "longest"], times(shared, names, platform)),
        "",
        f"The longest builds with {here}, of all sources; processor time in brackets:",
        "",
        *table(["source", "kernels", *names], longest(kept, names)),
    ]
    return "\n".join(lines) + "\n"


def longest(kept, names, count=10):
    built = [(entry, found) for entry, found in kept.items() if compiles(found, names[0])]
    built.sort(key=lambda pair: -pair[1][names[0]]["cpu"])
    def told(outcome):
        if not outcome:
            return "not run"
        if "error" in outcome:
            return outcome["error"].split(":")[0]
        return f"{seconds(outcome['wall'])} ({seconds(outcome['cpu'])})"
    return [[f"{entry[0]} `{pathlib.PurePath(entry[1]).name}`", len(found[names[0]]["kernels"]),
             *(told(found.get(name)) for name in names)] for entry, found in built[:count]]


def commit():
    found = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "an unknown commit"


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    name = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "an unknown processor")
    return f"{name}, {len(os.sched_getaffinity(0))} threads"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("platforms", nargs="+", metavar="NAME=VENDORS")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--again", action="append", default=[], metavar="NAME")
    parser.add_argument("--only", default="")
    parser.add_argument("--built", default=commit())
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    platforms = dict(pair.split("=", 1) for pair in options.platforms)
    entries = listed(options.list)
    kept = outcomes(options.list)
    results = json.loads(kept.read_text()) if kept.exists() else {}
    chosen = [entry for entry in entries if options.only in " ".join(entry[:2])]
    run(chosen, platforms, options, results)
    told = report([entry for entry in entries if next(iter(platforms)) in results.get(SEPARATOR.join(entry), {})],
                  results, list(platforms), options.built)
    if options.write:
        (HERE / "SOURCES.md").write_text(told)
    else:
        print(told, end="")


if __name__ == "__main__":
    main()
