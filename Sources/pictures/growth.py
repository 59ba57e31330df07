"""A run at several sizes: the cost of a record in time and memory, over the number of records."""

import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from .parts import FAINT, GRID, INK, WARNING, dots, duration_tick, head, legend, panel_title, style

FIGURES = [("time_ns", "time per record", duration_tick), ("memory_bytes", "memory per record", None)]


def draw_growth(result):
    """Draws a row for each phase and a line for each driver, level for growth in proportion. None for a run at one size."""
    growth = result.growth
    if not growth:
        return None
    phases = [phase for phase in growth["phases"] if phase["grows_with_records"]]
    if not phases:
        return None
    size = (11.5, 2.0 + 1.75 * len(phases))
    picture, panels = plt.subplots(len(phases), len(FIGURES), figsize=size, sharex=True, squeeze=False)
    for row, phase in enumerate(phases):
        for column, (figure, _, tick) in enumerate(FIGURES):
            axes = panels[row][column]
            for place, driver in enumerate(own for name in result.drivers for own in phase["drivers"] if own["driver"] == name):
                draw_curve(axes, driver[figure], result.colours[driver["driver"]], place)
            style_growth(axes, growth["sizes"], tick or bytes_tick)
        panels[row][0].set_ylabel(phase["phase"], rotation=0, ha="right", va="center", fontsize=10, color=INK, labelpad=12)
    for column, (_, title, _) in enumerate(FIGURES):
        panel_title(panels[0][column], title)
        panels[-1][column].set_xlabel("records (logarithmic)", fontsize=8.5, color=FAINT)
    legend(picture, result.drivers, result.colours)
    limit = f"; at most {growth['max_exponent']:g} is allowed" if "max_exponent" in growth else ""
    subtitle = f"{result.scenario}: medians, each repetition a dot; beside them the exponents of growth with their intervals{limit}"
    return head(picture, "The cost of a record as the store grows", subtitle, result.notes + exempt(growth), below=0.15)


def draw_curve(axes, curve, colour, place):
    """Draws a line through the points of the fit; points that are too small to judge are faint."""
    points = curve["points"]
    sizes = [point["records"] for point in points]
    axes.plot(sizes, [point["median_per_record"] for point in points], color=colour, linewidth=1, alpha=0.35, zorder=2)
    counted = [point for point in points if point["counts"]]
    axes.plot(
        [point["records"] for point in counted], [point["median_per_record"] for point in counted], color=colour,
        linewidth=1.7, zorder=3)
    for point in points:
        dots(axes, [point["records"]] * len(point["values"]), [value / point["records"] for value in point["values"]], colour)
    text = "no exponent"
    if "exponent" in curve:
        text = f"{curve['exponent']:.2f}  ({curve['exponent_low']:.2f} to {curve['exponent_high']:.2f})"
    verdict = curve.get("verdict")
    text += f" {verdict}" if verdict in ("missed", "not decided") else ""
    axes.annotate(
        text, (1.02, 0.92 - 0.17 * place), xycoords="axes fraction", va="center", fontsize=8,
        color=WARNING if verdict == "missed" else colour, fontweight="bold" if verdict == "missed" else "normal")


def style_growth(axes, sizes, tick):
    style(axes)
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(FixedLocator(sizes))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.yaxis.set_major_locator(MaxNLocator(4))
    axes.yaxis.set_major_formatter(FuncFormatter(tick))
    axes.tick_params(axis="y", labelsize=8.5, colors=FAINT, length=0)


def bytes_tick(value, _=None):
    return f"{value / 1e3:,.4g} kB" if value >= 1e4 else f"{value:,.4g} B" if value else "0"


def exempt(growth):
    names = [phase["phase"] for phase in growth["phases"] if not phase["grows_with_records"]]
    return [f"Without {', '.join(names)}, whose work does not grow with the records."] if names else []
