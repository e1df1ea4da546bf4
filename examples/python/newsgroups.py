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
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.pipeline import make_pipeline

from eigenmap import Isomap, LabelPropagation, LaplacianEigenmaps


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
    for cluster, rows in frame.groupby("cluster").groups.items():
        top = np.asarray(x[rows].mean(axis=0)).ravel().argsort()[::-1][:6]
        print(f"{cluster:3d} {len(rows):5d} {frame.label[rows].mode()[0]:28.28s} {' '.join(terms[top])}")

    # Labels of five documents in a hundred, and -1 for the others.
    names = frame.label.astype("category")
    known = names.cat.codes.where(np.random.default_rng(0).random(len(frame)) < 0.05, -1)
    found = LabelPropagation().fit(x, known).transduction_
    hidden = known == -1
    print(f"labels of 5 %: accuracy {(found == names.cat.codes)[hidden].mean():.3f} on the others")

    place = Isomap(n_components=2).fit_transform(LaplacianEigenmaps(n_clusters=None, n_components=k, drop_first=True).fit_transform(x))
    plt.figure(figsize=(9, 7))
    plt.scatter(*place.T, c=frame.cluster, s=4, cmap="tab20")
    plt.title(f"{len(frame)} documents, {k} clusters")
    plt.savefig(args.out, dpi=120)
    print(f"wrote {args.out}")


if __name__ == "__main__":
    main()
