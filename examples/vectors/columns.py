"""Writes a corpus of JSON lines as a CSV file with columns beside the texts, for the figures of
docs/vectors.md: columns.py CORPUS.jsonl TABLE.csv

half and tenth have the class of a document for that share of the documents and that of another one,
drawn at random, for the rest; chance is drawn alone, of as many values; amount is a number that is
larger in some classes, and noise one that is not; a fifth of the values of each are missing."""

import csv
import json
import random
import sys

source, target = sys.argv[1:]
draw = random.Random(0)
documents = [json.loads(line) for line in open(source, encoding="utf-8")]
labels = [d["label"] for d in documents]
place = {label: k for k, label in enumerate(sorted(set(labels)))}


def told(label, share):
    """The label with this probability, else that of any document."""
    return label if draw.random() < share else draw.choice(labels)


with open(target, "w", encoding="utf-8", newline="") as file:
    table = csv.writer(file)
    table.writerow(["id", "text", "label", "half", "tenth", "chance", "amount", "noise"])
    for d in documents:
        values = [told(d["label"], 0.5), told(d["label"], 0.1), draw.choice(labels),
                  f"{draw.lognormvariate(place[d['label']] / 2, 1):.2f}", f"{draw.lognormvariate(0, 1):.2f}"]
        values = [v if draw.random() < 0.8 else "" for v in values]
        table.writerow([d["id"], d["text"], d["label"], *values])
