"""Spectral embedding and clustering of documents and other sparse or dense rows.

The estimators have the interface of scikit-learn::

    from eigenmap import LaplacianEigenmaps
    le = LaplacianEigenmaps(n_clusters=30, n_components=30, n_neighbors=15).fit(X)
    le.labels_, le.embedding_, le.eigenvalues_

X is a NumPy array or a SciPy sparse matrix of one row per document. Semi-supervised estimators
take y with -1 for rows whose label is not known.
"""

from __future__ import annotations

import os
from typing import Any

from . import _estimators
from ._base import EigenmapWarning, Estimator
from ._batches import MiniBatchKMeans, MiniBatchNMF
from ._calls import EigenmapError, memory_limit, version
from ._corpus import Corpus, Topic
from ._eigsh import affinity_graph, eigsh, neighbors_graph
from ._estimators import *  # noqa: F403
from ._native import Model as _Model
from ._progress import progress
from ._typing import ConvergenceWarning

__all__ = [
    *_estimators.__all__,
    "ConvergenceWarning",
    "Corpus",
    "EigenmapError",
    "EigenmapWarning",
    "MiniBatchKMeans",
    "MiniBatchNMF",
    "Topic",
    "affinity_graph",
    "all_estimators",
    "eigsh",
    "load",
    "memory_limit",
    "neighbors_graph",
    "progress",
    "version",
]
__version__ = "0.1.0"


def all_estimators() -> dict[str, type[Estimator]]:
    """Every estimator class by its name."""
    return {name: getattr(_estimators, name) for name in _estimators.__all__}


def load(path: str | os.PathLike[str]) -> Any:
    """Reads a model that ``save`` or the command line wrote, and returns its estimator.

    The estimator has ``predict``, ``transform`` and ``predict_proba`` as far as the method has, its
    parameters, ``eigenvalues_``, ``summary_`` and ``n_features_in_``; nothing of the rows that it was
    fitted on. Clusters that are classes of the known labels come back as these: as the names in the
    file of labels, or, of a fit from Python, as the number of the label among the sorted labels of y.
    New rows need the columns of the fit; a model of texts takes texts too, in a list, an array or a
    column of a DataFrame.

    A file that is no model raises ValueError.
    """
    model = _Model.load(path)
    summary = model.describe()
    cls = next((e for e in all_estimators().values() if e._method == summary["method"]), None)
    if cls is None:
        raise ValueError(f"{path}: it is a model of the method {summary['method']}, which has no estimator")
    return cls._loaded(model, summary)
