"""A sweep: the figures of each phase over the values of a number that the scenario has a list of."""

import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from .parts import FAINT, GRID, INK, dots, duration_tick, head, legend, megabytes_tick, panel_title, style

TICKS = {"ns": duration_tick, "bytes": megabytes_tick, "per_s": lambda value, _: f"{value:,.10g}/s"}


def draw_sweep(result):
    """Draws a row for each phase, a panel for each of its figures, and a line for each driver. None without a sweep."""
    if not result.sweep:
        return None
    phases = result.sweep["phases"]
    size = (11.5, 2.0 + 2.15 * len(phases))
    picture, panels = plt.subplots(len(phases), 2, figsize=size, squeeze=False)
    for row, phase in zip(panels, phases):
        for axes, figure in zip(row, phase["figures"]):
            for driver in phase["drivers"]:
                draw_line(axes, driver["points"][figure], result.colours[driver["driver"]])
            column = result.columns[figure]
            style_sweep(axes, phase, TICKS.get(column["unit"], count_tick))
            panel_title(axes, column["label"])
        name = phase["phase"].replace("@", "\n@")
        row[0].set_ylabel(name, rotation=0, ha="right", va="center", fontsize=10, color=INK, labelpad=12)
    legend(picture, result.drivers, result.colours)
    settings = ", ".join(dict.fromkeys(phase["setting"] for phase in phases))
    subtitle = f"{result.scenario}: medians, each repetition a dot"
    return head(picture, f"Figures over {settings}", subtitle, result.notes, below=0.15)


def draw_line(axes, points, colour):
    values = [point["value"] for point in points]
    axes.plot(values, [point["median"] for point in points], color=colour, linewidth=1.7, zorder=3)
    for point in points:
        dots(axes, [point["value"]] * len(point["figures"]), point["figures"], colour)


def style_sweep(axes, phase, tick):
    style(axes)
    axes.grid(color=GRID, linewidth=0.8)
    name = phase["setting"]
    if phase["is_logarithmic"]:
        axes.set_xscale("log")
        name += " (logarithmic)"
    else:
        axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(FixedLocator(phase["values"]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(count_tick))
    axes.set_xlabel(name, fontsize=8.5, color=FAINT)
    axes.yaxis.set_major_locator(MaxNLocator(4))
    axes.yaxis.set_major_formatter(FuncFormatter(tick))
    axes.tick_params(axis="y", labelsize=8.5, colors=FAINT, length=0)


def count_tick(value, _=None):
    return f"{value:,.10g}"
