"""K-means and factorisation by batches."""

import numpy as np
import pytest
from scipy import optimize, sparse

import eigenmap


def blobs(n, k, seed=1):
    rng = np.random.default_rng(seed)
    centers = 10.0 * ((np.arange(k)[:, None] >> np.arange(4)) & 1)
    return centers[rng.integers(k, size=n)] + rng.normal(size=(n, 4))


def objective(X, centers):
    return ((X[:, None, :] - centers) ** 2).sum(axis=2).min(axis=1).sum()


@pytest.mark.parametrize("size", [100, 700])
def test_near_lloyd(size):
    X = blobs(4000, 8)
    lloyd = eigenmap.KMeans(8, weighting="tf", normalize="none", duplicates="keep").fit(X)
    m = eigenmap.MiniBatchKMeans(8, batch_size=size).fit(X)
    assert objective(X, m.cluster_centers_) <= 1.02 * lloyd.inertia_
    assert m.counts_.sum() == 4000
    same = eigenmap.MiniBatchKMeans(8, batch_size=size).fit(sparse.csr_matrix(X))
    assert np.allclose(same.cluster_centers_, m.cluster_centers_) and (same.labels_ == m.labels_).all()


def test_one_batch_is_lloyd():
    X = blobs(500, 4)
    lloyd = eigenmap.KMeans(4, weighting="tf", normalize="none", duplicates="keep").fit(X)
    m = eigenmap.MiniBatchKMeans(4).partial_fit(X)
    assert (m.labels_ == lloyd.labels_).all()
    means = np.array([X[m.labels_ == j].mean(axis=0) for j in range(4)])
    assert np.allclose(m.cluster_centers_, means, atol=1e-12)
    m.partial_fit(X)
    assert np.allclose(m.cluster_centers_, means, atol=1e-12) and m.counts_.sum() == 1000


def test_refuses():
    m = eigenmap.MiniBatchKMeans(4)
    with pytest.raises(ValueError, match="n_clusters=4"):
        m.partial_fit(blobs(3, 4))
    m.partial_fit(blobs(50, 4))
    with pytest.raises(ValueError, match="features"):
        m.partial_fit(np.zeros((5, 3)))


def planted(n, m, k, noise, seed=1):
    """Rows of k topics with few terms each, and noise of this size."""
    rng = np.random.default_rng(seed)
    W = rng.exponential(size=(n, k)) * (rng.random((n, k)) < 0.4)
    H = rng.exponential(size=(k, m)) * (rng.random((k, m)) < 0.2)
    return W @ H + noise * rng.exponential(size=(n, m))


def half_square(X, m):
    return 0.5 * np.square(X - m.transform(X) @ m.components_).sum()


@pytest.mark.parametrize("size", [200, 700])
def test_near_the_whole_factorisation(size):
    X = planted(2000, 60, 5, 0.1)
    whole = eigenmap.MiniBatchNMF(5, batch_size=2000).fit(X)
    m = eigenmap.MiniBatchNMF(5, batch_size=size).fit(X)
    assert half_square(X, m) <= 1.02 * half_square(X, whole)
    assert (m.components_ >= 0).all() and np.allclose(np.linalg.norm(m.components_, axis=1), 1) and m.n_rows_ == 2000
    same = eigenmap.MiniBatchNMF(5, batch_size=size).fit(sparse.csr_matrix(X))
    assert np.allclose(same.components_, m.components_, atol=1e-6) and (same.labels_ == m.labels_).all()


def test_one_batch_is_nmf():
    X = planted(400, 50, 4, 0.1)
    whole = eigenmap.NMF(4, nmf_weighting="none", weighting="tf", normalize="none", duplicates="keep").fit(X)
    m = eigenmap.MiniBatchNMF(4).partial_fit(X)
    assert (m.labels_ == whole.predict(X)).all() and (m.predict(X) == m.labels_).mean() > 0.99
    # The factorisation's coefficients are the best ones on its topics, and these the best with them.
    assert half_square(X, m) <= 0.5 * np.square(X - whole.transform(X) @ m.components_).sum() * (1 + 1e-9)
    least = half_square(X, m)
    for _ in range(20):
        m.partial_fit(X)
    assert half_square(X, m) <= least and m.n_rows_ == 21 * 400


def test_coefficients_are_the_best():
    X = planted(300, 40, 4, 0.3)
    m = eigenmap.MiniBatchNMF(4).fit(X)
    for row, c in zip(X[:50], m.transform(X[:50])):
        best, left = optimize.nnls(m.components_.T, row)
        assert np.linalg.norm(row - c @ m.components_) <= left * (1 + 1e-9) and np.allclose(c, best, atol=1e-6)


def test_half_life_forgets():
    early, late = planted(600, 50, 4, 0.1), planted(3000, 50, 4, 0.1, seed=7)
    objective = {}
    for half_life in (None, 500):
        m = eigenmap.MiniBatchNMF(4, half_life=half_life).partial_fit(early)
        for lo in range(0, 3000, 300):
            m.partial_fit(late[lo : lo + 300])
        objective[half_life] = half_square(late, m)
    assert objective[500] < objective[None]


def test_factorisation_refuses():
    m = eigenmap.MiniBatchNMF(4)
    with pytest.raises(ValueError, match="n_clusters=4"):
        m.partial_fit(planted(3, 10, 2, 0.1))
    m.partial_fit(planted(50, 10, 4, 0.1))
    before = m.components_
    for bad in (np.zeros((5, 3)), -np.ones((5, 10)), np.full((5, 10), np.nan)):
        with pytest.raises(ValueError):
            m.partial_fit(bad)
    with pytest.raises(ValueError, match="half_life"):
        eigenmap.MiniBatchNMF(4, half_life=0).fit(planted(50, 10, 4, 0.1))
    assert m.components_ is before and m.n_rows_ == 50


def test_long_rows_beside_short_ones():
    X = planted(200, 12, 4, 0.3)
    m = eigenmap.MiniBatchNMF(4).fit(X)
    # Far from the topics, so that constraints bind.
    rows = np.random.default_rng(2).exponential(size=(20, 12)) * np.where(np.arange(20) % 3, 1e-3, 1e8)[:, None]
    for row, c in zip(rows, m.transform(rows)):
        best = optimize.nnls(m.components_.T, row)[0]
        assert np.allclose(c, best, rtol=1e-6, atol=1e-9 * best.max())


def test_rows_of_which_nothing_can_be_learnt():
    with pytest.raises(ValueError, match="no entry above zero"):
        eigenmap.MiniBatchNMF(2).partial_fit(np.zeros((10, 4)))
    m = eigenmap.MiniBatchNMF(4).fit(planted(50, 10, 4, 0.1))
    before = m.components_.copy()
    for huge in (1e155, 1e200):
        with pytest.raises(ValueError, match="beyond the largest number"):
            m.partial_fit(huge * planted(50, 10, 4, 0.1))
    assert (m.components_ == before).all() and m.n_rows_ == 50
    m.partial_fit(np.zeros((5, 10)))
    assert np.allclose(m.components_, before) and m.n_rows_ == 55


@pytest.mark.parametrize("size", [10, 1070])
def test_a_topic_long_ago_stays(size):
    ours, others = np.array([0, 0.3, 1, 3]), np.array([1, 2, 0, 0.5])
    m = eigenmap.MiniBatchNMF(2, half_life=1).partial_fit(np.repeat([others, ours], 10, axis=0))
    for _ in range(1200 // size):
        m.partial_fit(np.repeat([others], size, axis=0))
    assert (m.components_ @ ours).max() > 0.9999 * np.linalg.norm(ours)


@pytest.mark.parametrize("estimator", [eigenmap.MiniBatchKMeans(2), eigenmap.MiniBatchNMF(2)])
def test_texts_are_given_as_rows(estimator):
    """A Corpus and a list of texts are refused with the call that makes rows of them, which works."""
    texts = ["a ship at sea", "the sea and the ship", "a compiler for code", "code of the compiler"] * 5
    corpus = eigenmap.Corpus(texts)
    for given, way in ((corpus, r"corpus\.rows"), (texts, r"Corpus\(texts\)\.rows")):
        with pytest.raises(ValueError, match=way):
            estimator.fit(given)
        with pytest.raises(ValueError, match=way):
            estimator.partial_fit(given)
    labels = estimator.fit(corpus.rows("tfidf", "l2")).labels_
    assert labels[0] == labels[1] != labels[2] == labels[3]
    with pytest.raises(ValueError, match=r"corpus\[part\]\.rows"):
        estimator.predict(corpus)
