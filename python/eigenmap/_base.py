"""What all estimators have in common; _parts.py has what some have, and _estimators.py one class for each method."""

from __future__ import annotations

import inspect
import numbers
import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import assert_all_finite, check_random_state, estimator_html_repr
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_non_negative, column_or_1d, validate_data

from . import _native
from ._beside import array_of, beside_of, columns_of_lists, columns_of_words, names_of, rows_of
from ._corpus import Corpus, Topic, corpus_of, texts_of, topics_of
from ._eigsh import threads_of
from ._html import page_of
from ._labels import is_unknown
from ._parameters import check_parameters
from ._typing import (
    BaseEstimator,
    ColumnsLike,
    ConvergenceWarning,
    Given,
    LabelsLike,
    MatrixLike,
    PairsLike,
    TransformerMixin,
    View,
    available_if,
)

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

# Parameters that are passed in any case: their defaults are not those of the library.
_ALWAYS = {"n_clusters", "n_components", "random_state"}
# Parameters without effect if no clusters are asked for.
_OF_CLUSTERS = {"n_clusters", "n_init", "init", "kmeans_iter"}
# Methods that take no entry below 0, and Semi-LDC with the soft labels of the latter.
_POSITIVE = {"nmf", "plsa", "co-clustering"}


class EigenmapWarning(UserWarning):
    """The result of a fit is not all that was asked for, or not what it looks like."""


def warn(said: Iterable[Mapping[str, str]] | None) -> None:
    """Warns of what the library said: ConvergenceWarning of iterations that ended early."""
    # The frames of this module and of scikit-learn, which wraps methods, are none of the caller's.
    depth = 1
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("eigenmap", "sklearn"):
        frame, depth = frame.f_back, depth + 1
    for w in said or ():
        warnings.warn(w["text"], ConvergenceWarning if w["kind"] == "convergence" else EigenmapWarning, stacklevel=depth)


@cache
def _defaults_of(function: Callable[..., object]) -> dict[str, Any]:
    """The defaults of the parameters of a function."""
    return {name: p.default for name, p in inspect.signature(function).parameters.items()}


class Estimator(BaseEstimator):
    """Fits a method by the C interface.

    Attributes that a fit sets, as far as the method makes them: ``labels_`` (cluster of each row),
    ``n_clusters_`` (how many, also those that "auto" chose), ``embedding_``, ``map_`` (with ``map``),
    ``eigenvalues_`` (of the coordinates; singular values or variances of linear
    methods), ``explained_variance_ratio_`` (of principal components), ``inertia_`` (of k-means),
    ``probabilities_``, ``classes_`` (labels of y that are known), ``n_iter_``, ``affinity_matrix_`` (of
    methods that join rows to neighbours), ``confidence_`` (of each row's cluster), ``terms_`` and ``topics_`` (of a Corpus), ``summary_`` (all
    that the library says about the fit) and ``n_features_in_``.
    """

    # What the classes of _estimators.py say of their method.
    _method: ClassVar[str]
    _labels: ClassVar[str]
    _links: ClassVar[str]
    _embeds: ClassVar[bool]
    _classes_first: ClassVar[bool]
    _flags: ClassVar[dict[str, str]]

    n_jobs: int | None
    labels_: NDArray[np.int32]
    n_clusters_: int
    embedding_: NDArray[np.float64]
    _map: NDArray[np.float64]
    eigenvalues_: NDArray[np.float64]
    explained_variance_ratio_: NDArray[np.float64]
    inertia_: float
    probabilities_: NDArray[np.float64]
    classes_: NDArray[Any]
    n_iter_: int
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    summary_: dict[str, Any]
    update_: dict[str, Any]
    # Names of the columns of a Corpus; None of a fit on a matrix.
    terms_: NDArray[np.object_] | None = None
    _read: bool = False  # from a file, whose model knows whether it takes texts
    _model: _native.Model

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = self._is_positive()
        tags.input_tags.pairwise = bool(getattr(self, "precomputed", False))
        tags.target_tags.required = self._labels == "required"
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def _is_positive(self) -> bool:
        return self._method in _POSITIVE or getattr(self, "soft_labels", None) == "plsa"

    def _options(self, embed: bool, classes: NDArray[Any] | None) -> dict[str, Any]:
        """The options that differ from the defaults, by the names of the flags."""
        options = {"method": self._method, "threads": self._threads()}
        options["names"] = ["threads=n_jobs"] + [f"{flag}={name}" for name, flag in self._flags.items() if name != flag]
        defaults = _defaults_of(type(self).__init__)
        for name, flag in self._flags.items():
            value = getattr(self, name)
            if value is None and name != "random_state" or embed and name in _OF_CLUSTERS:
                continue
            if name == "random_state":
                if not isinstance(value, numbers.Integral):
                    value = check_random_state(value).randint(2**31)
            elif name not in _ALWAYS and not isinstance(value, (list, tuple)) and value == defaults[name]:
                continue
            if name == "n_components" and classes is not None and value == defaults[name]:
                continue  # the classes decide
            if name == "n_clusters" and classes is not None and self._classes_first and not isinstance(value, str) and value > 0:
                value = max(value, len(classes))
            options[flag] = value.item() if isinstance(value, np.generic) else value
        return options

    def _threads(self) -> Any:
        """Threads of a call; 0: one for each core."""
        return threads_of(self.n_jobs)

    def _check(self, x: Any, reset: bool = True, finite: bool = True) -> Any:
        """The rows as the library takes them: a matrix, the documents of a Corpus, or a list of new texts.

        finite says whether to look for values that are not finite.
        """
        if isinstance(x, Corpus):
            if not reset:
                return self._of_corpus(x)
            if getattr(self, "precomputed", False):
                raise ValueError("X holds documents, and precomputed=True takes their affinity matrix: leave precomputed out, or give the matrix")
            self.n_features_in_, self.terms_ = x.shape[1], x.terms_
            vars(self).pop("feature_names_in_", None)
            return x._documents
        x = array_of(x)
        of_texts = self.terms_ is not None or self._read
        if x is None:
            raise ValueError("X is None: give rows" + (" or texts" if of_texts else ", or the vectors as X"))
        if not reset and of_texts and (texts := texts_of(x)) is not None:
            return texts
        if not reset and of_texts and isinstance(x, (list, tuple)) and len(x) == 0:
            raise ValueError("X is an empty list: give at least one text")
        if isinstance(x, str):
            raise ValueError('X is one text: give a list of texts, such as ["a text"], and to fit eigenmap.Corpus of a file')
        if texts_of(x) is not None:
            raise ValueError("X is a list of texts, and the fit was one of numbers: give rows of its columns; a fit of a Corpus takes texts")
        x = rows_of(x)
        columns = names_of(x)
        if len(set(columns)) < len(columns):
            twice = [str(name) for name, count in Counter(columns).items() if count > 1]
            raise ValueError(f"columns of X have a name twice: {', '.join(twice[:6])}; give each its own, or X as an array")
        if reset:
            vars(self).pop("terms_", None)
        options: dict[str, Any] = {"accept_sparse": "csr", "dtype": [np.float64, np.float32], "accept_large_sparse": True, "order": None, "reset": reset, "ensure_all_finite": finite}
        if reset:
            options["ensure_min_samples"] = 2
        if getattr(self, "precomputed", False):
            if not reset:
                raise ValueError(f"{type(self).__name__} was fitted on an affinity matrix, whose model places no new rows: use labels_ and embedding_")
            x = validate_data(self, x, **options)
            if x.shape[0] != x.shape[1]:
                raise ValueError(f"an affinity matrix is square, and this one is {x.shape[0]} × {x.shape[1]}")
            return x
        try:
            x = validate_data(self, x, **options)
        except (TypeError, ValueError) as e:
            if (names := columns_of_words(x)) and not reset:
                raise ValueError(f"X is a table, and columns of it hold words: {names}; " + ("give the texts of one, as in X[name]" if of_texts else "give the columns of the fit")) from e
            if names:
                raise ValueError(f"columns of X hold words: {names}; leave them out, compare by them as fit(X.drop(columns=names), columns=X[names]), or give the texts of one as fit(X[name])") from e
            if names := columns_of_lists(x):
                raise ValueError(f"columns of X hold lists: {names}; give one of them alone, as in fit(X[name])") from e
            if reset and "could not convert string to float" in str(e):
                raise ValueError("X holds words: give numbers, or texts as one list of str, such as X[:, 0] of an array") from e
            raise
        if self._is_positive():
            check_non_negative(x, type(self).__name__)
        return x

    def _of_corpus(self, x: Corpus) -> Any:
        """The counts of a Corpus that has the columns of the fit, as parts of one Corpus have."""
        if self.terms_ is None or x.terms_ is None or not np.array_equal(self.terms_, x.terms_):
            raise ValueError("a Corpus has columns of its own: give the texts as a list, a part of the fit's own Corpus such as corpus[:5], or rows of the columns of the fit")
        return x.counts()

    def _known(self, y: Any, n: int, linked: bool) -> tuple[NDArray[np.int32] | None, NDArray[Any] | None]:
        """Numbers of the classes of y, and the classes; None without labels."""
        if y is None:
            if self._labels == "required" and not linked:
                raise ValueError(
                    f"{type(self).__name__} requires y to be passed, but the target y is None: "
                    "give the labels of a part of the rows, and -1 for the others"
                )
            return None, None
        y = column_or_1d(y, warn=True)
        if len(y) != n:
            raise ValueError(f"X has {n} rows and y has {len(y)} labels")
        unknown = is_unknown(y)
        known_y = y[~unknown]
        if known_y.dtype.kind == "O" and all(isinstance(v, (bool, np.bool_)) for v in known_y):
            known_y = known_y.astype(bool)  # beside None
        elif known_y.dtype.kind == "O" and all(isinstance(v, numbers.Integral) for v in known_y):
            known_y = known_y.astype(np.int64)
        elif known_y.dtype.kind == "O" and all(isinstance(v, numbers.Real) for v in known_y):
            known_y = known_y.astype(np.float64)
        texts = sum(isinstance(v, str) for v in known_y)
        if 0 < texts < len(known_y):
            raise ValueError("some labels of y are texts and others are none: make all of them texts, and leave None for the unknown")
        if self._labels == "required":
            check_classification_targets(known_y)
        classes, numbers_ = np.unique(known_y, return_inverse=True)
        if len(classes) < 2:
            found = f"all known labels of y are {classes.tolist()[0]!r}" if len(classes) else "y labels none of the rows"
            raise ValueError(f"{found}: give labels of at least two classes")
        known = np.full(n, -1, dtype=np.int32)
        known[~unknown] = numbers_
        return known, classes

    def _pairs(self, must_link: PairsLike | None, cannot_link: PairsLike | None, n: int) -> tuple[NDArray[Any], ...] | None:
        """The links as two arrays of rows and one of what is between them; None without links."""
        parts = []
        for name, pairs, cannot in (("must_link", must_link, 0), ("cannot_link", cannot_link, 1)):
            if pairs is None or len(pairs) == 0:
                continue
            if self._links == "none":
                raise ValueError(f"{type(self).__name__} learns from no links: leave {name} out")
            pairs = np.asarray(pairs)
            if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
                raise ValueError(f"{name} is a list of pairs of row numbers, such as [(0, 5), (3, 8)]")
            if pairs.min() < 0 or pairs.max() >= n:
                raise ValueError(f"{name} names row {pairs.max() if pairs.max() >= n else pairs.min()}, and X has the rows 0 to {n - 1}")
            parts.append((pairs[:, 0], pairs[:, 1], np.full(len(pairs), cannot)))
        return tuple(np.concatenate(p) for p in zip(*parts)) if parts else None

    def fit(
        self,
        X: MatrixLike | Corpus,
        y: LabelsLike | None = None,
        *,
        must_link: PairsLike | None = None,
        cannot_link: PairsLike | None = None,
        vectors: MatrixLike | None = None,
        columns: ColumnsLike | None = None,
        views: Sequence[View] | None = None,
    ) -> Self:
        """Fits the method on the rows of X.

        X is an array or a sparse matrix of documents × terms, a Corpus of files or texts, a list or a
        column of texts, which stands for Corpus(X), or an affinity matrix if ``precomputed`` is set. y has labels that the method learns from, if it takes any: -1, None
        and NaN are unknown ones. must_link and cannot_link are pairs of rows that belong to one
        cluster, or to two, for methods that learn from these.

        vectors has a vector for each document, such as an embedding of its text: the documents are
        compared by these, and described by their terms. columns is a DataFrame or a dict of lists with
        categories, numbers or dates of each document, by which they are compared too, as far as they
        agree with the rest (docs/vectors.md); a dtype of categories makes numbers categories. views
        names what counts, such as ("words", "vectors") for both. What the library warns of is warned
        of: EigenmapWarning, and scikit-learn's ConvergenceWarning of iterations that ended early.
        """
        check_parameters(self, _OF_CLUSTERS if self._wants_coordinates() else ())
        given, X = X, corpus_of(X)
        x = self._check(X, finite=self._is_positive())  # whose check of signs takes NaN, and -inf for any number below 0
        n = len(X) if isinstance(X, Corpus) else x.shape[0]
        links = self._pairs(must_link, cannot_link, n)
        known, classes = (None, None) if self._labels == "none" else self._known(y, n, links is not None)
        embed = self._wants_coordinates()
        affinity = bool(getattr(self, "precomputed", False))
        purpose = _native.EMBED if embed else _native.CLUSTER
        if embed and getattr(self, "map", False):
            raise ValueError("map is True, and this fit finds no clusters: give n_clusters, or take embedding_")
        beside = beside_of(vectors, columns)
        options = self._options(embed, classes)
        if hasattr(self, "feature_names_in_") and not affinity:
            options["column-names"] = list(self.feature_names_in_)
        if views is not None:
            options["views"] = [views] if isinstance(views, str) else list(views)
            if beside is None:
                raise ValueError("views says how vectors or columns count: give these too, or leave it out")
        if affinity and beside is not None:
            raise ValueError("an affinity matrix says itself how rows are compared: leave vectors and columns out")
        try:
            self._model, found = _native.Model.fit(x, purpose, options, labels=known, affinity=affinity, links=links, beside=beside)
        except ValueError:
            # The library looks whether all values are finite, and scikit-learn's words are those that users know.
            if isinstance(x, np.ndarray) or issparse(x):
                assert_all_finite(x.data if issparse(x) else x, estimator_name=type(self).__name__, input_name="X")
            raise
        self._take(found, classes)
        if getattr(self, "map", False):
            self._map = self._model.map()
        if isinstance(X, Corpus) and X is not given:
            self.summary_["notes"] = [*X.notes_, *(self.summary_.get("notes") or [])]
        warn(self.summary_.get("warnings"))
        return self

    @available_if(lambda self: not self._wants_coordinates())
    def fit_predict(self, X: MatrixLike | Corpus, y: LabelsLike | None = None, **given: Unpack[Given]) -> NDArray[Any]:
        """Fits, and returns the cluster of each row of X."""
        return self.fit(X, y, **given).labels_

    def _wants_coordinates(self) -> bool:
        """Whether no clusters are asked for."""
        makes = isinstance(self, TransformerMixin)
        return makes and getattr(self, "n_clusters", None) is None and (self._embeds or self._labels != "required")

    def _take(self, found: _native.Found, classes: NDArray[Any] | None) -> None:
        for name in ("labels_", "n_clusters_", "embedding_", "eigenvalues_", "probabilities_", "classes_", "n_iter_", "_map", "inertia_", "explained_variance_ratio_", "update_"):
            if hasattr(self, name):
                delattr(self, name)
        self.summary_ = found.summary
        if found.labels is not None:
            self.labels_, self.n_clusters_ = found.labels, self._model.count(_native.CLUSTERS)
        if found.embedding is not None:
            self.embedding_ = found.embedding
        if found.values is not None:
            self.eigenvalues_ = found.values
        if found.posterior is not None:
            self.probabilities_ = found.posterior
            if isinstance(self, TransformerMixin) and found.embedding is None:
                self.embedding_ = self.probabilities_
        if classes is not None:
            self.classes_ = classes
        if self._method == "kmeans":
            self.inertia_ = self.summary_["objective"]
        shares = (self.summary_.get("found") or {}).get("variance_shares")
        if shares is not None:
            self.explained_variance_ratio_ = np.array(shares)
        steps = _iterations(self.summary_)
        if steps is not None and hasattr(self, "max_iter"):
            self.n_iter_ = steps

    def _named(self, clusters: NDArray[Any]) -> NDArray[Any]:
        return clusters

    @property
    def affinity_matrix_(self) -> Any:
        """The graph by which the fit joined its rows: a symmetric SciPy CSR array, without copies.

        Methods without a graph, fits that embed landmarks alone, and estimators that were loaded or
        unpickled do not have it.
        """
        check_is_fitted(self)
        try:
            return self._model.affinity()
        except ValueError as e:
            raise AttributeError(str(e)) from None

    @property
    def confidence_(self) -> NDArray[np.float64]:
        """The confidence of each row's cluster, 0 to 1: how many rows like it find it again (docs/confidence.md).

        A fit leaves out the second looks that it takes, two fits of at most 2,000 rows each, or 4,000
        where labels are known. The first use takes them, and so do save, pickle and partial_fit, whose
        models have confidences for the command line. Embeddings, methods without confidences, and
        estimators that were loaded or unpickled do not have it. Where the looks fail, confidences are
        the method's own scores, and an EigenmapWarning says why.
        """
        check_is_fitted(self)
        try:
            found, said = self._model.confidence()
        except ValueError as e:
            raise AttributeError(str(e)) from None
        warn(said)
        return found

    @property
    def map_(self) -> NDArray[np.float64]:
        """The places of the rows in the plane, of a clustering with map=True."""
        check_is_fitted(self)
        found: NDArray[np.float64] | None = self.__dict__.get("_map")
        if found is None:
            raise AttributeError("map_ is of a clustering with map=True")
        return found

    @property
    def topics_(self) -> list[Topic]:
        """The most typical terms of each cluster of a Corpus or a DataFrame, with weights and coherence."""
        check_is_fitted(self)
        found = topics_of(self.summary_)
        if found is None:
            raise AttributeError("the fit has no terms: fit a Corpus or a DataFrame, whose columns have names, and ask for clusters")
        return found

    def _html_repr(self) -> str:
        """What a notebook shows: what the report page says first, once the estimator is fitted."""
        return page_of(repr(self), self.summary_) if self.__sklearn_is_fitted__() else str(estimator_html_repr(self))

    def _repr_html_inner(self) -> str:
        return self._html_repr()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as a file that load and the command line read (eigenmap predict)."""
        check_is_fitted(self)
        warn(self._model.save(path))

    @classmethod
    def _loaded(cls, model: _native.Model, summary: dict[str, Any]) -> Self:
        """An estimator of a model that was read from a file."""
        e = cls()
        config = summary.get("config") or {}
        for name, flag in cls._flags.items():
            if flag in config:
                setattr(e, name, config[flag])
        if hasattr(e, "n_clusters"):
            e.n_clusters = model.count(_native.CLUSTERS) or None
        e._model, e.summary_, e.n_features_in_, e._read = model, summary, model.count(_native.COLUMNS), True
        if model.count(_native.VALUES):
            e.eigenvalues_ = model.values()
        e._take_names(summary.get("cluster_classes") or [])
        return e

    def _take_names(self, names: Sequence[str]) -> None:
        """Takes the classes of the clusters of a model that was read; "" is none."""


def _iterations(summary: Mapping[str, Any]) -> int | None:
    """Iterations of the method, or of its eigensolver."""
    for part in (summary.get("found") or {}, summary.get("eigen") or {}):
        for key in ("iterations", "restarts"):
            if isinstance(part.get(key), numbers.Real):
                return max(1, int(part[key]))
    return None
