"""Several results: the history of each phase."""

from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, MaxNLocator

from .bench import Problem
from .parts import (
    FAINT, GRID, INK, dots, duration_tick, head, legend, megabytes_tick, panel_title, row_key, row_names, short,
    style)


def draw_history(trend, results):
    """Draws a panel for each phase and metric, with a line for each driver and a mark at each change point."""
    series = trend["series"]
    if not series:
        raise Problem("; ".join(trend["remarks"]) or "there is no history to draw")
    names = row_names(series)
    rows = list(names)
    described = {own["metric"]: own for own in series}
    metrics = list(described)
    colours = {own["driver"]: own["color"] for own in series}
    size = (1.4 + 5.1 * len(metrics), 2.2 + 1.25 * len(rows))
    picture, panels = plt.subplots(len(rows), len(metrics), figsize=size, sharex=True, squeeze=False)
    for own in series:
        axes = panels[rows.index(row_key(own))][metrics.index(own["metric"])]
        draw_series(axes, own, results)
    for row, name in enumerate(names.values()):
        for column, metric in enumerate(metrics):
            style_history(panels[row][column], described[metric]["unit"], trend)
        panels[row][0].set_ylabel(short(name, 24), rotation=0, ha="right", va="center", fontsize=10, color=INK, labelpad=12)
    for column, metric in enumerate(metrics):
        panel_title(panels[0][column], described[metric]["label"])
    legend(picture, list(colours), colours)
    relative = f", relative to {trend['relative_to']}" if trend.get("relative_to") else ", each repetition a dot"
    subtitle = f"medians of {len(trend['runs'])} runs{relative}; dashed: a change point.  Axes do not begin at 0"
    return head(picture, "The history of each phase", subtitle, trend["remarks"], below=0.15)


def draw_series(axes, own, results):
    colour = own["color"]
    points = [float("nan") if point is None else point for point in own["points"]]
    axes.plot(range(len(points)), points, color=colour, linewidth=1.5, marker="o", markersize=3.5, zorder=3)
    for run, values in enumerate([] if own["is_relative"] else repetitions(own, results)):
        dots(axes, [run] * len(values), values, colour)
    for change_point in own.get("change_points") or []:
        axes.axvline(change_point["run"] - 0.5, color=colour, linewidth=1.1, linestyle=(0, (4, 3)), zorder=1)
        text = f"{change_point['change_percent']:+.0f} %" if "change_percent" in change_point else "changed"
        axes.annotate(
            text, (change_point["run"] - 0.5, 1), xycoords=("data", "axes fraction"), xytext=(3, 0), va="top",
            textcoords="offset points", fontsize=8, color=INK,
            bbox={"facecolor": "white", "edgecolor": colour, "linewidth": 0.8, "pad": 1.2}, zorder=5)


def repetitions(own, results):
    """Returns the verified values behind each point."""
    for summary in results:
        yield [
            value for phase in summary["phases"] for driver in phase["drivers"]
            if row_key(phase) == row_key(own) and driver["driver"] == own["driver"]
            for value in driver.get(own["metric"], {}).get("values", [])]


def style_history(axes, unit, trend):
    style(axes)
    axes.grid(color=GRID, linewidth=0.8)
    axes.margins(x=0.04, y=0.18)
    ticks = {"ns": duration_tick, "bytes": megabytes_tick, "ratio": ratio_tick}.get(unit, count_tick)
    axes.yaxis.set_major_locator(MaxNLocator(3))
    axes.yaxis.set_major_formatter(FuncFormatter(ticks))
    axes.tick_params(axis="y", labelsize=8.5, colors=FAINT, length=0)
    names = [short(run_name(run), 24) for run in trend["runs"]]
    widest = max(len(line) for name in names for line in name.split("\n"))
    step = -(-len(names) // max(2, 56 // (widest + 1)))
    axes.set_xticks(range(0, len(names), step), names[::step], fontsize=8.5, color=FAINT)


def count_tick(value, _):
    return f"{value:,.4g}"


def ratio_tick(value, _):
    return f"{value:.4g}×"


def run_name(run):
    if "started" in run and "commit" in run:
        return f"{run['started'][5:10]}\n{run['commit'][:7]}"
    return run["started"][5:10] if "started" in run else Path(run["file"]).stem
