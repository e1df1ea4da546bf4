"""The library by ctypes: its functions, calls that Ctrl-C cancels, their progress and limit of memory."""

from __future__ import annotations

import ctypes as c
import json
import math
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar, Union

import numpy as np

T = TypeVar("T")


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


class _Graph(c.Structure):
    _fields_ = [
        ("rows", c.c_int64),
        ("cols", c.c_int64),
        ("indptr", c.POINTER(c.c_int64)),
        ("indices", c.POINTER(c.c_int32)),
        ("values", c.POINTER(c.c_double)),
    ]


class _Known(c.Structure):
    _fields_ = [
        ("labels", c.c_void_p),
        ("first", c.c_void_p),
        ("second", c.c_void_p),
        ("cannot", c.c_void_p),
        ("links", c.c_int64),
    ]


class _Documents(c.Structure):
    _fields_ = [
        ("x", c.POINTER(_Matrix)),
        ("corpus", c.c_void_p),
        ("texts", c.POINTER(c.c_char_p)),
        ("n", c.c_int64),
        ("vectors", c.POINTER(_Matrix)),
        ("columns", c.c_char_p),
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
_Matmat = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_int64, c.c_int64, c.POINTER(c.c_double), c.POINTER(c.c_double))


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
    matrix, known, graph, i64 = c.POINTER(_Matrix), c.POINTER(_Known), c.POINTER(_Graph), c.c_int64
    documents = c.POINTER(_Documents)
    for name, result, arguments in [
        ("last_error", text, []),
        ("last_warnings", text, []),
        ("version", text, []),
        ("fit", c.c_int, [matrix, i32, text, known, c.POINTER(pointer)]),
        ("model_free", None, [pointer]),
        ("model_counts", c.c_int, [pointer, pointer]),
        ("model_labels", c.c_int, [pointer, pointer]),
        ("model_confidence", c.c_int, [pointer, pointer]),
        ("model_embedding", c.c_int, [pointer, i32, pointer]),
        ("model_map", c.c_int, [pointer, i32, pointer]),
        ("model_posterior", c.c_int, [pointer, i32, pointer]),
        ("model_values", c.c_int, [pointer, pointer]),
        ("model_classes", c.c_int, [pointer, pointer]),
        ("model_describe", c.c_int, [pointer, c.POINTER(pointer)]),
        ("predict", c.c_int, [pointer, matrix, text, i32, pointer, pointer, pointer]),
        ("update", c.c_int, [pointer, matrix, text, i32, pointer, pointer, pointer, c.POINTER(pointer), c.POINTER(pointer)]),
        ("model_save", c.c_int, [pointer, text]),
        ("model_load", c.c_int, [text, c.POINTER(pointer)]),
        ("model_encode", c.c_int, [pointer, c.POINTER(pointer), c.POINTER(size)]),
        ("model_decode", c.c_int, [pointer, size, c.POINTER(pointer)]),
        ("free", None, [pointer]),
        ("set_callbacks", None, [_Progress, _Cancelled, pointer]),
        ("csr_free", None, [graph]),
        ("neighbors", c.c_int, [matrix, i32, text, graph]),
        ("affinity", c.c_int, [matrix, text, graph]),
        ("model_affinity", c.c_int, [pointer, graph]),
        ("symmetric_block", c.c_int, [i64, i32, i32, _Matmat, pointer, pointer, text, pointer, pointer]),
        ("symmetric_csr", c.c_int, [i64, pointer, pointer, pointer, i32, i32, pointer, text, pointer, pointer]),
        ("corpus_read", c.c_int, [text, text, c.POINTER(pointer)]),
        ("corpus_texts", c.c_int, [i64, c.POINTER(text), text, c.POINTER(pointer)]),
        ("corpus_free", None, [pointer]),
        ("corpus_describe", c.c_int, [pointer, c.POINTER(pointer)]),
        ("corpus_select", c.c_int, [pointer, i64, pointer, c.POINTER(pointer)]),
        ("corpus_rows", c.c_int, [pointer, text, graph]),
        ("fit_corpus", c.c_int, [pointer, i32, text, known, c.POINTER(pointer)]),
        ("predict_texts", c.c_int, [pointer, i64, c.POINTER(text), text, i32, pointer, pointer, pointer]),
        ("update_texts", c.c_int, [pointer, i64, c.POINTER(text), text, i32, pointer, pointer, pointer, c.POINTER(pointer), c.POINTER(pointer)]),
        ("fit_documents", c.c_int, [documents, i32, text, known, c.POINTER(pointer)]),
        ("predict_documents", c.c_int, [pointer, documents, text, i32, pointer, pointer, pointer]),
        ("update_documents", c.c_int, [pointer, documents, text, i32, pointer, pointer, pointer, c.POINTER(pointer), c.POINTER(pointer)]),
    ]:
        function = getattr(lib, "eigenmap_" + name)
        function.restype, function.argtypes = result, arguments
    return lib


_lib = _load()


def version() -> str:
    """The version of the library."""
    text: bytes = _lib.eigenmap_version()
    return text.decode()


# Whether this process was forked from one that had loaded the library, whose threads it lacks.
_forked = False


def _in_child() -> None:
    global _forked
    _forked = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


def forked() -> bool:
    """Whether this process is the child of one that had loaded the library."""
    return _forked


def _refuse_fork() -> None:
    if _forked:
        raise EigenmapError(
            "eigenmap does not work in the child of a fork: start processes by multiprocessing's spawn or forkserver, "
            "by joblib, or import eigenmap after the fork"
        )


# The most bytes of the arrays of a stage; see memory_limit.
limit: ContextVar[int | str | None] = ContextVar("eigenmap.limit", default=None)


@contextmanager
def memory_limit(most: int | str) -> Iterator[None]:
    """Bounds the memory of the arrays of every stage of the fits in a block, in bytes or as a text::

        with eigenmap.memory_limit("2GiB"):
            eigenmap.LaplacianEigenmaps().fit(X)

    What needs more is refused before it is taken, by an EigenmapError that says how much and what
    helps. Without a limit it is what the machine, the container and ulimit leave.
    """
    token = limit.set(most)
    try:
        yield
    finally:
        limit.reset(token)


def json_of(options: dict[str, Any]) -> bytes:
    """Options for the library, the method and the names of them first, with the memory limit."""
    names = options.get("names", [])
    most = limit.get()
    first = {"method": options["method"]} if "method" in options else {}
    rest = {name: value.item() if isinstance(value, np.generic) else value for name, value in options.items() if name not in ("method", "names")}
    if most is not None:
        names, rest = [*names, "max-memory=memory_limit"], {"max-memory": most, **rest}
    called = dict(name.split("=", 1) for name in names)
    for name, value in rest.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{called.get(name, name)} is {value}, and must be finite")
        try:
            json.dumps(value)
        except (TypeError, ValueError):
            raise ValueError(f"{called.get(name, name)} is {value!r:.60}, and must be a number, a text, True, False or a list of these") from None
    return json.dumps({**first, "names": names, **rest}).encode()


def _call(name: str, *arguments: Any) -> list[dict[str, str]]:
    """Calls a function, and raises what its code means. It returns what the function warns of."""
    _refuse_fork()
    code = getattr(_lib, "eigenmap_" + name)(*arguments)
    if code == 0:
        text = _lib.eigenmap_last_warnings()
        warned: list[dict[str, str]] = [] if text == b"[]" else json.loads(text.decode())
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


# The callbacks of a call that reports no progress and that nothing cancels.
_no_progress, _never = _Progress(), _Cancelled()


def _observed(report: Report | None, failure: list[BaseException]) -> Any:
    """report as a callback of the library; what it raises goes into the list failure and cancels the call."""
    if report is None:
        return _no_progress

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
        _lib.eigenmap_set_callbacks(_no_progress, _never, None)


# How often the main thread looks for signals during a long call, in seconds.
_LOOK = 0.1

# What the thread that makes the main thread's long calls is to do.
_tasks: SimpleQueue[Callable[[], None]] = SimpleQueue()
_worker: threading.Thread | None = None


def _perform() -> None:
    while True:
        _tasks.get()()


def _apart(keep: object, work: Callable[[Any], T]) -> T:
    """Does work so that Ctrl-C cancels it, as what a handler of signals raises does, and returns its result.

    work gets the callback that says whether to end. keep is what must live meanwhile.

    Python handles signals in its main thread between two instructions, so the main thread's work is
    done by another thread, which all calls share. A long call releases the GIL. The system may give a
    signal to any thread, and then nothing wakes the main thread, so it wakes by itself every _LOOK
    seconds. Thread.join is no use here: a join that Ctrl-C interrupts takes the thread for ended
    (CPython 3.11), while it still reads the arrays.
    """
    _refuse_fork()  # the thread is not there in the child
    if threading.current_thread() is not threading.main_thread() or sys.is_finalizing():
        return work(_never)
    global _worker
    if _worker is None or not _worker.is_alive():
        _worker = threading.Thread(target=_perform, name="eigenmap", daemon=True)
        _worker.start()
    stop, done = threading.Event(), threading.Event()
    failure: list[BaseException] = []
    result: list[T] = []
    cancelled = _Cancelled(lambda _: int(stop.is_set()))

    def task() -> None:
        try:
            result.append(work(cancelled))
        except BaseException as e:  # it is raised in the caller's thread
            failure.append(e)
        finally:
            held.clear()
            done.set()

    held = [keep]  # the thread holds it, whatever becomes of the caller
    _tasks.put(task)
    raised: BaseException | None = None
    while not done.is_set():
        try:
            done.wait(_LOOK)
        except BaseException as e:  # KeyboardInterrupt, or what another handler of signals raises
            stop.set()
            raised = raised or e
    if raised is not None:
        raise raised
    if failure:
        raise failure[0]
    return result[0]


def _interruptible(keep: object, name: str, *arguments: Any) -> list[dict[str, str]]:
    """Calls a long function so that Ctrl-C cancels it, and returns what it warns of."""
    report = observer.get()
    return _apart(keep, lambda cancelled: _watched(report, cancelled, name, *arguments))
