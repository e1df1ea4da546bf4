"""Short texts that no choice of the program was made on: definitions of WordNet, by subject.

    apt-get install wordnet-base
    python glosses.py EIGENMAP /usr/share/wordnet/data.noun [--seeds 3]

The documents are 600 definitions (or all, if there are fewer) of each of ten of WordNet's files of
nouns, drawn with seed 0 among those of more than 40 characters; the classes are the files. Prints
accuracy and NMI (over the larger entropy), means of the seeds from 0 on. Without labels, with the
number of classes: the program's default, and on scikit-learn's tf-idf (English stop words, terms of
two documents or more, sublinear) its k-means after an SVD of 100 with rows of unit length, its NMF,
and UMAP of 5 (if umap-learn is installed) with k-means. With 1, 2 and 5 % of the labels of each
class, accuracy on the other documents: the program's default and scikit-learn's
LogisticRegression(C=100) on labels drawn alike.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF, TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer

from tables import ours, scores, umap

# The numbers of WordNet's files of nouns (its manual page lexnames).
SUBJECTS = {5: "animal", 8: "body", 10: "communication", 12: "feeling", 13: "food", 15: "location", 18: "person",
            20: "plant", 27: "substance", 28: "time"}


def documents(path):
    texts = {name: [] for name in SUBJECTS.values()}
    with open(path, encoding="latin-1") as f:
        for line in f:
            head, _, gloss = line.partition("|")
            subject = None if line.startswith("  ") else SUBJECTS.get(int(head.split()[1]))
            if subject and len(gloss.strip()) > 40:
                texts[subject].append(gloss.strip())
    rng = random.Random(0)
    return [(t, name) for name, list_ in texts.items() for t in rng.sample(list_, min(600, len(list_)))]


def learnt(eigenmap, path, share, seed):
    out = subprocess.run([eigenmap, "cluster", path, "--labeled-fraction", str(share), "--seed", str(seed), "--quiet",
                          "--json"], check=True, capture_output=True, text=True)
    return json.loads(out.stdout)["metrics_unlabeled"]["accuracy"]


def logistic(x, classes, share, seed):
    rng = np.random.default_rng(seed)
    known = np.concatenate([rng.choice(np.flatnonzero(classes == c), max(1, round(share * np.sum(classes == c))),
                                       replace=False) for c in np.unique(classes)])
    rest = np.setdiff1d(np.arange(len(classes)), known)
    fitted = LogisticRegression(C=100, max_iter=2000).fit(x[known], classes[known])
    return np.mean(fitted.predict(x[rest]) == classes[rest])


def study(eigenmap, texts, classes, seeds):
    """Prints accuracy and NMI of the program's default and of the peers, and accuracies with labels."""
    classes = np.array(classes)
    k = len(set(classes))
    x = TfidfVectorizer(stop_words="english", min_df=2, sublinear_tf=True).fit_transform(texts)

    def means(rows, seed):
        return KMeans(k, n_init=10, random_state=seed).fit_predict(rows)

    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "texts.jsonl")
        with open(path, "w") as f:
            for text, label in zip(texts, classes):
                f.write(json.dumps({"text": text, "label": str(label)}) + "\n")
        ways = {
            "default": lambda s: ours(eigenmap, path, classes, s),
            "SVD 100 + k-means": lambda s: scores(classes, means(
                make_pipeline(TruncatedSVD(100, random_state=s), Normalizer()).fit_transform(x), s)),
            "NMF": lambda s: scores(classes, NMF(k, random_state=s, max_iter=400).fit_transform(x).argmax(axis=1)),
        }
        if umap:
            ways["UMAP 5 + k-means"] = lambda s: scores(classes, means(
                umap.UMAP(n_components=5, metric="cosine", random_state=s, n_jobs=1).fit_transform(x), s))
        print(f"{len(texts)} documents of {k} classes")
        for name, way in ways.items():
            accuracy, nmi = np.mean([way(s) for s in range(seeds)], axis=0)
            print(f"{name:18} {accuracy:.3f} / {nmi:.3f}", flush=True)
        for share in (.01, .02, .05):
            found = np.mean([(learnt(eigenmap, path, share, s), logistic(x, classes, share, s)) for s in range(seeds)], axis=0)
            print(f"{share:.0%} of the labels: default {found[0]:.3f}, LogisticRegression {found[1]:.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("eigenmap")
    parser.add_argument("nouns")
    parser.add_argument("--seeds", type=int, default=3)
    a = parser.parse_args()
    warnings.simplefilter("ignore")
    texts, classes = zip(*documents(a.nouns))
    study(a.eigenmap, texts, classes, a.seeds)


if __name__ == "__main__":
    sys.exit(main())
