"""Which labels are none."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray


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


def is_unknown(y: NDArray[Any]) -> NDArray[np.bool_]:
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
