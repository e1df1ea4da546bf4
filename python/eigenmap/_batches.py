"""K-means on rows that come in batches and are not kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from ._estimators import KMeans
from ._typing import BaseEstimator, ClusterMixin, MatrixLike

if TYPE_CHECKING:
    from typing_extensions import Self


class MiniBatchKMeans(ClusterMixin, BaseEstimator):
    """K-means by batches of rows, with learning rates by counts.

    Each row of a batch goes to the nearest of the centres before the batch, and moves that centre
    towards itself by 1/v, where v counts the rows that the centre has had. So a centre is the mean of
    all rows that it ever got. The first batch is clustered by ``KMeans``, which makes the first
    centres and counts. The result depends on the batches, their order and the seed alone.

    Reference: Sculley 2010, "Web-scale k-means clustering", algorithm 1

    Parameters
    ----------
    n_clusters : default 8
        number of clusters, at most the rows of the first batch.
    random_state : default 0
        seed of the first batch's starts, and of the order in which ``fit`` takes the rows.
    batch_size : default 1024
        rows of a batch of ``fit``; at least n_clusters are taken.
    n_init : default 10
        starts of the first batch, of which the best is kept.
    kmeans_iter : default 300
        most iterations of one start of the first batch.
    n_jobs : default None
        threads of the first batch; see ``KMeans``.

    Attributes
    ----------
    cluster_centers_ : the centres, n_clusters × columns
    counts_ : the rows that each centre has had
    labels_ : clusters of the rows of ``fit`` by the last centres; after ``partial_fit`` of the rows of
        the last batch, by the centres before it
    """

    cluster_centers_: NDArray[np.float64]
    counts_: NDArray[np.int64]
    labels_: NDArray[np.int32]

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        random_state: Any = 0,
        batch_size: int = 1024,
        n_init: int = 10,
        kmeans_iter: int = 300,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.batch_size = batch_size
        self.n_init = n_init
        self.kmeans_iter = kmeans_iter
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(self, X: MatrixLike, y: object = None) -> Self:
        """Takes the rows of X once, in batches, in an order that the seed draws."""
        rows: Any = validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        self._forget()
        order = check_random_state(self.random_state).permutation(rows.shape[0])
        size = max(int(self.batch_size), int(self.n_clusters))
        for lo in range(0, len(order), size):
            self._add(rows[order[lo : lo + size]])
        self.labels_ = self._nearest(rows)
        return self

    def partial_fit(self, X: MatrixLike, y: object = None) -> Self:
        """Takes one more batch; the first one has at least n_clusters rows."""
        first = not hasattr(self, "cluster_centers_")
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=first)
        self.labels_ = self._add(X)
        return self

    def predict(self, X: MatrixLike) -> NDArray[np.int32]:
        """The nearest centre of each row of X, the lower one on a tie."""
        check_is_fitted(self)
        return self._nearest(validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False))

    def _forget(self) -> None:
        for name in ("cluster_centers_", "counts_", "labels_"):
            if hasattr(self, name):
                delattr(self, name)

    def _nearest(self, X: Any) -> NDArray[np.int32]:
        labels: NDArray[np.int32] = pairwise_distances_argmin(X, self.cluster_centers_).astype(np.int32)
        return labels

    def _add(self, X: Any) -> NDArray[np.int32]:
        k = int(self.n_clusters)
        if hasattr(self, "cluster_centers_"):
            labels = self._nearest(X)
            centers, counts = self.cluster_centers_.copy(), self.counts_
        else:
            if X.shape[0] < k:
                raise ValueError(f"n_samples={X.shape[0]} of the first batch should be >= n_clusters={k}")
            # The rows themselves: no weights, no scaling, every row counted.
            labels = (
                KMeans(k, random_state=self.random_state, weighting="tf", normalize="none", duplicates="keep",
                       n_init=self.n_init, kmeans_iter=self.kmeans_iter, n_jobs=self.n_jobs)
                .fit(X)
                .labels_
            )
            centers, counts = np.zeros((k, X.shape[1])), np.zeros(k, dtype=np.int64)
        n = len(labels)
        sizes = np.bincount(labels, minlength=k)
        members = sparse.csr_matrix((np.ones(n), (labels, np.arange(n))), shape=(k, n))
        sums = members @ X
        if sparse.issparse(sums):
            sums = sums.toarray()
        some = sizes > 0
        rows = sizes[some, None]
        centers[some] += (sums[some] - rows * centers[some]) / (counts[some, None] + rows)
        self.cluster_centers_, self.counts_ = centers, counts + sizes
        return labels
