"""Matrices without copies, graphs, documents and models, by calls of the library."""

from __future__ import annotations

import ctypes as c
import json
import numbers
import os
from collections.abc import Callable
from typing import Any, NamedTuple, Union

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ._calls import EigenmapError, _apart, _call, _Documents, _Graph, _interruptible, _Known, _lib, _Matmat, _Matrix, _watched, forked, json_of, observer

CSR, ROW_MAJOR, COLUMN_MAJOR, AFFINITY, CSR_FLOAT, ROW_MAJOR_FLOAT = range(6)
CLUSTER, EMBED = range(2)
DOCUMENTS, COLUMNS, CLUSTERS, DIMS, VALUES, PROBABILITIES, PREDICTS = range(7)
COUNTS = 7

# Vectors of documents, and their columns as JSON text; None for what there is not.
Beside = tuple[Any, Union[bytes, None]]


def _matrix(x: Any, affinity: bool = False) -> tuple[_Matrix, object]:
    """A view of x for the library, and what must live as long as the view.

    Values and column numbers of a canonical CSR matrix with int32 columns and values in float64 or
    float32 are not copied; row pointers become int64. A C-contiguous array of these is not copied.
    """
    if sp.issparse(x):
        if x.ndim != 2:
            raise ValueError(f"the sparse array has {x.ndim} dimensions: it must have 2")
        _real_numbers(x)
        x = x.tocsr()
        if not x.has_canonical_format:
            x = x.copy()
            x.sum_duplicates()
        indptr = np.ascontiguousarray(x.indptr, dtype=np.int64)
        indices = np.ascontiguousarray(x.indices, dtype=np.int32)
        single = x.dtype == np.float32 and not affinity
        values = np.ascontiguousarray(x.data, dtype=np.float32 if single else np.float64)
        layout = AFFINITY if affinity else CSR_FLOAT if single else CSR
        return _Matrix(*x.shape, indptr.ctypes.data, indices.ctypes.data, values.ctypes.data, 0, layout), (indptr, indices, values)
    x = np.asarray(x)
    _real_numbers(x)
    if affinity:
        return _matrix(sp.csr_array(x), affinity=True)
    if x.dtype == np.float32:
        x = np.ascontiguousarray(x)
        return _Matrix(*x.shape, None, None, x.ctypes.data, 0, ROW_MAJOR_FLOAT), (x,)
    x = np.asarray(x, dtype=np.float64)
    layout = ROW_MAJOR
    if x.flags.f_contiguous and not x.flags.c_contiguous:
        layout = COLUMN_MAJOR
    else:
        x = np.ascontiguousarray(x)
    return _Matrix(*x.shape, None, None, x.ctypes.data, 0, layout), (x,)


def _real_numbers(x: Any) -> None:
    if x.dtype.kind == "c":
        raise ValueError("the numbers are complex: give real ones")


def count_of(name: str, value: int) -> int:
    """A number that the library takes in 32 bits."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}, and must be a whole number")
    value = int(value)
    if not -(2**31) <= value < 2**31:
        raise ValueError(f"{name} is {value}: it is too large")
    return value


class _Owner:
    """Arrays that the library made, which it frees with the last view of them."""

    def __init__(self) -> None:
        self.graph = _Graph()

    def __del__(self) -> None:
        if _lib is not None:
            _lib.eigenmap_csr_free(c.byref(self.graph))

    def view(self, pointer: Any, size: int) -> NDArray[Any]:
        """The size numbers behind a pointer, without a copy."""
        if size == 0:
            return np.empty(0, dtype=np.dtype(pointer._type_))
        block = (pointer._type_ * size).from_address(c.addressof(pointer.contents))
        block._owner = self  # what a view of the block keeps
        return np.frombuffer(block, dtype=np.dtype(pointer._type_))


def graph_of(keep: object, name: str, *arguments: Any) -> Any:
    """The SciPy matrix of a function that makes one in its last argument."""
    owner = _Owner()
    _interruptible((keep, owner), name, *arguments, c.byref(owner.graph))
    g = owner.graph
    indptr = owner.view(g.indptr, g.rows + 1)
    entries = int(indptr[-1])
    indices = owner.view(g.indices, entries)
    if entries <= np.iinfo(np.int32).max:
        indptr = indptr.astype(np.int32)  # SciPy copies the columns to the width of the pointers
    return sp.csr_array((owner.view(g.values, entries), indices, indptr), shape=(g.rows, g.cols), copy=False)


def matrix_graph(name: str, x: Any, *arguments: Any) -> Any:
    """The graph of the rows of x by a function of the library."""
    m, keep = _matrix(x)
    return graph_of(keep, name, c.byref(m), *arguments)


def symmetric(a: Any, n: int, k: int, largest: bool, mass: NDArray[np.float64] | None, options: dict[str, Any], vectors: bool) -> tuple[Any, Any]:
    """Eigenvalues and vectors of a symmetric CSR matrix, or of a function of blocks of vectors."""
    values = np.empty(k)
    out = np.empty((k, n)) if vectors else None
    tail = (
        k, int(largest), None if mass is None else mass.ctypes.data, json_of(options),
        values.ctypes.data, None if out is None else out.ctypes.data,
    )  # fmt: skip
    if sp.issparse(a):
        _real_numbers(a)
        m, keep = _matrix(a.astype(np.float64, copy=False))
        _interruptible((keep, mass, values, out), "symmetric_csr", n, m.indptr, m.indices, m.values, *tail)
        return values, out
    failure: list[BaseException] = []

    def product(_: Any, n: int, columns: int, x: Any, y: Any) -> int:
        try:
            block = np.ctypeslib.as_array(x, (n, columns))
            np.ctypeslib.as_array(y, (n, columns))[:] = a(block.copy())
        except BaseException as raised:  # it is raised in the caller's thread
            failure.append(raised)
        return int(bool(failure))

    function = _Matmat(product)
    try:
        _interruptible((function, mass, values, out), "symmetric_block", n, *tail[:2], function, None, *tail[2:])
    except EigenmapError:
        if failure:
            raise failure[0] from None
        raise
    return values, out


def _texts(texts: list[str]) -> Any:
    """An array of C's texts."""
    return (c.c_char_p * len(texts))(*(t.replace("\0", " ").encode(errors="replace") for t in texts))


class Documents:
    """A corpus of the library."""

    def __init__(self, handle: c.c_void_p) -> None:
        self._handle: c.c_void_p | None = handle

    def __del__(self) -> None:
        if getattr(self, "_handle", None) and _lib is not None:
            _lib.eigenmap_corpus_free(self._handle)
            self._handle = None

    @classmethod
    def read(cls, source: str | bytes | list[str], options: dict[str, Any]) -> Documents:
        """Reads a file or a folder, or counts a list of texts."""
        handle = c.c_void_p()
        made = cls(handle)  # frees what the call hands out, whatever is raised after it
        if isinstance(source, list):
            texts = _texts(source)
            _interruptible((texts, made), "corpus_texts", len(source), texts, json_of(options), c.byref(handle))
        else:
            _interruptible(made, "corpus_read", os.fsencode(source), json_of(options), c.byref(handle))
        return made

    def describe(self) -> dict[str, Any]:
        """Everything that is known about the documents."""
        return _described("corpus_describe", self._handle)

    def select(self, rows: NDArray[np.int64]) -> Documents:
        """The documents of these numbers."""
        handle = c.c_void_p()
        made = Documents(handle)
        _call("corpus_select", self._handle, len(rows), rows.ctypes.data, c.byref(handle))
        return made

    def rows(self, options: dict[str, Any]) -> Any:
        """The rows as a SciPy matrix."""
        return graph_of(self, "corpus_rows", self._handle, json_of(options))


def _described(name: str, handle: Any) -> dict[str, Any]:
    text = c.c_void_p()
    _call(name, handle, c.byref(text))
    try:
        said: dict[str, Any] = json.loads(c.string_at(text))
        return said
    finally:
        _lib.eigenmap_free(text)


def _documents(x: Any, beside: Beside) -> tuple[_Documents, object]:
    """Documents with what is beside them, and what must live as long."""
    d, keep = _Documents(), list[object]()
    if isinstance(x, Documents):
        d.corpus = x._handle
    elif isinstance(x, list):
        d.texts, d.n = _texts(x), len(x)
        keep.append(d.texts)
    else:
        m, kept = _matrix(x)
        d.x, d.n = c.pointer(m), m.rows
        keep += m, kept
    vectors, d.columns = beside
    if vectors is not None:
        m, kept = _matrix(vectors)
        d.vectors = c.pointer(m)
        keep += m, kept
    return d, keep


class Found(NamedTuple):
    """What a fit found, as far as the method makes it; classes are of methods with clusters."""

    summary: dict[str, Any]
    labels: NDArray[np.int32] | None
    embedding: NDArray[np.float64] | None
    values: NDArray[np.float64] | None
    posterior: NDArray[np.float64] | None
    classes: NDArray[np.int32] | None


class Model:
    """A fitted model of the library."""

    _counts: list[int] | None = None

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
        beside: Beside | None = None,
    ) -> tuple[Model, Found]:
        """Fits a method, and returns the model and what was found; labels are numbers of classes, negative for unknown.

        links are two arrays of rows and one of what is between them: 0 they belong together, 1 they
        do not.
        """
        known, handle = _Known(), c.c_void_p()
        if labels is not None:
            labels = np.ascontiguousarray(labels, dtype=np.int32)
            known.labels = labels.ctypes.data
        if links is not None:
            links = tuple(np.ascontiguousarray(a, dtype=t) for a, t in zip(links, (np.int64, np.int64, np.int32)))
            known.first, known.second, known.cannot = (a.ctypes.data for a in links)
            known.links = len(links[0])
        made = cls(handle)
        keep: object = None
        source: Any
        if beside is not None:
            d, keep = _documents(x, beside)
            name, source = "fit_documents", c.byref(d)
        elif isinstance(x, Documents):
            name, source = "fit_corpus", x._handle
        else:
            m, keep = _matrix(x, affinity)
            name, source = "fit", c.byref(m)
        report, text = observer.get(), json_of(options)

        def work(cancelled: Any) -> Found:
            _watched(report, cancelled, name, source, purpose, text, c.byref(known), c.byref(handle))
            return made._found()

        # In one visit of the other thread: the library's first call on the main thread reads /proc/self/maps.
        return made, _apart((keep, x, made, labels, links), work)

    def _found(self) -> Found:
        return Found(
            self.describe(),
            self.labels() if self.count(CLUSTERS) else None,
            self.embedding() if self.count(DIMS) else None,
            self.values() if self.count(VALUES) else None,
            self.posterior() if self.count(PROBABILITIES) else None,
            self.classes() if self.count(CLUSTERS) else None,
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Reads a model's file."""
        handle = c.c_void_p()
        made = cls(handle)
        _interruptible(made, "model_load", os.fsencode(path), c.byref(handle))
        return made

    def count(self, which: int) -> int:
        """A count of eigenmap.h."""
        if self._counts is None:
            counts = (c.c_int64 * COUNTS)()
            _call("model_counts", self._handle, c.byref(counts))
            self._counts = list(counts)
        return self._counts[which]

    def labels(self) -> NDArray[np.int32]:
        """The cluster of each row of the fit."""
        out = np.empty(self.count(DOCUMENTS), dtype=np.int32)
        _call("model_labels", self._handle, out.ctypes.data)
        return out

    def confidence(self) -> tuple[NDArray[np.float64], list[dict[str, str]]]:
        """The confidence of each row of the fit, and a list of warnings; the first call takes the second looks."""
        out = np.empty(self.count(DOCUMENTS))
        return out, _interruptible((self, out), "model_confidence", self._handle, out.ctypes.data)

    def embedding(self) -> NDArray[np.float64]:
        """The coordinates of each row of the fit."""
        out = np.empty((self.count(DOCUMENTS), self.count(DIMS)))
        _call("model_embedding", self._handle, ROW_MAJOR, out.ctypes.data)
        return out

    def map(self) -> NDArray[np.float64]:
        """The places of the rows of a fit with the option map in the plane, as the report page shows them."""
        out = np.empty((self.count(DOCUMENTS), 2))
        _call("model_map", self._handle, ROW_MAJOR, out.ctypes.data)
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
        return _described("model_describe", self._handle)

    def affinity(self) -> Any:
        """The graph by which the method joined the rows of the fit, as a SciPy matrix."""
        return graph_of(self, "model_affinity", self._handle)

    def predict(self, x: Any, what: str, threads: Any = 0, beside: Beside | None = None) -> tuple[NDArray[Any], list[dict[str, str]]]:
        """Places new rows, or a list of texts: their "labels", "embedding" or "posterior", and a list of warnings."""
        n, tail, head, keep = self._rows(x, beside)
        out = self._room(n, what)
        arrays = (out.ctypes.data if what == kind else None for kind in ("labels", "embedding", "posterior"))
        return out, _interruptible((keep, out, self), "predict" + tail, self._handle, *head, json_of({"threads": threads}), ROW_MAJOR, *arrays)

    def update(self, x: Any, threads: Any = 0, beside: Beside | None = None) -> tuple[Model, dict[str, NDArray[Any]], dict[str, Any], list[dict[str, str]]]:
        """Takes new rows, or a list of texts: the model with them, what is known of them, what grew, and warnings."""
        n, tail, head, keep = self._rows(x, beside)
        kinds = {"labels": CLUSTERS, "embedding": DIMS}
        out = {kind: self._room(n, kind) for kind, which in kinds.items() if self.count(which)}
        arrays = (out[kind].ctypes.data if kind in out else None for kind in kinds)
        handle, text = c.c_void_p(), c.c_void_p()
        rest = (json_of({"threads": threads}), ROW_MAJOR, *arrays, None, c.byref(handle), c.byref(text))
        made = Model(handle)  # frees what the call hands out, whatever is raised after it
        try:
            said = _interruptible((keep, out, made, text, self), "update" + tail, self._handle, *head, *rest)
            return made, out, json.loads(c.string_at(text)), said
        finally:
            _lib.eigenmap_free(text)

    def _rows(self, x: Any, beside: Beside | None) -> tuple[int, str, list[Any], object]:
        """The number of rows or texts, the end of the function's name, its arguments, and what these refer to."""
        if beside is not None:
            d, keep = _documents(x, beside)
            return d.n, "_documents", [c.byref(d)], (d, keep)
        if isinstance(x, list):
            texts = _texts(x)
            return len(x), "_texts", [len(x), texts], texts
        m, keep = _matrix(x)
        return m.rows, "", [c.byref(m)], (m, keep)

    def _room(self, n: int, what: str) -> NDArray[Any]:
        """An array for the "labels", "embedding" or "posterior" of n rows."""
        shape = {"labels": (n,), "embedding": (n, self.count(DIMS)), "posterior": (n, self.count(CLUSTERS))}[what]
        return np.empty(shape, dtype=np.int32 if what == "labels" else np.float64)

    def save(self, path: str | os.PathLike[str]) -> list[dict[str, str]]:
        """Writes the model's file, model.npz of the command line, and returns a list of warnings."""
        return _interruptible(self, "model_save", self._handle, os.fsencode(path))

    def __reduce__(self) -> tuple[Callable[[bytes], Model], tuple[bytes]]:
        data, size = c.c_void_p(), c.c_size_t()
        try:
            _interruptible((self, data, size), "model_encode", self._handle, c.byref(data), c.byref(size))
            return _decode, (c.string_at(data, size.value),)
        finally:
            _lib.eigenmap_free(data)


def _decode(data: bytes) -> Model:
    handle = c.c_void_p()
    if forked():  # the first call says so; an error here ends workers that receive tasks, and whoever waits for them waits on
        return Model(handle)
    _call("model_decode", data, len(data), c.byref(handle))
    return Model(handle)
