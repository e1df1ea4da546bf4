"""How far a fit is."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ._calls import Report, observer


@contextmanager
def progress(report: Report | None = None) -> Iterator[None]:
    """Shows how far the fits and predictions in a block are::

        with eigenmap.progress():
            eigenmap.Isomap().fit(X)

    By default as a bar of tqdm for each stage if tqdm is installed, else as a line on standard error
    every second. report(stage, unit, message, done, total) receives the events instead: done and
    total count units, total is 0 if the end is not known, and message is a sentence or None. What it
    raises ends the fit and is raised there.
    """
    bars: _Bars | _Lines | None = None
    if report is None:
        bars = _bars()
        report = bars.report
    token = observer.set(report)
    try:
        yield
    finally:
        observer.reset(token)
        if bars:
            bars.close()


def _bars() -> _Bars | _Lines:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Lines()
    return _Bars(tqdm)


class _Bars:
    """One bar of tqdm at a time, for the stage that is being done."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bar: Any = None
        self._stage: str | None = None

    def report(self, stage: str, unit: str, message: str | None, done: int, total: int) -> None:
        if message or not unit:
            return
        if stage != self._stage:
            self.close()
            self._stage, self._bar = stage, self._tqdm(desc=stage, unit=" " + unit, total=total or None)
        self._bar.total = total or None
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar = self._stage = None


class _Lines:
    """A line on standard error, once a second at most."""

    def __init__(self) -> None:
        self._said = 0.0

    def report(self, stage: str, unit: str, message: str | None, done: int, total: int) -> None:
        now = time.monotonic()
        if message or not unit or now - self._said < 1:
            return
        self._said = now
        print(f"eigenmap: {stage}: {done}{f' of {total}' if total else ''} {unit}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """There is nothing to close."""
