"""A comparison of two results: the changes, and whether they stand out from the noise."""

import math
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.ticker import FixedLocator, FuncFormatter

from .bench import Problem
from .parts import FAINT, GRID, INK, change, head, panel_title, row_key, row_names, style

VERDICTS = {
    "regressed": "#D55E00", "improved": "#009E73", "unchanged": "#0072B2", "inconclusive": "#CC79A7",
    "insufficient data": "#999999"}
# The possible ticks of the axis of ratios.
RATIOS = [0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 0.9, 0.95, 0.98, 1, 1.02, 1.05, 1.1, 1.25, 1.5, 2, 3, 5, 10]


def draw_comparison(comparison):
    """Draws, for each phase and driver, the ratio of new to base with its interval, and the band that does not count as a change."""
    figures = [figure for figure in comparison["figures"] if figure["verdict"] != "not judged"]
    measured = [figure for figure in figures if figure["unit"] != "count"]
    if not measured:
        raise Problem("no measured figure has a verdict, so there is nothing to draw: " + comparison["conclusion"])
    names = row_names(measured)
    rows = list(dict.fromkeys((names[row_key(figure)], figure["driver"]) for figure in measured))
    metrics = list(dict.fromkeys(figure["metric"] for figure in measured))
    size = (2.2 + 4.6 * len(metrics), 2.0 + 0.25 * len(rows) + 0.1 * len({name for name, _ in rows}))
    picture, panels = plt.subplots(1, len(metrics), figsize=size, sharey=True, squeeze=False)
    places = row_places(rows)
    for axes, metric in zip(panels[0], metrics):
        own = [figure for figure in measured if figure["metric"] == metric]
        style(axes)
        panel_title(axes, own[0]["label"])
        for figure in own:
            draw_ratio(axes, places[names[row_key(figure)], figure["driver"]], figure)
        ratio_axis(axes, own)
    name_rows(panels[0][0], places)
    sides = [", ".join(Path(file).name for file in comparison[side]["files"]) for side in ("base", "new")]
    relative = f", relative to {comparison['relative_to']}" if comparison.get("relative_to") else ""
    subtitle = f"{sides[1]} against {sides[0]}{relative}: centre of the ratios, 95 % interval; grey: within the limit"
    notes = changed_counters(figures) + comparison["notes"]
    conclusion = comparison["conclusion"]
    return head(picture, conclusion[:1].upper() + conclusion[1:], subtitle, notes, above=0.85, below=0.25)


def draw_ratio(axes, y, figure):
    limit = 1 + figure["limit_percent"] / 100
    axes.fill_betweenx([y - 0.5, y + 0.5], 1 / limit, limit, color="#EFEFEF", linewidth=0, zorder=0)
    colour, ratio = VERDICTS[figure["verdict"]], figure.get("ratio")
    text = figure["verdict"]
    if ratio:
        if "ratio_low" in figure:
            axes.plot([figure["ratio_low"], figure["ratio_high"]], [y, y], color=colour, linewidth=2.2, zorder=3)
        axes.plot(ratio, y, "o", color=colour, markersize=5.5, markeredgecolor="white", markeredgewidth=0.8, zorder=4)
        text = f"{change(ratio)}  {text}"
    bold = "bold" if figure["verdict"] in ("regressed", "improved") else "normal"
    axes.annotate(
        text, (1.01, y), xycoords=("axes fraction", "data"), va="center", fontsize=8, color=INK, fontweight=bold)


def ratio_axis(axes, figures):
    """Sets a logarithmic axis, so that twice and half are equally far from no change."""
    ends = [figure[key] for figure in figures for key in ("ratio", "ratio_low", "ratio_high") if figure.get(key)]
    limits = [1 + figure["limit_percent"] / 100 for figure in figures]
    low, high = min(ends + [1 / limit for limit in limits]), max(ends + limits)
    low, high = low / (high / low) ** 0.06, high * (high / low) ** 0.06
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    ticks = []
    for ratio in sorted((r for r in RATIOS if low <= r <= high), key=lambda r: (r != 1, -abs(r - 1))):
        if all(abs(math.log(ratio / other)) > 0.17 * math.log(high / low) for other in ticks):
            ticks.append(ratio)
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: change(value, 0)))
    axes.minorticks_off()
    axes.grid(axis="x", color=GRID, linewidth=0.8)
    axes.axvline(1, color=FAINT, linewidth=0.9, zorder=1)


def changed_counters(figures):
    """Returns the changed exact counters in words, since they have no interval."""
    changed = [f for f in figures if f["unit"] == "count" and f["verdict"] in ("regressed", "improved")]
    texts = [f"{f['driver']}, {f['phase']}: {f['metric']} {f['verdict']}" for f in changed]
    more = [f"and {len(texts) - 4} more counters changed"] if len(texts) > 4 else []
    return ["; ".join(texts[:4] + more)] if texts else []


def row_places(rows):
    """Returns heights from the top, with a gap before each phase."""
    places, y, before = {}, 0.0, None
    for name, driver in sorted(rows, key=lambda row: [name for name, _ in rows].index(row[0])):
        y += 0.4 if before not in (None, name) else 0
        places[name, driver], before = y, name
        y += 1
    return places


def name_rows(axes, places):
    axes.set_yticks(list(places.values()), [driver for _, driver in places], fontsize=9, color=INK)
    axes.set_ylim(max(places.values()) + 0.6, -0.6)
    axes.figure.canvas.draw()
    width = max(label.get_window_extent().width for label in axes.get_yticklabels()) * 72 / axes.figure.dpi
    for name in dict.fromkeys(name for name, _ in places):
        own = [y for (other, _), y in places.items() if other == name]
        axes.annotate(
            name, (0, sum(own) / len(own)), xytext=(-width - 16, 0), xycoords=("axes fraction", "data"), ha="right",
            textcoords="offset points", va="center", fontsize=10, fontweight="bold", color=INK)
