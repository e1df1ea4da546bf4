"""Models that take new rows: partial_fit of a fitted estimator."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import eigenmap as em


def counts(n, seed, columns=60):
    """Rows of three topics, and their topics."""
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 3, n)
    rates = np.full((3, columns), 0.05)
    for k in range(3):
        rates[k, 20 * k : 20 * k + 20] = 1.5
    return draw.poisson(rates[y]).astype(float), y


@pytest.mark.parametrize("make", [em.LaplacianEigenmaps, em.SpectralClustering, em.DiffusionMaps])
def test_partial_fit_places_and_grows(make):
    x, _ = counts(150, 1)
    fresh, _ = counts(60, 2)
    e = make(n_clusters=3).fit(x)
    labels, values = e.predict(fresh), e.eigenvalues_.copy()
    before = pickle.loads(pickle.dumps(e))
    assert e.partial_fit(fresh) is e
    assert np.array_equal(e.labels_, labels)
    assert np.array_equal(e.eigenvalues_, values)
    assert e.update_["added_documents"] == 60 and e.update_["model_documents"] == 210 and not e.update_["refit"]
    # The new rows are the model's own now, at their places, and have neighbours among each other.
    assert np.array_equal(e.transform(fresh), e.embedding_)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert e.partial_fit(fresh).update_["drift"]["documents"] == 0
    # The model before the call is as it was.
    assert np.array_equal(before.partial_fit(fresh).labels_, labels)
    assert pickle.loads(pickle.dumps(e)).update_["updates"] == 1
    with pytest.raises(ValueError, match="features"):
        e.partial_fit(fresh[:, :-1])


def test_partial_fit_of_none_is_fit():
    x, _ = counts(120, 3)
    e = em.LaplacianEigenmaps(n_clusters=3)
    assert np.array_equal(e.partial_fit(x).labels_, clone(e).fit(x).labels_)
    with pytest.raises(NotFittedError):
        em.LaplacianEigenmaps(n_clusters=3).predict(x)


@pytest.mark.parametrize("make", [em.SemiLE, em.CLE])
def test_partial_fit_of_labels(make):
    x, y = counts(150, 4)
    known = np.where(np.arange(150) < 15, y, -1)
    fresh, _ = counts(50, 5)
    e = make().fit(x, known)
    found = e.predict(fresh)
    e.partial_fit(fresh)
    assert np.array_equal(getattr(e, "transduction_", e.labels_), found) and e.update_["added_documents"] == 50


def test_partial_fit_warns_of_drift():
    x, _ = counts(150, 6)
    e = em.LaplacianEigenmaps(n_clusters=3).fit(x)
    odd = np.random.default_rng(7).permuted(counts(80, 7)[0], axis=1)  # rows of no topic
    with pytest.warns(em.EigenmapWarning, match="Make the model again"):
        e.partial_fit(odd)
    assert e.update_["refit_reasons"]


def test_partial_fit_of_texts():
    texts = [f"{a} {b} {a}" for a in ("ship sea", "kernel compiler") for b in ("sail", "wave", "code", "byte", "captain", "parser")]
    e = em.LaplacianEigenmaps(n_clusters=2, n_neighbors=4).fit(em.Corpus(texts, language="english", min_df=1))
    assert not hasattr(e, "update_")
    e.partial_fit(["ship zeppelin sea", "sea zeppelin ship wave", "kernel code byte"])
    assert e.update_["added_documents"] == 3 and e.update_["added_terms"] == 1
    assert e.labels_[0] == e.labels_[1] != e.labels_[2]


def test_methods_that_do_not_grow_have_no_partial_fit():
    assert not hasattr(em.KMeans(), "partial_fit")
    assert not hasattr(em.LaplacianEigenmaps(precomputed=True), "partial_fit")
