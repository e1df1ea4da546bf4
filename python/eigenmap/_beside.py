"""What documents are compared by beside their terms: vectors, and columns of a DataFrame or a dict."""

from __future__ import annotations

import datetime
import json
import math
import numbers
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_array

from ._corpus import plain_of
from ._native import Beside
from ._typing import ColumnsLike, MatrixLike


def beside_of(vectors: MatrixLike | None, columns: ColumnsLike | None) -> Beside | None:
    """The vectors as the library takes them, and the columns as its JSON text; None without any."""
    if vectors is None and columns is None:
        return None
    return None if vectors is None else vectors_of(vectors), None if columns is None else json_of(columns)


def vectors_of(vectors: MatrixLike) -> Any:
    """The vectors as an array or a sparse matrix of finite numbers; a column holds the list of each document."""
    vectors = plain_of(array_of(vectors))
    if not hasattr(vectors, "columns") and not sp.issparse(vectors) and getattr(vectors, "ndim", 1 if hasattr(vectors, "to_list") else 2) == 1:
        vectors = _stacked(list(vectors), "vectors")  # type: ignore[arg-type]
    return check_array(vectors, accept_sparse="csr", dtype=[np.float64, np.float32], input_name="vectors")


def rows_of(x: Any) -> Any:
    """The rows of a column of lists of numbers, such as df["emb"]; anything else as it is.

    Values that a masked array hides are missing, which NumPy's arrays forget.
    """
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        raise ValueError("X is a masked array with masked values: fill these, as X.filled(...) does, or leave their rows out")
    x = plain_of(x)
    if hasattr(x, "columns") or sp.issparse(x) or getattr(x, "ndim", 1 if hasattr(x, "to_list") else 2) != 1 or len(x) == 0:
        return x
    first = next(iter(x))
    if isinstance(first, (list, tuple)) or getattr(first, "ndim", 1 if hasattr(first, "to_list") else 0) == 1:
        return _stacked(list(x), "X")
    return x


def array_of(x: Any) -> Any:
    """The numbers of a tensor of PyTorch as an array or a sparse matrix, and a list of tensors as one of arrays; anything else as it is.

    NumPy takes neither tensors that carry a gradient or lie on a device nor bfloat16.
    """
    if isinstance(x, (list, tuple)) and x and _is_tensor(x[0]):
        return [array_of(v) for v in x]
    if not _is_tensor(x):
        return x
    x = x.detach().cpu()
    if str(x.dtype) == "torch.bfloat16":
        x = x.float()  # of which each number is one
    if str(x.layout) == "torch.strided":
        return x.numpy()
    x = x.to_sparse_coo().coalesce()
    return sp.coo_matrix((x.values().numpy(), tuple(x.indices().numpy())), shape=tuple(x.shape)).tocsr()


def _is_tensor(x: Any) -> bool:
    return hasattr(x, "detach") and hasattr(x, "cpu") and hasattr(x, "layout")


def columns_of_words(x: Any) -> str:
    """The names of columns of a DataFrame that hold words, at most six; "" if x is none, or has no such column."""
    return _columns_with(x, lambda v: isinstance(v, str))


def columns_of_lists(x: Any) -> str:
    """As columns_of_words, of those whose values are lists, such as vectors of texts."""
    return _columns_with(x, lambda v: isinstance(v, (list, tuple)) or getattr(v, "ndim", 1 if hasattr(v, "to_list") else 0) == 1)


def names_of(x: Any) -> list[Any]:
    """The names of the columns of a DataFrame, or of a table of pyarrow; none of anything else."""
    return list(getattr(x, "column_names", None) or getattr(x, "columns", []))


def _columns_with(x: Any, held: Callable[[Any], bool]) -> str:
    names = names_of(x)
    found = [str(n) for i, n in enumerate(names) if n not in names[:i] and getattr(x[n], "ndim", 1) == 1 and any(held(v) for v in plain_of(x[n]))]
    return ", ".join(found[:6]) + (f" and {len(found) - 6} more" if len(found) > 6 else "")


def _stacked(column: list[Any], what: str) -> Any:
    """The rows of a column of lists of numbers; as they are if they are no lists."""
    rows = [np.asarray(v) for v in column]
    if not rows or all(row.ndim == 0 and row.dtype.kind in "biuf" for row in rows):
        return np.array(column)
    for i, row in enumerate(rows):
        if row.ndim != 1:
            raise ValueError(f"{what}: row {i} is {column[i]!r}, which is no list of numbers: give a vector of each document")
        if len(row) != len(rows[0]):
            raise ValueError(f"{what}: row {i} has {len(row)} numbers, and row 0 has {len(rows[0])}: give vectors of one length")
    return np.stack(rows)


def json_of(columns: ColumnsLike) -> bytes:
    """The columns as JSON: numbers, words or null for each document."""
    names = list(columns) if isinstance(columns, Mapping) else names_of(columns)
    if not names:
        raise ValueError("columns is a DataFrame, or a dict of lists, with at least one column")
    return json.dumps([_column(str(name), columns[name]) for name in names]).encode()


def _column(name: str, column: Any) -> dict[str, Any]:
    if getattr(column, "ndim", 1) != 1:
        raise ValueError(f"two columns have the name {name}: give each its own")
    if isinstance(column, np.ndarray) and column.dtype.kind == "M":
        column = column.astype(str)  # as tolist makes numbers of nanoseconds
    values = list(column.tolist() if hasattr(column, "tolist") else plain_of(column))
    if any(isinstance(v, (list, tuple, dict, set, np.ndarray)) for v in values):
        raise ValueError(f"the column {name} has lists in it: give a number, a text or a date of each document")
    found: dict[str, Any] = {"name": name, "values": [_value(v, name) for v in values]}
    kind = str(getattr(column, "dtype", "")).lower()
    if kind.startswith(("category", "categorical", "enum")):
        found["kind"] = "category"  # as numbers that name categories are no amounts
    return found


def _value(v: Any, name: str) -> Any:
    """A value of the column name as JSON has it; None for one that is missing."""
    try:
        if v is None or v != v:
            return None
    except TypeError:  # pandas.NA has no truth
        return None
    if isinstance(v, (bool, np.bool_)):
        return bool(v)
    if isinstance(v, (datetime.date, datetime.datetime)):
        return v.isoformat()
    if isinstance(v, numbers.Integral):
        return int(v)
    if isinstance(v, numbers.Real):
        if math.isinf(v):
            raise ValueError(f"the column {name} has an infinite number: give a finite one, or nan where it is not known")
        return float(v)
    return None if str(v) in ("", "NaT") else str(v)
