"""What two programs that share a core do to each other's caches: three ways to let them run, on core 0.

    cc -O2 -o .build/walk Tests/gates/walk.c
    python3 Tests/gates/sharing.py .build/walk 16

For each size of memory, the program is compared with itself, with one of 3 % more steps, and with one of 10 % more
memory. The table has the ratio of CPU times by Hodges and Lehmann, and the standard deviation of a pair.
"""

import math
import os
import random
import signal
import statistics
import sys
import time

SIZES = [(32, 60_000_000), (256, 20_000_000), (1024, 12_000_000), (4096, 5_000_000)]


def start(command):
    process = os.fork()
    if process == 0:
        os.sched_setaffinity(0, {0})
        nothing = os.open("/dev/null", os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        os.execv(command[0], command)
    return process


def cpu(process):
    _, status, usage = os.wait4(process, 0)
    if status != 0:
        raise RuntimeError("the program failed")
    return usage.ru_utime + usage.ru_stime


def at_once(commands, order):
    processes = {place: start(commands[place]) for place in order}
    return [cpu(processes[place]) for place in (0, 1)]


def in_turn(commands, order):
    times = {place: cpu(start(commands[place])) for place in order}
    return [times[0], times[1]]


def in_slices(seconds):
    """Stops each program while the other one runs."""

    def run(commands, order):
        processes = [start(command) for command in commands]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        times, turn = {}, 0
        while len(times) < 2:
            place = order[turn % 2]
            turn += 1
            if place in times:
                place = 1 - place
            os.kill(processes[place], signal.SIGCONT)
            end = time.monotonic() + seconds
            while time.monotonic() < end and not has_ended(processes[place]):
                time.sleep(0.001)
            if has_ended(processes[place]):
                times[place] = cpu(processes[place])
            else:
                os.kill(processes[place], signal.SIGSTOP)
        return [times[0], times[1]]

    return run


def has_ended(process):
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


WAYS = {"at once": at_once, "in turn": in_turn, "slices of 10 ms": in_slices(0.01), "of 40 ms": in_slices(0.04)}


def center(values):
    """The median of the means of two, by Hodges and Lehmann."""
    pairs = [(values[i] + values[j]) / 2 for i in range(len(values)) for j in range(i, len(values))]
    return statistics.median(pairs)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    print(f"| memory | | {' | '.join(WAYS)} |\n| --- | --- |{' ---: |' * len(WAYS)}")
    for kib, steps in SIZES:
        base = [program, str(kib), str(steps)]
        others = {
            "same": base,
            "3 % more steps": [program, str(kib), str(int(1.03 * steps))],
            "10 % more memory": [program, str(int(1.1 * kib)), str(steps)],
        }
        for name, new in others.items():
            ratios = {way: [] for way in WAYS}
            for _ in range(count):
                # The ways take turns too, so that the machine is the same for all.
                for way in random.sample(list(WAYS), len(WAYS)):
                    times = WAYS[way]([base, new], random.sample([0, 1], 2))
                    ratios[way].append(math.log(times[1] / times[0]))
            cells = [f"{math.exp(center(own)):.3f} ± {statistics.stdev(own):.3f}" for own in ratios.values()]
            print(f"| {kib} KiB | {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
