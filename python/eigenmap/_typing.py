"""Types of data, and scikit-learn's classes as type checkers see them, since it has no types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, TypeVar, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray


class SparseLike(Protocol):
    """A matrix of scipy.sparse."""

    @property
    def shape(self) -> Any: ...

    def tocsr(self, copy: bool = False) -> Any:
        """The matrix by its rows."""


class FrameLike(Protocol):
    """A DataFrame, of pandas or of another library."""

    @property
    def columns(self) -> Any: ...

    def __getitem__(self, name: Any, /) -> Any: ...


# Columns beside the documents by name: a DataFrame, or a dict of lists.
ColumnsLike = Union[Mapping[str, Iterable[object]], FrameLike]
# What documents are compared by.
View = Literal["words", "vectors", "columns"]
# One row per document: an array, a DataFrame of numbers, lists of rows, or a sparse matrix.
MatrixLike = Union[ArrayLike, SparseLike]
# The label of each row: numbers or words; -1, NaN and None are unknown.
LabelsLike = Union[ArrayLike, Sequence[Union[str, int, None]]]
# Pairs of rows: [(0, 5), (3, 8)], or an array of two columns.
PairsLike = Union[Sequence[tuple[int, int]], Sequence[list[int]], NDArray[np.integer[Any]]]



class Beside(TypedDict, total=False):
    """What new documents have beside X."""

    vectors: MatrixLike | None
    columns: ColumnsLike | None


class Given(Beside, total=False):
    """What a fit takes beside X and y."""

    must_link: PairsLike | None
    cannot_link: PairsLike | None
    views: Sequence[View] | None


if TYPE_CHECKING:
    from typing_extensions import Self

    F = TypeVar("F", bound=Callable[..., Any])

    def available_if(check: Callable[[Any], object]) -> Callable[[F], F]: ...

    class ConvergenceWarning(UserWarning):
        """Iterations ended before they had settled: scikit-learn's."""

    class BaseEstimator:
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Self: ...
        def get_metadata_routing(self) -> Any: ...
        def __sklearn_tags__(self) -> Any: ...

    class ClassNamePrefixFeaturesOutMixin:
        def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]: ...

    class TransformerMixin:
        def set_output(self, *, transform: str | None = None) -> Self: ...

    class ClusterMixin: ...

    class ClassifierMixin:
        def score(self, X: MatrixLike, y: LabelsLike, sample_weight: ArrayLike | None = None) -> float: ...
else:
    from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.utils.metaestimators import available_if
