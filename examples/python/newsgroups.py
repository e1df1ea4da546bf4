"""Topics of news articles: from a DataFrame of texts to a map of clusters.

    pip install ./python pandas matplotlib
    python examples/python/newsgroups.py --out map.png

Reads the 20 newsgroups (20news-bydate.tar.xz from http://qwone.com/~jason/20Newsgroups) if --data
holds the file, else the package descriptions in examples/debian.
"""

import argparse
import tarfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.patheffects import withStroke
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.manifold import TSNE
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.pipeline import make_pipeline

from eigenmap import LabelPropagation, LaplacianEigenmaps


def newsgroups(file):
    rows = []
    with tarfile.open(file) as archive:
        for member in archive:
            parts = member.name.split("/")
            if member.isfile() and "train" in parts[-3]:
                text = archive.extractfile(member).read().decode("latin-1")
                rows.append((parts[-2], text.split("\n\n", 1)[-1]))
    return pd.DataFrame(rows, columns=["label", "text"])


def read(folder):
    found = [p for p in (folder / "20news-bydate.tar.xz", folder.parent / "shared/data/20news-bydate.tar.xz") if p.exists()]
    if found:
        return newsgroups(found[0])
    return pd.read_json(folder / "examples/debian/packages.jsonl.gz", lines=True)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--data", type=Path, default=Path("."), help="folder of the data, or of the repository")
    options.add_argument("--limit", type=int, default=4000, help="documents to take")
    options.add_argument("--out", type=Path, default=Path("map.png"), help="picture to write")
    args = options.parse_args()

    frame = read(args.data)
    frame = frame.sample(min(args.limit, len(frame)), random_state=0).reset_index(drop=True)
    k = frame.label.nunique()
    print(f"{len(frame)} documents in {k} classes")

    words = TfidfVectorizer(min_df=3, max_df=0.5, stop_words="english", sublinear_tf=True)
    clusters = make_pipeline(words, LaplacianEigenmaps(n_clusters=k, normalize_rows=True, random_state=0))
    frame["cluster"] = clusters.fit_predict(frame.text)
    print(f"clusters: NMI {normalized_mutual_info_score(frame.label, frame.cluster):.3f}, ARI {adjusted_rand_score(frame.label, frame.cluster):.3f}")

    x = words.transform(frame.text)
    terms = words.get_feature_names_out()
    mean = np.asarray(x.mean(axis=0)).ravel()
    topics = {}
    for cluster, rows in frame.groupby("cluster").groups.items():
        top = (np.asarray(x[rows].mean(axis=0)).ravel() - mean).argsort()[::-1][:6]
        topics[cluster] = terms[top]
        print(f"{cluster:3d} {len(rows):5d} {frame.label[rows].mode()[0]:28.28s} {' '.join(terms[top])}")

    # Labels of five documents in a hundred, and -1 for the others.
    names = frame.label.astype("category")
    known = names.cat.codes.where(np.random.default_rng(0).random(len(frame)) < 0.05, -1)
    found = LabelPropagation().fit(x, known).transduction_
    hidden = known == -1
    print(f"labels of 5 %: accuracy {(found == names.cat.codes)[hidden].mean():.3f} on the others")

    # A map of the coordinates in which the clusters were found, with the first terms of each.
    coordinates = clusters[-1].embedding_
    frame[["x", "y"]] = TSNE(metric="cosine", init="random", random_state=0).fit_transform(coordinates)
    draw(frame, topics, args.out)
    print(f"wrote {args.out}")


def draw(frame, topics, file):
    figure, axes = plt.subplots(figsize=(11, 9), layout="constrained")
    axes.scatter(frame.x, frame.y, c=frame.cluster, s=7, cmap="tab20", linewidths=0)
    for cluster, rows in frame.groupby("cluster"):
        # at the document that is nearest to the median of its cluster
        middle = rows[["x", "y"]].median()
        at = rows.loc[((rows[["x", "y"]] - middle) ** 2).sum(axis=1).idxmin()]
        text = axes.annotate("\n".join(topics[cluster][:2]), (at.x, at.y), ha="center", va="center", fontsize=9, weight="bold")
        text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])
    # Documents that share no terms with others lie far out.
    axes.set_xlim(frame.x.quantile([0.005, 0.995]) * 1.1)
    axes.set_ylim(frame.y.quantile([0.005, 0.995]) * 1.1)
    axes.set(title=f"{len(frame):,} documents in {len(topics)} clusters", xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    figure.savefig(file, dpi=120)


if __name__ == "__main__":
    main()
