#!/usr/bin/env python3
# /// script
# requires-python = ">=3.9"
# dependencies = ["matplotlib>=3.7"]
# ///
"""Draws results of `bench`. `bench` computes every median, ratio, interval and verdict."""

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
from pictures.comparison import draw_comparison
from pictures.growth import draw_growth
from pictures.history import draw_history
from pictures.load import draw_rates, draw_series
from pictures.power import draw_power
from pictures.result import Result, draw_async, draw_duration, draw_memory
from pictures.sweep import draw_sweep

EXAMPLES = """
pictures:
  one result       RESULT-duration.png, RESULT-memory.png and RESULT-async.png; for loads, RESULT-series.png, and after
                   a search for the highest rate RESULT-rates.png; at several sizes of the store, only RESULT-growth.png;
                   for a scenario with lists of numbers, RESULT-sweep.png too
  two or more      LAST-comparison.png with the first and the last, and LAST-history.png with all of them
  --compare        only NEW-comparison.png
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
    result = Result(path, bench)
    # With sizes that are far apart, bars would show only the largest.
    pictures = (("growth", draw_growth),) if result.growth else (
        ("duration", draw_duration), ("memory", draw_memory), ("async", draw_async))
    for name, draw in pictures:
        picture = draw(result)
        if picture:
            save(picture, (arguments.output or path.parent) / f"{path.stem}-{name}.png")
        else:
            print(f"{path}: nothing to draw for {name}")
    # Only results of loads and of sweeps have these pictures.
    for name, draw in (("series", draw_series), ("rates", draw_rates), ("sweep", lambda _, result: draw_sweep(result))):
        picture = draw(path, result)
        if picture:
            save(picture, (arguments.output or path.parent) / f"{path.stem}-{name}.png")


def plot_comparison(base, new, bench, arguments):
    options = [word for text in arguments.threshold for word in ("--threshold", text)]
    comparison = bench.json("compare", *options, *relation(arguments), "--", base, new)
    save(draw_comparison(comparison), (arguments.output or new.parent) / f"{new.stem}-comparison.png")


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
