"""Short texts that no choice of the program was made on: titles, snippets and abstracts, by subject.

    git clone https://github.com/jacoxu/STC2
    git clone https://github.com/MIND-Lab/OCTIS
    python short.py EIGENMAP STC2 OCTIS [--seeds 2] [--only SearchSnippets,M10]

StackOverflow (20,000 titles of questions, 20 classes), SearchSnippets (12,340, 8) and Biomedical
(20,000 titles of articles, 20) as in Xu and others 2017, "Self-taught convolutional neural networks
for short text clustering", Neural Networks 88; M10 (8,355 titles, 10), BBC_News (2,225, 5) as OCTIS
prepares them. Prints for each what glosses.py prints.
"""

import argparse
import sys
import warnings
from pathlib import Path

from glosses import study


def titles(folder, name):
    """Texts and classes of a collection of STC2, one a line in two files."""
    dataset = Path(folder) / "dataset"
    texts = (dataset / f"{name}.txt").read_text("utf-8-sig", "replace").splitlines()
    return texts, (dataset / f"{name}_gnd.txt").read_text().split()


def prepared(folder, name):
    """Texts and classes of a collection of OCTIS: text, part and class, between tabs."""
    table = Path(folder) / "preprocessed_datasets" / name / "corpus.tsv"
    rows = [line.split("\t") for line in table.read_text("utf-8").splitlines() if line]
    return [r[0] for r in rows], [r[-1] for r in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("eigenmap")
    parser.add_argument("stc2")
    parser.add_argument("octis")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--only", default="BBC_News,M10,SearchSnippets,StackOverflow,Biomedical")
    a = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in a.only.split(","):
        texts, classes = prepared(a.octis, name) if name in ("M10", "BBC_News") else titles(a.stc2, name)
        print(name, end=": ")
        study(a.eigenmap, texts, classes, a.seeds)


if __name__ == "__main__":
    sys.exit(main())
