"""Documents from files and texts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native


# Options that notes and errors name, whether they were given or not.
_NOTED = (
    "class_folder", "edge_list", "id_column", "ids_from", "input_format", "label_column", "label_var", "labeled_fraction", "max_df", "min_df",
    "page_columns", "random_classes", "text_column", "time_column", "vectors_column", "vectors_model", "view_columns",
)  # fmt: skip


class Corpus:
    """Documents of a file, of a folder or of a list of texts, counted by their terms::

        corpus = eigenmap.Corpus("news.jsonl.gz", language="english", min_df=5)
        le = eigenmap.LaplacianEigenmaps(12).fit(corpus)
        print(*le.topics_, sep="\\n")
        le.predict(["a new text"])

    Every ``fit`` takes a corpus in place of a matrix. Texts and counts are then weighed as the
    method says, or as its parameter ``weighting``. A corpus is pickled as what it was made from.
    ``corpus[rows]`` is a Corpus of a part of the documents with the same columns, so that
    GridSearchCV and cross_val_score take one as X.

    Parameters
    ----------
    source : a path, or texts
        a file or a folder of any format that the program reads, packed or not; or an iterable of
        texts such as a list or a column of a DataFrame, one document each. None, NaN and NA are
        empty texts, which a note counts.
    language : default "auto"
        of stemming and stop words: a name or a code such as "german" or "de", several such as
        "german,english" (each text is read in its own of these), "none", or "auto": that of each
        text.
    stop_words : default None
        a language, several with commas between, "none", or a file with one word per line; None:
        the language's.
    min_df, max_df : default 2 and 1.0
        terms that fewer, or more, documents hold are left out: a number of documents, or a share
        below 1 (max_df 1.0 is all).
    ngrams : default 1
        most words of a term.
    options :
        other options of input, by the names of the flags with _ for -: text_column, label_column,
        id_column, input_format, vocabulary, encoding, classes, ...

    Attributes
    ----------
    terms_ : array of the names of the columns, None if they have none
    ids_ : array of the names of the documents, None if they have none
    labels_ : array of the classes that the source gives the documents, "" for none; None without any
    shape : documents and columns
    format_ : the format that was read
    notes_ : what the reader found out or decided, one sentence each
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | Iterable[str],
        *,
        language: str = "auto",
        stop_words: str | None = None,
        min_df: float = 2,
        max_df: float = 1.0,
        ngrams: int = 1,
        **options: Any,
    ) -> None:
        texts = not isinstance(source, (str, os.PathLike))
        given = {"language": language, "stop_words": stop_words, "min_df": min_df, "max_df": max_df, "ngrams": ngrams}
        defaults = {"language": "auto", "stop_words": None, "min_df": 2, "max_df": 1.0, "ngrams": 1}
        # An option of texts is passed if it is no default: other formats refuse it.
        given = {name: value for name, value in given.items() if value != defaults[name]} | options
        list_ = [] if isinstance(source, (str, os.PathLike)) else _checked(source)
        self._source: Any = list_ if texts else os.fspath(source)  # type: ignore[arg-type]
        read: Any = _filled(list_) if texts else self._source
        missing = [i for i, text in enumerate(list_) if text is None]
        if missing and len(missing) == len(list_):
            raise ValueError("all texts are missing: check the column that was given")
        self._options = given
        named = {name.replace("_", "-"): sorted(v) if isinstance(v, set) else list(v) if isinstance(v, tuple) else v for name, v in given.items()}
        names = [f"{name.replace('_', '-')}={name}" for name in dict.fromkeys([*_NOTED, *given]) if "_" in name]
        self._documents = _native.Documents.read(read, {**named, "names": names})
        self._rows: NDArray[np.int64] | None = None  # of the source, of a part of it
        self._describe()
        if missing:
            self.notes_.append(f"Texts that are missing and count as empty: {len(missing)}, the first in row {missing[0]}.")

    def _describe(self) -> None:
        said = self._documents.describe()
        self.shape: tuple[int, int] = (said["documents"], said["columns"])
        self.terms_: NDArray[Any] | None = _words(said.get("terms"))
        self.ids_: NDArray[Any] | None = _words(said.get("ids"))
        self.labels_: NDArray[Any] | None = None
        if said.get("labels"):
            self.labels_ = np.array([*said["classes"], ""])[said["labels"]]
        self.format_: str = said.get("format", "")
        self.notes_: list[str] = said["notes"]

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Corpus:
        """The documents of a number, a slice, a list of numbers or a mask: a Corpus of the same columns.

        Cross-validation of scikit-learn takes parts in this way; the columns are then those that all
        documents have.
        """
        if isinstance(key, tuple) and len(key) == 2 and key[1] is Ellipsis:
            key = key[0]
        try:
            rows = np.arange(len(self))[key]
        except IndexError as e:
            raise IndexError(f"the corpus has the documents 0 to {len(self) - 1}, and has none of the index {key!r}") from e
        rows = np.atleast_1d(rows).astype(np.int64)
        if rows.ndim != 1 or len(rows) == 0:
            raise ValueError("a part of a corpus has one document at least, chosen by a number, a slice, a list of numbers or a mask")
        part = object.__new__(type(self))
        part._source, part._options = self._source, self._options
        part._documents = self._documents.select(rows)
        part._rows = rows if self._rows is None else self._rows[rows]
        part._describe()
        if self.ids_ is None:
            part.ids_ = None  # of a part the library takes the numbers of the rows for names
        return part

    def __repr__(self) -> str:
        what = self._source if isinstance(self._source, str) else "texts"
        documents, columns = self.shape
        return f"Corpus({what!r}: {documents} document{'s' * (documents != 1)}, {columns} column{'s' * (columns != 1)})"

    def __reduce__(self) -> Any:
        return _again, (self._source, self._options, self._rows)

    def counts(self) -> Any:
        """The entries as they were read, a SciPy CSR array of documents × terms."""
        return self.rows("tf", "none")

    def rows(self, weighting: str = "tfidf", normalize: str = "l2") -> Any:
        """The rows with weights (tf, tfidf, hellinger, binary, standard), of length 1 by l2 or as they are by none."""
        return self._documents.rows({"weighting": weighting, "normalize": normalize})


def _again(source: Any, options: dict[str, Any], rows: NDArray[np.int64] | None = None) -> Corpus:
    corpus = Corpus(source, **options)
    return corpus if rows is None else corpus[rows]


def _is_missing(v: Any) -> bool:
    """Whether a cell has no value: None, NaN, and NaT and NA of pandas."""
    try:
        return v is None or bool(v != v)
    except (TypeError, ValueError, RuntimeError):  # pandas.NA has no truth, nor have arrays and tensors
        return type(v).__name__ == "NAType"


def _checked(source: Iterable[Any]) -> list[str | None]:
    """The texts, None for each that is missing."""
    if hasattr(source, "columns") or getattr(source, "ndim", 1) != 1:
        names = [str(name) for name in getattr(source, "column_names", None) or getattr(source, "columns", [])]
        which = "text" if "text" in names or not names else names[0]
        raise TypeError(f'the documents are a table: give its column of texts, such as Corpus(df["{which}"])')
    if isinstance(source, (Mapping, Set)):
        raise TypeError(f"the documents are a {type(source).__name__}: give a list or a column of texts, such as list(texts.values())")
    texts = [None if _is_missing(text) else text for text in plain_of(source)]
    for i, text in enumerate(texts):
        if text is not None and not isinstance(text, str):
            raise ValueError(f'text {i} is a {type(text).__name__}, {text!r}: give texts, "" for one that is missing')
    return texts


def plain_of(column: Any) -> Any:
    """The list of an array of pyarrow, whose items are no values of Python; anything else as it is."""
    return column.to_pylist() if hasattr(column, "to_pylist") and not hasattr(column, "columns") else column


def _filled(texts: list[str | None]) -> list[str]:
    return [text or "" for text in texts]


def _words(list_: list[str] | None) -> NDArray[Any] | None:
    return np.array(list_, dtype=object) if list_ else None


def texts_of(x: Any) -> list[str] | None:
    """The texts of a list, an array or a column of them; None if it is something else."""
    if isinstance(x, (str, bytes, Mapping)) or not isinstance(x, Iterable) or getattr(x, "ndim", 1) != 1:
        return None
    if iter(x) is x:
        raise TypeError("the documents are an iterator, which can be read once: make a list of them first")
    if hasattr(x, "columns"):
        return None
    x = plain_of(x)
    first = next((v for v in x if not _is_missing(v)), None)
    # A list of missing values alone is one of texts too.
    if not isinstance(first, str) and not (first is None and isinstance(x, list) and any(v is None for v in x)):
        return None
    return _filled(_checked(x))


def corpus_of(x: Any) -> Any:
    """A Corpus of a list, an array or a column of texts; anything else as it is."""
    return x if isinstance(x, Corpus) or texts_of(x) is None else Corpus(x)


@dataclass(frozen=True)
class Topic:
    """The most typical terms of a cluster, the best first.

    weights are at most 1. npmi and c_v say how well the terms belong together by the documents that
    hold two of them, from -1 to 1; None for a cluster with fewer than two terms.

    Of measurements the terms are the columns in which the cluster differs most from all other rows, such
    as "width low". weights are then the differences of the means in standard deviations, with their sign,
    and means has for each column the mean in the cluster and the mean elsewhere; else it is None.
    """

    cluster: int
    size: int
    terms: tuple[str, ...]
    weights: tuple[float, ...]
    npmi: float | None = None
    c_v: float | None = None
    means: tuple[tuple[float, float], ...] | None = None

    def __str__(self) -> str:
        return f"{self.cluster} ({self.size}): {', '.join(self.terms)}"


def topics_of(summary: dict[str, Any]) -> list[Topic] | None:
    """The topics in the summary of a fit; None if the columns have no names."""
    found = summary.get("cluster_terms")
    if not found:
        return None
    sizes = summary["cluster_sizes"]
    return [
        Topic(
            t["cluster"],
            sizes[t["cluster"]],
            tuple(t["terms"] or ()),
            tuple(t["weights"] or ()),
            **_coherence(t["coherence"]),
            means=_means(t.get("differences")),
        )
        for t in found
    ]


def _means(found: list[dict[str, Any]] | None) -> tuple[tuple[float, float], ...] | None:
    return None if found is None else tuple((d["mean"], d["others"]) for d in found)


def _coherence(found: dict[str, float] | None) -> dict[str, float]:
    return {} if found is None else {"npmi": found["npmi"], "c_v": found["c_v"]}
