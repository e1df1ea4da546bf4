"""Whole tasks by Eigenmap and by other programs, in turn.

    python programs.py EIGENMAP [--data FOLDER] [--threads 1,2] [--runs 3] [--tasks kmeans,table,...]

Each contestant runs in a process of its own. Its seconds are those of the work: of a library the
call, its imports and the reading of the file left out; of Eigenmap the stages named in the table,
or all of the process. CPU is the processor's time in the call, and for Eigenmap of the whole
process. Prints medians with the smallest and the largest, the ratio of the medians (how many times
as fast Eigenmap is), peak memory, and a score that says whether the answers are alike. FOLDER has
MNIST (mnist-train-images-idx3-ubyte.gz) and TDT2.mat; without the first, images are made up. Peers
that are not installed, or take more than 300 s, are left out and named.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

LIMIT = 300  # seconds of a peer's run
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "POLARS_MAX_THREADS")


# ---- the work of the peers: each reads its file, and returns what is timed and what scores it ----


def faiss_kmeans(path, threads):
    import faiss
    import numpy as np

    x = np.load(path)
    faiss.omp_set_num_threads(threads)
    k = faiss.Kmeans(x.shape[1], 100, niter=25, seed=0, max_points_per_centroid=10**9)
    return lambda: k.train(x), lambda _: k.obj[-1]


def sklearn_kmeans(path, threads):
    import numpy as np
    from sklearn.cluster import KMeans

    x = np.load(path)
    k = KMeans(100, init="random", n_init=1, max_iter=25, tol=0, algorithm="lloyd", random_state=0)
    return lambda: k.fit(x), lambda _: k.inertia_


def leidenalg(path, threads):
    import igraph
    import leidenalg as la
    import numpy as np
    import scipy.sparse as sp

    w = sp.triu(sp.load_npz(path), 1).tocoo()
    edges, weights = np.column_stack([w.row, w.col]), w.data

    def run():
        g = igraph.Graph(n=w.shape[0], edges=edges)
        return la.find_partition(g, la.ModularityVertexPartition, weights=weights, seed=0)

    return run, lambda p: p.quality()


def sknetwork(path, threads):
    import scipy.sparse as sp
    from sknetwork.clustering import Leiden, get_modularity

    w = sp.load_npz(path).tocsr()
    return lambda: Leiden(modularity="newman", random_state=0).fit_predict(w), lambda labels: get_modularity(w, labels)


def polars_table(path, threads):
    import polars

    return lambda: polars.read_csv(path, has_header=False), lambda t: t.height * t.width


def pandas_table(path, threads):
    import pandas

    return lambda: pandas.read_csv(path, header=None), lambda t: t.size


def umap(path, threads):
    import numpy as np
    import umap as um
    from sklearn.cluster import KMeans

    x = np.load(path)
    um.UMAP(n_neighbors=15, n_epochs=2).fit(x[:2000])  # compiles
    return lambda: KMeans(10, n_init=10, random_state=0).fit(um.UMAP(n_neighbors=15).fit_transform(x)).labels_, nmi(path)


def tsne(path, threads):
    import numpy as np
    import openTSNE
    from sklearn.cluster import KMeans

    x = np.load(path)
    return lambda: KMeans(10, n_init=10, random_state=0).fit(openTSNE.TSNE(n_jobs=threads, random_state=0).fit(x)).labels_, nmi(path)


def hdbscan(path, threads):
    import numpy as np
    from sklearn.cluster import HDBSCAN

    x = np.load(path)
    return lambda: HDBSCAN(min_cluster_size=50, n_jobs=threads).fit(x).labels_, nmi(path)


def nmi(path):
    import numpy as np
    from sklearn.metrics import normalized_mutual_info_score

    y = np.load(path.replace(".npy", ".y.npy"))
    return lambda labels: normalized_mutual_info_score(y, labels, average_method="max")


# ---- the tasks ----


def images(folder, path, most=None):
    """MNIST's rows and classes; without it blobs of 60,000 × 784."""
    import gzip

    import numpy as np

    rows = os.path.join(folder, "mnist-train-images-idx3-ubyte.gz")
    if os.path.exists(rows):
        with gzip.open(rows) as f:
            x = np.frombuffer(f.read()[16:], np.uint8).reshape(-1, 784).astype(np.float32)
        with gzip.open(rows.replace("images-idx3", "labels-idx1")) as f:
            y = np.frombuffer(f.read()[8:], np.uint8)
    else:
        rng = np.random.default_rng(0)
        y = rng.integers(10, size=60000)
        x = (rng.random((10, 784))[y] * 100 + 30 * rng.standard_normal((60000, 784))).astype(np.float32)
    np.save(path, x[:most])
    np.save(path.replace(".npy", ".y.npy"), y[:most])
    return f"{len(x[:most]):,} × 784" + ("" if os.path.exists(rows) else ", made up")


def numbers(folder, path):
    import numpy as np

    x = np.random.default_rng(0).standard_normal((100000, 70))
    with open(path, "w") as f:
        for row in x:
            print(*(f"{v:.17g}" for v in row), sep=",", file=f)
    return f"7,000,000 numbers, {os.path.getsize(path) / 1e6:.0f} MB"


def graph(folder, path, program):
    corpus = os.path.join(folder, "TDT2.mat")
    subprocess.run([program, "graph", corpus, "--out", os.path.dirname(path), "--quiet"], check=True, capture_output=True)
    return "graph of TDT2"


def npy(make):
    return lambda folder, path, program: make(folder, path)


def no_score(_):
    return None


# name: file, what makes it, our command and the stages that count (None: all), our score, the peers.
TASKS = {
    "kmeans": ("x.npy", npy(images), "cluster {} --method kmeans -k 100 --init random --restarts 1 --kmeans-iter 25",
               ("kmeans",), lambda r: r["objective"], (faiss_kmeans, sklearn_kmeans)),
    "leiden": ("affinity.npz", graph, "cluster {} --precomputed --method leiden", ("communities",),
               lambda r: r.get("found", {}).get("modularity"), (leidenalg, sknetwork)),
    "table": ("x.csv", npy(numbers), "info {}", None, no_score, (polars_table, pandas_table)),
    "map": ("m.npy", npy(lambda folder, path: images(folder, path, 20000)), "cluster {} -k 10 --out {}.out", None,
            None, (umap, tsne, hdbscan)),
}


def ours(program, task, path, threads):
    _, _, command, stages, score, _ = TASKS[task]
    began = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([program, *command.replace("{}", path).split(), "--threads", str(threads), "--quiet", "--json"], stdout=said)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        if status:
            sys.exit(f"{program} failed")
        said.seek(0)
        said = json.load(said)
    if stages:
        wall = sum(said["timings"][s] for s in stages)
    if score is None:
        import csv

        with open(path + ".out/clusters.csv") as f:
            labels = [int(row["cluster"]) for row in csv.DictReader(f)]
        found = nmi(path)(labels)
    else:
        found = score(said)
    return {"wall": wall, "cpu": used.ru_utime + used.ru_stime, "score": found, "mb": used.ru_maxrss / 1024}


def peer(name, path, threads):
    environment = dict(os.environ, **{v: str(threads) for v in THREADS})
    command = [sys.executable, __file__, "--one", name, path, str(threads)]
    try:
        out = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None, f"it took more than {LIMIT} s"
    if out.returncode:
        return None, out.stderr.strip().rpartition("\n")[2]
    return json.loads(out.stdout.strip().rpartition("\n")[2]), None


def one(name, path, threads):
    work, score = globals()[name](path, threads)
    before = os.times()
    result = work()
    after = os.times()
    print(json.dumps({
        "wall": after.elapsed - before.elapsed, "cpu": after.user + after.system - before.user - before.system,
        "score": float(score(result)), "mb": peak()}))


def peak():
    """MB that this process held at most."""
    with open("/proc/self/status") as f:
        return next(int(line.split()[1]) for line in f if line.startswith("VmHWM")) / 1024


def main():
    if sys.argv[1:2] == ["--one"]:
        return one(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    if sys.argv[1:2] == ["--make"]:  # in a process of its own: a child's peak begins with its parent's memory
        return print(TASKS[sys.argv[2]][1](*sys.argv[3:6]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--tasks", default=",".join(TASKS))
    a = parser.parse_args()
    program = os.path.abspath(a.program)
    print("| task | by | threads | seconds | CPU | memory, MB | score | times as fast |\n|---|---|---:|---:|---:|---:|---:|---:|")
    missing = {}
    for task in a.tasks.split(","):
        name, *_, peers = TASKS[task]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name)
            made = subprocess.run([sys.executable, __file__, "--make", task, a.data, path, program], capture_output=True, text=True)
            if made.returncode:
                missing[task] = made.stderr.strip().rpartition("\n")[2]
                continue
            title = made.stdout.strip()
            for threads in map(int, a.threads.split(",")):
                runs = {n: [] for n in ("eigenmap", *(p.__name__ for p in peers))}
                for _ in range(a.runs):
                    for by, list_ in runs.items():
                        if by in missing:
                            continue
                        if by == "eigenmap":
                            found = ours(program, task, path, threads)
                        else:
                            found, why = peer(by, path, threads)
                            if found is None:
                                missing[by] = why
                                continue
                        list_.append(found)
                first = None
                for by, list_ in runs.items():
                    if not list_:
                        continue
                    wall, cpu = ([r[key] for r in list_] for key in ("wall", "cpu"))
                    middle = statistics.median(wall)
                    ratio = "" if first is None else f"{middle / first:.2f}"
                    first = first or middle
                    score = "" if list_[0]["score"] is None else f"{list_[0]['score']:.6g}"
                    print(f"| {task}: {title} | {by} | {threads} | {middle:.2f} ({min(wall):.2f}-{max(wall):.2f}) | {statistics.median(cpu):.2f}"
                          f" | {max(r['mb'] for r in list_):.0f} | {score} | {ratio} |", flush=True)
    for name, why in missing.items():
        print(f"\n{name} was left out: {why}")


if __name__ == "__main__":
    main()
