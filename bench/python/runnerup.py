"""The clusters of a run and its runner-up beside the classes, on draws of the corpora.

  go run ./bench/cmd/draws --data DIR --out DRAWS --tests 3 defaults
  python bench/python/runnerup.py bin/eigenmap DRAWS

Texts have roots of tf-idf, as the default method weighs them. Prints for each corpus the mean over its draws of the
accuracy and NMI of the run and of the runner-up, and of the adjusted Rand index of both.
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import scipy.sparse
from sklearn.preprocessing import normalize


def measure(program, file, folder):
    data = numpy.load(file)
    labels, matrix = data["labels"], folder / "x.npz"
    if "indptr" in data:
        x = scipy.sparse.csr_matrix((data["data"], data["indices"], data["indptr"]), shape=tuple(data["shape"]))
        scipy.sparse.save_npz(matrix, normalize(x.sqrt()), compressed=False)
    else:
        numpy.savez(matrix, X=data["X"])
    numpy.savetxt(folder / "truth.csv", labels, "%d")
    command = [program, "cluster", matrix, "--truth", folder / "truth.csv", "--clusters", str(len(set(labels))),
               "--out", folder / "out", "--map=false", "--confidence", "raw", "--json", "--quiet"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    second = found["runner_up"]
    return [found["metrics"]["accuracy"], found["metrics"]["nmi"], second["metrics"]["accuracy"], second["metrics"]["nmi"], second["ari"]]


def main():
    program, draws = sys.argv[1], pathlib.Path(sys.argv[2])
    rows = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for file in sorted(draws.glob("*.npz")):
            rows[file.stem.rsplit("-", 1)[0]].append(measure(program, file, pathlib.Path(folder)))
    for name, values in rows.items():
        accuracy, nmi, second, of_second, same = numpy.mean(values, axis=0)
        print(f"{name:20} {len(values)} draws  {accuracy:.3f} / {nmi:.3f}  runner-up {second:.3f} / {of_second:.3f}  ARI of both {same:.2f}")


if __name__ == "__main__":
    main()
