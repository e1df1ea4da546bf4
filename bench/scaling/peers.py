"""The stages by scikit-learn and SciPy, one line of JSON after each; scaling.go starts it.

    python peers.py ABSTRACTS.jsonl AFFINITY.npz EMBEDDING.npy STAGE,STAGE,... THREADS

The graph is of its own tf-idf rows; the eigenpairs are of our graph, made ready, and k-means is of
our coordinates, so that these stages have the same input on both sides.
"""

import json
import sys
import time

try:
    import numpy as np
    import scipy.sparse as sp
    import scipy.sparse.linalg as spla
    from sklearn.cluster import KMeans
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.neighbors import NearestNeighbors
except ImportError as err:
    sys.exit(f"Python has no {err.name} (make bench-peers installs scikit-learn and SciPy)")


def read(path):
    with open(path) as f:
        texts = [json.loads(line)["text"] for line in f]
    return TfidfVectorizer(min_df=2).fit_transform(texts)


def stage(name, work):
    start, busy = time.perf_counter(), time.process_time()
    result = work()
    print(json.dumps({"stage": name, "seconds": time.perf_counter() - start, "cpu": time.process_time() - busy}), flush=True)
    return result


def main():
    path, affinity, embedding, stages, threads = sys.argv[1:6]
    stages = stages.split(",")
    if "read" in stages:
        x = stage("read", lambda: read(path))
    if "graph" in stages:
        stage("graph, exact", lambda: NearestNeighbors(n_neighbors=15, algorithm="brute", metric="cosine", n_jobs=int(threads)).fit(x).kneighbors())
    if "eigenpairs" in stages:
        s = sp.load_npz(affinity).tocsr()
        v0 = np.random.default_rng(1).standard_normal(s.shape[0])
        stage("eigenpairs", lambda: spla.eigsh(s, k=30, which="LA", tol=1e-8, v0=v0))
    if "k-means" in stages:
        y = np.load(embedding)
        stage("k-means", lambda: KMeans(n_clusters=40, n_init=10, tol=0, max_iter=300, random_state=1).fit(y))


main()
