"""Loads: their figures over time, which are in the CSV beside the result."""

import csv
from collections import defaultdict

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, MaxNLocator

from .bench import Problem
from .parts import FAINT, GRID, duration_tick, head, legend, megabytes_tick, panel_title, short, style

# The figures of a load over time, and the ticks of an axis of each unit.
OVER_TIME = ["throughput_per_s", "latency_p50_ns", "heap_bytes", "wal_bytes"]
MARKS = {"per_s": "{:,.0f}/s".format, "ns": duration_tick, "bytes": megabytes_tick}


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def number(row, column):
    return float(row[column]) if row.get(column) else float("nan")


def draw_series(path, bench):
    """Draws a column for each load, a row for each figure, a line for each driver and repetition. None without samples."""
    series = path.with_name(f"{path.stem}-series.csv")
    rows = read(series) if series.is_file() else []
    if not rows:
        return None
    if not {row.get("run") for row in rows} <= {row.get("run") for row in read(path)}:
        raise Problem(f"{series} is of another run than {path}; put the file's own beside it, or remove this one")
    result = bench.json("show", "--", path)
    columns = result["columns"]
    phases = list(dict.fromkeys(row["phase"] for row in rows))
    colours = dict(zip(result["drivers"], result["driver_colors"]))
    drivers = [driver for driver in colours if any(row["driver"] == driver for row in rows)]
    size = (0.8 + 5.4 * len(phases), 2.0 + 1.7 * len(OVER_TIME))
    picture, panels = plt.subplots(len(OVER_TIME), len(phases), figsize=size, sharex="col", squeeze=False)
    for column, phase in enumerate(phases):
        for line in lines(row for row in rows if row["phase"] == phase):
            for place, figure in enumerate(OVER_TIME):
                plot_line(panels[place][column], line, figure, colours)
        for place, figure in enumerate(OVER_TIME):
            title = over_time_title(figure, columns)
            panel_title(panels[place][column], f"{short(phase, 24)}: {title}" if len(phases) > 1 else title, pad=6)
            style_over(panels[place][column], MARKS[columns[figure]["unit"]])
        panels[-1][column].set_xlabel("seconds from the start of the load", fontsize=8.5, color=FAINT)
    legend(picture, drivers, colours)
    subtitle = "each line is a repetition; response times run from the intended start"
    return head(picture, f"{short(rows[0]['scenario'], 40)} over time", subtitle, [], below=0.15)


def over_time_title(figure, columns):
    label = columns[figure]["label"]
    if figure != "latency_p50_ns":
        return label
    return f"response time, {label} and (faint) {columns['latency_p99_ns']['label']}"


def lines(rows):
    """Returns the samples of each repetition of each driver."""
    found = defaultdict(list)
    for row in rows:
        found[row["driver"], row["repetition"]].append(row)
    return found.values()


def plot_line(axes, line, figure, colours):
    times = [number(row, "time_s") for row in line]
    colour = colours[line[0]["driver"]]
    # A load of one sample has no line.
    mark = "." if len(line) == 1 else None
    axes.plot(times, [number(row, figure) for row in line], color=colour, linewidth=1.2, marker=mark, zorder=3)
    if figure == "latency_p50_ns":
        values = [number(row, "latency_p99_ns") for row in line]
        axes.plot(times, values, color=colour, linewidth=0.8, alpha=0.45, zorder=2)


def style_over(axes, mark):
    style(axes)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_locator(MaxNLocator(4))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: mark(value)))
    axes.tick_params(axis="y", labelsize=8.5, colors=FAINT)
