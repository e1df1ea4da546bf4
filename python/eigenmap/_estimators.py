# Written by make docs from the options of the methods: do not edit.
"""The estimators, one for each method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from ._base import Estimator
from ._parts import Classifies, Clusters, Doubts, Embeds, Predicts, Transduces, Transforms

__all__ = [
    "LaplacianEigenmaps",
    "SemiLE",
    "CLE",
    "LSI",
    "PCA",
    "NMF",
    "CoClustering",
    "GaussianMixture",
    "LapGMM",
    "SPG",
    "LPP",
    "LDA",
    "SparsePCA",
    "LECAS",
    "GGLE",
    "SLE",
    "SCPLE",
    "Isomap",
    "LocallyLinearEmbedding",
    "PLSA",
    "SemiLDC",
    "ConstrainedKMeans",
    "Pckmeans",
    "SeededKMeans",
    "LabelPropagation",
    "TSVM",
    "LogisticRegression",
    "KernelRidge",
    "GraphSSL",
    "Committee",
    "KernelKMeans",
    "KMeans",
    "SpectralClustering",
    "DiffusionMaps",
    "Leiden",
]


class LaplacianEigenmaps(Predicts, Transforms, Clusters, Estimator):
    """Laplacian Eigenmaps: smallest eigenvectors of the neighbour graph, then k-means.

    Joins each document to its nearest neighbours by edges of weight w_ij and takes as coordinates
    the eigenvectors of L y = λ D y with the smallest eigenvalues, where D holds the row sums of W
    and L = D − W: the coordinates that vary least over the edges.

    Reference: Belkin and Niyogi 2003, Neural Computation 15(6); Chen, Zhang, Bu, Wang and Chen 2010, eq. (5)-(6)

    Parameters
    ----------
    n_clusters : default 8
        number of clusters; auto, or a range such as 2-40, chooses it.
    n_components : default None
        dimensions of the embedding; None: the number of clusters or classes.
    n_neighbors : default 15
        nearest neighbours of each document in the graph.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    precision : default "double"
        how the values of the documents are stored: single rounds each to 24 bits, which keeps
        counts, and takes half of the memory or less; all arithmetic is in double (double, single).
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    precomputed : default False
        X is a symmetric affinity matrix in place of documents.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    drop_first : default None
        skip the constant eigenvector, as embed does with le and semi-le; None: if no clusters are
        asked for.
    drop_zeros : default False
        skip every eigenvector of eigenvalue 0.
    normalize_rows : default False
        scale each document's row of the embedding to length 1.
    graph_kind : default "knn"
        join the nearest neighbours, or all documents by their cosine, without ever forming the
        graph: linear in the documents (knn, complete).
    neighbors_method : default "auto"
        search for neighbours: exact; approx, which finds nearly all of them in time proportional to
        the documents; auto is approx from 200,000 documents or 50,000 dense rows on where that is
        faster (auto, exact, approx).
    epsilon : default None
        join all documents within this distance, in place of the nearest neighbours.
    edge_weight : default None
        weight of an edge (dot, binary, heat, poly); None: dot for sparse data, heat for dense data.
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the mean squared distance over the edges.
    heat_rule : default "mean"
        how the width of the heat kernel is found: the mean or the median of d² over the edges, the
        mean over all pairs, or local: a scale for each document (mean, median, pairs, local).
    local_neighbor : default 7
        the neighbour whose distance is the scale of a document.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    symmetry : default "union"
        an edge if either document is among the other's neighbours, if both are, or their sum
        (union, mutual, sum).
    landmarks : default None
        embed this many documents, drawn at random, and place the others by them; documents with
        labels or constraints are always among them; None: none: all documents.
    tol : default 1e-08
        largest residual of an eigenpair that counts as found.
    max_iter : default 300
        most restarts of the eigensolver.
    solver : default "auto"
        eigensolver (auto, dense, arpack, lanczos, shift-invert, slepc).
    verify : default False
        count the eigenvalues by inertia after the solve; a missing one is an error.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "le"
    _labels = "none"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_clusters": "clusters",
        "n_components": "dims",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "precision": "precision",
        "duplicates": "duplicates",
        "precomputed": "precomputed",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "drop_first": "drop-first",
        "drop_zeros": "drop-zeros",
        "normalize_rows": "normalize-rows",
        "graph_kind": "graph-kind",
        "neighbors_method": "neighbors-method",
        "epsilon": "epsilon",
        "edge_weight": "edge-weight",
        "heat_width": "heat-width",
        "heat_rule": "heat-rule",
        "local_neighbor": "local-neighbor",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "symmetry": "symmetry",
        "landmarks": "landmarks",
        "tol": "tol",
        "max_iter": "max-iter",
        "solver": "solver",
        "verify": "verify",
    }

    def __init__(
        self,
        n_clusters: int | str | None = 8,
        n_components: int | None = None,
        *,
        n_neighbors: int = 15,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        precision: Literal["double", "single"] = "double",
        duplicates: Literal["once", "drop", "keep"] | None = None,
        precomputed: bool = False,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        drop_first: bool | None = None,
        drop_zeros: bool = False,
        normalize_rows: bool = False,
        graph_kind: Literal["knn", "complete"] = "knn",
        neighbors_method: Literal["auto", "exact", "approx"] = "auto",
        epsilon: float | None = None,
        edge_weight: Literal["dot", "binary", "heat", "poly"] | None = None,
        heat_width: float | None = None,
        heat_rule: Literal["mean", "median", "pairs", "local"] = "mean",
        local_neighbor: int = 7,
        poly_degree: int = 2,
        poly_offset: float = 1,
        symmetry: Literal["union", "mutual", "sum"] = "union",
        landmarks: int | None = None,
        tol: float = 1e-08,
        max_iter: int = 300,
        solver: Literal["auto", "dense", "arpack", "lanczos", "shift-invert", "slepc"] = "auto",
        verify: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.precision = precision
        self.duplicates = duplicates
        self.precomputed = precomputed
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.drop_first = drop_first
        self.drop_zeros = drop_zeros
        self.normalize_rows = normalize_rows
        self.graph_kind = graph_kind
        self.neighbors_method = neighbors_method
        self.epsilon = epsilon
        self.edge_weight = edge_weight
        self.heat_width = heat_width
        self.heat_rule = heat_rule
        self.local_neighbor = local_neighbor
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.symmetry = symmetry
        self.landmarks = landmarks
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.verify = verify
        self.n_jobs = n_jobs


class SemiLE(Predicts, Transforms, Estimator):
    """Le on a graph whose edges follow the known labels.

    Edges between labelled documents get the weight 1 within a class and are removed across classes;
    then Laplacian Eigenmaps. Documents of one class are drawn together, not merged as in cle.

    Reference: Chen, Zhang, Bu, Wang and Chen 2010, sections 2.4 and 4.3

    Parameters
    ----------
    n_clusters : default None
        number of clusters; None: as many as y has classes.
    n_components : default None
        dimensions of the embedding; None: the number of clusters or classes.
    n_neighbors : default 15
        nearest neighbours of each document in the graph.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    precision : default "double"
        how the values of the documents are stored: single rounds each to 24 bits, which keeps
        counts, and takes half of the memory or less; all arithmetic is in double (double, single).
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    precomputed : default False
        X is a symmetric affinity matrix in place of documents.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    drop_first : default None
        skip the constant eigenvector, as embed does with le and semi-le; None: if no clusters are
        asked for.
    drop_zeros : default False
        skip every eigenvector of eigenvalue 0.
    normalize_rows : default False
        scale each document's row of the embedding to length 1.
    graph_kind : default "knn"
        join the nearest neighbours, or all documents by their cosine, without ever forming the
        graph: linear in the documents (knn, complete).
    neighbors_method : default "auto"
        search for neighbours: exact; approx, which finds nearly all of them in time proportional to
        the documents; auto is approx from 200,000 documents or 50,000 dense rows on where that is
        faster (auto, exact, approx).
    epsilon : default None
        join all documents within this distance, in place of the nearest neighbours.
    edge_weight : default None
        weight of an edge (dot, binary, heat, poly); None: dot for sparse data, heat for dense data.
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the mean squared distance over the edges.
    heat_rule : default "mean"
        how the width of the heat kernel is found: the mean or the median of d² over the edges, the
        mean over all pairs, or local: a scale for each document (mean, median, pairs, local).
    local_neighbor : default 7
        the neighbour whose distance is the scale of a document.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    symmetry : default "union"
        an edge if either document is among the other's neighbours, if both are, or their sum
        (union, mutual, sum).
    landmarks : default None
        embed this many documents, drawn at random, and place the others by them; documents with
        labels or constraints are always among them; None: none: all documents.
    tol : default 1e-08
        largest residual of an eigenpair that counts as found.
    max_iter : default 300
        most restarts of the eigensolver.
    solver : default "auto"
        eigensolver (auto, dense, arpack, lanczos, shift-invert, slepc).
    verify : default False
        count the eigenvalues by inertia after the solve; a missing one is an error.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "semi-le"
    _labels = "required"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_clusters": "clusters",
        "n_components": "dims",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "precision": "precision",
        "duplicates": "duplicates",
        "precomputed": "precomputed",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "drop_first": "drop-first",
        "drop_zeros": "drop-zeros",
        "normalize_rows": "normalize-rows",
        "graph_kind": "graph-kind",
        "neighbors_method": "neighbors-method",
        "epsilon": "epsilon",
        "edge_weight": "edge-weight",
        "heat_width": "heat-width",
        "heat_rule": "heat-rule",
        "local_neighbor": "local-neighbor",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "symmetry": "symmetry",
        "landmarks": "landmarks",
        "tol": "tol",
        "max_iter": "max-iter",
        "solver": "solver",
        "verify": "verify",
    }

    def __init__(
        self,
        n_clusters: int | str | None = None,
        n_components: int | None = None,
        *,
        n_neighbors: int = 15,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        precision: Literal["double", "single"] = "double",
        duplicates: Literal["once", "drop", "keep"] | None = None,
        precomputed: bool = False,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        drop_first: bool | None = None,
        drop_zeros: bool = False,
        normalize_rows: bool = False,
        graph_kind: Literal["knn", "complete"] = "knn",
        neighbors_method: Literal["auto", "exact", "approx"] = "auto",
        epsilon: float | None = None,
        edge_weight: Literal["dot", "binary", "heat", "poly"] | None = None,
        heat_width: float | None = None,
        heat_rule: Literal["mean", "median", "pairs", "local"] = "mean",
        local_neighbor: int = 7,
        poly_degree: int = 2,
        poly_offset: float = 1,
        symmetry: Literal["union", "mutual", "sum"] = "union",
        landmarks: int | None = None,
        tol: float = 1e-08,
        max_iter: int = 300,
        solver: Literal["auto", "dense", "arpack", "lanczos", "shift-invert", "slepc"] = "auto",
        verify: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.precision = precision
        self.duplicates = duplicates
        self.precomputed = precomputed
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.drop_first = drop_first
        self.drop_zeros = drop_zeros
        self.normalize_rows = normalize_rows
        self.graph_kind = graph_kind
        self.neighbors_method = neighbors_method
        self.epsilon = epsilon
        self.edge_weight = edge_weight
        self.heat_width = heat_width
        self.heat_rule = heat_rule
        self.local_neighbor = local_neighbor
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.symmetry = symmetry
        self.landmarks = landmarks
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.verify = verify
        self.n_jobs = n_jobs


class CLE(Predicts, Transforms, Estimator):
    """Constrained Laplacian Eigenmap: one map per class that keeps the known labels, or links, then k-means.

    In map k the labelled documents of class k are one point, all other labelled documents a second
    one, and the coordinates are the second smallest eigenvector of L y = λ D y under this
    constraint: one map per class. Must-links merge documents in the same way, and cannot-links
    between two clusters put them on two sides of one point.

    Reference: Chen, Zhang, Bu, Wang and Chen 2010, section 3; De Bie, Suykens and De Moor 2004 for links

    Parameters
    ----------
    n_clusters : default None
        number of clusters; None: as many as y has classes.
    n_neighbors : default 15
        nearest neighbours of each document in the graph.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    precision : default "double"
        how the values of the documents are stored: single rounds each to 24 bits, which keeps
        counts, and takes half of the memory or less; all arithmetic is in double (double, single).
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    precomputed : default False
        X is a symmetric affinity matrix in place of documents.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    normalize_rows : default False
        scale each document's row of the embedding to length 1.
    graph_kind : default "knn"
        join the nearest neighbours, or all documents by their cosine, without ever forming the
        graph: linear in the documents (knn, complete).
    neighbors_method : default "auto"
        search for neighbours: exact; approx, which finds nearly all of them in time proportional to
        the documents; auto is approx from 200,000 documents or 50,000 dense rows on where that is
        faster (auto, exact, approx).
    epsilon : default None
        join all documents within this distance, in place of the nearest neighbours.
    edge_weight : default None
        weight of an edge (dot, binary, heat, poly); None: dot for sparse data, heat for dense data.
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the mean squared distance over the edges.
    heat_rule : default "mean"
        how the width of the heat kernel is found: the mean or the median of d² over the edges, the
        mean over all pairs, or local: a scale for each document (mean, median, pairs, local).
    local_neighbor : default 7
        the neighbour whose distance is the scale of a document.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    symmetry : default "union"
        an edge if either document is among the other's neighbours, if both are, or their sum
        (union, mutual, sum).
    landmarks : default None
        embed this many documents, drawn at random, and place the others by them; documents with
        labels or constraints are always among them; None: none: all documents.
    tol : default 1e-08
        largest residual of an eigenpair that counts as found.
    max_iter : default 300
        most restarts of the eigensolver.
    solver : default "auto"
        eigensolver (auto, dense, arpack, lanczos, shift-invert, slepc).
    verify : default False
        count the eigenvalues by inertia after the solve; a missing one is an error.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "cle"
    _labels = "required"
    _links = "required"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_clusters": "clusters",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "precision": "precision",
        "duplicates": "duplicates",
        "precomputed": "precomputed",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "normalize_rows": "normalize-rows",
        "graph_kind": "graph-kind",
        "neighbors_method": "neighbors-method",
        "epsilon": "epsilon",
        "edge_weight": "edge-weight",
        "heat_width": "heat-width",
        "heat_rule": "heat-rule",
        "local_neighbor": "local-neighbor",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "symmetry": "symmetry",
        "landmarks": "landmarks",
        "tol": "tol",
        "max_iter": "max-iter",
        "solver": "solver",
        "verify": "verify",
    }

    def __init__(
        self,
        n_clusters: int | str | None = None,
        *,
        n_neighbors: int = 15,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        precision: Literal["double", "single"] = "double",
        duplicates: Literal["once", "drop", "keep"] | None = None,
        precomputed: bool = False,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        normalize_rows: bool = False,
        graph_kind: Literal["knn", "complete"] = "knn",
        neighbors_method: Literal["auto", "exact", "approx"] = "auto",
        epsilon: float | None = None,
        edge_weight: Literal["dot", "binary", "heat", "poly"] | None = None,
        heat_width: float | None = None,
        heat_rule: Literal["mean", "median", "pairs", "local"] = "mean",
        local_neighbor: int = 7,
        poly_degree: int = 2,
        poly_offset: float = 1,
        symmetry: Literal["union", "mutual", "sum"] = "union",
        landmarks: int | None = None,
        tol: float = 1e-08,
        max_iter: int = 300,
        solver: Literal["auto", "dense", "arpack", "lanczos", "shift-invert", "slepc"] = "auto",
        verify: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.precision = precision
        self.duplicates = duplicates
        self.precomputed = precomputed
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.normalize_rows = normalize_rows
        self.graph_kind = graph_kind
        self.neighbors_method = neighbors_method
        self.epsilon = epsilon
        self.edge_weight = edge_weight
        self.heat_width = heat_width
        self.heat_rule = heat_rule
        self.local_neighbor = local_neighbor
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.symmetry = symmetry
        self.landmarks = landmarks
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.verify = verify
        self.n_jobs = n_jobs


class LSI(Predicts, Transforms, Estimator):
    """Latent semantic indexing: projections on the first singular vectors, then k-means.

    Decomposes the matrix of documents and terms, X = U Σ Vᵀ, and keeps its r largest singular
    values: the coordinates of the documents are X V = U Σ, which keep their inner products as well
    as r dimensions can. Nothing is centred, so a sparse matrix stays sparse.

    Reference: Deerwester, Dumais, Furnas, Landauer and Harshman 1990; Chen, Zhang, Bu, Wang and Chen 2010, section 4.3

    Parameters
    ----------
    n_components : default 2
        dimensions of the embedding.
    n_clusters : default None
        number of clusters; None: an embedding alone, if n_components is set.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    normalize_rows : default False
        scale each document's row of the embedding to length 1.
    tol : default 1e-08
        largest residual of a singular value that counts as found, as a share of the largest value.
    solver : default "auto"
        eigensolver (auto, dense, arpack, lanczos).
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row; without n_clusters none.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "lsi"
    _labels = "none"
    _links = "none"
    _embeds = True
    _classes_first = False
    _flags = {
        "n_components": "dims",
        "n_clusters": "clusters",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "normalize_rows": "normalize-rows",
        "tol": "tol",
        "solver": "solver",
    }

    def __init__(
        self,
        n_components: int = 2,
        n_clusters: int | str | None = None,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        normalize_rows: bool = False,
        tol: float = 1e-08,
        solver: Literal["auto", "dense", "arpack", "lanczos"] = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.normalize_rows = normalize_rows
        self.tol = tol
        self.solver = solver
        self.n_jobs = n_jobs


class PCA(Predicts, Transforms, Estimator):
    """Principal components of the centred weights, then k-means.

    Takes as coordinates (x − μ)·v, where μ is the mean of the rows and v are the eigenvectors of
    their covariance matrix with the largest eigenvalues: the orthogonal directions of largest
    variance. Sparse rows are centred in the products with them and never made dense.

    Reference: Pearson 1901; Hotelling 1933

    Parameters
    ----------
    n_components : default 2
        dimensions of the embedding.
    n_clusters : default None
        number of clusters; None: an embedding alone, if n_components is set.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    pca : default None
        principal components: their number, or the share of the variance that they explain, such as
        0.9; None: as many as dims.
    tol : default 1e-08
        largest residual of a singular value that counts as found, as a share of the largest value.
    solver : default "auto"
        eigensolver (auto, dense, arpack, lanczos).
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row; without n_clusters none.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "pca"
    _labels = "none"
    _links = "none"
    _embeds = True
    _classes_first = False
    _flags = {
        "n_components": "dims",
        "n_clusters": "clusters",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "pca": "pca",
        "tol": "tol",
        "solver": "solver",
    }

    def __init__(
        self,
        n_components: int = 2,
        n_clusters: int | str | None = None,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        pca: float | None = None,
        tol: float = 1e-08,
        solver: Literal["auto", "dense", "arpack", "lanczos"] = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.pca = pca
        self.tol = tol
        self.solver = solver
        self.n_jobs = n_jobs


class NMF(Predicts, Transforms, Clusters, Estimator):
    """Non-negative matrix factorisation: each document to its largest topic.

    Factorises the matrix of documents and terms, X ≈ W·H with no entry below 0, so that ½‖X − W·H‖²
    is least: the rows of H are topics, the rows of W how much of each topic a document has. A
    document's cluster is its largest topic. Documents are first divided by √((X·Xᵀ·1)_i), the
    weights of the normalised cut.

    Reference: Lee and Seung 2001; Xu, Liu and Gong 2003, SIGIR; Lin 2007, Neural Computation 19

    Parameters
    ----------
    n_clusters : default 2
        number of clusters; auto, or a range such as 2-40, chooses it.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    nmf_weighting : default "ncw"
        weights of the documents: as in the normalised cut, or none (ncw, none).
    nmf_solver : default "hals"
        how the objective is lowered (projected-gradient, multiplicative, hals).
    n_init : default 10
        starts, of which the best is kept.
    nmf_iter : default 200
        most iterations of one start.
    nmf_tol : default None
        stop when the projected gradient is at most this share of the start's; None: 0.0001, and
        hals stops when ten iterations lower the objective by no more than 0.0001 of the start's.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "nmf"
    _labels = "none"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_clusters": "clusters",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "map": "map",
        "nmf_weighting": "nmf-weighting",
        "nmf_solver": "nmf-solver",
        "n_init": "restarts",
        "nmf_iter": "nmf-iter",
        "nmf_tol": "nmf-tol",
    }

    def __init__(
        self,
        n_clusters: int | str | None = 2,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        map: bool = False,
        nmf_weighting: Literal["ncw", "none"] = "ncw",
        nmf_solver: Literal["projected-gradient", "multiplicative", "hals"] = "hals",
        n_init: int = 10,
        nmf_iter: int = 200,
        nmf_tol: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.map = map
        self.nmf_weighting = nmf_weighting
        self.nmf_solver = nmf_solver
        self.n_init = n_init
        self.nmf_iter = nmf_iter
        self.nmf_tol = nmf_tol
        self.n_jobs = n_jobs


class CoClustering(Predicts, Transforms, Clusters, Estimator):
    """Co-clustering: documents and terms in the same clusters, by singular vectors of the document-term graph.

    Documents and terms are the nodes of one graph, joined by the weights of the terms in the
    documents. The singular vectors of D₁^-½ A D₂^-½, with the row sums D₁ and the column sums D₂ of
    the documents A, give both coordinates, and k-means finds clusters of documents and terms
    together: each cluster of documents comes with its terms.

    Reference: Dhillon 2001, Co-clustering documents and words using bipartite spectral graph partitioning

    Parameters
    ----------
    n_clusters : default 8
        number of clusters; auto, or a range such as 2-40, chooses it.
    n_components : default None
        singular vectors after the first, which are the dimensions of the embedding; Dhillon takes
        log2 of the clusters; None: the number of clusters or classes.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    row_length : default "unit"
        scale the coordinates of each document and term to length 1, or leave them as the paper does
        (unit, free).
    n_init : default 10
        starts of k-means on documents and terms, of which the best is kept.
    tol : default 1e-08
        largest residual of a singular value that counts as found, as a share of the largest value.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "co-clustering"
    _labels = "none"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_clusters": "clusters",
        "n_components": "dims",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "map": "map",
        "row_length": "row-length",
        "n_init": "restarts",
        "tol": "tol",
    }

    def __init__(
        self,
        n_clusters: int | str | None = 8,
        n_components: int | None = None,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        map: bool = False,
        row_length: Literal["unit", "free"] = "unit",
        n_init: int = 10,
        tol: float = 1e-08,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.map = map
        self.row_length = row_length
        self.n_init = n_init
        self.tol = tol
        self.n_jobs = n_jobs


class GaussianMixture(Predicts, Doubts, Clusters, Estimator):
    """Mixture of Gaussians on the principal components, started by k-means.

    Fits p(x) = Σ_k α_k N(x; μ_k, Σ_k) to the documents, or to their principal components, by
    expectation and maximisation (EM) from the clusters of k-means. A document's cluster is its most
    probable component, P(k|x) ∝ α_k N(x; μ_k, Σ_k). A prior keeps covariances from being singular.

    Reference: Dempster, Laird and Rubin 1977; He, Cai, Shao, Bao and Han 2011, eq. (8), (13)-(15)

    Parameters
    ----------
    n_clusters : default 8
        number of clusters; auto, or a range such as 2-40, chooses it.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    pca : default None
        reduce to principal components first: their number, or the share of the variance that they
        explain, such as 0.9; None: 20, or 2 per cluster if these are more; dense data of up to 50
        columns are not reduced.
    raw : default False
        fit to dense data as they are, however many columns they have.
    tol : default 1e-08
        largest residual of a component that counts as found.
    solver : default "auto"
        eigensolver of the principal components (auto, dense, arpack, lanczos).
    covariance : default "full"
        covariances: full, tied (one for all clusters), diagonal (or diag) or spherical (full, tied,
        diagonal, diag, spherical).
    ridge : default None
        draws covariances towards a sphere, and keeps them from being singular, as a share of the
        mean variance; 0: only where one is singular; None: full and tied covariances are drawn
        towards a sphere by as much as the documents of a cluster are too few for them (Ledoit and
        Wolf 2004); 1e-06 of others.
    em_restarts : default 1
        runs of EM, of which the best is kept.
    em_iter : default 200
        most iterations of a run of EM.
    em_tol : default 0.0001
        stop when the objective per document improves by less than this.
    n_init : default 10
        starts of the k-means that EM begins with, of which the best is kept.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    probabilities_
        probability of each cluster, for each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "gmm"
    _labels = "none"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_clusters": "clusters",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "map": "map",
        "pca": "pca",
        "raw": "raw",
        "tol": "tol",
        "solver": "solver",
        "covariance": "covariance",
        "ridge": "ridge",
        "em_restarts": "em-restarts",
        "em_iter": "em-iter",
        "em_tol": "em-tol",
        "n_init": "restarts",
    }

    def __init__(
        self,
        n_clusters: int | str = 8,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        map: bool = False,
        pca: float | None = None,
        raw: bool = False,
        tol: float = 1e-08,
        solver: Literal["auto", "dense", "arpack", "lanczos"] = "auto",
        covariance: Literal["full", "tied", "diagonal", "diag", "spherical"] = "full",
        ridge: float | None = None,
        em_restarts: int = 1,
        em_iter: int = 200,
        em_tol: float = 0.0001,
        n_init: int = 10,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.map = map
        self.pca = pca
        self.raw = raw
        self.tol = tol
        self.solver = solver
        self.covariance = covariance
        self.ridge = ridge
        self.em_restarts = em_restarts
        self.em_iter = em_iter
        self.em_tol = em_tol
        self.n_init = n_init
        self.n_jobs = n_jobs


class LapGMM(Predicts, Doubts, Clusters, Estimator):
    """Gmm whose probabilities vary little along the edges of the neighbour graph.

    Fits a mixture of Gaussians so that log P(X|Θ) − λ Σ_k f_kᵀ L f_k is large, where f_k are the
    probabilities of cluster k for all documents and L is the Laplacian of their neighbour graph:
    neighbours get similar probabilities. Each iteration of EM smooths them along the edges.

    Reference: He, Cai, Shao, Bao and Han 2011, IEEE TKDE 23(9)

    Parameters
    ----------
    n_clusters : default 8
        number of clusters; auto, or a range such as 2-40, chooses it.
    n_neighbors : default 8
        nearest neighbours of each document in the graph.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    pca : default None
        reduce to principal components first: their number, or the share of the variance that they
        explain, such as 0.9; None: 20, or 2 per cluster if these are more; dense data of up to 50
        columns are not reduced.
    raw : default False
        fit to dense data as they are, however many columns they have.
    tol : default 1e-08
        largest residual of a component that counts as found.
    solver : default "auto"
        eigensolver of the principal components (auto, dense, arpack, lanczos).
    lambda_ : default None
        weight of the graph's penalty against the log-likelihood; None: by a rule that balances what
        clusters gain and what the graph saves; 1000 with ``schedule`` literal.
    neighbors_method : default "auto"
        search for neighbours: exact; approx, which finds nearly all of them in time proportional to
        the documents; auto is approx from 200,000 documents or 50,000 dense rows on where that is
        faster (auto, exact, approx).
    epsilon : default None
        join all documents within this distance, in place of the nearest neighbours.
    edge_weight : default "binary"
        weight of an edge (dot, binary, heat, poly).
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the mean squared distance over the edges.
    heat_rule : default "mean"
        how the width of the heat kernel is found: the mean or the median of d² over the edges, the
        mean over all pairs, or local: a scale for each document (mean, median, pairs, local).
    local_neighbor : default 7
        the neighbour whose distance is the scale of a document.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    symmetry : default "union"
        an edge if either document is among the other's neighbours, if both are, or their sum
        (union, mutual, sum).
    schedule : default "restart"
        how posteriors are smoothed: restart (walks with restart), literal (the paper's table 1) or
        unsmoothed (restart, literal, unsmoothed).
    covariance : default "full"
        covariances: full, tied (one for all clusters), diagonal (or diag) or spherical (full, tied,
        diagonal, diag, spherical).
    ridge : default None
        draws covariances towards a sphere, and keeps them from being singular, as a share of the
        mean variance; 0: only where one is singular; None: full and tied covariances are drawn
        towards a sphere by as much as the documents of a cluster are too few for them (Ledoit and
        Wolf 2004); 1e-06 of others.
    start_from : default "gmm-le"
        clusters to start from: gmm-le (of gmm, and of Laplacian Eigenmaps of the graph), kmeans or
        all (gmm-le, kmeans, all).
    starts : default 5
        starts from k-means of ten iterations each; the best of all starts goes on.
    em_iter : default 200
        most iterations of the run that is kept.
    em_tol : default 0.0001
        stop when the objective per document improves by less than this.
    n_init : default 10
        starts of the k-means that the first start begins with, of which the best is kept.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    probabilities_
        probability of each cluster, for each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "lapgmm"
    _labels = "none"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_clusters": "clusters",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "map": "map",
        "pca": "pca",
        "raw": "raw",
        "tol": "tol",
        "solver": "solver",
        "lambda_": "lambda",
        "neighbors_method": "neighbors-method",
        "epsilon": "epsilon",
        "edge_weight": "edge-weight",
        "heat_width": "heat-width",
        "heat_rule": "heat-rule",
        "local_neighbor": "local-neighbor",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "symmetry": "symmetry",
        "schedule": "schedule",
        "covariance": "covariance",
        "ridge": "ridge",
        "start_from": "start-from",
        "starts": "starts",
        "em_iter": "em-iter",
        "em_tol": "em-tol",
        "n_init": "restarts",
    }

    def __init__(
        self,
        n_clusters: int | str = 8,
        *,
        n_neighbors: int = 8,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        map: bool = False,
        pca: float | None = None,
        raw: bool = False,
        tol: float = 1e-08,
        solver: Literal["auto", "dense", "arpack", "lanczos"] = "auto",
        lambda_: float | None = None,
        neighbors_method: Literal["auto", "exact", "approx"] = "auto",
        epsilon: float | None = None,
        edge_weight: Literal["dot", "binary", "heat", "poly"] = "binary",
        heat_width: float | None = None,
        heat_rule: Literal["mean", "median", "pairs", "local"] = "mean",
        local_neighbor: int = 7,
        poly_degree: int = 2,
        poly_offset: float = 1,
        symmetry: Literal["union", "mutual", "sum"] = "union",
        schedule: Literal["restart", "literal", "unsmoothed"] = "restart",
        covariance: Literal["full", "tied", "diagonal", "diag", "spherical"] = "full",
        ridge: float | None = None,
        start_from: Literal["gmm-le", "kmeans", "all"] = "gmm-le",
        starts: int = 5,
        em_iter: int = 200,
        em_tol: float = 0.0001,
        n_init: int = 10,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.map = map
        self.pca = pca
        self.raw = raw
        self.tol = tol
        self.solver = solver
        self.lambda_ = lambda_
        self.neighbors_method = neighbors_method
        self.epsilon = epsilon
        self.edge_weight = edge_weight
        self.heat_width = heat_width
        self.heat_rule = heat_rule
        self.local_neighbor = local_neighbor
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.symmetry = symmetry
        self.schedule = schedule
        self.covariance = covariance
        self.ridge = ridge
        self.start_from = start_from
        self.starts = starts
        self.em_iter = em_iter
        self.em_tol = em_tol
        self.n_init = n_init
        self.n_jobs = n_jobs


class SPG(Predicts, Transforms, Estimator):
    """Sparse projections over a graph: few terms per direction, listed by name, then k-means.

    Takes the eigenvectors y of a graph with Wy = λ' Dy, λ' the largest, and finds for each the
    direction a of few terms that minimises ‖y − Xa‖² + β ‖a‖₁, by the lasso path to the number of
    terms wanted. The graph joins neighbours, with or without labels; the labels alone and principal
    components give responses y too.

    Reference: Cai, He and Han 2008, Sparse projections over graph, AAAI

    Parameters
    ----------
    n_components : default 2
        dimensions of the embedding.
    n_clusters : default None
        number of clusters; None: an embedding alone, if n_components is set.
    n_neighbors : default 7
        nearest neighbours of each document in the graph.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    normalize_rows : default False
        scale each document's row of the embedding to length 1.
    responses : default None
        fit the projections to eigenvectors of the graph (neighbors), of the graph with known labels
        (semi), to the labels alone (classes) or to principal components (pca) (neighbors, semi,
        classes, pca); None: semi with labels, else neighbors.
    penalty : default "lasso"
        what keeps directions small; ridge uses all terms (lasso, elastic-net, ridge).
    cardinality : default 75
        terms of a direction: their number, or their share of all terms.
    alpha : default 1
        weight of the ridge in the regression on the terms; 0 is none.
    neighbors_method : default "auto"
        search for neighbours: exact; approx, which finds nearly all of them in time proportional to
        the documents; auto is approx from 200,000 documents or 50,000 dense rows on where that is
        faster (auto, exact, approx).
    epsilon : default None
        join all documents within this distance, in place of the nearest neighbours.
    edge_weight : default None
        weight of an edge (dot, binary, heat, poly); None: dot for sparse data, heat for dense data.
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the mean squared distance over the edges.
    heat_rule : default "mean"
        how the width of the heat kernel is found: the mean or the median of d² over the edges, the
        mean over all pairs, or local: a scale for each document (mean, median, pairs, local).
    local_neighbor : default 7
        the neighbour whose distance is the scale of a document.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    symmetry : default "union"
        an edge if either document is among the other's neighbours, if both are, or their sum
        (union, mutual, sum).
    tol : default 1e-08
        largest residual of an eigenpair that counts as found.
    max_iter : default 300
        most restarts of the eigensolver.
    solver : default "auto"
        eigensolver (auto, dense, arpack, lanczos, shift-invert, slepc).
    verify : default False
        count the eigenvalues by inertia after the solve; a missing one is an error.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row; without n_clusters none.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "spg"
    _labels = "optional"
    _links = "none"
    _embeds = True
    _classes_first = False
    _flags = {
        "n_components": "dims",
        "n_clusters": "clusters",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "normalize_rows": "normalize-rows",
        "responses": "responses",
        "penalty": "penalty",
        "cardinality": "cardinality",
        "alpha": "alpha",
        "neighbors_method": "neighbors-method",
        "epsilon": "epsilon",
        "edge_weight": "edge-weight",
        "heat_width": "heat-width",
        "heat_rule": "heat-rule",
        "local_neighbor": "local-neighbor",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "symmetry": "symmetry",
        "tol": "tol",
        "max_iter": "max-iter",
        "solver": "solver",
        "verify": "verify",
    }

    def __init__(
        self,
        n_components: int = 2,
        n_clusters: int | str | None = None,
        *,
        n_neighbors: int = 7,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        normalize_rows: bool = False,
        responses: Literal["neighbors", "semi", "classes", "pca"] | None = None,
        penalty: Literal["lasso", "elastic-net", "ridge"] = "lasso",
        cardinality: float = 75,
        alpha: float = 1,
        neighbors_method: Literal["auto", "exact", "approx"] = "auto",
        epsilon: float | None = None,
        edge_weight: Literal["dot", "binary", "heat", "poly"] | None = None,
        heat_width: float | None = None,
        heat_rule: Literal["mean", "median", "pairs", "local"] = "mean",
        local_neighbor: int = 7,
        poly_degree: int = 2,
        poly_offset: float = 1,
        symmetry: Literal["union", "mutual", "sum"] = "union",
        tol: float = 1e-08,
        max_iter: int = 300,
        solver: Literal["auto", "dense", "arpack", "lanczos", "shift-invert", "slepc"] = "auto",
        verify: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.normalize_rows = normalize_rows
        self.responses = responses
        self.penalty = penalty
        self.cardinality = cardinality
        self.alpha = alpha
        self.neighbors_method = neighbors_method
        self.epsilon = epsilon
        self.edge_weight = edge_weight
        self.heat_width = heat_width
        self.heat_rule = heat_rule
        self.local_neighbor = local_neighbor
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.symmetry = symmetry
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.verify = verify
        self.n_jobs = n_jobs


class LPP(Predicts, Transforms, Estimator):
    """Locality preserving projections: linear coordinates that follow the graph, then k-means.

    Finds linear coordinates X·a that vary least over the edges of a graph W of the documents: XᵀLX
    a = λ XᵀDX a with the smallest λ, where D holds the row sums of W, L = D − W and the rows of X
    are centred. With weights 1/m within each class of m documents in place of the neighbour graph
    this is linear discriminant analysis; the largest values of XᵀLX a = λ a for the complete graph
    are the principal components.

    Reference: He and Niyogi 2003; Cai, He and Han 2008 (SPG), eq. (3); He, Yan, Hu, Niyogi and Zhang 2005

    Parameters
    ----------
    n_components : default 2
        dimensions of the embedding.
    n_clusters : default None
        number of clusters; None: an embedding alone, if n_components is set.
    n_neighbors : default 7
        nearest neighbours of each document in the graph.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    normalize_rows : default False
        scale each document's row of the embedding to length 1.
    edges : default None
        edges of the graph over the documents: between nearest neighbours, within the classes of the
        known labels (which gives discriminant analysis) or between all documents alike (which gives
        principal components) (neighbors, classes, pca); None: classes with labels, else neighbors.
    alpha : default 1
        weight of the ridge in the regression on the terms; 0 is none.
    neighbors_method : default "auto"
        search for neighbours: exact; approx, which finds nearly all of them in time proportional to
        the documents; auto is approx from 200,000 documents or 50,000 dense rows on where that is
        faster (auto, exact, approx).
    epsilon : default None
        join all documents within this distance, in place of the nearest neighbours.
    edge_weight : default None
        weight of an edge (dot, binary, heat, poly); None: dot for sparse data, heat for dense data.
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the mean squared distance over the edges.
    heat_rule : default "mean"
        how the width of the heat kernel is found: the mean or the median of d² over the edges, the
        mean over all pairs, or local: a scale for each document (mean, median, pairs, local).
    local_neighbor : default 7
        the neighbour whose distance is the scale of a document.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    symmetry : default "union"
        an edge if either document is among the other's neighbours, if both are, or their sum
        (union, mutual, sum).
    solver : default "auto"
        eigensolver (auto, dense, arpack, lanczos).
    tol : default 1e-08
        largest residual of an eigenpair that counts as found.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row; without n_clusters none.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "lpp"
    _labels = "optional"
    _links = "none"
    _embeds = True
    _classes_first = False
    _flags = {
        "n_components": "dims",
        "n_clusters": "clusters",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "normalize_rows": "normalize-rows",
        "edges": "edges",
        "alpha": "alpha",
        "neighbors_method": "neighbors-method",
        "epsilon": "epsilon",
        "edge_weight": "edge-weight",
        "heat_width": "heat-width",
        "heat_rule": "heat-rule",
        "local_neighbor": "local-neighbor",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "symmetry": "symmetry",
        "solver": "solver",
        "tol": "tol",
    }

    def __init__(
        self,
        n_components: int = 2,
        n_clusters: int | str | None = None,
        *,
        n_neighbors: int = 7,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        normalize_rows: bool = False,
        edges: Literal["neighbors", "classes", "pca"] | None = None,
        alpha: float = 1,
        neighbors_method: Literal["auto", "exact", "approx"] = "auto",
        epsilon: float | None = None,
        edge_weight: Literal["dot", "binary", "heat", "poly"] | None = None,
        heat_width: float | None = None,
        heat_rule: Literal["mean", "median", "pairs", "local"] = "mean",
        local_neighbor: int = 7,
        poly_degree: int = 2,
        poly_offset: float = 1,
        symmetry: Literal["union", "mutual", "sum"] = "union",
        solver: Literal["auto", "dense", "arpack", "lanczos"] = "auto",
        tol: float = 1e-08,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.normalize_rows = normalize_rows
        self.edges = edges
        self.alpha = alpha
        self.neighbors_method = neighbors_method
        self.epsilon = epsilon
        self.edge_weight = edge_weight
        self.heat_width = heat_width
        self.heat_rule = heat_rule
        self.local_neighbor = local_neighbor
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.symmetry = symmetry
        self.solver = solver
        self.tol = tol
        self.n_jobs = n_jobs


class LDA(Predicts, Transforms, Estimator):
    """Linear discriminant analysis of the known labels, then k-means.

    Finds the K − 1 directions in which the means of K classes lie farthest apart, measured by the
    spread within the classes: S_b a = μ (S_t + αI) a with the largest μ, where S_b is the scatter
    between the classes and S_t the total scatter. Documents without a label are projected.

    Reference: Fisher 1936; Friedman 1989 for the ridge; Cai, He and Han 2008 (SRDA) for the regressions

    Parameters
    ----------
    n_components : default None
        dimensions of the embedding; None: one fewer than the classes given.
    n_clusters : default None
        number of clusters; None: an embedding alone, if n_components is set.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    normalize_rows : default False
        scale each document's row of the embedding to length 1.
    alpha : default None
        weight of the ridge, in the units of the scatter within classes; 0 is none; None: by the
        estimate of Ledoit and Wolf.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row; without n_clusters none.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "lda"
    _labels = "required"
    _links = "none"
    _embeds = True
    _classes_first = False
    _flags = {
        "n_components": "dims",
        "n_clusters": "clusters",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "normalize_rows": "normalize-rows",
        "alpha": "alpha",
    }

    def __init__(
        self,
        n_components: int | None = None,
        n_clusters: int | str | None = None,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        normalize_rows: bool = False,
        alpha: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.normalize_rows = normalize_rows
        self.alpha = alpha
        self.n_jobs = n_jobs


class SparsePCA(Predicts, Transforms, Estimator):
    """Sparse principal components: few terms each, then k-means.

    Minimises Σ ‖x_i − A Bᵀx_i‖² + α Σ ‖b_j‖² + Σ β_j ‖b_j‖₁ over A with AᵀA = I and B by turns: for
    given A each b_j is an elastic net, for given B the matrix A is a polar factor. It starts from
    the principal components. The loadings b_j have the number of terms wanted, the others are zero.

    Reference: Zou, Hastie and Tibshirani 2006, Sparse principal component analysis

    Parameters
    ----------
    n_components : default 2
        dimensions of the embedding.
    n_clusters : default None
        number of clusters; None: an embedding alone, if n_components is set.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    normalize_rows : default False
        scale each document's row of the embedding to length 1.
    cardinality : default 75
        terms of a component: their number, or their share of all terms.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row; without n_clusters none.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "spca"
    _labels = "none"
    _links = "none"
    _embeds = True
    _classes_first = False
    _flags = {
        "n_components": "dims",
        "n_clusters": "clusters",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "normalize_rows": "normalize-rows",
        "cardinality": "cardinality",
    }

    def __init__(
        self,
        n_components: int = 2,
        n_clusters: int | str | None = None,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        normalize_rows: bool = False,
        cardinality: float = 75,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.normalize_rows = normalize_rows
        self.cardinality = cardinality
        self.n_jobs = n_jobs


class LECAS(Predicts, Transforms, Clusters, Estimator):
    """Le on a graph whose edges between clusters of a first clustering are weakened, then k-means.

    Finds a first clustering, by kernel k-means with the number of clusters of the best silhouette,
    or takes the known labels. An edge between documents of clusters a ≠ b gets the weight exp(−‖u_a
    − u_b‖²/σ)·exp(−‖x_i − x_j‖²/σ), where u are the means of the clusters; then Laplacian
    Eigenmaps; the paper leaves out the eigenvectors of eigenvalue 0, which tell parts of the graph
    apart.

    Reference: Zhou and Wang 2019, sections 2.1-2.2 and 4.2

    Parameters
    ----------
    n_clusters : default 8
        number of clusters; auto, or a range such as 2-40, chooses it.
    n_components : default None
        dimensions of the embedding; None: the number of clusters or classes.
    n_neighbors : default 10
        nearest neighbours of each document in the graph.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    first_clustering : default None
        first clustering: kernel-k-means, k-means, or the known labels (kernel-k-means, k-means,
        labels); None: labels if they are given, else kernel-k-means.
    first_clusters : default None
        clusters of the first clustering; None: 0: the number from 2 to 10 with the best silhouette.
    first_starts : default 5
        starts of the first clustering for each number of clusters.
    simplified : default False
        silhouettes of the first clustering from distances to its means, which takes less time.
    kernel : default "gaussian"
        kernel of the first clustering (gaussian, polynomial, linear).
    sigma : default None
        σ in exp(-d²/σ) of edges and of centroids; None: the mean of d² over all pairs of documents.
    denominator : default "sigma"
        what d² is divided by in both heat kernels (sigma, sigma^2).
    drop_first : default False
        skip the constant eigenvector, as embed does with le and semi-le.
    drop_zeros : default False
        skip every eigenvector of eigenvalue 0.
    normalize_rows : default False
        scale each document's row of the embedding to length 1.
    neighbors_method : default "auto"
        search for neighbours: exact; approx, which finds nearly all of them in time proportional to
        the documents; auto is approx from 200,000 documents or 50,000 dense rows on where that is
        faster (auto, exact, approx).
    epsilon : default None
        join all documents within this distance, in place of the nearest neighbours.
    edge_weight : default "heat"
        weight of an edge (dot, binary, heat, poly).
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the denominator of the other heat kernel.
    heat_rule : default None
        how the width of the heat kernel is found: the mean or the median of d² over the edges, the
        mean over all pairs, or local: a scale for each document (mean, median, pairs, local); None:
        none: the width is the denominator of the other heat kernel.
    local_neighbor : default 7
        the neighbour whose distance is the scale of a document.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    symmetry : default "union"
        an edge if either document is among the other's neighbours, if both are, or their sum
        (union, mutual, sum).
    tol : default 1e-08
        largest residual of an eigenpair that counts as found.
    max_iter : default 300
        most restarts of the eigensolver.
    solver : default "auto"
        eigensolver (auto, dense, arpack, lanczos, shift-invert, slepc).
    verify : default False
        count the eigenvalues by inertia after the solve; a missing one is an error.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "le-cas"
    _labels = "optional"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_clusters": "clusters",
        "n_components": "dims",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "first_clustering": "first-clustering",
        "first_clusters": "first-clusters",
        "first_starts": "first-starts",
        "simplified": "simplified",
        "kernel": "kernel",
        "sigma": "sigma",
        "denominator": "denominator",
        "drop_first": "drop-first",
        "drop_zeros": "drop-zeros",
        "normalize_rows": "normalize-rows",
        "neighbors_method": "neighbors-method",
        "epsilon": "epsilon",
        "edge_weight": "edge-weight",
        "heat_width": "heat-width",
        "heat_rule": "heat-rule",
        "local_neighbor": "local-neighbor",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "symmetry": "symmetry",
        "tol": "tol",
        "max_iter": "max-iter",
        "solver": "solver",
        "verify": "verify",
    }

    def __init__(
        self,
        n_clusters: int | str | None = 8,
        n_components: int | None = None,
        *,
        n_neighbors: int = 10,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        first_clustering: Literal["kernel-k-means", "k-means", "labels"] | None = None,
        first_clusters: int | None = None,
        first_starts: int = 5,
        simplified: bool = False,
        kernel: Literal["gaussian", "polynomial", "linear"] = "gaussian",
        sigma: float | None = None,
        denominator: Literal["sigma", "sigma^2"] = "sigma",
        drop_first: bool = False,
        drop_zeros: bool = False,
        normalize_rows: bool = False,
        neighbors_method: Literal["auto", "exact", "approx"] = "auto",
        epsilon: float | None = None,
        edge_weight: Literal["dot", "binary", "heat", "poly"] = "heat",
        heat_width: float | None = None,
        heat_rule: Literal["mean", "median", "pairs", "local"] | None = None,
        local_neighbor: int = 7,
        poly_degree: int = 2,
        poly_offset: float = 1,
        symmetry: Literal["union", "mutual", "sum"] = "union",
        tol: float = 1e-08,
        max_iter: int = 300,
        solver: Literal["auto", "dense", "arpack", "lanczos", "shift-invert", "slepc"] = "auto",
        verify: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.first_clustering = first_clustering
        self.first_clusters = first_clusters
        self.first_starts = first_starts
        self.simplified = simplified
        self.kernel = kernel
        self.sigma = sigma
        self.denominator = denominator
        self.drop_first = drop_first
        self.drop_zeros = drop_zeros
        self.normalize_rows = normalize_rows
        self.neighbors_method = neighbors_method
        self.epsilon = epsilon
        self.edge_weight = edge_weight
        self.heat_width = heat_width
        self.heat_rule = heat_rule
        self.local_neighbor = local_neighbor
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.symmetry = symmetry
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.verify = verify
        self.n_jobs = n_jobs


class GGLE(Embeds, Estimator):
    """Le on a graph of the nearest along the neighbour graph, with generalised Gaussian weights.

    Measures distances d along shortest paths over the neighbour graph, joins each document to its
    nearest by d, more than the graph has neighbours, with the weight exp(−d^p/t), and embeds that
    graph by Laplacian Eigenmaps. p = 2 is the heat kernel.

    Reference: Zeng, Luo, Wang and Zhao 2009, as described by Zhou and Wang 2019

    Parameters
    ----------
    n_components : default 2
        dimensions of the embedding.
    n_clusters : default None
        number of clusters; None: an embedding alone, if n_components is set.
    n_neighbors : default 15
        nearest neighbours of each document in the graph.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    reach : default None
        documents, nearest by paths along the graph, that each document is joined to; None: three
        times the neighbors.
    shape : default 2
        p in the generalised Gaussian exp(-d^p/t).
    heat_width : default None
        t in the generalised Gaussian exp(-d^p/t); None: the mean of d^p over the edges.
    drop_first : default False
        skip the constant eigenvector, as embed does with le and semi-le.
    drop_zeros : default False
        skip every eigenvector of eigenvalue 0.
    normalize_rows : default False
        scale each document's row of the embedding to length 1.
    epsilon : default None
        join all documents within this distance, in place of the nearest neighbours.
    symmetry : default "union"
        an edge if either document is among the other's neighbours, if both are, or their sum
        (union, mutual, sum).
    tol : default 1e-08
        largest residual of an eigenpair that counts as found.
    max_iter : default 300
        most restarts of the eigensolver.
    solver : default "auto"
        eigensolver (auto, dense, arpack, lanczos, shift-invert, slepc).
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row; without n_clusters none.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "ggle"
    _labels = "none"
    _links = "none"
    _embeds = True
    _classes_first = False
    _flags = {
        "n_components": "dims",
        "n_clusters": "clusters",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "reach": "reach",
        "shape": "shape",
        "heat_width": "heat-width",
        "drop_first": "drop-first",
        "drop_zeros": "drop-zeros",
        "normalize_rows": "normalize-rows",
        "epsilon": "epsilon",
        "symmetry": "symmetry",
        "tol": "tol",
        "max_iter": "max-iter",
        "solver": "solver",
    }

    def __init__(
        self,
        n_components: int = 2,
        n_clusters: int | str | None = None,
        *,
        n_neighbors: int = 15,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        reach: int | None = None,
        shape: float = 2,
        heat_width: float | None = None,
        drop_first: bool = False,
        drop_zeros: bool = False,
        normalize_rows: bool = False,
        epsilon: float | None = None,
        symmetry: Literal["union", "mutual", "sum"] = "union",
        tol: float = 1e-08,
        max_iter: int = 300,
        solver: Literal["auto", "dense", "arpack", "lanczos", "shift-invert", "slepc"] = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.reach = reach
        self.shape = shape
        self.heat_width = heat_width
        self.drop_first = drop_first
        self.drop_zeros = drop_zeros
        self.normalize_rows = normalize_rows
        self.epsilon = epsilon
        self.symmetry = symmetry
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.n_jobs = n_jobs


class SLE(Embeds, Estimator):
    """Le on a graph whose neighbourhoods end where the data bend, then k-means.

    Takes the nearest documents one after the other into a neighbourhood, which ends before the
    first one whose shortest path over the graph of the very nearest is more than a threshold times
    its straight distance; then Laplacian Eigenmaps on the graph of these neighbourhoods.

    Reference: Raducanu and Dornaika 2012, as described by Zhou and Wang 2019

    Parameters
    ----------
    n_components : default 2
        dimensions of the embedding.
    n_clusters : default None
        number of clusters; None: an embedding alone, if n_components is set.
    n_neighbors : default 15
        nearest neighbours of each document in the graph.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    min_neighbors : default None
        neighbours that every document keeps; None: a third of the neighbors.
    ratio : default None
        largest ratio of path to straight distance within a neighbourhood; None: the harmonic mean
        of all.
    drop_first : default False
        skip the constant eigenvector, as embed does with le and semi-le.
    drop_zeros : default False
        skip every eigenvector of eigenvalue 0.
    normalize_rows : default False
        scale each document's row of the embedding to length 1.
    edge_weight : default "heat"
        weight of an edge (dot, binary, heat, poly).
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the mean squared distance over the edges.
    heat_rule : default "mean"
        how the width of the heat kernel is found: the mean or the median of d² over the edges, the
        mean over all pairs, or local: a scale for each document (mean, median, pairs, local).
    local_neighbor : default 7
        the neighbour whose distance is the scale of a document.
    tol : default 1e-08
        largest residual of an eigenpair that counts as found.
    max_iter : default 300
        most restarts of the eigensolver.
    solver : default "auto"
        eigensolver (auto, dense, arpack, lanczos, shift-invert, slepc).
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row; without n_clusters none.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "s-le"
    _labels = "none"
    _links = "none"
    _embeds = True
    _classes_first = False
    _flags = {
        "n_components": "dims",
        "n_clusters": "clusters",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "min_neighbors": "min-neighbors",
        "ratio": "ratio",
        "drop_first": "drop-first",
        "drop_zeros": "drop-zeros",
        "normalize_rows": "normalize-rows",
        "edge_weight": "edge-weight",
        "heat_width": "heat-width",
        "heat_rule": "heat-rule",
        "local_neighbor": "local-neighbor",
        "tol": "tol",
        "max_iter": "max-iter",
        "solver": "solver",
    }

    def __init__(
        self,
        n_components: int = 2,
        n_clusters: int | str | None = None,
        *,
        n_neighbors: int = 15,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        min_neighbors: int | None = None,
        ratio: float | None = None,
        drop_first: bool = False,
        drop_zeros: bool = False,
        normalize_rows: bool = False,
        edge_weight: Literal["dot", "binary", "heat", "poly"] = "heat",
        heat_width: float | None = None,
        heat_rule: Literal["mean", "median", "pairs", "local"] = "mean",
        local_neighbor: int = 7,
        tol: float = 1e-08,
        max_iter: int = 300,
        solver: Literal["auto", "dense", "arpack", "lanczos", "shift-invert", "slepc"] = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.min_neighbors = min_neighbors
        self.ratio = ratio
        self.drop_first = drop_first
        self.drop_zeros = drop_zeros
        self.normalize_rows = normalize_rows
        self.edge_weight = edge_weight
        self.heat_width = heat_width
        self.heat_rule = heat_rule
        self.local_neighbor = local_neighbor
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.n_jobs = n_jobs


class SCPLE(Embeds, Estimator):
    """A map that draws neighbours of one class together and separates near ones of other classes, by known labels.

    Joins each labelled document to its nearest of its own class, with weights W, and to its nearest
    of the others, with weights B, and maximises yᵀ(γ·L_B + (1−γ)·W)y subject to yᵀD_W y = 1. A
    document without a label is placed between its five nearest with one, weighted by 1/distance².

    Reference: Ning, Liu and Deng 2016, as described by Zhou and Wang 2019

    Parameters
    ----------
    n_components : default None
        dimensions of the embedding; None: the number of clusters or classes.
    n_clusters : default None
        number of clusters; None: an embedding alone, if n_components is set.
    n_neighbors : default 15
        nearest neighbours of each document in the graph.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    gamma : default 0.01
        weight of the graph between classes against that within them.
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the mean of d² over all candidates.
    normalize_rows : default False
        scale each document's row of the embedding to length 1.
    tol : default 1e-08
        largest residual of an eigenpair that counts as found.
    max_iter : default 5000
        most restarts of the eigensolver.
    solver : default "auto"
        eigensolver (auto, dense, arpack, lanczos, shift-invert, slepc).
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row; without n_clusters none.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "scple"
    _labels = "required"
    _links = "none"
    _embeds = True
    _classes_first = False
    _flags = {
        "n_components": "dims",
        "n_clusters": "clusters",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "gamma": "gamma",
        "heat_width": "heat-width",
        "normalize_rows": "normalize-rows",
        "tol": "tol",
        "max_iter": "max-iter",
        "solver": "solver",
    }

    def __init__(
        self,
        n_components: int | None = None,
        n_clusters: int | str | None = None,
        *,
        n_neighbors: int = 15,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        gamma: float = 0.01,
        heat_width: float | None = None,
        normalize_rows: bool = False,
        tol: float = 1e-08,
        max_iter: int = 5000,
        solver: Literal["auto", "dense", "arpack", "lanczos", "shift-invert", "slepc"] = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.gamma = gamma
        self.heat_width = heat_width
        self.normalize_rows = normalize_rows
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.n_jobs = n_jobs


class Isomap(Predicts, Transforms, Estimator):
    """Coordinates that keep distances along the neighbour graph, then k-means.

    Measures between documents the shortest paths d_ij along the edges of the neighbour graph, and
    takes as coordinates √λ·v of the largest eigenpairs of B = −½·J·[d_ij²]·J, J = I − 11ᵀ/n:
    straight distances that come as near to the paths as they can. In large corpora landmarks are
    scaled so, and the others placed by their paths to the landmarks.

    Reference: Tenenbaum, de Silva and Langford 2000, Science 290; landmarks: de Silva and Tenenbaum 2004

    Parameters
    ----------
    n_components : default 2
        dimensions of the embedding.
    n_clusters : default None
        number of clusters; None: an embedding alone, if n_components is set.
    n_neighbors : default 15
        nearest neighbours of each document in the graph.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    normalize_rows : default False
        scale each document's row of the embedding to length 1.
    parts : default "join"
        of a graph that is not connected: all parts joined by shortest links, or its largest part
        (join, largest).
    landmarks : default None
        landmarks, whose distances alone are scaled; they place the other documents; None: none up
        to 11,585 documents, else 1000.
    landmark_pick : default "random"
        how landmarks are chosen: drawn at random, or each the farthest from those before it
        (random, maxmin).
    epsilon : default None
        join all documents within this distance, in place of the nearest neighbours.
    symmetry : default "union"
        an edge if either document is among the other's neighbours, if both are, or their sum
        (union, mutual, sum).
    tol : default 1e-10
        largest residual of an eigenpair that counts as found.
    max_iter : default 300
        most restarts of the eigensolver.
    solver : default "auto"
        eigensolver (auto, dense, arpack, lanczos, shift-invert, slepc).
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row; without n_clusters none.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "isomap"
    _labels = "none"
    _links = "none"
    _embeds = True
    _classes_first = False
    _flags = {
        "n_components": "dims",
        "n_clusters": "clusters",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "normalize_rows": "normalize-rows",
        "parts": "parts",
        "landmarks": "landmarks",
        "landmark_pick": "landmark-pick",
        "epsilon": "epsilon",
        "symmetry": "symmetry",
        "tol": "tol",
        "max_iter": "max-iter",
        "solver": "solver",
    }

    def __init__(
        self,
        n_components: int = 2,
        n_clusters: int | str | None = None,
        *,
        n_neighbors: int = 15,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        normalize_rows: bool = False,
        parts: Literal["join", "largest"] = "join",
        landmarks: int | None = None,
        landmark_pick: Literal["random", "maxmin"] = "random",
        epsilon: float | None = None,
        symmetry: Literal["union", "mutual", "sum"] = "union",
        tol: float = 1e-10,
        max_iter: int = 300,
        solver: Literal["auto", "dense", "arpack", "lanczos", "shift-invert", "slepc"] = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.normalize_rows = normalize_rows
        self.parts = parts
        self.landmarks = landmarks
        self.landmark_pick = landmark_pick
        self.epsilon = epsilon
        self.symmetry = symmetry
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.n_jobs = n_jobs


class LocallyLinearEmbedding(Predicts, Transforms, Estimator):
    """Locally linear embedding: each document as its neighbours reconstruct it, then k-means.

    Finds for each document x_i weights of its nearest neighbours, of sum 1, that minimise ‖x_i −
    Σ_j w_ij·x_j‖², and takes the coordinates y of mean 0 and covariance I that the same weights
    reconstruct best: the eigenvectors of (I − W)ᵀ(I − W) with the smallest eigenvalues, without the
    constant. In large corpora the documents are reconstructed from landmarks.

    Reference: Roweis and Saul 2000, Science 290; Saul and Roweis 2003, Journal of Machine Learning Research 4

    Parameters
    ----------
    n_components : default 2
        dimensions of the embedding.
    n_clusters : default None
        number of clusters; None: an embedding alone, if n_components is set.
    n_neighbors : default 15
        nearest neighbours that reconstruct each document.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    normalize_rows : default False
        scale each document's row of the embedding to length 1.
    regularization : default 0.001
        what the diagonal of a local Gram matrix gets, as a share of its trace.
    parts : default "largest"
        of a graph that is not connected: its largest part, or all parts as they are (largest, all).
    landmarks : default None
        landmarks, from which the other documents are reconstructed; None: none up to 4,000
        documents, else 1000.
    landmark_neighbors : default None
        nearest landmarks that reconstruct each document; None: dimensions + 1.
    tol : default 1e-10
        largest residual of an eigenpair that counts as found.
    max_iter : default 300
        most restarts of the eigensolver.
    solver : default "auto"
        eigensolver (auto, dense, arpack, lanczos, shift-invert, slepc).
    verify : default False
        count the eigenvalues by inertia after the solve; a missing one is an error.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row; without n_clusters none.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "lle"
    _labels = "none"
    _links = "none"
    _embeds = True
    _classes_first = False
    _flags = {
        "n_components": "dims",
        "n_clusters": "clusters",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "normalize_rows": "normalize-rows",
        "regularization": "regularization",
        "parts": "parts",
        "landmarks": "landmarks",
        "landmark_neighbors": "landmark-neighbors",
        "tol": "tol",
        "max_iter": "max-iter",
        "solver": "solver",
        "verify": "verify",
    }

    def __init__(
        self,
        n_components: int = 2,
        n_clusters: int | str | None = None,
        *,
        n_neighbors: int = 15,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        normalize_rows: bool = False,
        regularization: float = 0.001,
        parts: Literal["largest", "all"] = "largest",
        landmarks: int | None = None,
        landmark_neighbors: int | None = None,
        tol: float = 1e-10,
        max_iter: int = 300,
        solver: Literal["auto", "dense", "arpack", "lanczos", "shift-invert", "slepc"] = "auto",
        verify: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.normalize_rows = normalize_rows
        self.regularization = regularization
        self.parts = parts
        self.landmarks = landmarks
        self.landmark_neighbors = landmark_neighbors
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.verify = verify
        self.n_jobs = n_jobs


class PLSA(Predicts, Transforms, Doubts, Clusters, Estimator):
    """Topics of term counts, by name; known labels make topics of their classes.

    Finds K topics, distributions over the terms, by EM. Kind clustering: each document belongs to
    one topic z and draws its words from it, L = Σ_i log Σ_k P(z_k) Π_j Θ_kj^n_ij. Kind aspect: each
    word has a topic of its own, L = Σ_ij n_ij log Σ_k P(z_k|d_i) Θ_kj. Documents with a label stay
    in their class. The shares of the topics are the coordinates of a document.

    Reference: Hofmann 2001; Liu, Hsaio, Lee and Gou 2014, Semi-supervised linear discriminant clustering, algorithm 1

    Parameters
    ----------
    n_clusters : default 8
        number of clusters; auto, or a range such as 2-40, chooses it; at least as many as y has
        classes.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    kind : default "clustering"
        what a topic explains: clustering: documents, each of one topic; aspect: words, documents
        being mixtures (clustering, aspect).
    smoothing : default 0.1
        what is added to every term of every topic, in units of the average count.
    plsa_tol : default 1e-06
        stop when a step raises the objective by no more than this share of it.
    em_iter : default 200
        most iterations of a run of EM.
    n_init : default 10
        starts, of which the best is kept (one if known labels start every cluster).
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    embedding_
        coordinates of each row.
    probabilities_
        probability of each cluster, for each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "plsa"
    _labels = "optional"
    _links = "none"
    _embeds = False
    _classes_first = True
    _flags = {
        "n_clusters": "clusters",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "map": "map",
        "kind": "kind",
        "smoothing": "smoothing",
        "plsa_tol": "plsa-tol",
        "em_iter": "em-iter",
        "n_init": "restarts",
    }

    def __init__(
        self,
        n_clusters: int | str | None = 8,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        map: bool = False,
        kind: Literal["clustering", "aspect"] = "clustering",
        smoothing: float = 0.1,
        plsa_tol: float = 1e-06,
        em_iter: int = 200,
        n_init: int = 10,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.map = map
        self.kind = kind
        self.smoothing = smoothing
        self.plsa_tol = plsa_tol
        self.em_iter = em_iter
        self.n_init = n_init
        self.n_jobs = n_jobs


class SemiLDC(Predicts, Transforms, Classifies, Estimator):
    """Soft labels, soft discriminants and k-means, from known labels: classes of all documents.

    Gives each document soft labels, by constrained plsa or by label propagation, finds the K − 1
    directions that separate the soft classes, S_b a = λ (S_w + μI) a, after a reduction to
    principal components or in the feature space of a kernel, and runs k-means there, in which
    documents with a known label stay in their class.

    Reference: Liu, Hsaio, Lee and Gou 2014, Semi-supervised linear discriminant clustering, algorithm 2

    Parameters
    ----------
    n_components : default None
        dimensions of the embedding; None: one fewer than the classes given.
    n_neighbors : default None
        nearest neighbours of each document in the graph; None: 15 of sparse data, 7 of dense data,
        or all others if there are fewer.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    soft_labels : default None
        soft labels: plsa (constrained by the known labels), propagation (over the neighbour graph)
        or hard (the known labels alone) (plsa, propagation, hard); None: plsa for sparse data
        without negative entries, else propagation.
    keep_lengths : default False
        give plsa documents of their own lengths, which otherwise are bounded by five times the
        median.
    reduction : default None
        reduce documents to principal components, to as many independent components (ica), or not
        (pca, ica, none); None: pca, or none if its spectrum would take most of the time.
    pca : default None
        principal components: their number, or the share of the variance that they explain, such as
        0.9; None: 0.9 of the variance.
    discriminant : default "linear"
        directions in the space of the documents, or in the feature space of a Gaussian kernel
        (which takes 16 n² bytes of memory for n documents) (linear, kernel).
    sigma : default None
        σ in the Gaussian kernel exp(-d²/σ); None: the mean of d² over all pairs of documents.
    mu : default 0.1
        regulariser of the discriminants, as a share of the mean variance within classes.
    rule : default "constrained"
        known labels in the k-means: documents stay in their class (constrained), or labels only
        start it (seeded) (constrained, seeded).
    kmeans_iter : default 300
        most iterations of k-means.
    class_shares : default "auto"
        shares of the classes among the documents without a label, by which documents between two
        classes are decided: auto (found if the documents plainly contradict the known labels, else
        none), labels (none: the nearest centre, as in the paper), estimated, or a list such as
        a=0.9,b=0.1.
    smoothing : default 0.1
        what is added to every term of every topic, in units of the average count.
    plsa_tol : default 1e-06
        stop when a step raises the objective by no more than this share of it.
    em_iter : default 200
        most iterations of a run of EM.
    form : default "nie"
        form of label propagation: nie (walks with a novel class), zhou (consistency) or zhu
        (harmonic) (nie, zhou, zhu).
    spread : default 0.99
        share of its neighbours in the scores of a document.
    spread_of_labeled : default 0
        share of its neighbours in the scores of a document with a known label: above 0 neighbours
        may change labels.
    class_mass : default False
        scale the scores so that classes are as frequent as ``class_shares`` says.
    neighbors_method : default "auto"
        search for neighbours: exact; approx, which finds nearly all of them in time proportional to
        the documents; auto is approx from 200,000 documents or 50,000 dense rows on where that is
        faster (auto, exact, approx).
    epsilon : default None
        join all documents within this distance, in place of the nearest neighbours.
    edge_weight : default None
        weight of an edge (dot, binary, heat, poly); None: dot for sparse data, heat for dense data.
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the mean squared distance over the edges.
    heat_rule : default "mean"
        how the width of the heat kernel is found: the mean or the median of d² over the edges, the
        mean over all pairs, or local: a scale for each document (mean, median, pairs, local).
    local_neighbor : default 7
        the neighbour whose distance is the scale of a document.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    symmetry : default "union"
        an edge if either document is among the other's neighbours, if both are, or their sum
        (union, mutual, sum).
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    transduction_
        class of each row, as a label of y.
    classes_
        the labels of y that are known.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "semi-ldc"
    _labels = "required"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_components": "dims",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "map": "map",
        "soft_labels": "soft-labels",
        "keep_lengths": "keep-lengths",
        "reduction": "reduction",
        "pca": "pca",
        "discriminant": "discriminant",
        "sigma": "sigma",
        "mu": "mu",
        "rule": "rule",
        "kmeans_iter": "kmeans-iter",
        "class_shares": "class-shares",
        "smoothing": "smoothing",
        "plsa_tol": "plsa-tol",
        "em_iter": "em-iter",
        "form": "form",
        "spread": "spread",
        "spread_of_labeled": "spread-of-labeled",
        "class_mass": "class-mass",
        "neighbors_method": "neighbors-method",
        "epsilon": "epsilon",
        "edge_weight": "edge-weight",
        "heat_width": "heat-width",
        "heat_rule": "heat-rule",
        "local_neighbor": "local-neighbor",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "symmetry": "symmetry",
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        n_neighbors: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        map: bool = False,
        soft_labels: Literal["plsa", "propagation", "hard"] | None = None,
        keep_lengths: bool = False,
        reduction: Literal["pca", "ica", "none"] | None = None,
        pca: float | None = None,
        discriminant: Literal["linear", "kernel"] = "linear",
        sigma: float | None = None,
        mu: float = 0.1,
        rule: Literal["constrained", "seeded"] = "constrained",
        kmeans_iter: int = 300,
        class_shares: str = "auto",
        smoothing: float = 0.1,
        plsa_tol: float = 1e-06,
        em_iter: int = 200,
        form: Literal["nie", "zhou", "zhu"] = "nie",
        spread: float = 0.99,
        spread_of_labeled: float = 0,
        class_mass: bool = False,
        neighbors_method: Literal["auto", "exact", "approx"] = "auto",
        epsilon: float | None = None,
        edge_weight: Literal["dot", "binary", "heat", "poly"] | None = None,
        heat_width: float | None = None,
        heat_rule: Literal["mean", "median", "pairs", "local"] = "mean",
        local_neighbor: int = 7,
        poly_degree: int = 2,
        poly_offset: float = 1,
        symmetry: Literal["union", "mutual", "sum"] = "union",
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.map = map
        self.soft_labels = soft_labels
        self.keep_lengths = keep_lengths
        self.reduction = reduction
        self.pca = pca
        self.discriminant = discriminant
        self.sigma = sigma
        self.mu = mu
        self.rule = rule
        self.kmeans_iter = kmeans_iter
        self.class_shares = class_shares
        self.smoothing = smoothing
        self.plsa_tol = plsa_tol
        self.em_iter = em_iter
        self.form = form
        self.spread = spread
        self.spread_of_labeled = spread_of_labeled
        self.class_mass = class_mass
        self.neighbors_method = neighbors_method
        self.epsilon = epsilon
        self.edge_weight = edge_weight
        self.heat_width = heat_width
        self.heat_rule = heat_rule
        self.local_neighbor = local_neighbor
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.symmetry = symmetry
        self.n_jobs = n_jobs


class ConstrainedKMeans(Predicts, Classifies, Estimator):
    """K-means in which documents with a known label stay in its class.

    k-means whose cluster c starts at the mean of the documents with a label of class c. These stay
    in their class in every iteration; all others go to the nearest centre.

    Reference: Basu, Banerjee and Mooney 2002, ICML: Constrained-KMeans

    Parameters
    ----------
    n_clusters : default None
        number of clusters; None: as many as y has classes; at least as many as y has classes.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    n_init : default 10
        starts, of which the best is kept; one if known labels start every cluster.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    transduction_
        class of each row, as a label of y.
    classes_
        the labels of y that are known.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "ckmeans"
    _labels = "required"
    _links = "none"
    _embeds = False
    _classes_first = True
    _flags = {
        "n_clusters": "clusters",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "map": "map",
        "n_init": "restarts",
        "kmeans_iter": "kmeans-iter",
    }

    def __init__(
        self,
        n_clusters: int | str | None = None,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        map: bool = False,
        n_init: int = 10,
        kmeans_iter: int = 300,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.map = map
        self.n_init = n_init
        self.kmeans_iter = kmeans_iter
        self.n_jobs = n_jobs


class Pckmeans(Predicts, Classifies, Estimator):
    """K-means under must-links, cannot-links and known labels, for any number of clusters.

    k-means in which documents that must-links join go to one cluster together, documents that a
    cannot-link parts go to different ones, or pay a weight, and documents with a known label stay
    in its class. All others go to the nearest centre.

    Reference: Basu, Banerjee and Mooney 2004, SDM: PCKMeans; Wagstaff, Cardie, Rogers and Schrödl 2001, ICML: COP-KMeans

    Parameters
    ----------
    n_clusters : default None
        number of clusters; None: as many as y has classes; at least as many as y has classes.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    links : default "enforce"
        cannot-links: keep all of them (enforce), or let each that is not kept cost ``link_weight``
        (weigh); must-links are kept (enforce, weigh).
    link_weight : default 1
        what a cannot-link that is not kept costs, in units of the mean squared distance of
        documents from their mean.
    n_init : default 10
        starts, of which the best is kept.
    kmeans_iter : default 100
        most iterations of one start of k-means.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    transduction_
        class of each row, as a label of y.
    classes_
        the labels of y that are known.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "pckmeans"
    _labels = "required"
    _links = "required"
    _embeds = False
    _classes_first = True
    _flags = {
        "n_clusters": "clusters",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "map": "map",
        "links": "links",
        "link_weight": "link-weight",
        "n_init": "restarts",
        "kmeans_iter": "kmeans-iter",
    }

    def __init__(
        self,
        n_clusters: int | str | None = None,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        map: bool = False,
        links: Literal["enforce", "weigh"] = "enforce",
        link_weight: float = 1,
        n_init: int = 10,
        kmeans_iter: int = 100,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.map = map
        self.links = links
        self.link_weight = link_weight
        self.n_init = n_init
        self.kmeans_iter = kmeans_iter
        self.n_jobs = n_jobs


class SeededKMeans(Predicts, Classifies, Estimator):
    """K-means that starts at the means of the known labels.

    k-means whose cluster c starts at the mean of the documents with a label of class c. After the
    start the labels have no effect: every document goes to the nearest centre.

    Reference: Basu, Banerjee and Mooney 2002, ICML: Seeded-KMeans

    Parameters
    ----------
    n_clusters : default None
        number of clusters; None: as many as y has classes; at least as many as y has classes.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    n_init : default 10
        starts, of which the best is kept; one if known labels start every cluster.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    transduction_
        class of each row, as a label of y.
    classes_
        the labels of y that are known.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "seeded-kmeans"
    _labels = "required"
    _links = "none"
    _embeds = False
    _classes_first = True
    _flags = {
        "n_clusters": "clusters",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "map": "map",
        "n_init": "restarts",
        "kmeans_iter": "kmeans-iter",
    }

    def __init__(
        self,
        n_clusters: int | str | None = None,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        map: bool = False,
        n_init: int = 10,
        kmeans_iter: int = 300,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.map = map
        self.n_init = n_init
        self.kmeans_iter = kmeans_iter
        self.n_jobs = n_jobs


class LabelPropagation(Predicts, Doubts, Classifies, Estimator):
    """Known labels are carried over the neighbour graph, with probabilities.

    Each document takes a share α of its scores from its neighbours and the rest from its label: F =
    α P F + (1 − α) Y, where P = D⁻¹W and row i of Y is 1 in the column of the class of document i.
    Form nie keeps the known labels and has a further class for what no label reaches, zhou uses
    D^-1/2 W D^-1/2 in place of P, and zhu gives each document without a label the mean of its
    neighbours.

    Reference: Nie, Xiang, Liu and Zhang 2010; Zhou, Bousquet, Lal, Weston and Schölkopf 2004; Zhu, Ghahramani and Lafferty 2003

    Parameters
    ----------
    n_neighbors : default None
        nearest neighbours of each document in the graph; None: 15 of sparse data, 7 of dense data,
        or all others if there are fewer.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    precision : default "double"
        how the values of the documents are stored: single rounds each to 24 bits, which keeps
        counts, and takes half of the memory or less; all arithmetic is in double (double, single).
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    precomputed : default False
        X is a symmetric affinity matrix in place of documents.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    form : default "nie"
        form of label propagation: nie (walks with a novel class), zhou (consistency) or zhu
        (harmonic) (nie, zhou, zhu).
    spread : default 0.99
        share of its neighbours in the scores of a document.
    spread_of_labeled : default 0
        share of its neighbours in the scores of a document with a known label: above 0 neighbours
        may change labels.
    class_mass : default False
        scale the scores so that classes are as frequent as ``class_shares`` says.
    class_shares : default "auto"
        shares of the classes among the documents without a label: auto (as the known labels, unless
        the documents contradict them), labels, estimated, or a list such as a=0.9,b=0.1.
    neighbors_method : default "auto"
        search for neighbours: exact; approx, which finds nearly all of them in time proportional to
        the documents; auto is approx from 200,000 documents or 50,000 dense rows on where that is
        faster (auto, exact, approx).
    epsilon : default None
        join all documents within this distance, in place of the nearest neighbours.
    edge_weight : default None
        weight of an edge (dot, binary, heat, poly); None: dot for sparse data, heat for dense data.
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the mean squared distance over the edges.
    heat_rule : default "mean"
        how the width of the heat kernel is found: the mean or the median of d² over the edges, the
        mean over all pairs, or local: a scale for each document (mean, median, pairs, local).
    local_neighbor : default 7
        the neighbour whose distance is the scale of a document.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    symmetry : default "union"
        an edge if either document is among the other's neighbours, if both are, or their sum
        (union, mutual, sum).
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    transduction_
        class of each row, as a label of y.
    classes_
        the labels of y that are known.
    probabilities_
        probability of each cluster, for each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "label-propagation"
    _labels = "required"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "precision": "precision",
        "duplicates": "duplicates",
        "precomputed": "precomputed",
        "map": "map",
        "form": "form",
        "spread": "spread",
        "spread_of_labeled": "spread-of-labeled",
        "class_mass": "class-mass",
        "class_shares": "class-shares",
        "neighbors_method": "neighbors-method",
        "epsilon": "epsilon",
        "edge_weight": "edge-weight",
        "heat_width": "heat-width",
        "heat_rule": "heat-rule",
        "local_neighbor": "local-neighbor",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "symmetry": "symmetry",
    }

    def __init__(
        self,
        *,
        n_neighbors: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        precision: Literal["double", "single"] = "double",
        duplicates: Literal["once", "drop", "keep"] | None = None,
        precomputed: bool = False,
        map: bool = False,
        form: Literal["nie", "zhou", "zhu"] = "nie",
        spread: float = 0.99,
        spread_of_labeled: float = 0,
        class_mass: bool = False,
        class_shares: str = "auto",
        neighbors_method: Literal["auto", "exact", "approx"] = "auto",
        epsilon: float | None = None,
        edge_weight: Literal["dot", "binary", "heat", "poly"] | None = None,
        heat_width: float | None = None,
        heat_rule: Literal["mean", "median", "pairs", "local"] = "mean",
        local_neighbor: int = 7,
        poly_degree: int = 2,
        poly_offset: float = 1,
        symmetry: Literal["union", "mutual", "sum"] = "union",
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.precision = precision
        self.duplicates = duplicates
        self.precomputed = precomputed
        self.map = map
        self.form = form
        self.spread = spread
        self.spread_of_labeled = spread_of_labeled
        self.class_mass = class_mass
        self.class_shares = class_shares
        self.neighbors_method = neighbors_method
        self.epsilon = epsilon
        self.edge_weight = edge_weight
        self.heat_width = heat_width
        self.heat_rule = heat_rule
        self.local_neighbor = local_neighbor
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.symmetry = symmetry
        self.n_jobs = n_jobs


class TSVM(Predicts, Classifies, Estimator):
    """Transductive support vector machines, each class of the known labels against the others.

    For each class a machine that also learns labels y* of the documents without one: min ½‖w‖² + C
    Σ ξ_i + C* Σ ξ*_j over w, b and y*. Pairs of documents change places as long as the objective
    falls, while C* grows from a small value. The class of a document is the one of the largest
    decision value.

    Reference: Joachims 1999; Liu, Hsaio, Lee and Gou 2014, section IV.C

    Parameters
    ----------
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    kernel : default "linear"
        kernel of the support vector machines (linear, polynomial, gaussian).
    sigma : default None
        σ in the Gaussian kernel exp(-d²/σ); None: the variance of all entries times the number of
        terms.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    c : default 1
        C of the support vector machines: the cost of a document inside the margin.
    c_star : default None
        C* of the support vector machines: the cost of a document without a label inside the margin,
        in the end; None: as ``c``.
    class_shares : default "auto"
        shares of the classes among the documents without a label: auto (as the known labels, unless
        the documents contradict them), labels, estimated, or a list such as a=0.9,b=0.1.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    transduction_
        class of each row, as a label of y.
    classes_
        the labels of y that are known.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "tsvm"
    _labels = "required"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "map": "map",
        "kernel": "kernel",
        "sigma": "sigma",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "c": "c",
        "c_star": "c-star",
        "class_shares": "class-shares",
    }

    def __init__(
        self,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        map: bool = False,
        kernel: Literal["linear", "polynomial", "gaussian"] = "linear",
        sigma: float | None = None,
        poly_degree: int = 2,
        poly_offset: float = 1,
        c: float = 1,
        c_star: float | None = None,
        class_shares: str = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.map = map
        self.kernel = kernel
        self.sigma = sigma
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.c = c
        self.c_star = c_star
        self.class_shares = class_shares
        self.n_jobs = n_jobs


class LogisticRegression(Predicts, Doubts, Classifies, Estimator):
    """Logistic regression on the known labels, a linear classifier with probabilities.

    Each class has a weight for each term: p(k|x) ∝ exp((x − μ)·v_k/σ + b_k), where V and b minimise
    ½‖V‖² − C Σ c_i log p(y_i|x_i) over the documents with a label. Every class counts the same by
    default: c_i is one over the share of the document's class among the labels, and over the number
    of classes. Documents without a label only get their class.

    Reference: Cox 1966; King and Zeng 2001 for the weights of rare classes; Liu and Nocedal 1989 for the solver

    Parameters
    ----------
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    likelihood_weight : default None
        weight C of the labelled documents against the penalty on the weights of terms; larger
        follows the labels more closely; None: 1 to 100: 250 divided by the directions in which the
        labelled documents spread.
    class_weights : default "balanced"
        how known labels count: every class the same (balanced) or every document the same (equal)
        (balanced, equal).
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    transduction_
        class of each row, as a label of y.
    classes_
        the labels of y that are known.
    probabilities_
        probability of each cluster, for each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "logistic"
    _labels = "required"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "map": "map",
        "likelihood_weight": "likelihood-weight",
        "class_weights": "class-weights",
    }

    def __init__(
        self,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        map: bool = False,
        likelihood_weight: float | None = None,
        class_weights: Literal["balanced", "equal"] = "balanced",
        n_jobs: int | None = None,
    ) -> None:
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.map = map
        self.likelihood_weight = likelihood_weight
        self.class_weights = class_weights
        self.n_jobs = n_jobs


class KernelRidge(Predicts, Doubts, Classifies, Estimator):
    """Ridge regression of the known labels with a Gaussian kernel, for classes that no line divides.

    Each class has a score f(x) = b + Σ a_i exp(−‖x − x_i‖²/σ) over the documents with a label,
    which minimises Σ (f(x_i) − y_i)² + λ‖w‖²; y_i is 1 for a document of the class, and else 0. The
    scores of documents that are left out are in closed form, and σ, λ and the τ of the
    probabilities exp(τf) are those under which the labels left out are the most probable. Documents
    without a label only get their class.

    Reference: Saunders, Gammerman and Vovk 1998; Suykens and Vandewalle 1999 for the classifier; Allen 1974 for the scores left out

    Parameters
    ----------
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    sigma : default None
        σ in the Gaussian kernel exp(-d²/σ); None: 1/16 to 64 times the mean of d² over pairs of
        labelled documents, by the labels left out one by one.
    kernel_ridge : default None
        weight λ of the penalty on the coefficients against the squared errors of the labelled
        documents, at least 1e-10; smaller follows the labels more closely; None: 0.0001 to 10, by
        the labels left out one by one.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    transduction_
        class of each row, as a label of y.
    classes_
        the labels of y that are known.
    probabilities_
        probability of each cluster, for each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "kernel-ridge"
    _labels = "required"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "map": "map",
        "sigma": "sigma",
        "kernel_ridge": "kernel-ridge",
    }

    def __init__(
        self,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        map: bool = False,
        sigma: float | None = None,
        kernel_ridge: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.map = map
        self.sigma = sigma
        self.kernel_ridge = kernel_ridge
        self.n_jobs = n_jobs


class GraphSSL(Transduces, Estimator):
    """Scores of support vector machines that learn the known labels, smoothed over a graph.

    Support vector machines learn the known labels, one class against the others, and score the
    other documents. These are joined to their nearest documents with and without a label, and the
    scores f of a class minimise M Σ (f_i − y_i)² over labelled, Σ (f_i − ŷ_i)² over other
    documents, plus Σ w_ij (f_i − f_j)² over the edges: (C + a·L) f = C·y.

    Reference: Goldberg and Zhu 2006; Liu, Hsaio, Lee and Gou 2014, section IV.C

    Parameters
    ----------
    n_neighbors : default 5
        nearest documents without a label that each document without one is joined to.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    kernel : default "linear"
        kernel of the support vector machines (linear, polynomial, gaussian).
    sigma : default None
        σ in the Gaussian kernel exp(-d²/σ); None: the variance of all entries times the number of
        terms.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    c : default 1
        C of the support vector machines: the cost of a document inside the margin.
    labeled_neighbors : default None
        nearest documents with a label that each other document is joined to; None: a tenth of them.
    lambda_ : default 1.5
        weight of the graph against the classifier's scores.
    beta : default 1
        weight of neighbours without a label relative to neighbours with one.
    edge_weight : default None
        weight of an edge (dot, binary, heat); None: dot for sparse data, heat for dense data.
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the mean squared distance over the edges.
    symmetry : default "union"
        an edge that both documents chose counts once (union) or twice (sum) (union, sum).
    class_shares : default "auto"
        shares of the classes among the documents without a label, by which documents between two
        classes are decided: auto (found if the documents contradict the known labels, else none),
        labels (none: the largest score, as in the paper), estimated, or a list such as a=0.9,b=0.1.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    transduction_
        class of each row, as a label of y.
    classes_
        the labels of y that are known.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "graph-ssl"
    _labels = "required"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "map": "map",
        "kernel": "kernel",
        "sigma": "sigma",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "c": "c",
        "labeled_neighbors": "labeled-neighbors",
        "lambda_": "lambda",
        "beta": "beta",
        "edge_weight": "edge-weight",
        "heat_width": "heat-width",
        "symmetry": "symmetry",
        "class_shares": "class-shares",
    }

    def __init__(
        self,
        *,
        n_neighbors: int = 5,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        map: bool = False,
        kernel: Literal["linear", "polynomial", "gaussian"] = "linear",
        sigma: float | None = None,
        poly_degree: int = 2,
        poly_offset: float = 1,
        c: float = 1,
        labeled_neighbors: int | None = None,
        lambda_: float = 1.5,
        beta: float = 1,
        edge_weight: Literal["dot", "binary", "heat"] | None = None,
        heat_width: float | None = None,
        symmetry: Literal["union", "sum"] = "union",
        class_shares: str = "auto",
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.map = map
        self.kernel = kernel
        self.sigma = sigma
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.c = c
        self.labeled_neighbors = labeled_neighbors
        self.lambda_ = lambda_
        self.beta = beta
        self.edge_weight = edge_weight
        self.heat_width = heat_width
        self.symmetry = symmetry
        self.class_shares = class_shares
        self.n_jobs = n_jobs


class Committee(Predicts, Doubts, Classifies, Estimator):
    """Label propagation, semi-ldc, tsvm, logistic, diffusion and, on dense data, kernel-ridge vote on classes.

    Methods of different kinds learn from the same known labels, each by its defaults, and each has
    one vote on every document: for its class, or shared with classes that are nearly as probable.
    diffusion knows no labels; its clusters vote for the class of most of the known labels in them,
    and label propagation decides between equals. On dense data semi-ldc, tsvm and logistic have
    half a vote. The shares of the votes are the probabilities. Documents with a known label keep
    it.

    Reference: Hansen and Salamon 1990, Neural network ensembles; Breiman 1996, Bagging predictors, on votes

    Parameters
    ----------
    n_neighbors : default None
        nearest neighbours of each document in the graph; None: 15 of sparse data, 7 of dense data,
        or all others if there are fewer.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    members : default None
        methods that vote, of semi-ldc, tsvm, logistic, kernel-ridge, diffusion and
        label-propagation, which always does, with how much the vote of each counts if they are not
        equal: tsvm=3,diffusion=0.5; None: all of them that can take the data, with equal votes, but
        kernel-ridge on dense data alone, where semi-ldc, tsvm and logistic have half a vote each.
    class_shares : default "auto"
        shares of the classes among the documents without a label, for label-propagation, semi-ldc
        and tsvm; other members take none: auto (as the known labels, unless the documents
        contradict them), labels, estimated, or a list such as a=0.9,b=0.1.
    neighbors_method : default "auto"
        search for neighbours: exact; approx, which finds nearly all of them in time proportional to
        the documents; auto is approx from 200,000 documents or 50,000 dense rows on where that is
        faster (auto, exact, approx).
    epsilon : default None
        join all documents within this distance, in place of the nearest neighbours.
    edge_weight : default None
        weight of an edge (dot, binary, heat, poly); None: dot for sparse data, heat for dense data.
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the mean squared distance over the edges.
    heat_rule : default "mean"
        how the width of the heat kernel is found: the mean or the median of d² over the edges, the
        mean over all pairs, or local: a scale for each document (mean, median, pairs, local).
    local_neighbor : default 7
        the neighbour whose distance is the scale of a document.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    symmetry : default "union"
        an edge if either document is among the other's neighbours, if both are, or their sum
        (union, mutual, sum).
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    transduction_
        class of each row, as a label of y.
    classes_
        the labels of y that are known.
    probabilities_
        probability of each cluster, for each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "committee"
    _labels = "required"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "map": "map",
        "members": "members",
        "class_shares": "class-shares",
        "neighbors_method": "neighbors-method",
        "epsilon": "epsilon",
        "edge_weight": "edge-weight",
        "heat_width": "heat-width",
        "heat_rule": "heat-rule",
        "local_neighbor": "local-neighbor",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "symmetry": "symmetry",
    }

    def __init__(
        self,
        *,
        n_neighbors: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        map: bool = False,
        members: str | None = None,
        class_shares: str = "auto",
        neighbors_method: Literal["auto", "exact", "approx"] = "auto",
        epsilon: float | None = None,
        edge_weight: Literal["dot", "binary", "heat", "poly"] | None = None,
        heat_width: float | None = None,
        heat_rule: Literal["mean", "median", "pairs", "local"] = "mean",
        local_neighbor: int = 7,
        poly_degree: int = 2,
        poly_offset: float = 1,
        symmetry: Literal["union", "mutual", "sum"] = "union",
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.map = map
        self.members = members
        self.class_shares = class_shares
        self.neighbors_method = neighbors_method
        self.epsilon = epsilon
        self.edge_weight = edge_weight
        self.heat_width = heat_width
        self.heat_rule = heat_rule
        self.local_neighbor = local_neighbor
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.symmetry = symmetry
        self.n_jobs = n_jobs


class KernelKMeans(Predicts, Clusters, Estimator):
    """K-means in the feature space of a kernel, or of an affinity matrix.

    Minimises Σ_i ‖φ(x_i) − mean of its cluster‖² for the feature map φ of a kernel κ(x, y) =
    φ(x)·φ(y), by Lloyd's iteration: the distances to the means are sums of the kernel and never
    need φ. The Gaussian kernel is exp(-d²/σ), the polynomial one (offset + x·y)^degree. An affinity
    matrix that is given is the kernel itself, and may have negative entries.

    Reference: Dhillon, Guan and Kulis 2004, KDD; Schölkopf, Smola and Müller 1998, Neural Computation 10

    Parameters
    ----------
    n_clusters : default 8
        number of clusters; auto, or a range such as 2-40, chooses it.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    precomputed : default False
        X is a symmetric affinity matrix in place of documents.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    kernel : default "gaussian"
        kernel of two documents (gaussian, polynomial, linear).
    sigma : default None
        σ in the Gaussian kernel exp(-d²/σ); None: the mean of d² over all pairs of documents.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    kernel_shift : default None
        what is added to the diagonal of a kernel that is not positive semidefinite, such as a
        graph; None: none.
    n_init : default 10
        starts, of which the best is kept.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    init : default "k-means++"
        how k-means starts (k-means++, random).
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "kernel-kmeans"
    _labels = "none"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_clusters": "clusters",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "duplicates": "duplicates",
        "precomputed": "precomputed",
        "map": "map",
        "kernel": "kernel",
        "sigma": "sigma",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "kernel_shift": "kernel-shift",
        "n_init": "restarts",
        "kmeans_iter": "kmeans-iter",
        "init": "init",
    }

    def __init__(
        self,
        n_clusters: int | str = 8,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        duplicates: Literal["once", "drop", "keep"] | None = None,
        precomputed: bool = False,
        map: bool = False,
        kernel: Literal["gaussian", "polynomial", "linear"] = "gaussian",
        sigma: float | None = None,
        poly_degree: int = 2,
        poly_offset: float = 1,
        kernel_shift: float | None = None,
        n_init: int = 10,
        kmeans_iter: int = 300,
        init: Literal["k-means++", "random"] = "k-means++",
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.duplicates = duplicates
        self.precomputed = precomputed
        self.map = map
        self.kernel = kernel
        self.sigma = sigma
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.kernel_shift = kernel_shift
        self.n_init = n_init
        self.kmeans_iter = kmeans_iter
        self.init = init
        self.n_jobs = n_jobs


class KMeans(Predicts, Clusters, Estimator):
    """K-means on the weighted documents themselves.

    Minimises Σ_i ‖x_i − centre of its cluster‖² by Lloyd's iteration: every document joins the
    nearest centre, every centre moves to the mean of its documents, until no document changes its
    cluster. Starts are drawn by k-means++; the best of several is kept.

    Reference: Lloyd 1982, IEEE Transactions on Information Theory 28; Arthur and Vassilvitskii 2007, SODA

    Parameters
    ----------
    n_clusters : default 8
        number of clusters; auto, or a range such as 2-40, chooses it.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    precision : default "double"
        how the values of the documents are stored: single rounds each to 24 bits, which keeps
        counts, and takes half of the memory or less; all arithmetic is in double (double, single).
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    n_init : default 10
        starts, of which the best is kept.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    init : default "k-means++"
        how k-means starts (k-means++, random).
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "kmeans"
    _labels = "none"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_clusters": "clusters",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "precision": "precision",
        "duplicates": "duplicates",
        "map": "map",
        "n_init": "restarts",
        "kmeans_iter": "kmeans-iter",
        "init": "init",
    }

    def __init__(
        self,
        n_clusters: int | str = 8,
        *,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        precision: Literal["double", "single"] = "double",
        duplicates: Literal["once", "drop", "keep"] | None = None,
        map: bool = False,
        n_init: int = 10,
        kmeans_iter: int = 300,
        init: Literal["k-means++", "random"] = "k-means++",
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.precision = precision
        self.duplicates = duplicates
        self.map = map
        self.n_init = n_init
        self.kmeans_iter = kmeans_iter
        self.init = init
        self.n_jobs = n_jobs


class SpectralClustering(Predicts, Transforms, Clusters, Estimator):
    """Normalised spectral clustering: rows of the top eigenvectors of D^-½WD^-½, then k-means.

    Takes the eigenvectors of the largest eigenvalues of S = D^-½ W D^-½, where W are the weights of
    the neighbour graph and D its row sums, scales each document's row of them to unit length, and
    clusters the rows by k-means.

    Reference: Ng, Jordan and Weiss 2002, On spectral clustering: analysis and an algorithm

    Parameters
    ----------
    n_clusters : default 8
        number of clusters; auto, or a range such as 2-40, chooses it.
    n_components : default None
        eigenvectors, which are the dimensions of the embedding; None: the number of clusters or
        classes.
    n_neighbors : default None
        nearest neighbours of each document in the graph; None: 15 of sparse data, 7 of dense data,
        or all others if there are fewer.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    precision : default "double"
        how the values of the documents are stored: single rounds each to 24 bits, which keeps
        counts, and takes half of the memory or less; all arithmetic is in double (double, single).
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    precomputed : default False
        X is a symmetric affinity matrix in place of documents.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    graph_kind : default "knn"
        join the nearest neighbours, or all documents by their cosine, without ever forming the
        graph: linear in the documents (knn, complete).
    neighbors_method : default "auto"
        search for neighbours: exact; approx, which finds nearly all of them in time proportional to
        the documents; auto is approx from 200,000 documents or 50,000 dense rows on where that is
        faster (auto, exact, approx).
    epsilon : default None
        join all documents within this distance, in place of the nearest neighbours.
    edge_weight : default None
        weight of an edge (dot, binary, heat, poly); None: dot for sparse data, heat for dense data.
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the mean squared distance over the edges.
    heat_rule : default "mean"
        how the width of the heat kernel is found: the mean or the median of d² over the edges, the
        mean over all pairs, or local: a scale for each document (mean, median, pairs, local).
    local_neighbor : default 7
        the neighbour whose distance is the scale of a document.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    symmetry : default "union"
        an edge if either document is among the other's neighbours, if both are, or their sum
        (union, mutual, sum).
    landmarks : default None
        embed this many documents, drawn at random, and place the others by them; documents with
        labels or constraints are always among them; None: none: all documents.
    tol : default 1e-08
        largest residual of an eigenpair that counts as found.
    max_iter : default 300
        most restarts of the eigensolver.
    solver : default "auto"
        eigensolver (auto, dense, arpack, lanczos, shift-invert, slepc).
    verify : default False
        count the eigenvalues by inertia after the solve; a missing one is an error.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "spectral"
    _labels = "none"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_clusters": "clusters",
        "n_components": "dims",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "precision": "precision",
        "duplicates": "duplicates",
        "precomputed": "precomputed",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "graph_kind": "graph-kind",
        "neighbors_method": "neighbors-method",
        "epsilon": "epsilon",
        "edge_weight": "edge-weight",
        "heat_width": "heat-width",
        "heat_rule": "heat-rule",
        "local_neighbor": "local-neighbor",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "symmetry": "symmetry",
        "landmarks": "landmarks",
        "tol": "tol",
        "max_iter": "max-iter",
        "solver": "solver",
        "verify": "verify",
    }

    def __init__(
        self,
        n_clusters: int | str | None = 8,
        n_components: int | None = None,
        *,
        n_neighbors: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        precision: Literal["double", "single"] = "double",
        duplicates: Literal["once", "drop", "keep"] | None = None,
        precomputed: bool = False,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        graph_kind: Literal["knn", "complete"] = "knn",
        neighbors_method: Literal["auto", "exact", "approx"] = "auto",
        epsilon: float | None = None,
        edge_weight: Literal["dot", "binary", "heat", "poly"] | None = None,
        heat_width: float | None = None,
        heat_rule: Literal["mean", "median", "pairs", "local"] = "mean",
        local_neighbor: int = 7,
        poly_degree: int = 2,
        poly_offset: float = 1,
        symmetry: Literal["union", "mutual", "sum"] = "union",
        landmarks: int | None = None,
        tol: float = 1e-08,
        max_iter: int = 300,
        solver: Literal["auto", "dense", "arpack", "lanczos", "shift-invert", "slepc"] = "auto",
        verify: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.precision = precision
        self.duplicates = duplicates
        self.precomputed = precomputed
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.graph_kind = graph_kind
        self.neighbors_method = neighbors_method
        self.epsilon = epsilon
        self.edge_weight = edge_weight
        self.heat_width = heat_width
        self.heat_rule = heat_rule
        self.local_neighbor = local_neighbor
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.symmetry = symmetry
        self.landmarks = landmarks
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.verify = verify
        self.n_jobs = n_jobs


class DiffusionMaps(Predicts, Transforms, Clusters, Estimator):
    """Diffusion coordinates: eigenvectors of the neighbour graph, weighted by their decay, then k-means.

    Takes the eigenvectors y_j of L y = λ D y with the smallest eigenvalues, as le does, multiplies
    each by exp(−tλ_j), which is what is left of it when heat has spread over the neighbour graph
    for the time t, leaves out the constant, scales each document's row to unit length, and clusters
    the rows by k-means. Twice as many eigenvectors take part as have weights above 1/e; of those
    beyond the first k for k clusters, only those with eigenvalues up to 3/4. Where a gap of the
    eigenvalues shows k plain groups, the eigenvectors before it alone take part, with the constant.

    Reference: Coifman and Lafon 2006, Diffusion maps; rows of unit length as in Ng, Jordan and Weiss 2002

    Parameters
    ----------
    n_clusters : default 8
        number of clusters; auto, or a range such as 2-40, chooses it.
    n_components : default None
        eigenvectors beside the constant, which are the dimensions of the embedding; a clustering
        leaves out those beyond the first k with eigenvalues above 0.75; None: 2√(10k) for k
        clusters, and at least k.
    n_neighbors : default None
        nearest neighbours of each document in the graph; None: 15 of sparse data, 7 of dense data,
        14 if these alone leave no more parts than clusters, or all others if there are fewer.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    precision : default "double"
        how the values of the documents are stored: single rounds each to 24 bits, which keeps
        counts, and takes half of the memory or less; all arithmetic is in double (double, single).
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    precomputed : default False
        X is a symmetric affinity matrix in place of documents.
    n_init : default 10
        starts of k-means, of which the best is kept.
    init : default None
        how k-means starts; labels: at the means of the documents whose labels were given
        (k-means++, random, labels); None: labels for cle, semi-le and lda with a label of every
        cluster, else k-means++.
    kmeans_iter : default 300
        most iterations of one start of k-means.
    nearest_by : default None
        by what a document belongs to a cluster in the end: its coordinates, or those and its terms,
        of sparse documents (coordinates, terms); None: terms for diffusion of sparse documents,
        else coordinates.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    diffusion_time : default None
        time t of the diffusion: eigenvectors are weighted by exp(-tλ); None: 1/λ of the eigenvector
        in the middle, number dims/2 + 1, or of the first above it whose λ is not 0; at most 5/λ of
        eigenvector k-1 for k clusters.
    graph_kind : default "knn"
        join the nearest neighbours, or all documents by their cosine, without ever forming the
        graph: linear in the documents (knn, complete).
    neighbors_method : default "auto"
        search for neighbours: exact; approx, which finds nearly all of them in time proportional to
        the documents; auto is approx from 200,000 documents or 50,000 dense rows on where that is
        faster (auto, exact, approx).
    epsilon : default None
        join all documents within this distance, in place of the nearest neighbours.
    edge_weight : default None
        weight of an edge (dot, binary, heat, poly); None: dot for sparse data, heat for dense data.
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the mean squared distance over the edges.
    heat_rule : default "mean"
        how the width of the heat kernel is found: the mean or the median of d² over the edges, the
        mean over all pairs, or local: a scale for each document (mean, median, pairs, local).
    local_neighbor : default 7
        the neighbour whose distance is the scale of a document.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    symmetry : default "union"
        an edge if either document is among the other's neighbours, if both are, or their sum
        (union, mutual, sum).
    landmarks : default None
        embed this many documents, drawn at random, and place the others by them; documents with
        labels or constraints are always among them; None: none: all documents.
    tol : default 1e-08
        largest residual of an eigenpair that counts as found.
    max_iter : default 300
        most restarts of the eigensolver.
    solver : default "auto"
        eigensolver (auto, dense, arpack, lanczos, shift-invert, slepc).
    verify : default False
        count the eigenvalues by inertia after the solve; a missing one is an error.
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    embedding_
        coordinates of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "diffusion"
    _labels = "none"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_clusters": "clusters",
        "n_components": "dims",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "precision": "precision",
        "duplicates": "duplicates",
        "precomputed": "precomputed",
        "n_init": "restarts",
        "init": "init",
        "kmeans_iter": "kmeans-iter",
        "nearest_by": "nearest-by",
        "map": "map",
        "diffusion_time": "diffusion-time",
        "graph_kind": "graph-kind",
        "neighbors_method": "neighbors-method",
        "epsilon": "epsilon",
        "edge_weight": "edge-weight",
        "heat_width": "heat-width",
        "heat_rule": "heat-rule",
        "local_neighbor": "local-neighbor",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "symmetry": "symmetry",
        "landmarks": "landmarks",
        "tol": "tol",
        "max_iter": "max-iter",
        "solver": "solver",
        "verify": "verify",
    }

    def __init__(
        self,
        n_clusters: int | str | None = 8,
        n_components: int | None = None,
        *,
        n_neighbors: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        precision: Literal["double", "single"] = "double",
        duplicates: Literal["once", "drop", "keep"] | None = None,
        precomputed: bool = False,
        n_init: int = 10,
        init: Literal["k-means++", "random", "labels"] | None = None,
        kmeans_iter: int = 300,
        nearest_by: Literal["coordinates", "terms"] | None = None,
        map: bool = False,
        diffusion_time: float | None = None,
        graph_kind: Literal["knn", "complete"] = "knn",
        neighbors_method: Literal["auto", "exact", "approx"] = "auto",
        epsilon: float | None = None,
        edge_weight: Literal["dot", "binary", "heat", "poly"] | None = None,
        heat_width: float | None = None,
        heat_rule: Literal["mean", "median", "pairs", "local"] = "mean",
        local_neighbor: int = 7,
        poly_degree: int = 2,
        poly_offset: float = 1,
        symmetry: Literal["union", "mutual", "sum"] = "union",
        landmarks: int | None = None,
        tol: float = 1e-08,
        max_iter: int = 300,
        solver: Literal["auto", "dense", "arpack", "lanczos", "shift-invert", "slepc"] = "auto",
        verify: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.precision = precision
        self.duplicates = duplicates
        self.precomputed = precomputed
        self.n_init = n_init
        self.init = init
        self.kmeans_iter = kmeans_iter
        self.nearest_by = nearest_by
        self.map = map
        self.diffusion_time = diffusion_time
        self.graph_kind = graph_kind
        self.neighbors_method = neighbors_method
        self.epsilon = epsilon
        self.edge_weight = edge_weight
        self.heat_width = heat_width
        self.heat_rule = heat_rule
        self.local_neighbor = local_neighbor
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.symmetry = symmetry
        self.landmarks = landmarks
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.verify = verify
        self.n_jobs = n_jobs


class Leiden(Predicts, Clusters, Estimator):
    """Communities of the neighbour graph, by modularity; finds how many there are.

    Maximises the modularity Q = Σ_c (w_c/2m - γ (K_c/2m)²) of groups of documents: w_c are the
    weights of the neighbour graph inside group c, K_c the degrees of its documents, 2m all weights.
    Documents, and parts of groups that hang together, move to the group where Q gains most, until
    none gains. Every group is connected, and no merger of two raises Q. Without a number of
    clusters the resolution γ decides how many there are; with one, a γ is searched that gives it.

    Reference: Traag, Waltman and van Eck 2019, From Louvain to Leiden, Scientific Reports 9

    Parameters
    ----------
    n_clusters : default None
        number of clusters; None: as many as the method finds.
    n_neighbors : default None
        nearest neighbours of each document in the graph; None: 15 of sparse data, 7 of dense data,
        or all others if there are fewer.
    random_state : default 0
        seed of every random choice.
    weighting : default None
        how counts become weights; standard: each column over its standard deviation (tf, tfidf,
        hellinger, binary, standard); None: hellinger or tfidf for texts and counts, by the method,
        standard for tables of unlike columns, tf otherwise.
    normalize : default None
        length of a document's row (l2, none); None: l2 for sparse data and ``vectors``, none for
        other dense data.
    precision : default "double"
        how the values of the documents are stored: single rounds each to 24 bits, which keeps
        counts, and takes half of the memory or less; all arithmetic is in double (double, single).
    duplicates : default None
        documents equal to an earlier one: count once with it, all with one result; are left out; or
        each counts for itself (once, drop, keep); None: once for texts and counts, and for rows of
        a table of which fewer than half differ if the method is one of the neighbour graph; keep
        otherwise.
    precomputed : default False
        X is a symmetric affinity matrix in place of documents.
    map : default False
        whether a clustering makes a map of the rows in the plane, the attribute map_.
    resolution : default 1
        resolution γ of the modularity: a larger one gives more and smaller clusters; with a number
        of clusters, the search for the γ that gives it begins there.
    neighbors_method : default "auto"
        search for neighbours: exact; approx, which finds nearly all of them in time proportional to
        the documents; auto is approx from 200,000 documents or 50,000 dense rows on where that is
        faster (auto, exact, approx).
    epsilon : default None
        join all documents within this distance, in place of the nearest neighbours.
    edge_weight : default None
        weight of an edge (dot, binary, heat, poly); None: dot for sparse data, heat for dense data.
    heat_width : default None
        t in the heat kernel exp(-d²/t); None: the mean squared distance over the edges.
    heat_rule : default "mean"
        how the width of the heat kernel is found: the mean or the median of d² over the edges, the
        mean over all pairs, or local: a scale for each document (mean, median, pairs, local).
    local_neighbor : default 7
        the neighbour whose distance is the scale of a document.
    poly_degree : default 2
        degree of the polynomial kernel.
    poly_offset : default 1
        constant of the polynomial kernel.
    symmetry : default "union"
        an edge if either document is among the other's neighbours, if both are, or their sum
        (union, mutual, sum).
    n_jobs : default None
        threads of a call; -1: one for each core; None: the environment variable
        OMP_NUM_THREADS, else one for each core.

    Attributes
    ----------
    labels_
        cluster of each row.
    map_
        places of the rows in the plane, as the report page of the program shows them; with ``map``.
    confidence_
        how sure the cluster of each row is, 0 to 1; found when it is read first.
    topics_
        most typical terms of each cluster, of a Corpus.
    summary_
        all that the library says about the fit, with ``notes`` and ``warnings``.
    n_features_in_
        number of columns of X.
    """

    _method = "leiden"
    _labels = "none"
    _links = "none"
    _embeds = False
    _classes_first = False
    _flags = {
        "n_clusters": "clusters",
        "n_neighbors": "neighbors",
        "random_state": "seed",
        "weighting": "weighting",
        "normalize": "normalize",
        "precision": "precision",
        "duplicates": "duplicates",
        "precomputed": "precomputed",
        "map": "map",
        "resolution": "resolution",
        "neighbors_method": "neighbors-method",
        "epsilon": "epsilon",
        "edge_weight": "edge-weight",
        "heat_width": "heat-width",
        "heat_rule": "heat-rule",
        "local_neighbor": "local-neighbor",
        "poly_degree": "poly-degree",
        "poly_offset": "poly-offset",
        "symmetry": "symmetry",
    }

    def __init__(
        self,
        n_clusters: int | str | None = None,
        *,
        n_neighbors: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        weighting: Literal["tf", "tfidf", "hellinger", "binary", "standard"] | None = None,
        normalize: Literal["l2", "none"] | None = None,
        precision: Literal["double", "single"] = "double",
        duplicates: Literal["once", "drop", "keep"] | None = None,
        precomputed: bool = False,
        map: bool = False,
        resolution: float = 1,
        neighbors_method: Literal["auto", "exact", "approx"] = "auto",
        epsilon: float | None = None,
        edge_weight: Literal["dot", "binary", "heat", "poly"] | None = None,
        heat_width: float | None = None,
        heat_rule: Literal["mean", "median", "pairs", "local"] = "mean",
        local_neighbor: int = 7,
        poly_degree: int = 2,
        poly_offset: float = 1,
        symmetry: Literal["union", "mutual", "sum"] = "union",
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.weighting = weighting
        self.normalize = normalize
        self.precision = precision
        self.duplicates = duplicates
        self.precomputed = precomputed
        self.map = map
        self.resolution = resolution
        self.neighbors_method = neighbors_method
        self.epsilon = epsilon
        self.edge_weight = edge_weight
        self.heat_width = heat_width
        self.heat_rule = heat_rule
        self.local_neighbor = local_neighbor
        self.poly_degree = poly_degree
        self.poly_offset = poly_offset
        self.symmetry = symmetry
        self.n_jobs = n_jobs
