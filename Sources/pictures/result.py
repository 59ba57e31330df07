"""One result: the time and memory of each phase, and a comparison of synchronous and asynchronous fetching."""

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

from .bench import Problem
from .parts import (
    GRID, INK, WARNING, dots, duration, duration_tick, head, legend, megabytes, megabytes_tick, painted, panel_title,
    style)

FRAME_NS = 16.7e6


class Result:
    """The summary of one CSV, and the colours of its drivers."""

    def __init__(self, path, bench):
        summary = bench.json("show", "--", path)
        self.rows, self.left_out = summary["rows"], summary["left_out"]
        if self.left_out == self.rows:
            raise Problem(f"{path}: none of its {self.rows} rows is verified, so there is nothing to draw")
        self.phases, self.columns = summary["phases"], summary["columns"]
        self.baseline = summary.get("baseline")
        self.growth = summary.get("growth")
        self.sweep = summary.get("sweep")
        self.drivers, self.colours = painted(summary["drivers"])
        self.scenario = ", ".join(dict.fromkeys(phase["scenario"] for phase in self.phases))

    def having(self, figure):
        """Returns the phases that have a figure."""
        return [phase for phase in self.phases if any(figure in driver for driver in phase["drivers"])]

    def subtitle(self, rest=""):
        count = max(driver["count"] for phase in self.phases for driver in phase["drivers"])
        text = "one repetition" if count == 1 else f"medians of {count} repetitions, each a dot"
        return f"{self.scenario}: {text}; shorter is better{rest}"

    @property
    def notes(self):
        return [f"{self.left_out} of {self.rows} rows do not count and are left out."] if self.left_out else []


def draw_duration(result):
    return draw_phases(result, "duration_ns", "ratio_to_baseline", "Duration of each phase", duration)


def draw_memory(result):
    title = "Peak memory of each phase"
    return draw_phases(result, "rss_peak_bytes", "rss_peak_ratio_to_baseline", title, megabytes)


def draw_phases(result, figure, ratio, title, label):
    """Draws one group of bars per phase, one bar per driver."""
    phases = result.having(figure)
    if not phases:
        return None
    picture, axes = plt.subplots(figsize=(9, 1.65 + len(phases) * (0.28 + 0.24 * len(result.drivers))))
    for row, phase in enumerate(phases):
        draw_group(axes, row, phase, result, figure, label, ratio)
    style_bars(axes, [phase["phase"] for phase in phases], duration_tick if label is duration else megabytes_tick)
    legend(picture, result.drivers, result.colours)
    rest = f".  ×: relative to {result.baseline}" if result.baseline and len(result.drivers) > 1 else ""
    return head(picture, title, result.subtitle(rest), result.notes)


def draw_async(result):
    """Draws the duration of fetches for the caller, and the time for which they block the queue."""
    phases = [p for p in result.having("queue_stall_ns") if p["kind"] == "fetch" and p["mode"] in ("sync", "async")]
    phases = [p for p in phases if not any("cancel_ns" in driver for driver in p["drivers"])]
    phases.sort(key=lambda phase: phase["mode"], reverse=True)
    if len({phase["mode"] for phase in phases}) < 2:
        return None
    height = 2.0 + len(phases) * (0.3 + 0.27 * len(result.drivers))
    picture, panels = plt.subplots(1, 2, figsize=(11, height), sharey=True)
    names = [f"{phase['phase']}\n({phase['mode']})" for phase in phases]
    for axes, figure in zip(panels, ("duration_ns", "queue_stall_ns")):
        for row, phase in enumerate(phases):
            draw_group(axes, row, phase, result, figure, duration)
        style_bars(axes, names, duration_tick)
    panel_title(panels[0], "duration until every record is read")
    panel_title(panels[1], "longest stall of the queue (logarithmic)")
    mark_frame(panels[1])
    legend(picture, result.drivers, result.colours)
    return head(picture, "Synchronous and asynchronous fetching", result.subtitle(), result.notes, below=0.3)


def draw_group(axes, row, phase, result, figure, label, ratio=None):
    """Draws the bars of one phase around the height `row`: the median, each repetition, and the ratio."""
    height = 0.8 / len(result.drivers)
    for driver in phase["drivers"]:
        sample = driver.get(figure)
        if not sample:
            continue
        y = row - 0.4 + height * (result.drivers.index(driver["driver"]) + 0.5)
        axes.barh(y, sample["median"], height=height * 0.86, color=result.colours[driver["driver"]], zorder=2)
        axes.plot([sample["min"], sample["max"]], [y, y], color=INK, linewidth=0.7, alpha=0.6, zorder=3)
        dots(axes, sample["values"], [y] * sample["count"])
        # Few repetitions decide nothing of times.
        rough = ratio == "ratio_to_baseline" and driver.get("has_few_ratios")
        text = label(sample["median"])
        if ratio in driver:
            text += f"   ~{float(f'{driver[ratio]:.0e}'):g}×" if rough else f"   {driver[ratio]:.2f}×"
        axes.annotate(
            text, (sample["max"], y), xytext=(7, 0), textcoords="offset points", va="center", fontsize=8.5, color=INK,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8}, zorder=5)


def style_bars(axes, names, ticks):
    style(axes)
    axes.set_yticks(range(len(names)), names, fontsize=10, color=INK)
    axes.set_ylim(len(names) - 0.45, -0.55)
    axes.xaxis.set_major_formatter(FuncFormatter(ticks))
    axes.set_xlim(0, axes.get_xlim()[1] * 1.12)
    axes.grid(axis="x", color=GRID, linewidth=0.8, zorder=0)


def mark_frame(axes):
    """Sets an axis that shows a stall of a millisecond, one of a second, and the frame between them."""
    high = axes.get_xlim()[1]
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(duration_tick))
    axes.minorticks_off()
    axes.set_xlim(3e5, max(high, 1e8) * 6)
    axes.axvline(FRAME_NS, color="#D55E00", linewidth=1.2, linestyle=(0, (4, 3)), zorder=4)
    place = {"transform": axes.get_xaxis_transform(), "va": "top"}
    axes.text(FRAME_NS * 1.12, 0.995, f"one frame, {FRAME_NS / 1e6} ms", color=WARNING, fontsize=8, **place)
