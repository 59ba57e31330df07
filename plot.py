#!/usr/bin/env python3
# /// script
# requires-python = ">=3.9"
# dependencies = ["matplotlib>=3.7"]
# ///
"""Draws results of `bench`, which computes every figure and makes most pictures itself (`bench report --pictures`)."""

import argparse
import json
import sys
from pathlib import Path

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit("plot.py: matplotlib is missing; `make plot` sets it up, or run `uv run plot.py`")

sys.path.insert(0, str(Path(__file__).resolve().parent / "Sources"))

from pictures.bench import Bench, Problem
from pictures.history import draw_history
from pictures.load import draw_series
from pictures.power import draw_power

EXAMPLES = """
pictures:
  one result       those of `bench report --pictures`: RESULT-duration.svg, RESULT-memory.svg and others; for loads with
                   samples over time, RESULT-series.png too
  two or more      LAST-comparison.svg with the first and the last, and LAST-history.png with all of them
  --compare        only NEW-comparison.svg
  --power          POWER.png

examples:
  plot.py Results/million/million.csv
  plot.py monday.csv tuesday.csv wednesday.csv -o pictures
  plot.py --compare base.csv new.csv --relative-to sqlite --threshold duration=5%
  bench power base.csv --format json > power.json && plot.py --power power.json
"""


def save(picture, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    picture.savefig(target, dpi=160, facecolor="white")
    plt.close(picture)
    print(target)


def plot_one(path, bench, arguments):
    print(bench.pictures(arguments.output or path.parent, "--", path), end="")
    picture = draw_series(path, bench)
    if picture:
        save(picture, (arguments.output or path.parent) / f"{path.stem}-series.png")


def plot_comparison(base, new, bench, arguments):
    options = [word for text in arguments.threshold for word in ("--threshold", text)]
    folder = arguments.output or new.parent
    print(bench.pictures(folder, *options, *relation(arguments), "--", base, new), end="")


def plot_history(paths, bench, arguments):
    options = ["--metric", "duration", "--metric", "rss_peak", *relation(arguments)]
    trend = bench.json("trend", *options, "--", *paths)
    results = [bench.json("show", "--", run["file"]) for run in trend["runs"]]
    save(draw_history(trend, results), (arguments.output or paths[-1].parent) / f"{paths[-1].stem}-history.png")


def plot_power(path, arguments):
    try:
        picture = draw_power(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError):
        raise Problem(f"{path}: not the output of `bench power --format json`") from None
    save(picture, (arguments.output or path.parent) / f"{path.stem}.png")


def relation(arguments):
    return ["--relative-to", arguments.relative_to] if arguments.relative_to else []


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", metavar="RESULT.csv", nargs="*", type=Path, help="results, the oldest first")
    parser.add_argument("--compare", metavar=("BASE", "NEW"), nargs=2, type=Path, help="draw the comparison of NEW with BASE")
    parser.add_argument("--power", metavar="JSON", type=Path, help="draw the output of `bench power --format json`")
    parser.add_argument("--relative-to", metavar="DRIVER", help="compare ratios to this driver, as bench compare does")
    parser.add_argument(
        "--threshold", metavar="METRIC=PERCENT", action="append", default=[], help="a threshold of bench compare")
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, help="the folder for the pictures; default: beside the results")
    parser.add_argument(
        "--bench", metavar="PATH", help="the program; default: .build/release/bench beside plot.py, or the one in PATH")
    arguments = parser.parse_args()
    if not (arguments.results or arguments.compare or arguments.power):
        parser.error("nothing to draw: give a RESULT.csv, --compare or --power")
    return arguments


def main():
    arguments = parse()
    plt.rcParams["font.family"] = "DejaVu Sans"
    paths = arguments.results
    try:
        if arguments.power:
            plot_power(arguments.power, arguments)
        bench = Bench(arguments.bench) if paths or arguments.compare else None
        if arguments.compare:
            plot_comparison(*arguments.compare, bench, arguments)
        if len(paths) == 1:
            plot_one(paths[0], bench, arguments)
        elif paths:
            plot_comparison(paths[0], paths[-1], bench, arguments)
            plot_history(paths, bench, arguments)
    except Problem as problem:
        sys.exit(f"plot.py: {problem}")
    except OSError as error:
        sys.exit(f"plot.py: {error.filename or arguments.output}: {error.strerror}")


if __name__ == "__main__":
    main()
