"""Texts in, terms and topics out, and what a notebook shows."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.model_selection import cross_val_score

import eigenmap

WORDS = [["ship", "sea", "harbour", "sail"], ["kernel", "compiler", "code", "pointer"], ["flour", "oven", "bread", "yeast"]]
RNG = np.random.default_rng(0)
TEXTS = [" ".join(RNG.choice(WORDS[i % 3], 3, replace=False)) + " common" for i in range(90)]
TOPIC = np.arange(90) % 3


def agree(labels):
    """Whether the clusters are the topics."""
    return len({(a, b) for a, b in zip(labels, TOPIC)}) == 3


def test_terms_and_counts():
    c = eigenmap.Corpus(TEXTS, language="none")
    assert len(c) == 90 and c.shape == (90, 13) and set(c.terms_) == {w for words in WORDS for w in words} | {"common"}
    counts = c.counts()
    for i, text in enumerate(TEXTS):
        assert sorted(c.terms_[counts.indices[counts.indptr[i] : counts.indptr[i + 1]]]) == sorted(text.split())
    weights = c.rows("tfidf", "l2")
    np.testing.assert_allclose(sp.linalg.norm(weights, axis=1), 1, rtol=1e-12)
    everywhere = int(np.flatnonzero(c.terms_ == "common")[0])
    assert abs(weights[:, [everywhere]]).sum() == 0  # log(n/df) of a term that all have
    assert eigenmap.Corpus(TEXTS, language="none", max_df=0.9).shape == (90, 12)
    assert eigenmap.Corpus(TEXTS, language="none", stop_words="none", ngrams=2).shape[1] > 13


def test_measurements_have_columns_in_place_of_terms(tmp_path):
    rng = np.random.default_rng(0)
    side = np.arange(40) % 2
    table = pd.DataFrame({"depth": -10 + 4 * side + rng.random(40), "width": 5 - side + rng.random(40) / 4})
    table.to_csv(tmp_path / "a.csv", index=False)
    e = eigenmap.KMeans(2).fit(eigenmap.Corpus(tmp_path / "a.csv"))
    low = e.topics_[e.labels_[0]]
    assert set(low.terms) == {"depth low", "width high"} and low.npmi is None
    for term, weight, (mean, others) in zip(low.terms, low.weights, low.means):
        column = table[term.split()[0]]
        np.testing.assert_allclose([mean, others], [column[side == 0].mean(), column[side == 1].mean()], rtol=1e-5)
        np.testing.assert_allclose(weight, (mean - others) / column.std(ddof=0), rtol=1e-4)


def test_a_fit_has_topics(tmp_path):
    c = eigenmap.Corpus(TEXTS, language="none", max_df=0.9)
    e = eigenmap.LaplacianEigenmaps(3, n_neighbors=10).fit(c)
    assert agree(e.labels_) and e.n_features_in_ == 12 and list(e.terms_) == list(c.terms_)
    topics = e.topics_
    assert [t.cluster for t in topics] == [0, 1, 2] and [t.size for t in topics] == [30] * 3
    for t in topics:
        words = WORDS[TOPIC[np.flatnonzero(e.labels_ == t.cluster)[0]]]
        assert set(t.terms) == set(words)
        assert list(t.weights) == sorted(t.weights, reverse=True) and t.weights[0] <= 1
        assert t.means is None and 0 < t.npmi <= 1 and str(t).startswith(f"{t.cluster} (30): {t.terms[0]}, ")
    assert e.affinity_matrix_.shape == (90, 90)
    new = ["a ship in the harbour", "an oven for bread", "pointer code"]
    for again in (e, pickle.loads(pickle.dumps(e))):
        for given in (new, tuple(new), np.array(new), pd.Series(new)):
            np.testing.assert_array_equal(again.predict(given), e.labels_[[0, 2, 1]])
        assert again.transform(new).shape == (3, 3) and len(again.topics_) == 3
    with pytest.raises(ValueError, match="columns of its own"):
        e.predict(eigenmap.Corpus(TEXTS, language="none"))
    np.testing.assert_array_equal(e.predict(c), e.labels_)
    np.testing.assert_array_equal(e.predict(c.counts()), e.labels_)
    e.save(tmp_path / "model.npz")
    back = eigenmap.load(tmp_path / "model.npz")
    for given in (new, np.array(new), pd.Series(new)):
        np.testing.assert_array_equal(back.predict(given), e.predict(new))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(back)).transform(new), e.transform(new))
    eigenmap.LaplacianEigenmaps(3).fit(np.eye(90)[:, :12] + 1).save(tmp_path / "numbers.npz")
    with pytest.raises(ValueError, match="columns"):
        eigenmap.load(tmp_path / "numbers.npz").predict(new)
    with pytest.raises(AttributeError, match="no terms"):
        eigenmap.LaplacianEigenmaps(3).fit(c.counts()).topics_


def test_other_fits_of_a_corpus():
    c = eigenmap.Corpus(TEXTS, language="none")
    y = np.where(np.arange(90) < 6, TOPIC, -1)
    assert (eigenmap.LabelPropagation().fit(c, y).transduction_ == TOPIC).all()
    assert agree(eigenmap.CLE(3).fit(c, must_link=[(0, 3), (1, 4), (2, 5)]).labels_)
    assert eigenmap.PCA(2).fit_transform(c).shape == (90, 2)
    assert agree(eigenmap.NMF(3).fit_predict(eigenmap.Corpus(TEXTS, language="none", max_df=0.9)))
    with pytest.raises(ValueError, match="90 rows"):
        eigenmap.LabelPropagation().fit(c, y[:9])


def test_texts_that_are_none():
    for X in (np.array(TEXTS)[:, None], [[t] for t in TEXTS], [t.encode() for t in TEXTS], np.array(TEXTS, dtype="S")):
        with pytest.raises(ValueError, match="X holds words: give numbers, or texts as one list of str"):
            eigenmap.KMeans(3).fit(X)
    for X in (TEXTS, eigenmap.Corpus(TEXTS)):
        with pytest.raises(ValueError, match="precomputed=True takes their affinity matrix"):
            eigenmap.DiffusionMaps(3, precomputed=True).fit(X)


def test_graph_file(tmp_path):
    (tmp_path / "a.gml").write_text("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]")
    with pytest.raises(ValueError, match="a graph, which is no corpus.*precomputed"):
        eigenmap.Corpus(tmp_path / "a.gml")


def test_files(tmp_path):
    """A folder, JSON lines and a table give the documents of the list, with labels and names."""
    lines = [json.dumps({"id": f"d{i}", "text": t, "label": "abc"[TOPIC[i]]}) for i, t in enumerate(TEXTS)]
    (tmp_path / "t.jsonl").write_text("\n".join(lines))
    pd.DataFrame({"body": TEXTS, "kind": ["abc"[k] for k in TOPIC]}).to_csv(tmp_path / "t.csv", index=False)
    want = eigenmap.Corpus(TEXTS, language="none").counts()
    for c in (eigenmap.Corpus(tmp_path / "t.jsonl", language="none"), eigenmap.Corpus(str(tmp_path / "t.csv"), language="none", text_column="body", label_column="kind")):
        assert (c.counts() != want).nnz == 0
        assert list(c.labels_) == ["abc"[k] for k in TOPIC] and c.notes_ is not None
        assert len(pickle.loads(pickle.dumps(c))) == 90
        e = eigenmap.KMeans(3).fit(c)
        assert agree(e.labels_) and e.summary_["metrics"]["nmi"] == 1
    assert list(eigenmap.Corpus(tmp_path / "t.jsonl").ids_) == [f"d{i}" for i in range(90)]
    np.save(tmp_path / "x.npy", RNG.normal(size=(20, 3)))
    dense = eigenmap.Corpus(tmp_path / "x.npy")
    assert dense.terms_ is None and dense.format_ == "npy" and eigenmap.PCA(2).fit(dense).embedding_.shape == (20, 2)


def test_what_is_refused(tmp_path):
    for source, options, text in (
        ("missing.jsonl", {}, "missing.jsonl"),
        (TEXTS, {"language": "klingon"}, "klingon"),
        (TEXTS, {"min_df": -1}, "min_df"),
        (TEXTS, {"stop_word": "none"}, "stop-words"),
        (["a", 5], {}, "text 1 is a int"),
        (["", ""], {}, "word left"),
        ([None, np.nan], {}, "all texts are missing"),
    ):
        with pytest.raises(ValueError, match=text):
            eigenmap.Corpus(source, **options)
    frame = pd.DataFrame({"id": range(90), "text": TEXTS})
    for table, column in ((frame, "text"), (frame.rename(columns={"text": "body"}), "id"), (Polars(frame), "text"), (np.array([TEXTS, TEXTS]), "text")):
        with pytest.raises(TypeError, match=rf'such as Corpus\(df\["{column}"\]\)'):
            eigenmap.Corpus(table)


class Polars:
    """A table as polars has it: it has columns, no number of dimensions, and gives its columns one after the other."""

    def __init__(self, frame):
        self.frame, self.columns = frame, list(frame.columns)

    def __iter__(self):
        return (self.frame[name] for name in self.columns)


def test_missing_texts_are_empty():
    some = [*TEXTS, None, "", np.nan, pd.NA, pd.NaT]
    filled = eigenmap.Corpus([*TEXTS, "", "", "", "", ""], language="none")
    for source in (some, pd.Series(some), np.array(some, dtype=object)):
        c = eigenmap.Corpus(source, language="none")
        assert (c.counts() != filled.counts()).nnz == 0
        said = "Texts that are missing and count as empty: 4, the first in row 90."
        assert said in c.notes_ and said in pickle.loads(pickle.dumps(c)).notes_
    assert not [n for n in filled.notes_ if "are missing" in n]
    e = eigenmap.KMeans(3).fit(eigenmap.Corpus(TEXTS, language="none"))
    with pytest.warns(eigenmap.EigenmapWarning):  # the empty text fits nowhere
        assert e.predict([None, "bread oven"])[1] == e.labels_[2]


def test_notes_name_the_options_of_python(tmp_path):
    (tmp_path / "t.jsonl").write_text("\n".join(json.dumps({"body": "<p>" + t + "</p>", "key": f"k{i}"}) for i, t in enumerate(TEXTS)))
    said = " ".join(eigenmap.Corpus(tmp_path / "t.jsonl").notes_)
    assert "text_column names another" in said and "id_column key makes" in said and "markup keep counts" in said
    for notes in (said, " ".join(eigenmap.KMeans(3).fit(eigenmap.Corpus(tmp_path / "t.jsonl")).summary_["notes"])):
        assert not set("‹›") & set(notes) and "text-column" not in notes
    (tmp_path / "two.jsonl").write_text("\n".join(json.dumps({"first": t, "second": t}) for t in TEXTS))
    with pytest.raises(ValueError, match="with text_column"):
        eigenmap.Corpus(tmp_path / "two.jsonl")


def test_fit_takes_texts():
    """A list, a Series or an array of texts stands for a Corpus of it; what reading found is in the notes."""
    known = np.where(np.arange(90) < 12, TOPIC, -1)
    for x in (TEXTS, pd.Series(TEXTS), np.array(TEXTS)):
        of_texts, of_corpus = eigenmap.KMeans(3).fit(x), eigenmap.KMeans(3).fit(eigenmap.Corpus(TEXTS))
        np.testing.assert_array_equal(of_texts.labels_, of_corpus.labels_)
        np.testing.assert_array_equal(of_texts.predict(TEXTS[:9]), of_corpus.labels_[:9])
        assert of_texts.topics_ and any("words make" in note for note in of_texts.summary_["notes"])
        assert agree(eigenmap.SemiLDC().fit(x, known).predict(TEXTS))
    assert any("missing" in note for note in eigenmap.KMeans(3).fit([*TEXTS, None]).summary_["notes"])
    with pytest.raises(TypeError, match="iterator"):
        eigenmap.KMeans(3).fit(iter(TEXTS))


def test_cross_validation_takes_texts():
    """Each part of a list of texts is counted anew, and the texts held out are placed by its model."""
    scores = cross_val_score(eigenmap.LabelPropagation(), np.array(TEXTS, dtype=object), TOPIC, cv=3)
    assert scores.min() > 0.9


def test_texts_where_rows_are_needed():
    with pytest.raises(ValueError, match="one text"):
        eigenmap.KMeans(3).fit("a ship")
    with pytest.raises(ValueError, match="one text.*list of texts"):
        eigenmap.KMeans(3).fit(eigenmap.Corpus(TEXTS, language="none")).predict("a ship")
    with pytest.raises(ValueError, match="fit was one of numbers"):
        eigenmap.KMeans(3).fit(np.eye(9)).predict(["a ship"])


def test_a_notebook_shows_the_summary():
    blank = eigenmap.LaplacianEigenmaps(3)
    assert "sk-" in blank._repr_html_()  # scikit-learn's
    e = blank.fit(eigenmap.Corpus([*TEXTS[:-1], TEXTS[-1] + " <script>alert(1)</script> script alert"], language="none", max_df=0.9))
    page = e._repr_html_()
    assert page == e._repr_mimebundle_()["text/html"]
    assert "LaplacianEigenmaps(n_clusters=3)" in page and "<script" not in page and "http" not in page
    for word in ("ship", "90", "coherence"):
        assert word in page, word
    assert len(page) < 20_000
    x = RNG.normal(size=(40, 3))
    assert "40" in eigenmap.KMeans(3).fit(x)._repr_html_()
    assert "cluster" not in eigenmap.PCA(2).fit(x)._repr_html_().split("<table")[-1]
