"""What all estimators have in common; _estimators.py has one class for each method."""

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
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from sklearn.utils import assert_all_finite, check_random_state, estimator_html_repr
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_non_negative, column_or_1d, validate_data

from . import _native
from ._beside import array_of, beside_of, columns_of_lists, columns_of_words, names_of, rows_of, vectors_of
from ._corpus import Corpus, Topic, texts_of, topics_of
from ._eigsh import threads_of
from ._html import page_of
from ._parameters import check_parameters
from ._typing import (
    BaseEstimator,
    Beside,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
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


def _warn(said: Iterable[Mapping[str, str]] | None) -> None:
    """Warns of what the library said: ConvergenceWarning of iterations that ended early."""
    # The frames of this module and of scikit-learn, which wraps methods, are none of the caller's.
    depth = 1
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("eigenmap", "sklearn"):
        frame, depth = frame.f_back, depth + 1
    for w in said or ():
        warnings.warn(w["text"], ConvergenceWarning if w["kind"] == "convergence" else EigenmapWarning, stacklevel=depth)


def _is_missing(v: Any) -> bool:
    try:
        return v is None or bool(v != v) or isinstance(v, numbers.Real) and v == -1
    except TypeError:  # pandas.NA has no truth
        return True


# Words that mean no label, as in the files that the command line reads.
_NO_LABEL = {"", "nan", "na", "n/a", "<na>", "#n/a", "null", "none", "unlabeled", "unlabelled"}


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def _unknown_words(y: NDArray[Any]) -> NDArray[np.bool_]:
    """Which words mean no label: those of _NO_LABEL, and -1, which NumPy makes a word beside others.

    -1 is a class if -1 and 1 are the only labels, or another label is negative or a fraction.
    """
    words = [str(w).strip() for w in y]
    none = np.array([w.lower() in _NO_LABEL for w in words], dtype=bool)
    minus = np.array([_number(w) == -1 for w in words], dtype=bool)
    others = [_number(w) for w, n, m in zip(words, none, minus) if not n and not m]
    values = [v for v in others if v is not None]
    if minus.any() and others and len(values) == len(others):
        if all(v == 1 for v in values) or any(v < 0 or v != int(v) for v in values if v == v and abs(v) != float("inf")):
            return none
    either: NDArray[np.bool_] = none | minus
    return either


def _is_unknown(y: NDArray[Any]) -> NDArray[np.bool_]:
    """Which labels are not known: -1 and NaN of numbers, None and NA of others, and words for none."""
    if y.dtype.kind == "U":
        return _unknown_words(y)
    if y.dtype.kind in "iuf":
        unknown: NDArray[np.bool_] = (y == -1) | (y != y)
        return unknown
    if y.dtype.kind == "O":
        missing = np.array([_is_missing(v) for v in y], dtype=bool)
        words = np.array([isinstance(v, str) for v in y], dtype=bool)
        if words.any():
            missing[words] = _unknown_words(y[words])
        return missing
    return np.zeros(len(y), dtype=bool)


@cache
def _defaults_of(function: Callable[..., object]) -> dict[str, Any]:
    """The defaults of the parameters of a function."""
    return {name: p.default for name, p in inspect.signature(function).parameters.items()}


class Estimator(BaseEstimator):
    """Fits a method by the C interface.

    Attributes that a fit sets, as far as the method makes them: ``labels_`` (cluster of each row),
    ``n_clusters_`` (how many, also those that "auto" chose), ``embedding_``, ``eigenvalues_`` (of the coordinates; singular values or variances of linear
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
            raise ValueError('X is one text: give a list of texts, such as ["a text"], and to fit a Corpus of such a list or of a file')
        if texts_of(x) is not None:
            if reset:
                raise ValueError("X is a list of texts: give fit a Corpus of it, as in fit(eigenmap.Corpus(texts))")
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
                raise ValueError(f"columns of X hold words: {names}; leave them out, compare by them as fit(X.drop(columns=names), columns=X[names]), or give the texts of one as fit(eigenmap.Corpus(X[name]))") from e
            if names := columns_of_lists(x):
                raise ValueError(f"columns of X hold lists: {names}; give one of them alone, as in fit(X[name])") from e
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
        unknown = _is_unknown(y)
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

        X is an array or a sparse matrix of documents × terms, a Corpus of files or texts, or an
        affinity matrix if ``precomputed`` is set. y has labels that the method learns from, if it takes any: -1, None
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
        x = self._check(X, finite=self._is_positive())  # whose check of signs takes NaN, and -inf for any number below 0
        n = len(X) if isinstance(X, Corpus) else x.shape[0]
        links = self._pairs(must_link, cannot_link, n)
        known, classes = (None, None) if self._labels == "none" else self._known(y, n, links is not None)
        embed = self._wants_coordinates()
        affinity = bool(getattr(self, "precomputed", False))
        purpose = _native.EMBED if embed else _native.CLUSTER
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
        _warn(self.summary_.get("warnings"))
        return self

    @available_if(lambda self: not self._wants_coordinates())
    def fit_predict(self, X: MatrixLike | Corpus, y: LabelsLike | None = None, **given: Unpack[Given]) -> NDArray[Any]:
        """Fits, and returns the cluster of each row of X."""
        return self.fit(X, y, **given).labels_

    def _wants_coordinates(self) -> bool:
        """Whether no clusters are asked for."""
        makes = isinstance(self, Embeds)
        return makes and getattr(self, "n_clusters", None) is None and (self._embeds or self._labels != "required")

    def _take(self, found: _native.Found, classes: NDArray[Any] | None) -> None:
        for name in ("labels_", "n_clusters_", "embedding_", "eigenvalues_", "probabilities_", "classes_", "n_iter_", "inertia_", "explained_variance_ratio_", "update_"):
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
            if isinstance(self, Embeds) and found.embedding is None:
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
        _warn(said)
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
        _warn(self._model.save(path))

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


def _new(estimator: Estimator, X: MatrixLike | Sequence[str] | None, given: Beside) -> tuple[Any, _native.Beside | None]:
    """New rows or texts as the library takes them, and what is beside them; without X the vectors are the rows."""
    for name in given:
        if name not in ("vectors", "columns"):
            raise TypeError(f"unexpected keyword argument '{name}': beside X there are vectors and columns")
    vectors, columns = given.get("vectors"), given.get("columns")
    if X is not None:
        return estimator._check(X, reset=False), beside_of(vectors, columns)
    if vectors is None:
        raise ValueError("there is nothing to place: give X, or vectors of a model that compares documents by vectors")
    return vectors_of(vectors), beside_of(None, columns)


def _placed(estimator: Estimator, X: MatrixLike | Sequence[str] | None, what: str, given: Beside) -> NDArray[Any]:
    """Labels, embedding or posterior of new rows; warns of rows that fit nowhere."""
    check_is_fitted(estimator)
    x, beside = _new(estimator, X, given)
    found, said = estimator._model.predict(x, what, threads=estimator._threads(), beside=beside)
    _warn(said)
    return found


# The mixins of estimators are parts of an Estimator.
if TYPE_CHECKING:
    _Part = Estimator
else:
    _Part = object


# The methods whose models grow by new rows.
_GROWING = {"le", "semi-le", "cle", "spectral", "diffusion"}


class Grows(_Part):
    """Takes new rows into a fitted model, if models of its method grow by them."""

    @available_if(lambda self: self._method in _GROWING and not self.precomputed)
    def partial_fit(self, X: MatrixLike | Sequence[str] | None, y: LabelsLike | None = None, classes: object = None, **given: Unpack[Beside]) -> Self:
        """Places the rows of X, or texts, and takes them into the model, as ``eigenmap update`` does.

        The first call, of an estimator that is not fitted, is fit(X, y). A later one leaves clusters,
        coordinates and eigenvalues of earlier rows as they are, and needs no y: the rows of X get the
        clusters and coordinates that predict and transform would give them, in ``labels_`` and
        ``embedding_``, and become neighbours by which later rows are placed. ``update_`` says what
        grew and how far the rows are from the rows of the fit; reasons to fit again are warned of, and
        are in ``update_["refit_reasons"]``. A model grows to twice the rows and columns of its fit at
        most. classes is there for scikit-learn, and not used. vectors and columns are as in predict.
        """
        if not self.__sklearn_is_fitted__():
            if X is None:
                raise ValueError("a first fit needs the documents: give X")
            return self.fit(X, y, **given)
        x, beside = _new(self, X, given)
        self._model, found, self.update_, said = self._model.update(x, threads=self._threads(), beside=beside)
        for name, kind in (("labels_", "labels"), ("embedding_", "embedding")):
            if kind in found:
                setattr(self, name, found[kind])
        if hasattr(self, "transduction_"):
            setattr(self, "transduction_", self._named(self.labels_))
        _warn(said)
        return self


class Predicts(Grows):
    """Clusters of new rows, with an EigenmapWarning of those that fit nowhere."""

    @available_if(lambda self: not self._wants_coordinates())
    def predict(self, X: MatrixLike | Sequence[str] | None = None, **given: Unpack[Beside]) -> NDArray[Any]:
        """The cluster of each row of X, or its class if clusters are classes of y.

        vectors and columns are those of the new documents, of a model that was fitted with such. A model
        of several views places documents by those that they have: predict(texts), predict(vectors=v) or
        predict(texts, vectors=v).
        """
        return self._named(_placed(self, X, "labels", given))


class Doubts(_Part):
    """Probabilities of the clusters of new rows."""

    @available_if(lambda self: not self._wants_coordinates())
    def predict_proba(self, X: MatrixLike | Sequence[str] | None = None, **given: Unpack[Beside]) -> NDArray[np.float64]:
        """The probability of each cluster for each row of X, in the order of the clusters; given as for predict."""
        return _placed(self, X, "posterior", given)


class Embeds(ClassNamePrefixFeaturesOutMixin, TransformerMixin, _Part):
    """Coordinates of the rows of the fit alone."""

    def fit_transform(self, X: MatrixLike | Corpus, y: LabelsLike | None = None, **given: Unpack[Given]) -> NDArray[np.float64]:
        """Fits and returns the coordinates of X."""
        return self.fit(X, y, **given).embedding_

    @property
    def _n_features_out(self) -> int:
        return self._model.count(_native.DIMS) or self.embedding_.shape[1]


class Transforms(Embeds, Grows):
    """Coordinates, also of new rows."""

    def transform(self, X: MatrixLike | Sequence[str] | None, **given: Unpack[Beside]) -> NDArray[np.float64]:
        """The coordinates of the rows of X; those of the fit have the ones of embedding_. given as for predict: transform(None, vectors=v)."""
        check_is_fitted(self)
        if not self._model.count(_native.DIMS):  # shares of topics
            return _placed(self, X, "posterior", given)
        return _placed(self, X, "embedding", given)


class Clusters(ClusterMixin, _Part):
    """Finds clusters without labels, or with those of a part of the rows if the method takes any."""

    fit_predict = Estimator.fit_predict  # that of ClusterMixin leaves y out


class Transduces(_Part):
    """Finds the class of every row from labels of a part of them; clusters are classes of y."""

    transduction_: NDArray[Any]
    _class_of_cluster: NDArray[np.int32]

    def _take(self, found: _native.Found, classes: NDArray[Any] | None) -> None:
        super()._take(found, classes)
        if found.classes is not None:
            self._class_of_cluster = found.classes
        self.transduction_ = self._named(self.labels_)

    def _take_names(self, names: Sequence[str]) -> None:
        known = sorted(set(names) - {""})
        self.classes_ = np.array(known)
        if known and all(name.isdecimal() for name in known):  # numbers of the classes of a fit from Python
            self.classes_ = np.arange(1 + max(map(int, known)))
            known = [str(k) for k in self.classes_]
        self._class_of_cluster = np.array([known.index(name) if name else -1 for name in names], dtype=np.int32)

    def _named(self, clusters: NDArray[Any]) -> NDArray[Any]:
        """Labels of y; a cluster that is no class of y is unknown."""
        number = self._class_of_cluster[clusters]
        found: NDArray[Any] = self.classes_[number]
        if (number < 0).any():
            found = found.astype(object) if found.dtype.kind not in "if" else found
            found[number < 0] = -1 if found.dtype.kind in "if" else None
        return found

    def fit_predict(self, X: MatrixLike | Corpus, y: LabelsLike | None = None, **given: Unpack[Given]) -> NDArray[Any]:
        """Fits, and returns the class of each row of X."""
        return self.fit(X, y, **given).transduction_


class Classifies(ClassifierMixin, Transduces):
    """Finds the class of new rows too."""

    def score(self, X: MatrixLike | Corpus, y: LabelsLike, sample_weight: ArrayLike | None = None) -> float:
        """The share of the rows with a known label that get it, such as those that cross-validation holds out."""
        found: NDArray[Any] = self.predict(X)  # type: ignore[attr-defined]
        truth: NDArray[Any] = column_or_1d(y, warn=True)
        if len(truth) != len(found):
            raise ValueError(f"X has {len(found)} rows and y has {len(truth)} labels")
        classes = set(self.classes_.tolist())
        known = [i for i, (label, unknown) in enumerate(zip(truth.tolist(), _is_unknown(truth))) if not unknown or label in classes]
        if not known:
            raise ValueError("y labels none of the rows: give labels of some to compare with")
        right = [a == b for a, b in zip(found[known].tolist(), truth[known].tolist())]
        return float(np.average(right, weights=None if sample_weight is None else np.asarray(sample_weight)[known]))
