"""How often tools that compare two programs are right: `bench ab`, hyperfine, `perf stat -r` and pyperf.

    python3 gates.py --bench BENCH --slowed SLOWED --file gates.csv run MINUTES [CONDITION ...]
    python3 gates.py --file gates.csv table

Each tool compares the same two programs, of which the second does 0, 1, 3 or 10 % more rounds of one work, for the same
time, quiet or beside processes that work and rest. Tools and programs come in an order drawn by lot. A run that ends
early adds its lines to the file; a later one goes on with what has the fewest lines among those of the same time.
"""

import argparse
import csv
import json
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 40_000
SLOWDOWNS = [0, 1, 3, 10]
# What the machine does meanwhile. Only of the first two does this script see to it.
CONDITIONS = {"quiet": "nothing", "busy": "other work", "shared": "compilers"}
COLUMNS = ["date", "tool", "version", "condition", "percent", "verdict", "change_percent", "seconds", "allowed_s"]
FEWEST = 10


def commands(slowed, percent):
    return [[slowed, str(ROUNDS)], [slowed, str(ROUNDS + ROUNDS * percent // 100)]]


def verdict(differs, change):
    return "unchanged" if not differs else "slower" if change > 0 else "faster"


def run(arguments, **options):
    return subprocess.run(arguments, capture_output=True, text=True, **options)


def seconds_of(command):
    """How long a run takes now: what decides the number of runs of tools that do not take a time."""
    start = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


def runs_each(pair, allowed):
    """So many runs of each program fill the allowed seconds, the measurement of this included."""
    start = time.monotonic()
    duration = statistics.median(seconds_of(command) for command in pair for _ in range(2))
    return max(FEWEST, int((allowed - (time.monotonic() - start)) / (2 * duration)))


def welch(before, after):
    """Whether two samples differ at p < 0.05, by Welch's test: scripts/welch_ttest.py of hyperfine does the same."""
    error = (statistics.variance(before) / len(before) + statistics.variance(after) / len(after)) ** 0.5
    distance = abs(statistics.fmean(after) - statistics.fmean(before))
    # From ten runs on, Student's distribution is close to the normal one.
    return distance > 2.0 * error


def hyperfine(pair, folder, options):
    file = os.path.join(folder, "times.json")
    names = [" ".join(command) for command in pair]
    done = run(["hyperfine", "-N", "--warmup", "1", "--runs", str(runs_each(pair, options.seconds)), "--export-json", file] + names)
    if done.returncode:
        raise RuntimeError(done.stderr)
    with open(file) as opened:
        times = [result["times"] for result in json.load(opened)["results"]]
    change = statistics.fmean(times[1]) / statistics.fmean(times[0]) - 1
    return verdict(welch(*times), change), change


def perf(pair, folder, options):
    count = runs_each(pair, options.seconds)
    figures = []
    for command in pair:
        done = run(["perf", "stat", "-r", str(count), "-x", ";", "-e", "task-clock"] + command)
        line = next(line for line in done.stderr.splitlines() if "task-clock" in line).split(";")
        figures.append((float(line[0]), float(line[3].rstrip("%")) / 100))
    change = figures[1][0] / figures[0][0] - 1
    # perf tells the standard error of each mean, in percent.
    error = (figures[0][1] ** 2 + figures[1][1] ** 2) ** 0.5
    return verdict(abs(change) > 2.0 * error, change), change


def pyperf(pair, folder, options):
    values = max(3, runs_each(pair, options.seconds) // 6)
    files = [os.path.join(folder, f"{side}.json") for side in ("before", "after")]
    for command, file in zip(pair, files):
        done = run(
            [sys.executable, "-m", "pyperf", "command", "--quiet", "--processes", "5", "--values", str(values)]
            + ["--warmups", "1", "--loops", "1", "--name", "slowed", "-o", file, "--"] + command)
        if done.returncode:
            raise RuntimeError(done.stderr)
    text = run([sys.executable, "-m", "pyperf", "compare_to", "-v"] + files).stdout
    mean = "import pyperf, sys; print(pyperf.Benchmark.load(sys.argv[1]).mean())"
    means = [float(run([sys.executable, "-c", mean, file]).stdout) for file in files]
    change = means[1] / means[0] - 1
    return verdict("Not significant" not in text, change), change


def ab(pair, folder, options):
    commands = [" ".join(command) for command in pair]
    done = run(
        [options.bench, "ab", "--base-command", commands[0], "--new-command", commands[1], "--budget", f"{options.seconds}s"]
        + ["--quiet", "--explain", "never", "--format", "json"])
    if done.returncode not in (0, 1, 4):
        raise RuntimeError(done.stderr)
    figures = json.loads(done.stdout)["figures"]
    figure = next(figure for figure in figures if figure["metric"] == "cpu")
    change = (figure.get("ratio") or 1) - 1
    word = {"regressed": "slower", "improved": "faster", "unchanged": "unchanged"}.get(figure["verdict"], "open")
    return word, change


TOOLS = {"bench ab": ab, "hyperfine": hyperfine, "perf stat -r": perf, "pyperf": pyperf}


def version(tool, bench):
    command = {
        "bench ab": [bench, "--version"], "hyperfine": ["hyperfine", "--version"],
        "perf stat -r": ["perf", "--version"], "pyperf": [sys.executable, "-c", "import pyperf; print(pyperf.__version__)"],
    }[tool]
    return run(command).stdout.split()[-1]


def disturb():
    """Works and rests, for 1 to 100 ms each."""
    lot = random.Random()
    while True:
        end = time.monotonic() + lot.uniform(0.001, 0.1)
        while time.monotonic() < end:
            pass
        time.sleep(lot.uniform(0.001, 0.1))


def measure(options):
    lines = read(options.file)
    counts = {}
    for line in lines:
        if float(line["allowed_s"]) != options.seconds:
            continue
        key = (line["tool"], line["condition"], int(line["percent"]))
        counts[key] = counts.get(key, 0) + 1
    versions = {tool: version(tool, options.bench) for tool in options.tools}
    end = time.monotonic() + 60 * options.minutes
    while time.monotonic() < end:
        keys = [(tool, condition, percent) for tool in options.tools
                for condition in options.conditions for percent in options.percents]
        fewest = min(counts.get(key, 0) for key in keys)
        key = random.choice([key for key in keys if counts.get(key, 0) == fewest])
        append(options, key, versions[key[0]])
        counts[key] = counts.get(key, 0) + 1


def append(options, key, version):
    tool, condition, percent = key
    others = []
    if condition == "busy":
        others = [multiprocessing.Process(target=disturb, daemon=True) for _ in range(2 * os.cpu_count())]
    for process in others:
        process.start()
    try:
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            said, change = TOOLS[tool](commands(options.slowed, percent), folder, options)
        seconds = time.monotonic() - start
    finally:
        for process in others:
            process.kill()
            process.join()
    is_new = not os.path.exists(options.file)
    with open(options.file, "a", newline="") as opened:
        writer = csv.writer(opened, lineterminator="\n")
        if is_new:
            writer.writerow(COLUMNS)
        date = time.strftime("%Y-%m-%d")
        writer.writerow([date, tool, version, condition, percent, said, f"{100 * change:.2f}", f"{seconds:.1f}", options.seconds])
    print(f"{tool}, {condition}, {percent} %: {said} ({100 * change:+.1f} %), {seconds:.1f} s", flush=True)


def read(file):
    if not os.path.exists(file):
        return []
    with open(file, newline="") as opened:
        return list(csv.DictReader(opened))


def table(options):
    """Of how many runs each tool said what, and how far its figures lay from the truth."""
    lines = read(options.file)
    print("| tool | allowed | beside | 0 %: changed | 1 %: slower | 3 %: slower | 10 %: slower | error | time |")
    print("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    groups = {(list(TOOLS).index(line["tool"]), float(line["allowed_s"]), line["condition"]) for line in lines}
    for tool, allowed, condition in sorted(groups, key=lambda group: (group[1], group[0], list(CONDITIONS).index(group[2]))):
        key = (list(TOOLS)[tool], allowed, condition)
        own = [line for line in lines if (line["tool"], float(line["allowed_s"]), line["condition"]) == key]
        cells = []
        for percent in SLOWDOWNS:
            said = [line["verdict"] for line in own if int(line["percent"]) == percent]
            wanted = ("slower", "faster") if percent == 0 else ("slower",)
            cells.append(f"{sum(word in wanted for word in said)} of {len(said)}" if said else "")
        errors = [abs(float(line["change_percent"]) - int(line["percent"])) for line in own]
        error, length = statistics.median(errors), statistics.median(float(line["seconds"]) for line in own)
        print(f"| {key[0]} | {allowed:.0f} s | {CONDITIONS[condition]} | {' | '.join(cells)} | {error:.1f} % | {length:.0f} s |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default=".build/release/bench")
    parser.add_argument("--slowed", default=".build/slowed")
    parser.add_argument("--file", default="Results/gate/gates.csv")
    actions = parser.add_subparsers(required=True)
    running = actions.add_parser("run", help="add lines to the file for some minutes")
    running.add_argument("minutes", type=float)
    running.add_argument("conditions", nargs="*", default=["quiet", "busy"], help=", ".join(CONDITIONS))
    running.add_argument("--tool", dest="tools", action="append", choices=list(TOOLS), help="this tool only; repeatable")
    running.add_argument("--percent", dest="percents", action="append", type=int, choices=SLOWDOWNS, help="likewise")
    running.add_argument("--seconds", type=int, default=10, help="the time that each tool gets for a comparison")
    running.set_defaults(action=measure)
    actions.add_parser("table", help="print the table of the file").set_defaults(action=table)
    options = parser.parse_args()
    if options.action is measure:
        options.tools = options.tools or list(TOOLS)
        options.percents = options.percents or SLOWDOWNS
    options.action(options)


if __name__ == "__main__":
    main()
