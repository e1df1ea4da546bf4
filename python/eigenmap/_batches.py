"""K-means and factorisation of rows that come in batches and are not kept."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data

from ._beside import array_of
from ._corpus import Corpus, texts_of
from ._estimators import NMF, KMeans
from ._parameters import check_parameters, whole_from
from ._typing import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, MatrixLike, TransformerMixin

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
        random_state: int | np.random.RandomState | None = 0,
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
        _check(self)
        rows: Any = _rows(self, X, reset=True)
        self._forget()
        order = check_random_state(self.random_state).permutation(rows.shape[0])
        size = max(int(self.batch_size), int(self.n_clusters))
        for lo in range(0, len(order), size):
            self._add(rows[order[lo : lo + size]])
        self.labels_ = self._nearest(rows)
        return self

    def partial_fit(self, X: MatrixLike, y: object = None) -> Self:
        """Takes one more batch; the first one has at least n_clusters rows."""
        _check(self)
        first = not hasattr(self, "cluster_centers_")
        self.labels_ = self._add(_rows(self, X, reset=first))
        return self

    def predict(self, X: MatrixLike) -> NDArray[np.int32]:
        """The nearest centre of each row of X, the lower one on a tie."""
        check_is_fitted(self)
        return self._nearest(_rows(self, X, reset=False))

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


class MiniBatchNMF(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):
    """Non-negative matrix factorisation by batches of rows.

    The rows x of a batch get their best coefficients c on the topics H before the batch. Then H lowers
    the sum of w·‖x - c·H‖² over all rows so far, with these coefficients. All that is kept of the rows
    for it are the sums of w·cᵀc and of w·cᵀx. The weight w of a row is 1, or with a half-life is
    2^(-r/half_life) after r later rows. The first batch is factorised by ``NMF``. The result depends on
    the batches, their order and the seed alone.

    Reference: Mairal, Bach, Ponce and Sapiro 2010, "Online learning for matrix factorization and sparse
    coding", without a penalty; Lefèvre, Bach and Févotte 2011 for the weights

    Parameters
    ----------
    n_clusters : default 2
        number of topics, at most the rows and the columns of the first batch.
    random_state : default 0
        seed of the first batch's starts, and of the order in which ``fit`` takes the rows.
    batch_size : default 1024
        rows of a batch of ``fit``; at least n_clusters are taken.
    half_life : default None
        number of rows after which a row counts half as much as a new one; None: all rows count the
        same for ever.
    n_init : default 10
        starts of the first batch, of which the best is kept.
    nmf_iter : default 200
        most iterations of one start of the first batch.
    n_jobs : default None
        threads of the first batch; see ``NMF``.

    Attributes
    ----------
    components_ : the topics, n_clusters × columns, each of length 1 or 0
    n_rows_ : the rows so far
    labels_ : largest topics of the rows of ``fit`` by the last topics; after ``partial_fit`` of the rows of
        the last batch, by the topics before it
    """

    components_: NDArray[np.float64]
    _gram: NDArray[np.float64]
    _products: NDArray[np.float64]
    n_rows_: int
    labels_: NDArray[np.int32]

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        random_state: int | np.random.RandomState | None = 0,
        batch_size: int = 1024,
        half_life: float | None = None,
        n_init: int = 10,
        nmf_iter: int = 200,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.batch_size = batch_size
        self.half_life = half_life
        self.n_init = n_init
        self.nmf_iter = nmf_iter
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def fit(self, X: MatrixLike, y: object = None) -> Self:
        """Takes the rows of X once, in batches, in an order that the seed draws."""
        _check(self)
        rows = self._checked(X, reset=True)
        for name in ("components_", "n_rows_", "labels_"):
            if hasattr(self, name):
                delattr(self, name)
        order = check_random_state(self.random_state).permutation(rows.shape[0])
        size = max(int(self.batch_size), int(self.n_clusters))
        for lo in range(0, len(order), size):
            self._add(rows[order[lo : lo + size]])
        self.labels_ = _largest(self._coefficients(rows))
        return self

    def partial_fit(self, X: MatrixLike, y: object = None) -> Self:
        """Takes one more batch; the first one has at least n_clusters rows."""
        _check(self)
        rows = self._checked(X, reset=not hasattr(self, "components_"))
        self.labels_ = _largest(self._add(rows))
        return self

    def transform(self, X: MatrixLike) -> NDArray[np.float64]:
        """The best coefficients of each row of X on the topics, at least 0."""
        check_is_fitted(self)
        return self._coefficients(self._checked(X, reset=False))

    def predict(self, X: MatrixLike) -> NDArray[np.int32]:
        """The topic of the largest coefficient of each row of X, the lower one on a tie."""
        return _largest(self.transform(X))

    def _checked(self, X: MatrixLike, reset: bool) -> Any:
        rows = _rows(self, X, reset)
        check_non_negative(rows, type(self).__name__)
        return rows

    def _coefficients(self, X: Any) -> NDArray[np.float64]:
        H = self.components_
        products, gram = np.ascontiguousarray((X @ H.T).T), H @ H.T
        # Each row at the same scale, so that one is solved as closely beside far longer ones as alone.
        scale = products.max(axis=0, initial=0)
        scale[scale == 0] = 1
        products /= scale
        start = np.maximum(np.linalg.lstsq(gram, products, rcond=None)[0], 0)
        return np.ascontiguousarray((_descend(start, gram, products, 1000, 1e-9) * scale).T)

    def _add(self, X: Any) -> NDArray[np.float64]:
        k = int(self.n_clusters)
        if self.half_life is not None and not 0 < self.half_life < np.inf:
            raise ValueError(f"half_life={self.half_life} should be a number of rows above 0, or None")
        first = not hasattr(self, "components_")
        if first:
            if X.shape[0] < k:
                raise ValueError(f"n_samples={X.shape[0]} of the first batch should be >= n_clusters={k}")
            # The rows themselves: no weights, no scaling, every row counted.
            topics = NMF(k, random_state=self.random_state, weighting="tf", normalize="none", duplicates="keep",
                         nmf_weighting="none", n_init=self.n_init, nmf_iter=self.nmf_iter, n_jobs=self.n_jobs)
            if X.max() == 0:
                raise ValueError("the first batch has no entry above zero, and so no topics: begin with another")
            coefficients = topics.fit(X).transform(X)
            H: NDArray[np.float64] = np.zeros((k, X.shape[1]))
            gram, products, rows, keep = np.zeros((k, k)), np.zeros((k, X.shape[1])), 0, 1.0
        else:
            coefficients = self._coefficients(X)
            H, gram, products, rows = self.components_, self._gram, self._products, self.n_rows_
            keep = 1.0 if self.half_life is None else 0.5 ** (X.shape[0] / self.half_life)
        with np.errstate(over="ignore", invalid="ignore"):
            gram = keep * gram + coefficients.T @ coefficients
            products = keep * products + np.asarray((X.T @ coefficients).T)
        if not (np.isfinite(gram).all() and np.isfinite(products).all()):
            raise ValueError("the sums over all rows are beyond the largest number: divide the data by a constant")
        if not first:  # topics whose own rows were long ago stay as they are: rounding would bend them
            faint = np.flatnonzero(gram.diagonal() < 2.0**-80 * gram.diagonal().max())
            gram[faint], gram[:, faint], products[faint] = 0, 0, 0
        H = _descend(H, gram, products, *((1000, 1e-9) if first else (10, 0.1)))
        length = np.linalg.norm(H, axis=1)
        length[length == 0] = 1
        # Coefficients of topics of length 1 are longer by as much.
        self.components_ = H / length[:, None]
        self._gram, self._products = gram * np.outer(length, length), products * length[:, None]
        self.n_rows_ = rows + X.shape[0]
        return coefficients


def _check(estimator: MiniBatchKMeans | MiniBatchNMF) -> None:
    """Looks at the parameters that the fit of the first batch does not know."""
    check_parameters(estimator)
    whole_from("n_clusters", estimator.n_clusters, 1)
    whole_from("batch_size", estimator.batch_size, 1)
    if isinstance(estimator.random_state, numbers.Integral) and not 0 <= estimator.random_state < 2**32:
        raise ValueError(f"random_state is {estimator.random_state}, and must be between 0 and 2**32 - 1")


def _rows(estimator: MiniBatchKMeans | MiniBatchNMF, X: Any, reset: bool) -> Any:
    """The rows of X as they are. Texts have none: which weights they get is the caller's to say."""
    if isinstance(X, Corpus) or texts_of(X) is not None:
        what, corpus = ("a Corpus", "corpus") if isinstance(X, Corpus) else ("a list of texts", "eigenmap.Corpus(texts)")
        those, part = ("those of the documents", "") if reset else ("those of a part of one corpus, which have the columns of the fit", "[part]")
        raise ValueError(f'X is {what}, and {type(estimator).__name__} takes rows: give {those}, as in {corpus}{part}.rows("tfidf", "l2")')
    return validate_data(estimator, array_of(X), accept_sparse="csr", dtype=np.float64, reset=reset)


def _largest(coefficients: NDArray[np.float64]) -> NDArray[np.int32]:
    labels: NDArray[np.int32] = coefficients.argmax(axis=1).astype(np.int32)
    return labels


def _descend(
    F: NDArray[np.float64], gram: NDArray[np.float64], products: NDArray[np.float64], sweeps: int, share: float
) -> NDArray[np.float64]:
    """Lowers ½⟨F, gram·F⟩ - ⟨F, products⟩ over F >= 0, one row of F after the other, exactly.

    At most so many sweeps over the rows; the last one changes F by no more than this share of the first.
    """
    F = F.copy()
    first = 0.0
    for sweep in range(sweeps):
        change = 0.0
        for j in range(len(F)):
            if gram[j, j] <= 0:
                continue
            to = np.maximum(F[j] + (products[j] - gram[j] @ F) / gram[j, j], 0)
            change += float(np.square(to - F[j]).sum())
            F[j] = to
        if sweep == 0:
            first = change
        if change <= share * share * first:
            break
    return F
