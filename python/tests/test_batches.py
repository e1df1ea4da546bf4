"""K-means by batches."""

import numpy as np
import pytest
from scipy import sparse

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
