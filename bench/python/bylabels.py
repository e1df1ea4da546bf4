"""Classifiers of scikit-learn with the known labels of the study of the choice by labels.

    make study-labels DATA=DIR OUT=DIR

Reads the files that `go run ./bench/cmd/draws ... by-labels` wrote, CORPUS_SHARE-DRAW.npz with
documents and classes and CORPUS_SHARE-DRAW.known with the rows of the known labels, and writes into
--out by-labels-peers.csv, one line a draw and classifier as soon as it is computed, and
by-labels-peers.txt, means with their standard errors. A second call goes on from the first. Counts
of terms get TfidfTransformer's weights, other data are divided by their largest value. The
classifiers have their library's defaults, but C = 100 and 1,000 iterations of LogisticRegression and
the kernel of nearest neighbours of LabelSpreading; SelfTrainingClassifier is of the same
LogisticRegression. Figures are of the documents whose labels were not given. No setting was
searched.
"""

import csv
import sys
import time

import numpy as np
import scipy.sparse as sp
from pipelines import aligned, done_before, estimate, main, read
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier


def logistic():
    return LogisticRegression(C=100, max_iter=1000)


def given(known, y):
    out = np.full(len(y), -1)
    out[known] = y[known]
    return out


CLASSIFIERS = {
    "LogisticRegression": lambda x, known, y: logistic().fit(x[known], y[known]).predict(x),
    "LabelSpreading": lambda x, known, y: LabelSpreading(kernel="knn").fit(x, given(known, y)).transduction_,
    "SelfTraining": lambda x, known, y: SelfTrainingClassifier(logistic()).fit(x, given(known, y)).predict(x),
}


def weighted(x):
    return TfidfTransformer().fit_transform(x) if sp.issparse(x) else x / np.abs(x).max()


def compute(draws, out):
    path = out / "by-labels-peers.csv"
    done = done_before(path, "row", "classifier")
    files = sorted(f for f in draws.glob("*.npz") if f.with_suffix(".known").exists())
    if not files:
        sys.exit(f"bylabels: there are no draws in {draws}: write them with go run ./bench/cmd/draws")
    with open(path, "a", newline="") as f:
        w = csv.writer(f)
        if not done:
            w.writerow(["row", "draw", "classifier", "accuracy", "macro_f1", "seconds"])
        for file in files:
            row, draw = file.stem.rsplit("-", 1)
            missing = [name for name in CLASSIFIERS if (row, int(draw), name) not in done]
            if not missing:
                continue
            x, y = read(file)
            x, known = weighted(x), np.loadtxt(file.with_suffix(".known"), dtype=int)
            hidden = np.setdiff1d(np.arange(len(y)), known)
            for name in missing:
                begun = time.process_time()
                found = CLASSIFIERS[name](x, known, y)
                line = [row, draw, name, f"{(found == y)[hidden].mean():.6f}",
                        f"{f1_score(y[hidden], found[hidden], average='macro'):.6f}", f"{time.process_time() - begun:.2f}"]
                w.writerow(line)
                f.flush()
                print(*line, sep=", ")


def table(out):
    import sklearn

    lines = done_before(out / "by-labels-peers.csv", "row", "classifier").values()
    text = [f"Classifiers of scikit-learn {sklearn.__version__} on the draws of `eigenmap reproduce by-labels`,",
            "mean ± standard error in percent, of the documents whose labels were not given.", ""]
    for key, title in (("accuracy", "Accuracy"), ("macro_f1", "Macro-F1")):
        rows = [[title, *CLASSIFIERS, "draws"]]
        for name in sorted({r["row"] for r in lines}):
            of = {c: [float(r[key]) for r in lines if r["row"] == name and r["classifier"] == c] for c in CLASSIFIERS}
            rows.append([name.replace("_of_", "_%_of_").replace("_", " "), *(estimate(v) if v else "" for v in of.values()), str(max(map(len, of.values())))])
        text += aligned(rows)
    (out / "by-labels-peers.txt").write_text("\n".join(text))
    print("\n".join(text))


if __name__ == "__main__":
    main(__doc__, compute, table)
