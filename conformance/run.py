#!/usr/bin/env python3
"""Runs suites of the Khronos OpenCL conformance tests from a built tree, and brings conformance/report.md up to date.

Usage: run.py CTS-BUILD-DIR [SUITE ...] [--report FILE] [--limit SECONDS] [--tests NAME,..]

Each suite first runs as one process. When that process crashes, or does not end in time, every sub-test that had not
ended runs in a process of its own, so that one of them can't hide the others. The platform is what the loader shows first: set
OCL_ICD_VENDORS. One line a suite goes to standard output, with the names of the failing sub-tests below it.

The report keeps what it says of suites that were not run this time: each row has the commit and the day of its run. A `+`
behind the commit says that the checkout had changes beyond it.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Suite:
    """`args` are given to every run, `last` too, behind the names of sub-tests; `tests` are the beginnings of the sub-tests' names (none: all). Limits are in seconds of
    processor time."""

    name: str
    args: tuple = ()
    last: tuple = ()
    tests: tuple = ()
    limit: int = 900
    test_limit: int = 120
    path: str = ""

    def program(self):
        """The program, below the folder of the tests."""
        return self.path or f"{self.name}/test_{self.name}"

    def command(self, only=()):
        """How it is run, for the report."""
        tests = sorted(only) or [f"{start}*" for start in self.tests]
        return " ".join((self.program().rpartition("/")[2], *self.args, *tests, *self.last))


def extension(name, path="", **others):
    return Suite(name, path=f"extensions/{path or name}/test_{name}", **others)


def images(kind, folder, program, *args, limit=1800):
    return Suite(f"images/{folder}{kind}", args, path=f"images/{folder}/test_{program}", limit=limit, test_limit=900)


SUITES = [
    # OpenCL C and its library.
    Suite("compiler"),
    Suite("basic", limit=1800, test_limit=600),
    Suite("commonfns"),
    Suite("geometrics"),
    Suite("relationals"),
    # All but the long forms of what quick_ has.
    Suite("integer_ops", tests=("integer_", "quick_", "extended_", "popcount", "unary_", "vector_scalar"), limit=3600,
          test_limit=600),
    Suite("vectors"),
    Suite("select", args=("-w",), limit=1800, test_limit=600),
    Suite("conversions", args=("-w",), limit=5400, test_limit=5400),
    Suite("contractions", limit=1800, test_limit=600),
    Suite("math_brute_force", args=("-w",), path="math_brute_force/test_bruteforce", limit=7200, test_limit=900),
    Suite("half", args=("-w",), limit=1800, test_limit=600),
    Suite("printf"),
    Suite("atomics"),
    # Its short form: a tenth of the rounds.
    Suite("c11_atomics", last=("-internalIterations", "1000"), limit=3600, test_limit=900),
    Suite("generic_address_space"),
    Suite("workgroups", limit=1800, test_limit=600),
    Suite("non_uniform_work_group", limit=1800, test_limit=600),
    Suite("subgroups", limit=1800, test_limit=900),
    Suite("thread_dimensions", tests=("quick_",), test_limit=300),
    # The runtime.
    Suite("api"),
    Suite("buffers"),
    Suite("events", limit=300),
    # One allocation, then several, of a twentieth of the largest, once.
    Suite("allocations/single", args=("single", "1", "5%"), path="allocations/test_allocations"),
    Suite("allocations/multiple", args=("multiple", "1", "5%"), path="allocations/test_allocations"),
    Suite("profiling"),
    Suite("multiple_device_context", path="multiple_device_context/test_multiples"),
    Suite("mem_host_flags"),
    Suite("device_partition"),
    Suite("device_timer"),
    Suite("computeinfo", limit=60),
    Suite("SVM", path="SVM/test_svm"),
    Suite("pipes", limit=1800, test_limit=600),
    Suite("device_execution", limit=1800, test_limit=600),
    extension("cl_khr_command_buffer"),
    extension("cl_khr_mutable_dispatch", "cl_khr_command_buffer/cl_khr_command_buffer_mutable_dispatch"),
    extension("cl_khr_semaphore"),
    extension("cl_khr_kernel_clock"),
    # Images.
    images("", "clGetInfo", "cl_get_info", "small_images"),
    images("", "kernel_image_methods", "kernel_image_methods", "small_images"),
    images("", "clCopyImage", "cl_copy_images", "small_images"),
    images("/pitches", "clCopyImage", "cl_copy_images", "small_images", "use_pitches"),
    images("", "clReadWriteImage", "cl_read_write_images", "small_images"),
    images("/pitches", "clReadWriteImage", "cl_read_write_images", "small_images", "use_pitches"),
    images("", "clFillImage", "cl_fill_images", "small_images"),
    images("/pitches", "clFillImage", "cl_fill_images", "small_images", "use_pitches"),
    images("", "samplerlessReads", "samplerless_reads", "small_images"),
    images("/pitches", "samplerlessReads", "samplerless_reads", "small_images", "use_pitches"),
    images("/nearest", "kernel_read_write", "image_streams", "small_images", "CL_FILTER_NEAREST", limit=5400),
    images("/nearest/pitches", "kernel_read_write", "image_streams", "small_images", "use_pitches",
           "CL_FILTER_NEAREST", limit=5400),
    images("/linear", "kernel_read_write", "image_streams", "small_images", "CL_FILTER_LINEAR", limit=5400),
    images("/linear/pitches", "kernel_read_write", "image_streams", "small_images", "use_pitches",
           "CL_FILTER_LINEAR", limit=5400),
]


# Sub-tests that fail because they ask for what the specification does not: (suite, sub-test) -> how that is seen.
AGAINST_THE_SPECIFICATION = {
    ("compiler", "compiler_defines_for_extensions"):
        "the test's list of Khronos extensions is older than the registry's: xml/cl.xml of OpenCL-Docs has "
        "cl_khr_async_work_group_copy_fence and cl_khr_work_group_uniform_arithmetic, 1.0.0, both ratified",
    ("cl_khr_semaphore", "semaphores_negative_wait_invalid_command_queue"):
        "the test signals a semaphore on a queue of another context and wants CL_SUCCESS, where the specification says "
        "CL_INVALID_CONTEXT (\"if the context associated with command_queue and any of the semaphore objects are not the same\")",
}


@dataclass
class Outcome:
    """What came of one suite: sub-test -> 'pass', 'skip', or 'fail'; and why each one failed or was skipped."""

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
                end = watch(process, limit)
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


# A process that uses no processor for so many seconds waits for something that does not come.
STILL = 120


def watch(process, limit):
    """Waits for the end, for `limit` seconds of processor time at most: others may use the machine. -> as `run`'s last"""
    used, moved = 0.0, time.monotonic()
    while True:
        try:
            code = process.wait(timeout=1)
            return f"signal {-code} ({signal.Signals(-code).name})" if code < 0 else ""
        except subprocess.TimeoutExpired:
            pass
        now = processor_seconds(process.pid)
        if now > limit:
            return f"no end within {limit} s of processor time"
        if now != used:
            used, moved = now, time.monotonic()
        elif time.monotonic() - moved > STILL:
            return f"stands still after {used:.0f} s of processor time"


def processor_seconds(pid):
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


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


def said_of(output, names):
    """Sub-test -> the lines from 'NAME...', with which it begins, to the next of those."""
    chapters, current = {}, []
    for said in output.splitlines():
        said = said.strip()
        if said.endswith("...") and said[:-3] in names:
            current = chapters.setdefault(said[:-3], [])
        elif said:
            current.append(said)
    return chapters


def failure(output, end):
    """The lines of a failing test's output that say most: its first errors, or else its last lines."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "ERROR" in line or "error:" in line.lower() or "mismatch" in line.lower()]
    chosen = errors[:3] or [line for line in lines if not line.startswith(("FAILED", "PASSED", "Saving results"))][-3:]
    return "; ".join([end] * bool(end) + [line[:240] for line in chosen]) or "no output"


def skip(name, lines):
    """What a skipped test says of why: the last line that speaks of what is not there, or else its last line."""
    lines = [line.removeprefix(f"{name} ") for line in lines if line != f"{name} skipped"]
    lines = [line for line in lines if not re.match(r"(PASSED|FAILED|SKIPPED|Saving results|test not supported)\b", line)]
    telling = re.compile(r"support|skip|requires?|not |n't|no ", re.IGNORECASE)
    chosen = [line for line in lines if telling.search(line)] or lines or ["says nothing"]
    return chosen[-1][:160]


def run_suite(folder, suite, limit, only):
    outcome = Outcome()
    program = folder / suite.program()
    if not program.is_file():
        outcome.problem = f"{program} is not built"
        return outcome
    start = used()
    try:
        names = sub_tests(program, suite)
    except subprocess.TimeoutExpired:
        outcome.problem = "--list does not end"
        return outcome
    names = [name for name in names if not only or name in only]
    chosen = tuple(names) if suite.tests or only else ()
    results, output, end = run(program, suite.args + chosen + suite.last, limit or suite.limit)
    if end:
        outcome.problem = f"as one process: {end}; the sub-tests that were left ran one by one"
        results = finished(output, names)
    outcome.results = {name: results[name] for name in names if name in results}
    said = said_of(output, set(names))
    for name in names:
        if outcome.results.get(name) == "pass":
            continue
        if outcome.results.get(name) != "skip":
            # Once more on its own: for its result if there is none yet, and for the words it fails with.
            alone, output, end = run(program, suite.args + (name,) + suite.last, min(limit or suite.test_limit, suite.test_limit))
            said |= said_of(output, {name})
            if name not in outcome.results:
                outcome.results[name] = alone.get(name, "fail")
            if outcome.results[name] == "fail":
                passed = alone.get(name) == "pass" and not end
                outcome.reasons[name] = "fails only after others" if passed else failure(output, end)
        if outcome.results[name] == "skip":
            outcome.reasons[name] = skip(name, said.get(name, []))
    outcome.seconds = used() - start
    return outcome


def used():
    """Processor seconds of the processes that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def device_name():
    """What the loader shows, in clinfo's words."""
    try:
        listing = subprocess.run(["clinfo", "-l"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                 errors="replace", timeout=60, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    return "; ".join(line.strip(" `-") for line in listing.splitlines() if line.strip())


def commit():
    """The commit of the checkout that this file is in, with a + if there is more in it."""
    def git(*args):
        found = subprocess.run(["git", *args], cwd=pathlib.Path(__file__).parent, stdin=subprocess.DEVNULL,
                               capture_output=True, text=True, check=False)
        return found.stdout.strip()
    return git("rev-parse", "--short", "HEAD") + "+" * bool(git("status", "--porcelain", "--", "../src", "../Cargo.lock"))


def line(suite, outcome):
    return (f"{suite.name}: passed {outcome.count('pass')} failed {outcome.count('fail')} "
            f"skipped {outcome.count('skip')}, {outcome.seconds:.0f} s of processor time")


def row(suite, outcome, only, built):
    cells = [suite.name, f"`{suite.command(only)}`", *(str(outcome.count(word)) for word in ("pass", "fail", "skip")),
             f"{outcome.seconds:.0f}", built, str(datetime.date.today())]
    return f"| {' | '.join(cells)} |"


def section(suite, outcome):
    """What there is to say of a suite: '' if all of it passed."""
    def reasons(word):
        return {name: why for name, why in outcome.reasons.items() if outcome.results[name] == word}
    text = [outcome.problem + ".", ""] * bool(outcome.problem)
    for name, why in reasons("fail").items():
        note = AGAINST_THE_SPECIFICATION.get((suite.name, name))
        text.append(f"- `{name}` fails: {why}" + f" **Not ours:** {note}." * bool(note))
    by_reason = {}
    for name, why in reasons("skip").items():
        by_reason.setdefault(why, []).append(f"`{name}`")
    text += [f"- skipped: {', '.join(names)}: {why}" for why, names in by_reason.items()]
    return "\n".join([f"## {suite.name}", "", *text]) + "\n" if text else ""


HEAD = ["| suite | run as | passed | failed | skipped | CPU s | commit | date |", "|---|---|---|---|---|---|---|---|"]


def earlier(text):
    """A report's -> rows by suite, sections by suite."""
    rows = {found[1]: found[0] for found in re.finditer(r"^\| ([^|]+?) \| `.*\|$", text, re.MULTILINE)}
    sections = {part.partition("\n")[0]: f"## {part.rstrip()}\n" for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]}
    return rows, sections


def report(rows, sections):
    text = ["# Khronos conformance tests", "",
            f"Written by `make conformance`, the last time on: {device_name()}.",
            "`-w`, `quick_` and `small_images` are the suites' own short forms.", "", *HEAD]
    text += [rows[suite.name] for suite in SUITES if suite.name in rows]
    return "\n".join(text) + "\n" + "".join("\n" + sections[suite.name] for suite in SUITES if suite.name in sections)


def main():
    # So that `finally` runs, and no test outlives this process.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    known = {suite.name: suite for suite in SUITES}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cts", type=pathlib.Path, help="a built OpenCL-CTS tree")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"among: {', '.join(known)} (default: all)")
    parser.add_argument("--report", type=pathlib.Path, default=pathlib.Path(__file__).with_name("report.md"))
    parser.add_argument("--limit", type=int, default=0, help="processor seconds for a suite, instead of its own limit")
    parser.add_argument("--tests", default="", help="just these sub-tests, commas between")
    parser.add_argument("--commit", default="", help="what the library was built from (default: this checkout)")
    options = parser.parse_intermixed_args()
    unknown = [name for name in options.suites if name not in known]
    if unknown:
        parser.error(f"unknown suites: {' '.join(unknown)}")
    folder = options.cts.resolve()
    if (folder / "test_conformance").is_dir():
        folder = folder / "test_conformance"
    only = set(filter(None, options.tests.split(",")))

    clean = True
    for suite in [known[name] for name in options.suites] or SUITES:
        outcome = run_suite(folder, suite, options.limit, only)
        print(line(suite, outcome), flush=True)
        if outcome.problem:
            print(f"  ({outcome.problem})")
        for name, why in outcome.reasons.items():
            print(f"  {outcome.results[name]}: {name}: {why}", flush=True)
        clean &= not outcome.count("fail") and bool(outcome.results)
        if not outcome.results:
            continue
        # Suite by suite, so that what has run is kept whatever happens to the rest.
        rows, sections = earlier(options.report.read_text() if options.report.is_file() else "")
        rows[suite.name] = row(suite, outcome, only, options.commit or commit())
        sections.pop(suite.name, None)
        if said := section(suite, outcome):
            sections[suite.name] = said
        options.report.write_text(report(rows, sections))
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
