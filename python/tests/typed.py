"""A user's script, which mypy --strict accepts and which runs: see test_typing.py."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import eigenmap
from eigenmap import CLE, PCA, KMeans, LabelPropagation, LaplacianEigenmaps

rng = np.random.default_rng(0)
X: NDArray[np.float64] = np.vstack([rng.normal(c, 0.3, (30, 3)) for c in (0, 4, 8)])
y = np.full(90, -1)
y[[0, 30, 60]] = 0, 1, 2

le = LaplacianEigenmaps(n_clusters=3, n_components=3, n_neighbors=10, solver="lanczos", random_state=0).fit(X)
labels: NDArray[np.int32] = le.labels_
embedding: NDArray[np.float64] = le.embedding_
largest: float = float(le.eigenvalues_.max())
placed = le.predict(X[:5]).tolist()
coordinates: NDArray[np.float64] = le.set_params(tol=1e-8).transform(X[:5])
method: str = le.summary_["method"]
params: dict[str, object] = le.get_params()

known = LabelPropagation().fit(X, y)
score: float = known.score(X, [0] * 30 + [1] * 30 + [2] * 30)
classes = known.transduction_[:3]
linked = CLE(3).fit(X, must_link=[(0, 5), (30, 31)]).labels_
apart = eigenmap.Pckmeans().fit(X, y, cannot_link=[(0, 40)]).labels_
shares: NDArray[np.float64] = PCA(2).fit(X.tolist()).explained_variance_ratio_
names = PCA(2).fit(X).get_feature_names_out()
inertia: float = KMeans(3, n_jobs=2).fit(X).inertia_
doubts: NDArray[np.float64] = eigenmap.GaussianMixture(3).fit(X).predict_proba(X)
texts = eigenmap.Corpus(["ship at sea", "sea and ship", "code of kernel", "kernel code"] * 9, min_df=1)
both = KMeans(2).fit(texts, vectors=X[:36], views=("words", "vectors"))
near: list[int] = both.predict(["a ship"], vectors=X[:1]).tolist()
alone = both.predict(vectors=X[:1])
tagged = KMeans(2).fit_predict(texts, columns={"kind": ["a", "a", "b", "b"] * 9, "price": [1.5, None, 3.0, 2] * 9})


def report(stage: str, unit: str, message: str | None, done: int, total: int) -> None:
    """Takes the progress of the fit below."""


with eigenmap.progress(report), warnings.catch_warnings():
    warnings.simplefilter("error", eigenmap.EigenmapWarning)
    KMeans(3).fit_predict(X)
with tempfile.TemporaryDirectory() as folder:
    le.save(Path(folder) / "model.npz")
    again = eigenmap.load(Path(folder) / "model.npz")
try:
    LaplacianEigenmaps(n_clusters="auto", n_neighbors=500).fit(X)
except (ValueError, eigenmap.EigenmapError) as e:
    why: str = str(e)
for name, cls in eigenmap.all_estimators().items():
    assert cls().get_params()["n_jobs"] is None, name
print(eigenmap.version(), labels.shape, embedding.shape)
