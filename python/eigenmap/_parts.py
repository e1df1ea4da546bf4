"""What some estimators have: places and classes of new rows, coordinates, clusters, classes of labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted, column_or_1d

from . import _native
from ._base import Estimator, warn
from ._beside import beside_of, vectors_of
from ._corpus import Corpus
from ._labels import is_unknown
from ._typing import (
    Beside,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    Given,
    LabelsLike,
    MatrixLike,
    TransformerMixin,
    available_if,
)

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


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
    warn(said)
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
        warn(said)
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
        known = [i for i, (label, unknown) in enumerate(zip(truth.tolist(), is_unknown(truth))) if not unknown or label in classes]
        if not known:
            raise ValueError("y labels none of the rows: give labels of some to compare with")
        right = [a == b for a, b in zip(found[known].tolist(), truth[known].tolist())]
        return float(np.average(right, weights=None if sample_weight is None else np.asarray(sample_weight)[known]))
