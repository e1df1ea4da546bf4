"""Time by stage on one thread and on several, and the serial fraction that follows.

    python threads.py EIGENMAP [--threads 2,4] [--runs 5] [--cores 64] -- cluster FILE [flags]

Runs the command in turn with --threads 1 and each number of --threads, and prints for each stage
the medians, the speed-up S on the most threads, N, the serial fraction (1/S - 1/N) / (1 - 1/N) of
Karp and Flatt (1990), and the speed-up that Amdahl's law gives for --cores cores with it. Stages
below 20 ms are left out. The fractions are uncertain by the spread of the runs, which is printed as
the largest over the smallest time on one thread. The last line is the CPU time of the whole
process. The clusters of all runs must be the same.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys


def run(command, threads):
    before = os.times()
    out = subprocess.run([*command, "--threads", str(threads), "--quiet", "--json"], capture_output=True, text=True)
    after = os.times()
    if out.returncode:
        sys.exit(out.stderr)
    result = json.loads(out.stdout)
    used = after.children_user - before.children_user + after.children_system - before.children_system
    return {**result["timings"], "CPU": used}, (result.get("cluster_sizes"), result.get("metrics"))


def main():
    arguments, _, command = " ".join(sys.argv[1:]).partition(" -- ")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("eigenmap")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cores", type=int, default=64)
    a = parser.parse_args(arguments.split())
    times = {1: []} | {int(n): [] for n in a.threads.split(",")}
    found = None
    for _ in range(a.runs):
        for n, list_ in times.items():
            timings, result = run([a.eigenmap, *command.split()], n)
            list_.append(timings)
            if found not in (None, result):
                sys.exit(f"the clusters depend on the threads: {found} and {result}")
            found = result
    most = max(times)
    heads = "".join(f"{f'{n} threads':>12}" for n in times if n > 1)
    print(f"{'stage':12}{'1 thread':>11}{heads}{'spread':>8}{'speed-up':>10}{'serial':>8}{f'on {a.cores}':>8}")
    for stage in sorted(times[1][0], key=lambda s: (s == "CPU", statistics.median(t[s] for t in times[1]))):
        one = [t[stage] for t in times[1]]
        medians = [statistics.median(t[stage] for t in list_) for list_ in times.values()]
        if medians[0] < 0.02 or medians[-1] == 0:
            continue
        line = f"{stage:12}" + "".join(f"{m:{10 if i == 0 else 11}.2f}s" for i, m in enumerate(medians)) + f"{max(one) / min(one):8.2f}"
        if stage != "CPU":
            speed = medians[0] / statistics.median(t[stage] for t in times[most])
            serial = min(1, max(0, (1 / speed - 1 / most) / (1 - 1 / most)))
            line += f"{speed:10.2f}{serial:8.2f}{1 / (serial + (1 - serial) / a.cores):8.1f}"
        print(line, flush=True)


main()
