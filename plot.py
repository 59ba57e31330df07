#!/usr/bin/env python3
# /// script
# requires-python = ">=3.9"
# dependencies = ["matplotlib>=3.7"]
# ///
"""Draws results of `bench run`: duration and peak memory of each phase, and synchronous against asynchronous fetching.

    plot.py RESULT.csv... [-o DIR]

For each result three pictures are written, beside it or to DIR: NAME-duration.png, NAME-memory.png and NAME-async.png.
"""

import argparse
import csv
import statistics
import sys
from pathlib import Path

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import FuncFormatter
except ImportError:
    sys.exit("plot.py: matplotlib is missing; `make plot` sets it up, or run `uv run plot.py`")

BASELINE = "sqlite"
# Okabe and Ito's colours, told apart by people who see fewer of them; the baseline is what others are held against.
COLOURS = {"managed": "#0072B2", "sqlite": "#999999", "sqlite-tuned": "#E69F00"}
MORE_COLOURS = ["#009E73", "#CC79A7", "#56B4E9", "#D55E00"]
INK, FAINT = "#222222", "#6B6B6B"
REQUIRED = "scenario driver phase kind mode verified duration_ns rss_peak_bytes queue_stall_ns".split()
FRAME_MS = 16.7


class BadResult(Exception):
    """A file that cannot be drawn, and why."""


class Result:
    """The verified rows of one CSV, and what is needed to draw them."""

    def __init__(self, path):
        self.path = path
        rows = read_rows(path)
        self.rows = [row for row in rows if row["verified"] == "true"]
        self.left_out = len(rows) - len(self.rows)
        if not self.rows:
            raise BadResult(f"{path}: none of its {len(rows)} rows is verified, so there is nothing to draw")
        self.scenario = self.rows[0]["scenario"]
        self.phases = list(dict.fromkeys(row["phase"] for row in self.rows))
        known = [driver for driver in COLOURS if any(row["driver"] == driver for row in self.rows)]
        others = sorted({row["driver"] for row in self.rows} - set(known))
        self.drivers = known + others
        spare = {driver: MORE_COLOURS[i % len(MORE_COLOURS)] for i, driver in enumerate(others)}
        self.colours = {**COLOURS, **spare}

    def values(self, phase, driver, column, scale):
        """What was measured, in the unit of the picture; a missing value is left out, never taken for 0."""
        rows = [row for row in self.rows if row["phase"] == phase and row["driver"] == driver and row[column] != ""]
        try:
            return [float(row[column]) / scale for row in rows]
        except ValueError:
            raise BadResult(f"{self.path}: {column} of {driver}, {phase} is not a number") from None

    def repetitions(self):
        """The most measurements that any bar stands for."""
        return max(len(self.values(p, d, "duration_ns", 1)) for p in self.phases for d in self.drivers)

    def footnote(self):
        if not self.left_out:
            return ""
        return f"{self.left_out} of {self.left_out + len(self.rows)} measurements were not verified and are left out."


def read_rows(path):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            columns = reader.fieldnames or []
            rows = list(reader)
    except OSError as error:
        raise BadResult(f"{path}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadResult(f"{path}: not a CSV: {error}") from None
    missing = [column for column in REQUIRED if column not in columns]
    if missing:
        raise BadResult(f"{path}: no column {', '.join(missing)}; is this a result of `bench run`?")
    if not rows:
        raise BadResult(f"{path}: there are no rows")
    broken = next((number for number, row in enumerate(rows, 2) if None in row or None in row.values()), None)
    if broken:
        raise BadResult(f"{path}: record {broken} has not as many fields as the header")
    return rows


# Pictures


def draw_duration(result):
    title = "How long each phase takes"
    return draw_phases(result, "duration_ns", 1e9, title, seconds)


def draw_memory(result):
    title = "How much memory each phase needs at its peak"
    return draw_phases(result, "rss_peak_bytes", 1e6, title, megabytes)


def draw_phases(result, column, scale, title, label):
    """One group of bars a phase, one bar a driver."""
    phases = [p for p in result.phases if any(result.values(p, d, column, scale) for d in result.drivers)]
    if not phases:
        return None
    figure, axes = plt.subplots(figsize=(9, 1.65 + len(phases) * (0.28 + 0.24 * len(result.drivers))))
    for row, phase in enumerate(phases):
        samples = {d: result.values(phase, d, column, scale) for d in result.drivers}
        draw_group(axes, row, samples, result.colours, label)
    style(axes, phases, label)
    axes.set_xlim(0, axes.get_xlim()[1] * 1.12)
    head(figure, title, f"{result.scenario}: {spread(result)}; shorter is better.  ×: relative to {BASELINE}", result)
    legend(figure, result)
    return figure


def draw_async(result):
    """What a fetch costs its caller, and how long it keeps the queue from anything else."""
    fetches = [row for row in result.rows if row["kind"] == "fetch" and row["mode"] in ("sync", "async")]
    fetches = [row for row in fetches if not was_cancelled(row)]
    phases = list(dict.fromkeys(row["phase"] for row in sorted(fetches, key=lambda row: row["mode"], reverse=True)))
    modes = {row["phase"]: row["mode"] for row in fetches}
    if len(set(modes.values())) < 2:
        return None
    height = 2.0 + len(phases) * (0.3 + 0.27 * len(result.drivers))
    figure, panels = plt.subplots(1, 2, figsize=(11, height), sharey=True)
    measures = [("duration_ns", 1e9, seconds), ("queue_stall_ns", 1e6, milliseconds)]
    for axes, (column, scale, label) in zip(panels, measures):
        for row, phase in enumerate(phases):
            samples = {d: result.values(phase, d, column, scale) for d in result.drivers}
            draw_group(axes, row, samples, result.colours, label, ratios=False)
        style(axes, [f"{phase}\n({modes[phase]})" for phase in phases], label)
    panels[0].set_title("until every record was read", loc="left", fontsize=10, color=INK, pad=8)
    panels[1].set_title("longest stall of the queue (logarithmic)", loc="left", fontsize=10, color=INK, pad=8)
    panels[0].set_xlim(0, panels[0].get_xlim()[1] * 1.12)
    logarithmic(panels[1])
    title = "Synchronous and asynchronous fetching"
    head(figure, title, f"{result.scenario}: {spread(result)}; shorter is better", result)
    legend(figure, result)
    return figure


def was_cancelled(row):
    return any(name.startswith("cancel") and value not in ("", "false") for name, value in row.items())


def logarithmic(axes):
    """A stall of a millisecond and one of a second must both be seen, and the frame between them."""
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: milliseconds(value)))
    axes.minorticks_off()
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, 0.3), max(high, 100) * 6)
    axes.axvline(FRAME_MS, color="#D55E00", linewidth=1.2, linestyle=(0, (4, 3)), zorder=4)
    place = {"transform": axes.get_xaxis_transform(), "va": "top"}
    axes.text(FRAME_MS * 1.12, 0.995, f"one frame, {FRAME_MS} ms", color="#B34700", fontsize=8, **place)


# Parts of a picture


def draw_group(axes, row, samples, colours, label, ratios=True):
    """The bars of one phase around the height `row`: the median, a line from least to most, and what it says."""
    height = 0.8 / len(samples)
    baseline = statistics.median(samples[BASELINE]) if samples.get(BASELINE) else None
    for position, (driver, values) in enumerate(samples.items()):
        if not values:
            continue
        middle = statistics.median(values)
        y = row - 0.4 + height * (position + 0.5)
        axes.barh(y, middle, height=height * 0.86, color=colours[driver], zorder=2)
        axes.plot([min(values), max(values)], [y, y], color=INK, linewidth=1.3, solid_capstyle="butt", zorder=3)
        text = label(middle)
        if ratios and baseline and driver != BASELINE:
            text += f"   {middle / baseline:.2f}×"
        axes.annotate(
            text, (max(values), y), xytext=(5, 0), textcoords="offset points", va="center", fontsize=8.5, color=INK,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8}, zorder=5)


def style(axes, phases, label):
    axes.set_yticks(range(len(phases)), phases, fontsize=10, color=INK)
    axes.set_ylim(len(phases) - 0.45, -0.55)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: label(value) if value else "0"))
    axes.tick_params(axis="x", labelsize=8.5, colors=FAINT, length=0)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#E3E3E3", linewidth=0.8, zorder=0)
    axes.set_axisbelow(True)
    for side in ("top", "right", "bottom", "left"):
        axes.spines[side].set_visible(False)


def head(figure, title, subtitle, result):
    height = figure.get_figheight()
    figure.tight_layout(rect=(0, 0.32 / height if result.footnote() else 0.05 / height, 1, 1 - 1.05 / height))
    left = 0.16 / figure.get_figwidth()
    figure.text(left, 1 - 0.2 / height, title, fontsize=14, fontweight="bold", color=INK, va="top")
    figure.text(left, 1 - 0.5 / height, subtitle, fontsize=9.5, color=FAINT, va="top")
    figure.text(left, 0.1 / height, result.footnote(), fontsize=8.5, color="#B34700")


def legend(figure, result):
    handles = [plt.Rectangle((0, 0), 1, 1, color=result.colours[driver]) for driver in result.drivers]
    left, top = 0.12 / figure.get_figwidth(), 1 - 0.76 / figure.get_figheight()
    figure.legend(
        handles, result.drivers, loc="upper left", bbox_to_anchor=(left, top), ncols=len(handles), frameon=False,
        fontsize=9.5, handlelength=1, handleheight=1, columnspacing=1.6, borderaxespad=0)


def spread(result):
    count = result.repetitions()
    return "one repetition" if count == 1 else f"median of {count} repetitions, lines from least to most"


def seconds(value):
    if value >= 0.1:
        return f"{value:.2f} s"
    return f"{value * 1e3:.0f} ms" if value >= 0.01 else f"{value * 1e3:.2g} ms"


def milliseconds(value):
    if value >= 1_000:
        return f"{value / 1e3:.3g} s"
    return f"{value:.0f} ms" if value >= 10 else f"{value:.2g} ms"


def megabytes(value):
    return f"{value:,.0f} MB"


def draw(path, directory):
    result = Result(path)
    directory.mkdir(parents=True, exist_ok=True)
    for name, picture in (("duration", draw_duration), ("memory", draw_memory), ("async", draw_async)):
        figure = picture(result)
        if figure is None:
            print(f"{path}: nothing to draw for {name}")
            continue
        target = directory / f"{path.stem}-{name}.png"
        figure.savefig(target, dpi=160, facecolor="white")
        plt.close(figure)
        print(target)


def main():
    parser = argparse.ArgumentParser(description="Draws results of `bench run`.")
    parser.add_argument("results", metavar="RESULT.csv", nargs="+", type=Path)
    where = "where to write; beside each result by default"
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, help=where)
    arguments = parser.parse_args()
    plt.rcParams["font.family"] = "DejaVu Sans"
    try:
        for path in arguments.results:
            draw(path, arguments.output or path.parent)
    except BadResult as problem:
        sys.exit(f"plot.py: {problem}")
    except OSError as error:
        sys.exit(f"plot.py: {error.filename or arguments.output}: {error.strerror}")


if __name__ == "__main__":
    main()
