"""The types of parameters, looked at before a fit: by the hints of an estimator's constructor."""

from __future__ import annotations

import math
import numbers
import types
from collections.abc import Callable, Collection
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np


def _is_whole(v: Any) -> bool:
    return isinstance(v, numbers.Integral) and not isinstance(v, bool)


def _is_number(v: Any) -> bool:
    return isinstance(v, numbers.Real) and not isinstance(v, (bool, np.bool_)) and math.isfinite(v)


# What a hint takes, and how a message says it.
_KINDS: dict[Any, tuple[str, Callable[[Any], bool]]] = {
    int: ("a whole number", _is_whole),
    float: ("a finite number", _is_number),
    bool: ("True or False", lambda v: isinstance(v, (bool, np.bool_))),
    str: ("a text", lambda v: isinstance(v, str)),
    type(None): ("None", lambda v: v is None),
    np.random.RandomState: ("a numpy.random.RandomState", lambda v: isinstance(v, np.random.RandomState)),
}


def _kinds(hint: Any) -> list[tuple[str, Callable[[Any], bool]]]:
    """What a hint takes; empty: anything."""
    if get_origin(hint) in (Union, types.UnionType):
        return [kind for part in get_args(hint) for kind in _kinds(part)]
    if get_origin(hint) is Literal:
        words = get_args(hint)
        return [("one of " + ", ".join(repr(w) for w in words), lambda v: isinstance(v, str))]  # the library knows the words
    return [_KINDS[hint]] if hint in _KINDS else []


@cache
def _checks_of(cls: type) -> dict[str, list[tuple[str, Callable[[Any], bool]]]]:
    hints = get_type_hints(cls.__init__)  # type: ignore[misc]
    hints.pop("return", None)
    return {name: _kinds(hint) for name, hint in hints.items()}


def check_parameters(estimator: object, unused: Collection[str] = ()) -> None:
    """Raises ValueError for the first parameter whose value has a wrong type.

    The library looks whether values are in range, but for parameters that this fit does not use.
    """
    for name, kinds in _checks_of(type(estimator)).items():  # type: ignore[arg-type]
        value = getattr(estimator, name)
        right = not kinds or any(takes(value) for _, takes in kinds)
        if right and name in unused and value is not None:
            # Counts, of starts and steps, and words.
            right = all(repr(value) in what for what, _ in kinds if "one of" in what) if isinstance(value, str) else 1 <= value < 2**31
        if not right:
            said = "an array" if isinstance(value, np.ndarray) and value.ndim else repr(value)
            what = " or ".join("a whole number of at least 1" if what == "a whole number" and _is_whole(value) else what for what, _ in kinds)
            raise ValueError(f"{name} is {said if len(said) <= 60 else said[:60] + '...'}, and must be {what}: see help({type(estimator).__name__})")


def whole_from(name: str, value: Any, least: int) -> int:
    """A parameter that is a whole number of at least so many."""
    if not _is_whole(value) or value < least:
        raise ValueError(f"{name} is {value!r}, and must be a whole number of at least {least}")
    return int(value)
