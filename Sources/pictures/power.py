"""The reliability of comparisons: the slowdowns that they detect, and their false alarms."""

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

from .parts import FAINT, GRID, INK, WARNING, head, panel_title, style

# Okabe and Ito's colours, which people with any kind of colour vision can distinguish.
COLOURS = ["#0072B2", "#999999", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442"]

ALARMS = {"false_alarms": ("#D55E00", "regressed", -0.2), "false_improvements": ("#009E73", "improved", 0.2)}


def draw_power(power):
    """Draws how often comparisons detect a slowdown, and how often an alarm is false, for each number of repetitions."""
    curves, threshold = power["curves"], power["threshold_percent"]
    picture, (caught, alarms) = plt.subplots(1, 2, figsize=(11, 5.4), width_ratios=(2.2, 1))
    for axes in (caught, alarms):
        style(axes)
        axes.grid(color=GRID, linewidth=0.8)
        axes.tick_params(axis="y", labelsize=8.5, colors=FAINT, length=0)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value * 100:g} %"))
    for curve, colour in zip(curves, COLOURS * (1 + len(curves) // len(COLOURS))):
        x, y = ([point[key] for point in curve["points"]] for key in ("slowdown_percent", "caught"))
        few = "" if curve["suffices"] else ", too few to judge"
        caught.plot(
            x, y, color=colour, linewidth=1.8, marker="o", markersize=4, linestyle="-" if curve["suffices"] else ":",
            label=f"{curve['repetitions']} repetitions{few}", clip_on=False, zorder=3)
    caught.axvline(threshold, color="#D55E00", linewidth=1.2, linestyle=(0, (4, 3)))
    caught.text(threshold, 1.02, f"threshold, {threshold:g} %", color=WARNING, fontsize=8, ha="center")
    caught.axhline(0.95, color=FAINT, linewidth=0.9, linestyle=(0, (1, 2)))
    caught.set(ylim=(0, 1), xlim=(0, None))
    caught.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:+g} %" if value else "0"))
    caught.legend(loc="lower right", frameon=True, edgecolor="none", fontsize=9)
    panel_title(caught, "detected slowdowns over their size (dotted: 95 %)", 20)
    draw_alarms(alarms, curves)
    subtitle = f"{power['figures']} figures judged together; noise {power['noise']}"
    return head(picture, "Simulated: detected slowdowns and false alarms", subtitle, [], above=0.8, below=0.1)


def draw_alarms(axes, curves):
    places = range(len(curves))
    for key, (colour, name, left) in ALARMS.items():
        heights = [curve[key] for curve in curves]
        axes.bar([place + left for place in places], heights, 0.36, color=colour, label=name, zorder=2)
        for place, curve in zip(places, curves):
            axes.annotate(
                f"{curve[key] * 100:.2g}", (place + left, curve[key]), xytext=(0, 3), textcoords="offset points",
                ha="center", fontsize=8, color=INK)
    axes.set_xticks(places, [str(curve["repetitions"]) for curve in curves], fontsize=9, color=INK)
    axes.set_xlabel("repetitions", fontsize=9, color=FAINT)
    axes.set_ylim(0, max([0.012, *(curve[key] * 1.25 for curve in curves for key in ALARMS)]))
    axes.legend(loc="upper right", frameon=True, edgecolor="none", fontsize=9)
    panel_title(axes, "false verdicts without a change", 20)
