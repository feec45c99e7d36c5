#!/usr/bin/env python3
"""Runs a subset of the Khronos OpenCL conformance tests from a built tree and writes conformance/report.md.

Usage: run.py CTS-BUILD-DIR [SUITE ...] [--report FILE] [--limit SECONDS]

Each suite first runs as one process. When that process crashes, or does not end in time, every sub-test that had not
ended runs in a process of its own, so that one of them can't hide the others. The platform is what the loader shows first: set
OCL_ICD_VENDORS. One line a suite goes to standard output, with the names of the failing sub-tests below it.
"""

import argparse
import datetime
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Suite:
    """`args` are given to every run; `tests` are the patterns of sub-tests ('' is all). Limits are in seconds."""

    name: str
    args: tuple = ()
    tests: tuple = ()
    limit: int = 900
    test_limit: int = 120


SUITES = [
    Suite("computeinfo", limit=60),
    Suite("basic", limit=1800, test_limit=600),
    Suite("api"),
    Suite("buffers"),
    Suite("events", limit=300),
    Suite("thread_dimensions", tests=("quick_",), test_limit=300),
    Suite("profiling"),
    Suite("compiler"),
    Suite("vectors"),
    Suite("atomics"),
    Suite("c11_atomics", limit=1800, test_limit=600),
    Suite("generic_address_space"),
    Suite("non_uniform_work_group", limit=1800, test_limit=600),
    # One allocation, a twentieth of the largest, once.
    Suite("allocations", args=("single", "1", "5%")),
]


@dataclass
class Outcome:
    """What came of one suite: sub-test -> 'pass', 'skip', or 'fail'; and why each failing one failed."""

    results: dict = field(default_factory=dict)
    reasons: dict = field(default_factory=dict)
    seconds: float = 0.0
    problem: str = ""

    def count(self, result):
        return sum(1 for found in self.results.values() if found == result)


def run(program, args, limit):
    """-> (results by sub-test, output, how it ended: '' or 'signal N', 'time limit'...)"""
    with tempfile.TemporaryDirectory(prefix="clotho-cts-") as folder:
        results_file = pathlib.Path(folder, "results.json")
        log_file = pathlib.Path(folder, "log")
        environment = dict(os.environ, CL_CONFORMANCE_RESULTS_FILENAME=str(results_file))
        end = ""
        with open(log_file, "wb") as log:
            # A session of its own, so that nothing the test started outlives it.
            process = subprocess.Popen(
                [str(program), *args], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                code = process.wait(timeout=limit)
                if code < 0:
                    end = f"signal {-code} ({signal.Signals(-code).name})"
            except subprocess.TimeoutExpired:
                end = f"no end within {limit} s"
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()
        output = log_file.read_text(errors="replace")
        results = {}
        try:
            results = json.loads(results_file.read_text(errors="replace"), strict=False)["results"]
        except (OSError, ValueError, KeyError):
            end = end or "ended without results"
        return results, output, end


def sub_tests(program, suite):
    """The names that `--list` prints, one to an indented line."""
    listing = subprocess.run([str(program), "--list"], stdin=subprocess.DEVNULL, capture_output=True,
                             text=True, errors="replace", timeout=60, check=False).stdout
    names = [line.strip() for line in listing.splitlines() if line.startswith(("\t", "  "))]
    names = [name for name in names if name and " " not in name]
    return [name for name in names if not suite.tests or name.startswith(suite.tests)]


def finished(output, names):
    """What a process that did not write its results said of the sub-tests that it ended: 'NAME passed' on a line."""
    words = {"passed": "pass", "FAILED": "fail", "skipped": "skip"}
    results = {}
    for said in output.splitlines():
        name, _, word = said.strip().rpartition(" ")
        if name in names and word in words:
            results[name] = words[word]
    return results


def reason(output, end):
    """The lines of a failing test's output that say most: its first errors, or else its last lines."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "ERROR" in line or "error:" in line.lower() or "mismatch" in line.lower()]
    chosen = errors[:3] or [line for line in lines if not line.startswith(("FAILED", "PASSED", "Saving results"))][-3:]
    return "; ".join([end] * bool(end) + [line[:240] for line in chosen]) or "no output"


def run_suite(folder, suite, limit):
    outcome = Outcome()
    program = folder / suite.name / f"test_{suite.name}"
    if not program.is_file():
        outcome.problem = f"{program} is not built"
        return outcome
    start = time.monotonic()
    try:
        names = sub_tests(program, suite)
    except subprocess.TimeoutExpired:
        outcome.problem = "--list does not end"
        return outcome
    chosen = tuple(names) if suite.tests else ()
    results, output, end = run(program, suite.args + chosen, limit or suite.limit)
    if end:
        outcome.problem = f"as one process: {end}; the sub-tests that were left ran one by one"
        results = finished(output, names)
    outcome.results = {name: results[name] for name in names if name in results}
    for name in names:
        if outcome.results.get(name) in ("pass", "skip"):
            continue
        # Once more on its own: for its result if there is none yet, and for the words it fails with.
        alone, output, end = run(program, suite.args + (name,), min(limit or suite.test_limit, suite.test_limit))
        if name not in outcome.results:
            outcome.results[name] = alone.get(name, "fail")
        if outcome.results[name] == "fail":
            passed = alone.get(name) == "pass" and not end
            outcome.reasons[name] = "fails only after others" if passed else reason(output, end)
    outcome.seconds = time.monotonic() - start
    return outcome


def device_name():
    """What the loader shows, in clinfo's words."""
    try:
        listing = subprocess.run(["clinfo", "-l"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                 errors="replace", timeout=60, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    return "; ".join(line.strip(" `-") for line in listing.splitlines() if line.strip())


def line(suite, outcome):
    return (f"{suite.name}: passed {outcome.count('pass')} failed {outcome.count('fail')} "
            f"skipped {outcome.count('skip')} seconds {outcome.seconds:.0f}")


def report(outcomes):
    text = ["# Khronos conformance tests, a subset", "",
            f"Written by `make conformance` on {datetime.date.today()}, on: {device_name()}.", "",
            "| suite | passed | failed | skipped | seconds |", "|---|---|---|---|---|"]
    for suite, outcome in outcomes:
        name = " ".join((suite.name, *suite.args, *(f"{pattern}*" for pattern in suite.tests)))
        text.append(f"| {name} | {outcome.count('pass')} | {outcome.count('fail')} | {outcome.count('skip')} "
                    f"| {outcome.seconds:.0f} |")
    for suite, outcome in outcomes:
        if not outcome.problem and not outcome.reasons:
            continue
        text += ["", f"## {suite.name}", ""]
        text += [outcome.problem + ".", ""] * bool(outcome.problem)
        text += [f"- `{name}`: {why}" for name, why in outcome.reasons.items()]
    return "\n".join(text) + "\n"


def main():
    # So that `finally` runs, and no test outlives this process.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    known = {suite.name: suite for suite in SUITES}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cts", type=pathlib.Path, help="a built OpenCL-CTS tree")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"among: {' '.join(known)} (default: all)")
    parser.add_argument("--report", type=pathlib.Path, default=pathlib.Path(__file__).with_name("report.md"))
    parser.add_argument("--limit", type=int, default=0, help="seconds for a suite, instead of its own limit")
    options = parser.parse_args()
    unknown = [name for name in options.suites if name not in known]
    if unknown:
        parser.error(f"unknown suites: {' '.join(unknown)}")
    folder = options.cts.resolve()
    if (folder / "test_conformance").is_dir():
        folder = folder / "test_conformance"

    outcomes = []
    for suite in [known[name] for name in options.suites] or SUITES:
        outcome = run_suite(folder, suite, options.limit)
        outcomes.append((suite, outcome))
        print(line(suite, outcome), flush=True)
        if outcome.problem:
            print(f"  ({outcome.problem})")
        for name, why in outcome.reasons.items():
            print(f"  failed: {name}: {why}", flush=True)
    options.report.write_text(report(outcomes))
    print(f"wrote {options.report}")
    clean = all(not outcome.count("fail") and outcome.results for _, outcome in outcomes)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
