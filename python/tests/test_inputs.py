"""What people have for X, texts and y: columns of other libraries, masks, None beside numbers."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs

import eigenmap

X, Y = make_blobs(120, centers=3, n_features=4, random_state=0)
TEXTS = ["a ship at sea", "the sea ship wave", "code program bug", "bug in the program code", "", "wave ship sea"]


class Arrow:
    """What an array of pyarrow is: its items are no values of Python."""

    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter([object() for _ in self.values])

    def to_pylist(self):
        return list(self.values)


def test_columns_of_pyarrow():
    """Arrays of pyarrow are read by their values: texts, new texts, vectors, columns beside."""
    arrays = [Arrow]
    try:
        import pyarrow
    except ImportError:
        pass
    else:
        arrays += [pyarrow.array, lambda v: pyarrow.chunked_array([v])]
        table = pyarrow.table({"a": X[:, 0], "b": X[:, 0], "w": ["x", "y"] * 60})
        with pytest.raises(ValueError, match="columns of X hold words: w"):
            eigenmap.KMeans(3).fit(table)
        assert list(eigenmap.KMeans(3).fit(table.select(["a", "b"])).feature_names_in_) == ["a", "b"]
        assert len(eigenmap.KMeans(3).fit(X, columns=table.select(["w"])).labels_) == 120
        with pytest.raises(TypeError, match=r'df\["a"\]'):
            eigenmap.Corpus(table)
    want = eigenmap.KMeans(2).fit(eigenmap.Corpus(TEXTS, min_df=1))
    for made in arrays:
        e = eigenmap.KMeans(2).fit(eigenmap.Corpus(made(TEXTS), min_df=1))
        np.testing.assert_array_equal(e.labels_, want.labels_)
        np.testing.assert_array_equal(e.predict(made(TEXTS[:3])), want.predict(TEXTS[:3]))
        np.testing.assert_array_equal(eigenmap.KMeans(3).fit(made(X.tolist())).labels_, eigenmap.KMeans(3).fit(X).labels_)


def test_texts_that_are_missing():
    e = eigenmap.KMeans(2).fit(eigenmap.Corpus(TEXTS, min_df=1))
    with pytest.warns(eigenmap.EigenmapWarning, match="anything in common"):
        assert e.predict([None]).shape == (1,)
    for other in ({"a": "a ship"}, {"a ship", "a wave"}):
        with pytest.raises(TypeError, match="give a list or a column of texts"):
            eigenmap.Corpus(other)


def test_options_of_a_corpus_and_of_functions():
    """What JSON cannot say is named as it was given."""
    for options, said in (
        ({"min_df": float("nan")}, "min_df is nan, and must be finite"),
        ({"max_df": float("inf")}, "max_df is inf"),
        ({"stop_words": object()}, "stop_words is <object"),
        ({"ngrams": 0}, "ngrams"),
    ):
        with pytest.raises(ValueError, match=said):
            eigenmap.Corpus(TEXTS, **options)
    with pytest.raises(ValueError, match="tol is nan"):
        eigenmap.eigsh(np.eye(5), 2, tol=float("nan"))
    for k in ("2", 2.0, True):
        with pytest.raises(ValueError, match="k is .*whole number"):
            eigenmap.eigsh(np.eye(5), k)
        with pytest.raises(ValueError, match="n_neighbors is .*whole number"):
            eigenmap.neighbors_graph(X, k)


def test_masked_values_are_missing():
    with pytest.raises(ValueError, match="masked values"):
        eigenmap.KMeans(3).fit(np.ma.masked_greater(X, 3))
    whole = eigenmap.KMeans(3).fit(np.ma.masked_greater(X, 1e9))
    np.testing.assert_array_equal(whole.labels_, eigenmap.KMeans(3).fit(X).labels_)


def test_names_twice():
    with pytest.raises(ValueError, match="columns of X have a name twice: a;"):
        eigenmap.KMeans(3).fit(pd.DataFrame(X, columns=list("aabc")))


@pytest.mark.parametrize("none", [None, float("nan"), pd.NA])
def test_numbers_beside_none(none):
    """Labels that are numbers, in a list with None for the unknown."""
    known = np.arange(120) % 4 == 0
    want = eigenmap.LabelPropagation().fit(X, np.where(known, Y, -1)).transduction_
    for kind in (int, float):
        y = [kind(v) if k else none for k, v in zip(known, Y)]
        for given in (y, pd.Series(y, dtype=object)):
            np.testing.assert_array_equal(eigenmap.LabelPropagation().fit(X, given).transduction_, want)


class Tensor:
    """What a tensor of PyTorch is, where that is not installed: NumPy does not take it as it is."""

    layout, dtype, ndim = "torch.strided", "torch.bfloat16", 2

    def __init__(self, values, dtype="torch.bfloat16"):
        self.values, self.dtype, self.ndim = np.asarray(values, dtype=np.float32), dtype, np.ndim(values)

    def detach(self):
        return Tensor(self.values, "detached " + self.dtype)

    def cpu(self):
        return Tensor(self.values, self.dtype.removeprefix("detached "))

    def float(self):
        return Tensor(self.values, "torch.float32")

    def numpy(self):
        if self.dtype != "torch.float32":
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.values

    def __array__(self, *args, **kwargs):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad")


def test_tensors():
    """Tensors of PyTorch, with a gradient, in bfloat16, sparse or in a list, are the arrays that they hold."""
    want = eigenmap.KMeans(3).fit(X.astype(np.float32))
    made = [Tensor(X), [Tensor(row) for row in X]]
    try:
        import torch
    except ImportError:
        pass
    else:
        given = torch.tensor(X, dtype=torch.float32)
        made += [given.clone().requires_grad_(), list(given), given.to_sparse(), given.to_sparse_csr()]
        half = eigenmap.KMeans(3).fit(given.to(torch.bfloat16))
        np.testing.assert_array_equal(half.labels_, eigenmap.KMeans(3).fit(given.to(torch.bfloat16).float().numpy()).labels_)
    for x in made:
        sparse = str(getattr(x, "layout", "torch.strided")) != "torch.strided"
        np.testing.assert_array_equal(eigenmap.KMeans(3, normalize="none").fit(x).labels_ if sparse else eigenmap.KMeans(3).fit(x).labels_, want.labels_)
    texts = eigenmap.Corpus(TEXTS * 3, min_df=1)
    vectors = np.random.default_rng(0).normal(size=(18, 4)).astype(np.float32)
    np.testing.assert_array_equal(eigenmap.KMeans(2).fit(texts, vectors=Tensor(vectors)).labels_, eigenmap.KMeans(2).fit(texts, vectors=vectors).labels_)


@pytest.mark.parametrize("unknown", [-1, None, "nan"])
def test_score_of_known_labels(unknown):
    """Rows without a known label are not counted as wrong: a score of a part is as of its rows alone."""
    from sklearn.model_selection import GridSearchCV

    y = Y if unknown == -1 else np.array(["a", "b", "c"], dtype=object)[Y]
    e = eigenmap.LabelPropagation().fit(X, y)
    known = np.arange(120) % 3 == 0
    part = np.where(known, y, unknown)
    part[0] = y[1] if y[1] != y[0] else y[Y != Y[0]][0]  # one that is wrong
    assert e.score(X, part) == e.score(X[known], part[known]) == 39 / 40
    weights = np.where(np.arange(120) == 0, 39, 1)
    assert e.score(X, part, sample_weight=weights) == 0.5
    with pytest.raises(ValueError, match="labels none of the rows"):
        e.score(X, np.full(120, unknown))
    with pytest.raises(ValueError, match="120 rows and y has 3"):
        e.score(X, y[:3])
    part[0] = y[0]
    if unknown is not None:  # which scikit-learn's splits do not sort
        assert GridSearchCV(eigenmap.LabelPropagation(), {"n_neighbors": [5, 7]}, cv=3).fit(X, part).best_score_ == 1


def test_number_of_clusters():
    assert eigenmap.KMeans(3).fit(X).n_clusters_ == 3
    e = eigenmap.DiffusionMaps("auto").fit(X)
    assert e.n_clusters_ == len(np.unique(e.labels_)) == 3
    assert not hasattr(eigenmap.PCA(n_components=2).fit(X), "n_clusters_")
