"""Vectors and columns beside the documents: fits, new documents by both or either, and what is refused."""

import json
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest

import eigenmap
from eigenmap._beside import json_of

WORDS = [["ship", "sea", "harbour", "sail"], ["kernel", "compiler", "code", "pointer"], ["flour", "oven", "bread", "yeast"]]
RNG = np.random.default_rng(0)
TEXTS = [" ".join(RNG.choice(WORDS[i % 3], 3, replace=False)) for i in range(90)]
TOPIC = np.arange(90) % 3
# Vectors of other groups than the words: the first half of the documents and the second.
HALF = np.arange(90) // 45
VECTORS = np.eye(2)[HALF] + RNG.normal(0, 0.05, (90, 2))
NEAR = np.eye(3)[TOPIC] + RNG.normal(0, 0.05, (90, 3))


def corpus():
    return eigenmap.Corpus(TEXTS, language="none", min_df=1)


def same(labels, groups):
    """Whether two clusterings are one."""
    return len(set(zip(labels, groups))) == len(set(labels)) == len(set(groups))


def test_vectors_decide_and_texts_describe(tmp_path):
    e = eigenmap.KMeans(2).fit(corpus(), vectors=VECTORS)
    assert same(e.labels_, HALF) and len(e.topics_) == 2 and e.topics_[0].terms
    for again in (e, pickle.loads(pickle.dumps(e))):
        np.testing.assert_array_equal(again.predict(vectors=VECTORS[[0, 89]]), e.labels_[[0, 89]])
        np.testing.assert_array_equal(again.predict(["bread", "code"], vectors=VECTORS[[0, 89]]), e.labels_[[0, 89]])
    with pytest.raises(ValueError, match="vectors"):
        e.predict(["bread", "code"])
    e.save(tmp_path / "model.npz")
    np.testing.assert_array_equal(eigenmap.load(tmp_path / "model.npz").predict(vectors=VECTORS[[0, 89]]), e.labels_[[0, 89]])
    single = eigenmap.KMeans(2).fit(corpus(), vectors=VECTORS.astype(np.float32))
    assert same(single.labels_, HALF)


def test_a_column_of_vectors():
    want = eigenmap.KMeans(2).fit(corpus(), vectors=VECTORS)
    lists = VECTORS.tolist()
    for column in (pd.Series(lists), pd.Series(list(VECTORS)), np.array([*lists, None], dtype=object)[:-1]):
        e = eigenmap.KMeans(2).fit(corpus(), vectors=column)
        np.testing.assert_array_equal(e.labels_, want.labels_)
        np.testing.assert_array_equal(e.predict(vectors=column[:5]), want.labels_[:5])
    for column, said in (
        (pd.Series([*lists[:-1], [1.0]]), "row 89 has 1 numbers, and row 0 has 2"),
        (pd.Series([*lists[:-1], None]), "row 89 is None"),
    ):
        with pytest.raises(ValueError, match=said):
            eigenmap.KMeans(2).fit(corpus(), vectors=column)


def test_words_and_vectors_joined():
    e = eigenmap.LSI(3, 3).fit(corpus(), vectors=NEAR, views=("words", "vectors"))
    assert same(e.labels_, TOPIC)
    assert [v["name"] for v in e.summary_["views"]] == ["words", "vectors"]
    want = e.labels_[[0, 1, 2]]
    texts = ["ship sea sail", "kernel code compiler", "oven bread flour"]
    np.testing.assert_array_equal(e.predict(texts), want)
    np.testing.assert_array_equal(e.predict(vectors=np.eye(3)), want)
    np.testing.assert_array_equal(e.predict(texts, vectors=np.eye(3)), want)
    assert e.transform(None, vectors=np.eye(3)).shape == (3, 3)
    assert not np.allclose(e.transform(texts), e.transform(texts, vectors=np.eye(3)))
    grown = eigenmap.SpectralClustering(3, n_neighbors=10).fit(corpus(), vectors=NEAR, views=("words", "vectors"))
    want = grown.labels_[[0, 1, 2]]
    np.testing.assert_array_equal(grown.partial_fit(texts, vectors=np.eye(3)).labels_, want)
    counts = corpus().counts()
    of_counts = eigenmap.KMeans(3).fit(counts, vectors=NEAR, views=["words", "vectors"])
    assert same(of_counts.labels_, TOPIC)
    np.testing.assert_array_equal(of_counts.predict(counts[:3], vectors=NEAR[:3]), of_counts.labels_[:3])


# Texts that say little, and columns that go with what they say.
VAGUE = [" ".join([RNG.choice(WORDS[i % 3]), *RNG.choice(["the", "one", "more", "other", "thing"], 2)]) for i in range(240)]
FRAME = pd.DataFrame(
    {
        "product": [["boat", None, "cake"][i % 3] for i in range(240)],
        "price": [10.0 * (i % 3) + RNG.normal() if i % 7 else np.nan for i in range(240)],
        "day": pd.to_datetime([f"2026-0{1 + 3 * (i % 3)}-{1 + i % 28:02}" for i in range(240)]),
        "code": pd.Series([100 + i % 3 for i in range(240)], dtype="category"),
        "chance": RNG.permutation([f"c{i % 4}" for i in range(240)]),
    }
)


def columns_of(e):
    return {v["name"]: v for v in e.summary_["views"] if "kind" in v}


def test_numbers_that_name_categories():
    # Whole numbers are written as in files: by any dtype, among words, and for new documents.
    vague = eigenmap.Corpus(VAGUE, language="none", stop_words="none", min_df=1)
    codes = [100 + i % 3 for i in range(240)]
    mixed = ["a" if c == 100 else c for c in codes]
    for fitted, new in [
        ({"code": pd.Series(codes, dtype="category")}, [codes, [float(c) for c in codes], [str(c) for c in codes]]),
        ({"code": pd.Series([float(c) for c in codes], dtype="category")}, [codes, [str(c) for c in codes]]),
        ({"code": mixed}, [mixed, [str(c) for c in mixed], [c if c == "a" else float(c) for c in mixed]]),
    ]:
        e = eigenmap.KMeans(3).fit(vague, columns=fitted)
        assert columns_of(e)["code"]["kind"] == "category"
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a value that is not the model's makes documents unlike it
            for values in new:
                np.testing.assert_array_equal(e.predict(VAGUE[:30], columns={"code": values[:30]}), e.labels_[:30])


def test_what_is_not_taken_is_refused():
    vague = eigenmap.Corpus(VAGUE, language="none", stop_words="none", min_df=1)
    e = eigenmap.KMeans(3).fit(vague, columns=FRAME[["product"]])
    with pytest.raises(TypeError, match="'column'"):
        e.predict(VAGUE[:3], column=FRAME[["product"]][:3])
    with pytest.raises(ValueError, match="by other columns"):
        e.predict(VAGUE[:3], columns={"prod": ["boat"] * 3})
    with pytest.raises(ValueError, match="by no columns"):
        eigenmap.KMeans(3).fit(vague).predict(VAGUE[:3], columns={"product": ["boat"] * 3})
    assert same(eigenmap.KMeans(3).fit(corpus(), vectors=NEAR, views="vectors").labels_, TOPIC)


def test_columns_of_a_frame():
    vague = eigenmap.Corpus(VAGUE, language="none", stop_words="none", min_df=1)
    e = eigenmap.KMeans(3).fit(vague, columns=FRAME)
    found = columns_of(e)
    assert {n: v["kind"] for n, v in found.items()} == {"product": "category", "price": "number", "day": "date", "code": "category", "chance": "category"}
    assert found["product"]["weight"] > 0 and found["code"]["weight"] > 0 and found["chance"]["weight"] == 0
    records = {name: FRAME[name].tolist() for name in FRAME}
    records["code"] = [str(c) for c in records["code"]]
    np.testing.assert_array_equal(eigenmap.KMeans(3).fit(vague, columns=records).labels_, e.labels_)
    np.testing.assert_array_equal(e.predict(VAGUE[:30], columns=FRAME.iloc[:30]), e.labels_[:30])
    assert len(e.predict(VAGUE[:30])) == 30
    new = FRAME.iloc[:30].assign(product="never seen")
    for columns, said in ((FRAME.iloc[:30].rename(columns={"product": "produkt"}), "have no value: product"), (new, "the model knows: product")):
        with pytest.warns(eigenmap.EigenmapWarning, match=said):
            e.predict(VAGUE[:30], columns=columns)
    both = eigenmap.KMeans(3).fit(vague, vectors=np.eye(3)[np.arange(240) % 3], columns=FRAME, views=("vectors", "columns"))
    assert both.summary_["views"][0]["name"] == "vectors"


def test_whole_numbers_stay_whole():
    """Categories are spelt as a file spells them, so that a model takes those of a file."""
    given = {"code": pd.Series([100, 7, None], dtype=pd.CategoricalDtype([7, 100])), "mixed": ["a", 1, 2.5]}
    assert [c["values"] for c in json.loads(json_of(given))] == [[100, 7, None], ["a", 1, 2.5]]


def test_what_is_refused():
    c = corpus()
    for given, said in [
        ({"vectors": VECTORS[:9]}, "9 vectors"),
        ({"vectors": [[np.nan, 1]] * 90}, "NaN"),
        ({"views": ("words", "vectors")}, "views"),
        ({"vectors": VECTORS, "views": ("words",)}, "leaves the vectors out"),
        ({"columns": {"a": [1, 2]}}, "has 2 values"),
        ({"columns": {"a": [1.0] * 89 + [np.inf]}}, "column a has an infinite number"),
        ({"columns": {}}, "at least one column"),
        ({"columns": {"a": [[1]] * 90}}, "column a has lists"),
        ({"columns": pd.concat([FRAME[:90]["day"], FRAME[:90]["day"]], axis=1)}, "day"),
    ]:
        with pytest.raises(ValueError, match=said):
            eigenmap.KMeans(2).fit(c, **given)
    with pytest.raises(ValueError, match="nothing to place"):
        eigenmap.KMeans(2).fit(c, vectors=VECTORS).predict()
    with pytest.raises(ValueError, match="compares documents by their terms"):
        eigenmap.KMeans(3).fit(c).predict(TEXTS[:2], vectors=VECTORS[:2])
    with pytest.raises(ValueError, match="affinity"):
        eigenmap.LaplacianEigenmaps(2, precomputed=True).fit(np.ones((90, 90)), vectors=VECTORS)
