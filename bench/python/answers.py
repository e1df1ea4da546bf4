"""Tables of few different rows: displays of seven lights, yes or no answers of groups, and answers from 1 to 5.

Usage: python bench/python/answers.py bin/eigenmap

Prints accuracy / NMI, means of the seeds 0 and 1, of the default, of --duplicates keep, and of --method kmeans.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

LIGHTS = "1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011".split()


def lights(rng, n, wrong):
    y = rng.integers(0, 10, n)
    x = np.array([[int(c) for c in LIGHTS[k]] for k in y]) ^ (rng.random((n, 7)) < wrong)
    return x, y


def yes_or_no(rng, n, groups, questions):
    p = np.where(rng.random((groups, questions)) < 0.5, 0.85, 0.15)
    y = rng.choice(groups, n, p=rng.dirichlet([4] * groups))
    return (rng.random((n, questions)) < p[y]).astype(int), y


def one_to_five(rng, n, groups, questions, spread):
    means = rng.uniform(1.2, 4.8, (groups, questions))
    y = rng.integers(0, groups, n)
    return np.clip(np.round(means[y] + spread * rng.standard_normal((n, questions))), 1, 5).astype(int), y


def tables():
    rng = np.random.default_rng(5)
    for n, wrong in ((1000, 0.1), (3000, 0.1), (800, 0.2)):
        yield f"lights, {n}, {wrong} wrong", lights(rng, n, wrong)
    for n, groups, questions in ((900, 3, 8), (1200, 4, 8), (600, 2, 6), (1500, 5, 10)):
        yield f"yes or no, {n}, {groups} groups, {questions} columns", yes_or_no(rng, n, groups, questions)
    for n, groups, questions, spread in ((900, 3, 4, 0.7), (1500, 4, 4, 0.8), (500, 2, 4, 0.9), (2000, 5, 3, 0.5)):
        yield f"1 to 5, {n}, {groups} groups, {questions} columns", one_to_five(rng, n, groups, questions, spread)


def main(program):
    ways = {"default": [], "keep": ["--duplicates", "keep"], "kmeans": ["--method", "kmeans"]}
    sums = {name: [] for name in ways}
    with tempfile.TemporaryDirectory() as folder:
        for title, (x, y) in tables():
            path = os.path.join(folder, "table.csv")
            with open(path, "w", newline="") as f:
                out = csv.writer(f)
                out.writerow([f"q{j}" for j in range(x.shape[1])] + ["class"])
                out.writerows([*row, f"g{k}"] for row, k in zip(x, y))
            line = []
            for name, flags in ways.items():
                runs = [subprocess.run([program, "cluster", path, "--json", "--seed", s, *flags], check=True, capture_output=True) for s in "01"]
                scores = np.mean([[json.loads(r.stdout)["metrics"][m] for m in ("accuracy", "nmi")] for r in runs], axis=0)
                sums[name].append(scores)
                line.append("%s %.3f / %.3f" % (name, *scores))
            print(f"{title}, {len(np.unique(x, axis=0))} different rows:", ", ".join(line), flush=True)
    print("mean:", ", ".join("%s %.3f / %.3f" % (name, *np.mean(s, axis=0)) for name, s in sums.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
