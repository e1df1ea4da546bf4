"""Parts of a Corpus, as cross-validation takes them, and names of columns of a DataFrame."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline

import eigenmap

RNG = np.random.default_rng(0)
WORDS = ["ship sea harbour sail wave port deck".split(), "compiler code bug program type loop cache".split()]
Y = np.array(["sea", "code"])[np.arange(60) % 2]
TEXTS = [" ".join(RNG.choice(WORDS[i % 2], 5)) for i in range(60)]


@pytest.fixture(scope="module", params=["texts", "file"])
def corpus(request, tmp_path_factory):
    if request.param == "texts":
        return eigenmap.Corpus(TEXTS)
    path = tmp_path_factory.mktemp("corpus") / "a.csv"
    pd.DataFrame({"id": [f"d{i}" for i in range(60)], "text": TEXTS, "label": Y}).to_csv(path, index=False)
    return eigenmap.Corpus(path)


def test_cross_validation_of_a_corpus(corpus):
    """A Corpus goes through scikit-learn's splits as a matrix does: parts have its columns."""
    for e in (eigenmap.LabelPropagation(), eigenmap.TSVM(), make_pipeline(eigenmap.LogisticRegression())):
        assert cross_val_score(e, corpus, Y, cv=3, error_score="raise").min() == 1
    search = GridSearchCV(eigenmap.LabelPropagation(), {"n_neighbors": [3, 5]}, cv=3, n_jobs=2, error_score="raise").fit(corpus, Y)
    assert search.best_score_ == 1 and (search.predict(TEXTS[:4]) == Y[:4]).all()
    train, test, y, of_test, _, rows = train_test_split(corpus, Y, np.arange(60), random_state=0)
    assert len(train) == 45 and eigenmap.LabelPropagation().fit(train, y).score(test, of_test) == 1
    e = eigenmap.KMeans(2).fit(train)
    np.testing.assert_array_equal(e.predict(test), e.predict([TEXTS[i] for i in rows]))


def test_parts_of_a_corpus(corpus):
    """Numbers, slices and masks choose rows; a part is pickled, has its names and labels, and parts of its own."""
    want = corpus.counts().toarray()
    mask = np.arange(60) % 7 == 0
    for key in (slice(None, None, 9), [5, 0, 5], mask, mask.tolist(), np.array([-1, 3]), 7, -2, (np.array([4, 2]), Ellipsis)):
        part = corpus[key]
        rows = np.atleast_1d(np.arange(60)[key])
        np.testing.assert_array_equal(part.counts().toarray(), want[rows])
        assert part.shape == (len(rows), want.shape[1]) == (len(part), len(part.terms_))
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(part)).counts().toarray(), want[rows])
        if corpus.labels_ is not None:
            np.testing.assert_array_equal(part.labels_, Y[rows])
            np.testing.assert_array_equal(part.ids_, [f"d{i}" for i in rows])
    np.testing.assert_array_equal(corpus[10:20][[3, 1]].counts().toarray(), want[[13, 11]])
    assert [d.shape[0] for d in corpus] == [1] * 60
    for key, kind, said in ((60, IndexError, "documents 0 to 59"), ([61], IndexError, "documents 0 to 59"), ("a", IndexError, "'a'"), ([], ValueError, "one document"), (slice(0, 0), ValueError, "one document")):
        with pytest.raises(kind, match=said):
            corpus[key]
    with pytest.raises(ValueError, match="a Corpus has columns of its own"):
        eigenmap.KMeans(2).fit(corpus).predict(eigenmap.Corpus(["ship sea", "sea ship", "ship"], min_df=1))


def test_names_of_columns(tmp_path):
    """Columns of a DataFrame are the terms of clusters, and of the model's file; results are those of the array."""
    x = np.vstack([RNG.normal(0, 1, (40, 3)), RNG.normal(8, 1, (40, 3))])
    frame = pd.DataFrame(x, columns=["width", "height", "depth"])
    e, plain = eigenmap.KMeans(2).fit(frame), eigenmap.KMeans(2).fit(x)
    np.testing.assert_array_equal(e.labels_, plain.labels_)
    assert {t.split()[0] for topic in e.topics_ for t in topic.terms} == {"width", "height", "depth"}
    high = e.topics_[e.labels_[-1]]
    assert all(t.endswith(" high") for t in high.terms)
    name = high.terms[0].split()[0]
    np.testing.assert_allclose(high.means[0], (frame[name][40:].mean(), frame[name][:40].mean()), rtol=1e-5)
    assert not hasattr(plain, "topics_") and "width" in e._repr_html_()
    e.save(tmp_path / "m.npz")
    np.testing.assert_array_equal(eigenmap.load(tmp_path / "m.npz").predict(x), e.labels_)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(e)).predict(frame), e.labels_)
    e.fit(x)
    assert not hasattr(e, "topics_")
    with pytest.raises(ValueError, match="feature names should match"):
        eigenmap.KMeans(2).fit(frame).predict(frame[["depth", "height", "width"]])
    with pytest.warns(UserWarning, match="valid feature names"):
        eigenmap.KMeans(2).fit(frame).predict(x)
