"""What users of scikit-learn do with estimators."""

import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import eigenmap

X, Y = make_blobs(240, centers=4, n_features=6, random_state=0)
X -= X.min()
PART = np.where(np.arange(len(Y)) < 60, Y, -1)
ALL = eigenmap.all_estimators()


def fitted(cls):
    e = cls()
    if getattr(e, "n_clusters", None):
        e.set_params(n_clusters=4)
    return e.fit(X, PART if e._labels == "required" else None)


def test_columns_of_lists_and_words():
    """A column of lists is the matrix of its rows; a DataFrame with words is refused by the names of these columns."""
    want = eigenmap.KMeans(4).fit(X)
    column = pd.Series(X.tolist(), index=range(5, 5 + len(X)))
    e = eigenmap.KMeans(4).fit(column)
    np.testing.assert_array_equal(e.labels_, want.labels_)
    np.testing.assert_array_equal(e.predict(column[:7]), want.predict(X[:7]))
    np.testing.assert_array_equal(eigenmap.KMeans(4).fit(pd.Series(list(X))).labels_, want.labels_)
    with pytest.raises(ValueError, match="X: row 1 has 5 numbers, and row 0 has 6"):
        eigenmap.KMeans(4).fit(pd.Series([X[0].tolist(), X[1, :5].tolist()]))
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array instead"):
        eigenmap.KMeans(4).fit(X[0])
    frame = pd.DataFrame(X).add_prefix("x").assign(id="a", kind=[None] + ["b"] * (len(X) - 1))
    with pytest.raises(ValueError, match=r"columns of X hold words: id, kind; leave them out.*fit\(X\[name\]\)"):
        eigenmap.KMeans(4).fit(frame)


def test_confidence(tmp_path):
    """Confidences are made when they are asked for, of nothing of X, and a file has them."""
    x = X.copy()
    e = eigenmap.LabelPropagation().fit(x, PART)
    x[:] = 0
    sure = e.confidence_
    assert sure.shape == (len(X),) and ((sure > 0) & (sure <= 1)).all()
    np.testing.assert_array_equal(e.confidence_, sure)
    other = eigenmap.LabelPropagation().fit(X, PART)
    other.predict(X[:5])
    e.save(tmp_path / "asked.npz")
    other.save(tmp_path / "saved.npz")
    assert (tmp_path / "asked.npz").read_bytes() == (tmp_path / "saved.npz").read_bytes()
    np.testing.assert_array_equal(other.confidence_, sure)
    for without in (pickle.loads(pickle.dumps(e)), eigenmap.PCA(2).fit(X)):
        with pytest.raises(AttributeError, match="no confidences"):
            without.confidence_


@pytest.mark.parametrize("cls", ALL.values(), ids=ALL)
def test_attributes_pickle_and_clone(cls):
    e = fitted(cls)
    assert hasattr(e, "labels_") or hasattr(e, "embedding_")
    assert e.n_features_in_ == 6
    assert e.summary_["method"] == e._method
    for copy in (pickle.loads(pickle.dumps(e)), joblib.hash(e) and pickle.loads(pickle.dumps(e, protocol=2))):
        for name in ("predict", "transform", "predict_proba"):
            if hasattr(e, name):
                np.testing.assert_array_equal(getattr(copy, name)(X[:50]), getattr(e, name)(X[:50]))
    again = clone(e)
    assert again.get_params() == e.get_params()
    with pytest.raises(NotFittedError):
        (again.predict if hasattr(again, "predict") else again.save)(X)


def test_the_readme():
    e = eigenmap.LaplacianEigenmaps(n_clusters=4, n_components=4, n_neighbors=15, random_state=0).fit(X)
    assert e.embedding_.shape == (240, 4) and e.eigenvalues_.shape == (4,)
    assert (np.diff(e.eigenvalues_) >= -1e-12).all() and abs(e.eigenvalues_[0]) < 1e-8
    assert adjusted_rand_score(Y, eigenmap.LaplacianEigenmaps(n_clusters=4, normalize_rows=True).fit_predict(X)) > 0.95
    np.testing.assert_allclose(e.transform(X), e.embedding_, atol=1e-9)
    np.testing.assert_array_equal(e.predict(X), e.labels_)


def test_unknown_labels():
    names = np.array(["a", "b", "c", "d"], dtype=object)[Y]
    names[60:] = None
    for cls in (eigenmap.LabelPropagation, eigenmap.TSVM, eigenmap.SemiLDC, eigenmap.SeededKMeans):
        e = cls().fit(X, PART)
        assert (e.transduction_ == Y).mean() > 0.9, cls
        assert (e.predict(X) == Y).mean() > 0.9, cls
        assert set(cls().fit(X, names).predict(X)) <= set("abcd")
    assert adjusted_rand_score(Y, eigenmap.CLE().fit(X, PART).labels_) > 0.9
    with pytest.raises(ValueError, match="label"):
        eigenmap.CLE().fit(X, np.full(len(Y), -1))


def test_pandas():
    frame = pd.DataFrame(X, columns=list("abcdef"), index=[f"row {i}" for i in range(len(X))])
    e = eigenmap.LaplacianEigenmaps(4).set_output(transform="pandas")
    coordinates = e.fit_transform(frame)
    assert list(e.feature_names_in_) == list("abcdef") and (coordinates.index == frame.index).all()
    assert list(coordinates.columns) == [f"laplacianeigenmaps{i}" for i in range(4)] == list(e.transform(frame[:3]).columns)
    assert eigenmap.SLE().set_output(transform="pandas").fit_transform(frame, PART).shape == (240, 2)
    with pytest.raises(ValueError, match="feature names"):
        e.predict(frame.rename(columns={"a": "z"}))
    names = pd.Series([None if k < 0 else "abcd"[k] for k in PART], index=frame.index)
    for y in (names, names.astype("string"), names.astype("category")):
        assert (eigenmap.LabelPropagation().fit(frame, y).transduction_ == np.array(list("abcd"))[Y]).mean() > 0.9
    for y in (pd.Series(np.where(PART < 0, np.nan, PART)), pd.Series([None if k < 0 else k for k in PART], dtype="Int64")):
        assert (eigenmap.LabelPropagation().fit(frame, y).transduction_ == Y).mean() > 0.9


def test_fit_predict_takes_labels():
    for cls in (eigenmap.CLE, eigenmap.SemiLE, eigenmap.LECAS, eigenmap.PLSA):
        e = cls().set_params(n_clusters=4)
        np.testing.assert_array_equal(cls().set_params(n_clusters=4).fit_predict(X, PART), e.fit(X, PART).labels_)
        assert e.summary_["labeled"] == 60
    assert adjusted_rand_score(Y, eigenmap.CLE().fit_predict(X, PART)) > 0.9
    assert adjusted_rand_score(Y, eigenmap.PCA(3, 4).fit_predict(X)) > 0.9
    assert adjusted_rand_score(Y, eigenmap.SPG(3, 4).fit_predict(X, PART)) > 0.9
    assert len(eigenmap.SLE(3, 4).fit_predict(X, PART)) == len(Y)
    for cls in (eigenmap.PCA, eigenmap.SLE):
        assert not hasattr(cls(), "fit_predict")


def test_the_first_argument():
    assert eigenmap.PCA(3).n_components == eigenmap.LSI(3).n_components == eigenmap.KMeans(3).n_clusters == 3


def test_pipeline_and_grid_search():
    p = make_pipeline(StandardScaler(), eigenmap.PCA(n_components=3), eigenmap.KMeans(n_clusters=4)).fit(X)
    assert adjusted_rand_score(Y, p.predict(X)) > 0.9
    assert make_pipeline(StandardScaler(), eigenmap.Isomap()).fit(X).get_feature_names_out()[1] == "isomap1"
    search = GridSearchCV(eigenmap.LabelPropagation(), {"n_neighbors": [3, 15]}, cv=3, n_jobs=2).fit(X, Y)
    assert search.best_score_ > 0.9
    search = GridSearchCV(
        eigenmap.LaplacianEigenmaps(n_clusters=4), {"n_neighbors": [2, 15]}, cv=3,
        scoring=lambda e, x, y=None: adjusted_rand_score(y, e.predict(x)),
    ).fit(X, Y)
    assert search.best_params_["n_neighbors"] == 15


def test_number_of_threads(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert [eigenmap.KMeans(n_jobs=n)._threads() for n in (None, -1, 1, 3)] == [0, 0, 1, 3]
    assert eigenmap.KMeans(n_jobs=-2)._threads() == max(1, os.cpu_count() - 1)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert [eigenmap.KMeans(n_jobs=n)._threads() for n in (None, -1, 2)] == [3, 0, 2]


def test_joblib_processes_and_threads():
    seeds = range(4)
    want = [eigenmap.KMeans(4, random_state=s).fit(X).labels_ for s in seeds]
    for prefer in ("processes", "threads"):
        got = joblib.Parallel(n_jobs=2, prefer=prefer)(joblib.delayed(eigenmap.KMeans(4, random_state=s).fit_predict)(X) for s in seeds)
        np.testing.assert_array_equal(got, want)


def test_sparse_formats_and_layouts_agree():
    s = sp.random_array((200, 40), density=0.2, rng=np.random.default_rng(0), format="csr")
    want = eigenmap.LSI(3).fit(s).embedding_
    unsorted = s.copy()
    unsorted.indices, unsorted.data = unsorted.indices[::-1].copy(), unsorted.data[::-1].copy()
    unsorted = sp.csr_array((unsorted.data, unsorted.indices, s.indptr), s.shape)
    for x in (s.tocsc(), s.tocoo(), sp.csr_matrix(s), sp.csr_array((s.data, s.indices.astype(np.int64), s.indptr.astype(np.int64)), s.shape)):
        np.testing.assert_array_equal(eigenmap.LSI(3).fit(x).embedding_, want)
    assert eigenmap.LSI(3).fit(unsorted).embedding_.shape == want.shape
    d = s.toarray()
    want = eigenmap.PCA(3).fit(d).embedding_
    for x in (np.asfortranarray(d), np.repeat(d, 2, axis=0)[::2]):
        np.testing.assert_array_equal(eigenmap.PCA(3).fit(x).embedding_, want)


def test_precomputed():
    a = eigenmap.LaplacianEigenmaps(n_clusters=None, n_components=2, precomputed=True, drop_first=False)
    ring = sp.diags_array([1.0, 1.0, 1.0, 1.0], offsets=[-1, 1, -11, 11], shape=(12, 12)).tocsr()
    np.testing.assert_allclose(a.fit(ring).eigenvalues_, [0, 1 - np.cos(np.pi / 6)], atol=1e-12)
    np.testing.assert_allclose(a.fit(ring.toarray()).eigenvalues_, [0, 1 - np.cos(np.pi / 6)], atol=1e-12)
    a.set_params(drop_first=None)  # as scikit-learn's SpectralEmbedding, without the constant
    np.testing.assert_allclose(a.fit(ring).eigenvalues_, [1 - np.cos(np.pi / 6)] * 2, atol=1e-12)


def test_errors():
    with pytest.raises(ValueError, match='n_neighbors "0"'):
        eigenmap.LaplacianEigenmaps(n_neighbors=0).fit(X)
    with pytest.raises(ValueError, match="n_clusters 500 is more than its 240"):
        eigenmap.LaplacianEigenmaps(n_clusters=500).fit(X)
    with pytest.raises(ValueError, match="n_jobs is 1.5"):
        eigenmap.KMeans(n_jobs=1.5).fit(X)
    with pytest.raises(ValueError, match="places no new rows"):
        eigenmap.LaplacianEigenmaps(2, precomputed=True).fit(X @ X.T).predict(X)
    with pytest.raises(ValueError, match="at most 239"):
        eigenmap.LaplacianEigenmaps(n_neighbors=500).fit(X)
    with pytest.raises(eigenmap.EigenmapError, match="max_iter"):
        eigenmap.LaplacianEigenmaps(n_components=40, solver="lanczos", max_iter=1, tol=1e-15).fit(X)


def test_model_file(tmp_path):
    e = fitted(eigenmap.LaplacianEigenmaps)
    e.save(tmp_path / "model.npz")
    with np.load(tmp_path / "model.npz", allow_pickle=False) as file:
        assert "centers" in file.files
    with pytest.raises(ValueError, match="missing"):
        e.save(tmp_path / "missing" / "model.npz")


def test_interrupt_cancels():
    """Ctrl-C ends a fit that takes far longer."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals go to the main thread")
    big = np.random.default_rng(0).random((20000, 40))
    # A shell starts what it runs in the background with SIGINT ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    began = time.time()
    try:
        with pytest.raises(KeyboardInterrupt):
            eigenmap.Isomap().fit(big)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.time() - began < 120  # the whole fit takes many minutes
    assert len([t for t in threading.enumerate() if t.name == "eigenmap"]) == 1
    began = time.time()
    eigenmap.KMeans(2, n_init=1).fit(X)  # by the same thread, once the call has ended
    assert time.time() - began < 5, "the call goes on"


def test_interrupt_on_another_thread_cancels():
    """A signal that the system gives to a thread of the library, as it may, ends the fit too."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals go to the main thread")
    handled = threading.Event()
    in_time: list[bool] = []

    def interrupted(*_):
        handled.set()
        raise KeyboardInterrupt

    def report(*_):  # on the thread of the library
        if not in_time:
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)
            in_time.append(handled.wait(20))

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        with pytest.raises(KeyboardInterrupt), eigenmap.progress(report):
            eigenmap.LaplacianEigenmaps(3).fit(X)
    finally:
        signal.signal(signal.SIGINT, before)
    assert in_time == [True], "the main thread sleeps until the fit ends"


def test_handler_of_signals_cancels():
    """What a handler of signals raises, such as a limit of time, ends the call, and the next one begins at once."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals go to the main thread")

    def late(*_):
        raise TimeoutError("late")

    big = np.random.default_rng(0).random((20000, 40))
    before = signal.signal(signal.SIGALRM, late)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.7)
        with pytest.raises(TimeoutError, match="late"):
            eigenmap.Isomap().fit(big)
        began = time.time()
        signal.setitimer(signal.ITIMER_REAL, 60)  # a call that waits for the first one ends too
        eigenmap.KMeans(2, n_init=1).fit(X)
        assert time.time() - began < 5, "the call goes on"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


LAST = """
import threading, numpy, eigenmap
X = numpy.random.default_rng(0).random((40, 3))

class Keeper:
    def __init__(self):
        self.model = eigenmap.KMeans(2).fit(X)._model

    def __del__(self, show=print):
        self.model.describe(), self.model.__reduce__()
        show("kept", flush=True)

start, threading.Thread.start = threading.Thread.start, None
try:
    eigenmap.KMeans(2).fit(X)
except TypeError:
    print("refused", flush=True)
threading.Thread.start = start
keeper = Keeper()
"""


def test_calls_without_a_thread():
    """A thread that did not start is started by the next call, and a call as Python ends needs none."""
    ended = subprocess.run([sys.executable, "-c", LAST], capture_output=True, text=True, timeout=60)
    assert ended.stdout.split() == ["refused", "kept"], ended.stderr


REFUSED = [
    ("dense", lambda x: x, {}),
    ("sparse", sp.csr_array, {}),
    ("affinity", lambda x: x, {"precomputed": True}),
]


@pytest.mark.parametrize("what, made, options", REFUSED, ids=[r[0] for r in REFUSED])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite(what, made, options, value):
    """A fit refuses them in scikit-learn's words, though the library looks for them, and a wrong request in its own."""
    x = np.eye(30) + np.ones((30, 30))
    x[7, 3] = x[3, 7] = value
    word = "NaN" if np.isnan(value) else "infinity"
    with pytest.raises(ValueError, match=f"Input X contains {word}"):
        eigenmap.LaplacianEigenmaps(2, n_neighbors=5, **options).fit(made(x))
    with pytest.raises(ValueError, match=f"Input X contains {word}"):
        eigenmap.LaplacianEigenmaps(2, n_neighbors=5).fit(made(x), vectors=np.ones((30, 3)))
    for e in (eigenmap.KMeans(2), eigenmap.PCA(2)):
        with pytest.raises(ValueError, match=f"Input X contains {word}"):
            e.fit(made(x.astype(np.float32)))
    if not options:
        for e in (eigenmap.NMF(2), eigenmap.PLSA(2), eigenmap.CoClustering(2)):  # which refuse numbers below 0 too
            with pytest.raises(ValueError, match=f"Input X contains {word}"):
                e.fit(made(x))
    x[7, 3] = x[3, 7] = 1
    with pytest.raises(ValueError, match="n_neighbors"):
        eigenmap.LaplacianEigenmaps(2, n_neighbors=-5, **options).fit(made(x))


MEMORY = """
import resource, sys
import numpy as np, scipy.sparse as sp
import eigenmap
from eigenmap import _native
rows, each, cols = 100_000, 200, 5000
rng = np.random.default_rng(0)
indices = np.sort(rng.integers(0, cols // each, (rows, each), dtype=np.int32) + np.arange(each, dtype=np.int32) * (cols // each), axis=1).ravel()
x = sp.csr_matrix((np.ones(rows * each), indices, np.arange(0, rows * each + 1, each, dtype=np.int64)), shape=(rows, cols))
x.has_canonical_format = True
eigenmap.KMeans(2, n_init=1, kmeans_iter=1, normalize="none").fit(x[:100])
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()
eigenmap.KMeans(2, n_init=1, kmeans_iter=1, normalize="none").fit(x)
print((peak() - before) / (x.data.nbytes + x.indices.nbytes))
"""


def test_a_sparse_matrix_is_not_copied():
    """A fit of 100,000 rows and 240 MB needs a fraction of that."""
    out = subprocess.run([sys.executable, "-c", MEMORY], check=True, capture_output=True, text=True).stdout
    assert float(out) < 0.2, f"the fit took {out} times the memory of the matrix"


def test_words_that_mean_no_label():
    """-1 and the empty word among words are no labels, as for the command line, unless -1 is a class."""
    from eigenmap._labels import is_unknown

    for y, unknown in (
        (["a", "b", "-1"], [0, 0, 1]),
        (["a", "", "b"], [0, 1, 0]),
        (["0", "1", "-1"], [0, 0, 1]),
        (["nan", "x", "N/A"], [1, 0, 1]),
        (["-1", "1", "1"], [0, 0, 0]),
        (["-1", "-2", "3"], [0, 0, 0]),
        (["-1", "0.5", "3"], [0, 0, 0]),
    ):
        assert is_unknown(np.array(y)).tolist() == [bool(u) for u in unknown], y
        assert is_unknown(np.array(y, dtype=object)).tolist() == [bool(u) for u in unknown], y
    rng = np.random.default_rng(0)
    x = np.vstack([rng.normal(0, 0.1, (20, 2)), rng.normal(5, 0.1, (20, 2))])
    y = np.array(["a"] + ["-1"] * 19 + ["b"] + ["-1"] * 19)
    assert eigenmap.LabelPropagation().fit(x, y).transduction_.tolist() == ["a"] * 20 + ["b"] * 20


def warned(fit):
    """The kinds and texts of what fit warns of."""
    with warnings.catch_warnings(record=True) as list_:
        warnings.simplefilter("always")
        fit()
    return [(w.category, str(w.message), w.filename) for w in list_]


def test_warnings_of_a_fit():
    """What the library warns of reaches warnings, in the caller's line; what it decides does not."""
    rng = np.random.default_rng(0)
    parts = np.vstack([rng.normal(c, 0.1, (20, 2)) for c in (0, 5, 100)])
    three = np.repeat(np.eye(3), 10, axis=0)
    y = np.full(60, -1)
    y[[0, 20]] = 0, 1
    for fit, category, text in (
        (lambda: eigenmap.Isomap(n_neighbors=5).fit(parts), eigenmap.EigenmapWarning, "joined by 2 shortest links; parts largest"),
        (lambda: eigenmap.Isomap(n_neighbors=5, parts="largest").fit(parts), eigenmap.EigenmapWarning, "40 of 60 points lie outside"),
        (lambda: eigenmap.LocallyLinearEmbedding(n_neighbors=5).fit_transform(parts), eigenmap.EigenmapWarning, "40 of 60 points lie outside"),
        (lambda: eigenmap.LaplacianEigenmaps(None, 2, n_neighbors=5).fit(parts), eigenmap.EigenmapWarning, "All eigenvalues are 0"),
        (lambda: eigenmap.LabelPropagation(n_neighbors=5).fit(parts, y), eigenmap.EigenmapWarning, "No label reaches 20 of 60"),
        (lambda: eigenmap.GaussianMixture(4, em_iter=2, em_tol=1e-12).fit(rng.normal(size=(300, 3))), ConvergenceWarning, "EM stopped at iteration 2"),
        (lambda: eigenmap.KMeans(5).fit_predict(three), ConvergenceWarning, "Empty clusters: 2 of 5"),
        (lambda: eigenmap.NMF(4, nmf_iter=1, n_init=1).fit(rng.random((200, 30))), ConvergenceWarning, "stopped at iteration 1"),
    ):
        said = warned(fit)
        assert any(issubclass(c, category) and text in t for c, t, _ in said), (text, said)
        assert all(f == __file__ for _, _, f in said), said
    assert np.unique(np.round(eigenmap.Isomap(n_neighbors=5).fit(parts).embedding_, 9), axis=0).shape[0] == 60
    for fit in (lambda: eigenmap.KMeans(4).fit(X), lambda: eigenmap.CLE().fit(X, PART), lambda: eigenmap.PCA(2).fit(X)):
        assert warned(fit) == []


def test_warnings_of_a_prediction():
    """Rows that fit nowhere are warned of where they are placed, in the caller's line; others are not."""
    rng = np.random.default_rng(0)
    known = np.zeros((40, 8))
    known[:20, :3] = rng.random((20, 3)) + 0.5
    known[20:, 3:6] = rng.random((20, 3)) + 0.5
    alone = np.zeros((4, 8))
    alone[:, 6:] = 1
    model = eigenmap.LaplacianEigenmaps(n_clusters=2, random_state=0).fit(sp.csr_array(known))
    for place in (model.predict, model.transform):
        said = warned(lambda: place(sp.csr_array(alone)))
        assert any(c is eigenmap.EigenmapWarning and "4 of 4 documents" in t and f == __file__ for c, t, f in said), said
        assert warned(lambda: place(sp.csr_array(known))) == []


def test_links():
    """cle learns from pairs alone, and methods that learn from none refuse them."""
    same = [(i, j) for i in range(20) for j in range(i) if Y[i] == Y[j]]
    other = [(i, j) for i in range(20) for j in range(i) if Y[i] != Y[j]][:5]
    e = eigenmap.CLE(4).fit(X, must_link=same)
    labels = e.labels_
    assert all(labels[i] == labels[j] for i, j in same)
    assert e.summary_["constraints"]
    with pytest.raises(ValueError, match="learns from no links"):
        eigenmap.LaplacianEigenmaps().fit(X, cannot_link=other)
    for wrong in ([(0, 240)], [(-1, 2)], [0, 1], [(0.5, 1.0)]):
        with pytest.raises(ValueError, match="must_link"):
            eigenmap.CLE(4).fit(X, must_link=wrong)


@pytest.mark.parametrize("cls", ALL.values(), ids=ALL)
def test_load(cls, tmp_path):
    """A model that is read places rows as the one that was written."""
    e = fitted(cls)
    e.save(tmp_path / "model.npz")
    back = eigenmap.load(tmp_path / "model.npz")
    assert type(back) is cls and back.n_features_in_ == 6
    assert getattr(e, "n_neighbors", None) in (None, getattr(back, "n_neighbors", None))
    for name in ("predict", "transform", "predict_proba"):
        if hasattr(e, name):
            np.testing.assert_array_equal(getattr(back, name)(X[:50]), getattr(e, name)(X[:50]))


def test_load_refuses(tmp_path):
    (tmp_path / "model.npz").write_bytes(b"no model")
    with pytest.raises(ValueError):
        eigenmap.load(tmp_path / "model.npz")


def test_progress():
    """Events come in order, in the main thread's calls and in others', and what a report raises ends the fit."""
    events = []
    rows = np.random.default_rng(0).random((3000, 40))

    def fit():
        with eigenmap.progress(lambda *event: events.append(event)):
            eigenmap.Isomap(landmarks=200).fit(rows)

    fit()
    assert events and all(len(e) == 5 and e[0] and e[3] <= max(e[3], e[4]) for e in events)
    events.clear()
    thread = threading.Thread(target=fit)
    thread.start()
    thread.join()
    assert events

    def stop(*event):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"), eigenmap.progress(stop):
        eigenmap.Isomap(landmarks=200).fit(rows)
    with eigenmap.progress():
        eigenmap.KMeans(4).fit(X)


def test_inertia_and_shares_of_variance():
    from sklearn.decomposition import PCA

    e = eigenmap.KMeans(4, normalize="none").fit(X)
    centres = np.array([X[e.labels_ == k].mean(0) for k in range(4)])
    np.testing.assert_allclose(e.inertia_, ((X - centres[e.labels_]) ** 2).sum(), rtol=1e-9)
    np.testing.assert_allclose(eigenmap.PCA(n_components=3).fit(X).explained_variance_ratio_, PCA(3).fit(X).explained_variance_ratio_, rtol=1e-9)


def test_labels_that_are_no_classes():
    """The refusal speaks of y as the caller gave it, whatever its type."""
    some = np.arange(len(Y)) % 3 == 0
    cases = [
        ([None] * len(Y), "y labels none of the rows"),
        (["sea" if s else None for s in some], "all known labels of y are 'sea'"),
        ([("sea" if v else 1) if s else None for s, v in zip(some, Y)], "some labels of y are texts and others are none"),
    ]
    for cls in (eigenmap.LabelPropagation, eigenmap.SemiLE, eigenmap.PLSA, eigenmap.LPP):
        for y, said in cases:
            with pytest.raises(ValueError, match=said):
                cls().fit(X, y)
    y = [bool(v % 2) if s else None for s, v in zip(some, Y)]  # which is an array of objects
    found = eigenmap.LabelPropagation().fit(X, y)
    assert found.classes_.tolist() == [False, True] and found.transduction_.dtype == bool
    assert (found.transduction_[some] == (Y % 2 == 1)[some]).all()


def test_columns_of_vectors():
    """A DataFrame with a column of vectors, as sentence encoders leave it, is refused with the way out."""
    frames = [pd.DataFrame({"emb": list(X)}), pd.DataFrame({"emb": X.tolist(), "n": range(len(X))})]
    for frame in frames:
        with pytest.raises(ValueError, match=r"columns of X hold lists: emb; give one of them alone, as in fit\(X\[name\]\)"):
            eigenmap.KMeans(4).fit(frame)
    assert (eigenmap.KMeans(4).fit(frames[0]["emb"]).labels_ == eigenmap.KMeans(4).fit(X).labels_).all()


def test_help_names_parameters():
    """help() speaks of parameters that the estimator has, and of what a fit sets."""
    for cls in ALL.values():
        assert "--" not in (cls.__doc__ or "").replace("-----", ""), cls
        for name in re.findall("``([a-z_]+)``", cls.__doc__ or ""):
            assert name in cls().get_params() or name in ("vectors", "notes", "warnings", "y"), (cls, name)
        assert "Attributes\n" in (cls.__doc__ or "") and "labels_" in (cls.__doc__ or ""), cls


def test_what_is_not_there():
    """Arrays for words, None, empty lists, tables for texts and files that are missing are told as what they are."""
    texts = [f"a ship at sea {i}" if i % 2 else f"code of a loop {i}" for i in range(20)]
    of_texts = eigenmap.KMeans(2).fit(eigenmap.Corpus(texts))
    for call, said in [
        (lambda: eigenmap.KMeans(3, init=X[:3]).fit(X), r"init is an array, and must be one of 'k-means\+\+', 'random': see help\(KMeans\)"),
        (lambda: eigenmap.KMeans(3).fit(None, vectors=X), "X is None: give rows, or the vectors as X"),
        (lambda: of_texts.predict([]), "X is an empty list: give at least one text"),
        (lambda: of_texts.predict(pd.DataFrame({"text": texts})), "columns of it hold words: text; give the texts of one, as in X.name."),
        (lambda: eigenmap.KMeans(3).fit(X).predict(pd.DataFrame({"text": texts})), "columns of it hold words: text; give the columns of the fit"),
    ]:
        with pytest.raises(ValueError, match=said), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of feature names
            call()


def test_map():
    """The map of a clustering is there if it is asked for, and is the same at each fit."""
    for cls in (eigenmap.DiffusionMaps, eigenmap.KMeans, eigenmap.NMF):
        e = cls(n_clusters=4, map=True).fit(X)
        assert e.map_.shape == (240, 2) and np.isfinite(e.map_).all()
        np.testing.assert_array_equal(clone(e).fit(X).map_, e.map_)
        np.testing.assert_array_equal(cls(n_clusters=4).fit(X).labels_, e.labels_)
        assert not hasattr(e.set_params(map=False).fit(X), "map_")
        with pytest.raises(AttributeError, match="map=True"):
            _ = e.map_
    with pytest.raises(ValueError, match="n_clusters"):
        eigenmap.PCA(3, map=True).fit(X)
    e = eigenmap.PCA(3, n_clusters=4, map=True).fit(X)
    assert e.map_.shape == (240, 2)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(e)).map_, e.map_)
