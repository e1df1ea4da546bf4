"""Spectral embedding and clustering of documents and other sparse or dense rows.

The estimators have the interface of scikit-learn::

    from eigenmap import LaplacianEigenmaps
    le = LaplacianEigenmaps(n_clusters=30, n_components=30, n_neighbors=15).fit(X)
    le.labels_, le.embedding_, le.eigenvalues_

X is a NumPy array or a SciPy sparse matrix of one row per document. Semi-supervised estimators
take y with -1 for rows whose label is not known.
"""

from . import _estimators
from ._base import ConvergenceWarning, EigenmapWarning
from ._estimators import *  # noqa: F403
from ._native import EigenmapError, version

__all__ = [*_estimators.__all__, "ConvergenceWarning", "EigenmapError", "EigenmapWarning", "all_estimators", "version"]
__version__ = "0.1.0"


def all_estimators():
    """Every estimator class by its name."""
    return {name: getattr(_estimators, name) for name in _estimators.__all__}
