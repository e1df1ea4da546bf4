"""Approximate neighbours of dense rows beside pynndescent, hnswlib and faiss, in turn, one thread.

    go build -o nearest ./bench/cmd/nearest
    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 NUMBA_NUM_THREADS=1 \
        python nearest.py ./nearest DATA [--k 15] [--runs 1] [--peers pynndescent,hnswlib,faiss]

DATA is images (idx3-ubyte.gz), a .npy file, or made-up rows: clustered (400 blobs of 12 dimensions
in 64 columns, 200,000 rows), smooth (a curved sheet of 10 dimensions in 64 columns, 200,000 rows)
or embed (50,000 × 384 of length 1, 2,000 topics, a decaying spectrum); seed 36. Prints seconds of
CPU and the recall, the share of the exact neighbours of 1,000 rows that were found. Each peer runs
with rising settings until its recall is .99; the time that numba compiles is left out by a run
before. Needs numpy and the peers that are named.
"""

import argparse
import gzip
import importlib.util
import json
import os
import subprocess
import tempfile

import numpy as np


def rows(name):
    rng = np.random.default_rng(36)
    if name == "clustered":
        n, d = 200000, 64
        centre, basis = rng.normal(size=(400, d)), rng.normal(size=(400, 12, d)) * 0.35
        z, of = rng.normal(size=(n, 12)), rng.integers(400, size=n)
        x = centre[of] + np.einsum("ij,ijk->ik", z, basis[of]) + 0.05 * rng.normal(size=(n, d))
    elif name == "smooth":
        n, d = 200000, 64
        z, a, b = rng.normal(size=(n, 10)), rng.normal(size=(10, d)), rng.normal(size=(d, d)) / 8
        x = np.tanh(z @ a * 0.5) @ b + 0.1 * rng.normal(size=(n, d))
    elif name == "embed":
        n, d = 50000, 384
        q, _ = np.linalg.qr(rng.normal(size=(d, d)))
        s = 1 / np.sqrt(1 + np.arange(d) / 20)
        topic, of = rng.normal(size=(2000, d)) * s, rng.integers(2000, size=n)
        x = (topic[of] * 0.8 + rng.normal(size=(n, d)) * s * 0.6) @ q
        x /= np.linalg.norm(x, axis=1, keepdims=True)
    elif name.endswith(".npy"):
        x = np.load(name)
    else:
        with gzip.open(name) as f:
            x = np.frombuffer(f.read()[16:], np.uint8).reshape(-1, 784)
    return np.ascontiguousarray(x, np.float32)


def cpu():
    t = os.times()
    return t.user + t.system


class Recall:
    def __init__(self, x, k):
        self.x, self.k = x, k
        self.rows = np.arange(1000) * (len(x) // 1000)
        squares = (x.astype(np.float64) ** 2).sum(1)
        self.last = []
        for part in np.array_split(self.rows, 20):
            d = squares[part][:, None] + squares - 2 * (x[part] @ x.T).astype(np.float64)
            d[np.arange(len(part)), part] = np.inf
            near = np.argpartition(d, k + 5, 1)[:, : k + 5]
            self.last.append(np.sort(self.apart(part, near), 1)[:, k - 1])
        self.last = np.concatenate(self.last)[:, None]

    def apart(self, part, near):
        d = ((self.x[part][:, None].astype(np.float64) - self.x[near]) ** 2).sum(2)
        d[near == part[:, None]] = np.inf
        return d

    def __call__(self, found):
        return (self.apart(self.rows, found[self.rows]) <= self.last * (1 + 1e-12)).sum() / (1000 * self.k)


def pynndescent(x, k):
    from pynndescent import NNDescent

    NNDescent(x[:3000], n_neighbors=k + 1, random_state=0, n_jobs=1)
    for more in (1, 5, 10, 20):
        yield f"n_neighbors={k + more}", lambda: NNDescent(x, n_neighbors=k + more, random_state=0, n_jobs=1).neighbor_graph[0]


def hnswlib(x, k):
    import hnswlib

    def search(m, ef):
        index = hnswlib.Index("l2", x.shape[1])
        index.init_index(len(x), M=m, ef_construction=2 * ef)
        index.set_num_threads(1)
        index.add_items(x)
        index.set_ef(ef)
        return index.knn_query(x, k + 1)[0]

    for m, ef in ((8, 40), (12, 60), (16, 100), (24, 200)):
        yield f"M={m} ef={ef}", lambda: search(m, ef)


def faiss(x, k):
    import faiss

    faiss.omp_set_num_threads(1)

    def search(lists, probes):
        flat = faiss.IndexFlatL2(x.shape[1])
        index = faiss.IndexIVFFlat(flat, x.shape[1], lists)
        index.train(x[: 40 * lists])
        index.add(x)
        index.nprobe = probes
        return index.search(x, k + 1)[1]

    for probes in (8, 16, 32, 64):
        yield f"IVF 512, nprobe={probes}", lambda: search(512, probes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("data")
    parser.add_argument("--k", type=int, default=15)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--peers", default="pynndescent,hnswlib,faiss")
    a = parser.parse_args()
    x = rows(a.data)
    recall = Recall(x, a.k)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.npy")
        np.save(path, x)
        for _ in range(a.runs):
            said = subprocess.run([a.program, "--k", str(a.k), path], capture_output=True, text=True, check=True)
            r = json.loads(said.stdout)
            print(f"eigenmap: {r['cpu']:.2f} s, recall {r['recall']:.4f}, {r['heap_mb']:.0f} MB", flush=True)
            for peer in filter(None, a.peers.split(",")):
                if importlib.util.find_spec(peer) is None:
                    print(f"{peer} is left out: Python has no such package", flush=True)
                    continue
                for setting, run in globals()[peer](x, a.k):
                    began = cpu()
                    found = run()
                    took, share = cpu() - began, recall(found)
                    print(f"{peer} {setting}: {took:.2f} s, recall {share:.4f}", flush=True)
                    if share >= 0.99:
                        break


if __name__ == "__main__":
    main()
