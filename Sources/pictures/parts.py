"""The common parts of the pictures: colours, axes, texts above and below, and the format of figures."""

import textwrap

import matplotlib.pyplot as plt

INK, FAINT, GRID, WARNING = "#222222", "#6B6B6B", "#E3E3E3", "#B34700"


def short(name, limit):
    """Returns a name without its middle if it is longer: names that begin alike differ at the end."""
    return name if len(name) <= limit else f"{name[:limit // 2]}…{name[limit // 2 + 1 - limit:]}"


def dots(axes, x, y, colour=INK):
    axes.scatter(x, y, s=16, color=colour, alpha=0.75, edgecolors="white", linewidths=0.5, zorder=4)


def style(axes):
    axes.tick_params(axis="x", labelsize=8.5, colors=FAINT, length=0)
    axes.tick_params(axis="y", length=0)
    axes.set_axisbelow(True)
    for side in ("top", "right", "bottom", "left"):
        axes.spines[side].set_visible(False)


def panel_title(axes, text, pad=8):
    axes.set_title(text, loc="left", fontsize=10, color=INK, pad=pad)


def head(picture, title, subtitle, notes, above=1.05, below=0.05):
    """Puts the title above a picture and its notes below."""
    width, height = picture.get_size_inches()
    lines = [line for note in notes for line in textwrap.wrap(note, int(width * 14.5))]
    lines = lines[:6] + ["..."] * (len(lines) > 6)
    foot = 0.1 + 0.17 * len(lines)
    picture.set_figheight(height + foot)
    height += foot
    picture.tight_layout(rect=(0, foot / height, 1, 1 - above / height), w_pad=2.5)
    left = 0.16 / width
    picture.text(left, 1 - 0.2 / height, title, fontsize=14, fontweight="bold", color=INK, va="top")
    picture.text(left, 1 - 0.5 / height, subtitle, fontsize=9.5, color=FAINT, va="top")
    picture.text(left, 0.1 / height, "\n".join(lines), fontsize=8.5, color=WARNING, linespacing=1.25, va="bottom")
    for own in picture.legends:
        own.set_bbox_to_anchor((0.12 / width, 1 - 0.76 / height))
    return picture


def legend(picture, drivers, colours):
    handles = [plt.Rectangle((0, 0), 1, 1, color=colours[driver]) for driver in drivers]
    picture.legend(
        handles, [short(driver, 24) for driver in drivers], loc="upper left", ncols=min(len(handles), 4), frameon=False, fontsize=9.5, handlelength=1,
        handleheight=1, columnspacing=1.6, borderaxespad=0)


def row_names(figures):
    """Returns a name for each scenario, phase and mode: the phase's name, extended only if it is ambiguous."""
    keys = list(dict.fromkeys(map(row_key, figures)))
    scenarios = {scenario for scenario, _, _ in keys}
    names = {}
    for key in keys:
        scenario, phase, mode = key
        is_shared = sum(other[:2] == key[:2] for other in keys) > 1
        names[key] = (f"{scenario}: " if len(scenarios) > 1 else "") + phase + (f" ({mode})" if is_shared else "")
    return names


def row_key(figure):
    return figure["scenario"], figure["phase"], figure["mode"]


def duration_tick(nanoseconds, _=None):
    """Returns the label of a tick, which is a round number."""
    value, unit = scaled(nanoseconds)
    return f"{value:.4g} {unit}" if value else "0"


def scaled(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size * (0.0999 if unit == "s" else 1):
            return nanoseconds / size, unit
    return nanoseconds, "ns"


def megabytes_tick(value, _=None):
    return f"{value / 1e6:,.4g} MB" if value else "0"
