"""Time by stage on one thread and on several, and the serial fraction that follows.

    python threads.py EIGENMAP [--threads 2] [--runs 5] [--cores 64] -- cluster FILE [flags]

Runs the command in turn with --threads 1 and --threads N, and prints for each stage the medians,
the speed-up S, the serial fraction (1/S - 1/N) / (1 - 1/N) of Karp and Flatt (1990), and the
speed-up that Amdahl's law gives for --cores cores with it. Stages below 20 ms are left out. The
fractions are uncertain by the spread of the runs, which is printed as the largest over the smallest
time on one thread. The clusters of all runs must be the same.
"""

import argparse
import json
import statistics
import subprocess
import sys


def run(command, threads):
    out = subprocess.run([*command, "--threads", str(threads), "--quiet", "--json"], capture_output=True, text=True)
    if out.returncode:
        sys.exit(out.stderr)
    result = json.loads(out.stdout)
    return result["timings"], (result["cluster_sizes"], result.get("metrics"))


def main():
    arguments, _, command = " ".join(sys.argv[1:]).partition(" -- ")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("eigenmap")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cores", type=int, default=64)
    a = parser.parse_args(arguments.split())
    times = {1: [], a.threads: []}
    found = None
    for _ in range(a.runs):
        for n, list_ in times.items():
            timings, result = run([a.eigenmap, *command.split()], n)
            list_.append(timings)
            if found not in (None, result):
                sys.exit(f"the clusters depend on the threads: {found} and {result}")
            found = result
    print(f"{'stage':12}{'1 thread':>10}{f'{a.threads} threads':>12}{'spread':>8}{'speed-up':>10}{'serial':>8}{f'on {a.cores}':>8}")
    for stage in sorted(times[1][0], key=lambda s: statistics.median(t[s] for t in times[1])):
        one = [t[stage] for t in times[1]]
        first, then = statistics.median(one), statistics.median(t[stage] for t in times[a.threads])
        if first < 0.02 or then == 0:
            continue
        speed = first / then
        serial = min(1, max(0, (1 / speed - 1 / a.threads) / (1 - 1 / a.threads)))
        amdahl = 1 / (serial + (1 - serial) / a.cores)
        print(f"{stage:12}{first:9.2f}s{then:11.2f}s{max(one) / min(one):8.2f}{speed:10.2f}{serial:8.2f}{amdahl:8.1f}")


main()
