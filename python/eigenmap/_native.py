"""The C interface by ctypes: matrices without copies, calls that Ctrl-C cancels, models."""

from __future__ import annotations

import ctypes as c
import json
import os
import threading
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Union

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

CSR, ROW_MAJOR, COLUMN_MAJOR, AFFINITY = range(4)
CLUSTER, EMBED = range(2)
DOCUMENTS, COLUMNS, CLUSTERS, DIMS, VALUES, PROBABILITIES, PREDICTS = range(7)


class EigenmapError(RuntimeError):
    """The work failed: it did not converge, or memory or disk ran out."""


class _Matrix(c.Structure):
    _fields_ = [
        ("rows", c.c_int64),
        ("cols", c.c_int64),
        ("indptr", c.c_void_p),
        ("indices", c.c_void_p),
        ("values", c.c_void_p),
        ("stride", c.c_int64),
        ("layout", c.c_int32),
    ]


class _Known(c.Structure):
    _fields_ = [
        ("labels", c.c_void_p),
        ("first", c.c_void_p),
        ("second", c.c_void_p),
        ("cannot", c.c_void_p),
        ("links", c.c_int64),
    ]


class _Event(c.Structure):
    _fields_ = [
        ("stage", c.c_char_p),
        ("unit", c.c_char_p),
        ("message", c.c_char_p),
        ("done", c.c_int64),
        ("total", c.c_int64),
    ]


_Progress = c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(_Event))
_Cancelled = c.CFUNCTYPE(c.c_int, c.c_void_p)


def _load() -> c.CDLL:
    path = os.environ.get("EIGENMAP_LIBRARY") or str(Path(__file__).with_name("libeigenmap.so"))
    try:
        lib = c.CDLL(path)
    except OSError as e:
        raise ImportError(
            f"{path}: the library of eigenmap cannot be loaded ({e}). Install the package with pip, "
            "or set EIGENMAP_LIBRARY to the libeigenmap.so that make lib builds. A library that needs "
            "OpenBLAS, LAPACKE and ARPACK finds them in Debian's libopenblas0, liblapacke and libarpack2."
        ) from e
    pointer, text, size, i32 = c.c_void_p, c.c_char_p, c.c_size_t, c.c_int32
    matrix, known = c.POINTER(_Matrix), c.POINTER(_Known)
    for name, result, arguments in [
        ("last_error", text, []),
        ("last_warnings", text, []),
        ("version", text, []),
        ("fit", c.c_int, [matrix, i32, text, known, c.POINTER(pointer)]),
        ("model_free", None, [pointer]),
        ("model_count", c.c_int64, [pointer, i32]),
        ("model_labels", c.c_int, [pointer, pointer]),
        ("model_embedding", c.c_int, [pointer, i32, pointer]),
        ("model_posterior", c.c_int, [pointer, i32, pointer]),
        ("model_values", c.c_int, [pointer, pointer]),
        ("model_classes", c.c_int, [pointer, pointer]),
        ("model_describe", c.c_int, [pointer, c.POINTER(pointer)]),
        ("predict", c.c_int, [pointer, matrix, text, i32, pointer, pointer, pointer]),
        ("model_save", c.c_int, [pointer, text]),
        ("model_load", c.c_int, [text, c.POINTER(pointer)]),
        ("model_encode", c.c_int, [pointer, c.POINTER(pointer), c.POINTER(size)]),
        ("model_decode", c.c_int, [pointer, size, c.POINTER(pointer)]),
        ("free", None, [pointer]),
        ("set_callbacks", None, [_Progress, _Cancelled, pointer]),
    ]:
        function = getattr(lib, "eigenmap_" + name)
        function.restype, function.argtypes = result, arguments
    return lib


_lib = _load()


def version() -> str:
    """The version of the library."""
    text: bytes = _lib.eigenmap_version()
    return text.decode()


def _call(name: str, *arguments: Any) -> list[dict[str, str]]:
    """Calls a function, and raises what its code means. It returns what the function warns of."""
    code = getattr(_lib, "eigenmap_" + name)(*arguments)
    if code == 0:
        warned: list[dict[str, str]] = json.loads(_lib.eigenmap_last_warnings().decode())
        return warned
    said = _lib.eigenmap_last_error().decode(errors="replace")
    if code == 2:
        raise ValueError(said)
    if code == 130:
        raise KeyboardInterrupt
    raise EigenmapError(said)


# Takes the stage, the unit, a sentence or None, and how many units are done of how many (0: not known).
Report = Callable[[str, str, Union[str, None], int, int], object]
# What receives the progress of calls; see progress.py.
observer: ContextVar[Report | None] = ContextVar("eigenmap.observer", default=None)


def _observed(report: Report | None, failure: list[BaseException]) -> Any:
    """report as a callback of the library; what it raises goes into the list failure and cancels the call."""
    if report is None:
        return _Progress()

    def receive(_: Any, event: Any) -> int:
        e = event.contents
        try:
            report(e.stage.decode(), e.unit.decode(), e.message.decode() if e.message else None, e.done, e.total)
        except BaseException as raised:
            failure.append(raised)
        return int(bool(failure))

    return _Progress(receive)


def _watched(report: Report | None, cancelled: Any, name: str, *arguments: Any) -> list[dict[str, str]]:
    """Calls a long function; report receives its progress, and cancelled says whether to end it."""
    failure: list[BaseException] = []
    observe = _observed(report, failure)
    _lib.eigenmap_set_callbacks(observe, cancelled, None)
    try:
        return _call(name, *arguments)
    except KeyboardInterrupt:
        if failure:
            raise failure[0] from None
        raise
    finally:
        _lib.eigenmap_set_callbacks(_Progress(), _Cancelled(), None)


def _interruptible(keep: object, name: str, *arguments: Any) -> list[dict[str, str]]:
    """Calls a long function so that Ctrl-C cancels it, and returns what it warns of.

    keep is what must live during the call.

    Python handles signals in its main thread between two instructions, so the call runs in
    another thread. It releases the GIL. Thread.join is no use here: a join that Ctrl-C interrupts
    takes the thread for ended (CPython 3.11), while it still reads the arrays.
    """
    report = observer.get()
    if threading.current_thread() is not threading.main_thread():
        return _watched(report, _Cancelled(), name, *arguments)
    stop, done = threading.Event(), threading.Event()
    failure: list[BaseException] = []
    warned: list[dict[str, str]] = []
    cancelled = _Cancelled(lambda _: int(stop.is_set()))

    def work() -> None:
        try:
            warned.extend(_watched(report, cancelled, name, *arguments))
        except BaseException as e:  # it is raised in the caller's thread
            failure.append(e)
        finally:
            held.clear()
            done.set()

    held = [keep]  # the thread holds it, whatever becomes of the caller
    threading.Thread(target=work, name="eigenmap", daemon=True).start()
    interrupted = False
    while not done.is_set():
        try:
            done.wait()
        except KeyboardInterrupt:
            stop.set()
            interrupted = True
    if interrupted:
        raise KeyboardInterrupt
    if failure:
        raise failure[0]
    return warned


def _matrix(x: Any, affinity: bool = False) -> tuple[_Matrix, object]:
    """A view of x for the library, and what must live as long as the view.

    Values and column numbers of a canonical CSR matrix with float64 values and int32 columns are
    not copied; row pointers become int64. A C-contiguous array is not copied.
    """
    if sp.issparse(x):
        x = x.tocsr()
        if not x.has_canonical_format:
            x = x.copy()
            x.sum_duplicates()
        indptr = np.ascontiguousarray(x.indptr, dtype=np.int64)
        indices = np.ascontiguousarray(x.indices, dtype=np.int32)
        values = np.ascontiguousarray(x.data, dtype=np.float64)
        m = _Matrix(*x.shape, indptr.ctypes.data, indices.ctypes.data, values.ctypes.data, 0, AFFINITY if affinity else CSR)
        return m, (indptr, indices, values)
    x = np.asarray(x, dtype=np.float64)
    if affinity:
        return _matrix(sp.csr_array(x), affinity=True)
    layout = ROW_MAJOR
    if x.flags.f_contiguous and not x.flags.c_contiguous:
        layout = COLUMN_MAJOR
    else:
        x = np.ascontiguousarray(x)
    return _Matrix(*x.shape, None, None, x.ctypes.data, 0, layout), (x,)


class Model:
    """A fitted model of the library."""

    def __init__(self, handle: c.c_void_p) -> None:
        self._handle: c.c_void_p | None = handle

    def __del__(self) -> None:
        if getattr(self, "_handle", None) and _lib is not None:
            _lib.eigenmap_model_free(self._handle)
            self._handle = None

    @classmethod
    def fit(
        cls,
        x: Any,
        purpose: int,
        options: dict[str, Any],
        labels: NDArray[Any] | None = None,
        affinity: bool = False,
        links: tuple[NDArray[Any], ...] | None = None,
    ) -> Model:
        """Fits a method; labels are numbers of classes, negative for unknown.

        links are two arrays of rows and one of what is between them: 0 they belong together, 1 they
        do not.
        """
        m, keep = _matrix(x, affinity)
        known, handle = _Known(), c.c_void_p()
        if labels is not None:
            labels = np.ascontiguousarray(labels, dtype=np.int32)
            known.labels = labels.ctypes.data
        if links is not None:
            links = tuple(np.ascontiguousarray(a, dtype=t) for a, t in zip(links, (np.int64, np.int64, np.int32)))
            known.first, known.second, known.cannot = (a.ctypes.data for a in links)
            known.links = len(links[0])
        keep = (keep, labels, links)
        _interruptible(keep, "fit", c.byref(m), purpose, json.dumps(options).encode(), c.byref(known), c.byref(handle))
        return cls(handle)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Reads a model's file."""
        handle = c.c_void_p()
        _interruptible(handle, "model_load", os.fsencode(path), c.byref(handle))
        return cls(handle)

    def count(self, which: int) -> int:
        """A count of eigenmap.h."""
        n: int = _lib.eigenmap_model_count(self._handle, which)
        if n < 0:
            raise ValueError(_lib.eigenmap_last_error().decode())
        return n

    def labels(self) -> NDArray[np.int32]:
        """The cluster of each row of the fit."""
        out = np.empty(self.count(DOCUMENTS), dtype=np.int32)
        _call("model_labels", self._handle, out.ctypes.data)
        return out

    def embedding(self) -> NDArray[np.float64]:
        """The coordinates of each row of the fit."""
        out = np.empty((self.count(DOCUMENTS), self.count(DIMS)))
        _call("model_embedding", self._handle, ROW_MAJOR, out.ctypes.data)
        return out

    def posterior(self) -> NDArray[np.float64]:
        """The probabilities of each row of the fit."""
        out = np.empty((self.count(DOCUMENTS), self.count(PROBABILITIES)))
        _call("model_posterior", self._handle, ROW_MAJOR, out.ctypes.data)
        return out

    def values(self) -> NDArray[np.float64]:
        """Eigenvalues, singular values or variances."""
        out = np.empty(self.count(VALUES))
        _call("model_values", self._handle, out.ctypes.data)
        return out

    def classes(self) -> NDArray[np.int32]:
        """The class of the known labels that each cluster is; -1: none."""
        out = np.empty(self.count(CLUSTERS), dtype=np.int32)
        _call("model_classes", self._handle, out.ctypes.data)
        return out

    def describe(self) -> dict[str, Any]:
        """Everything that is known about the model."""
        text = c.c_void_p()
        _call("model_describe", self._handle, c.byref(text))
        try:
            said: dict[str, Any] = json.loads(c.string_at(text))
            return said
        finally:
            _lib.eigenmap_free(text)

    def predict(self, x: Any, what: str, threads: Any = 0) -> tuple[NDArray[Any], list[dict[str, str]]]:
        """Places new rows: their "labels", "embedding" or "posterior", and a list of warnings."""
        m, keep = _matrix(x)
        shape = {"labels": (m.rows,), "embedding": (m.rows, self.count(DIMS)), "posterior": (m.rows, self.count(CLUSTERS))}[what]
        out = np.empty(shape, dtype=np.int32 if what == "labels" else np.float64)
        arrays = (out.ctypes.data if what == name else None for name in ("labels", "embedding", "posterior"))
        options = json.dumps({"threads": threads}).encode()
        return out, _interruptible((keep, out, self), "predict", self._handle, c.byref(m), options, ROW_MAJOR, *arrays)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model's file, model.npz of the command line."""
        _call("model_save", self._handle, os.fsencode(path))

    def __reduce__(self) -> tuple[Callable[[bytes], Model], tuple[bytes]]:
        data, size = c.c_void_p(), c.c_size_t()
        _call("model_encode", self._handle, c.byref(data), c.byref(size))
        try:
            return _decode, (c.string_at(data, size.value),)
        finally:
            _lib.eigenmap_free(data)


def _decode(data: bytes) -> Model:
    handle = c.c_void_p()
    _call("model_decode", data, len(data), c.byref(handle))
    return Model(handle)
