/*
 * eigenmap.h: spectral embedding and clustering for C, C++ and Fortran.
 *
 * Rules of every function:
 *
 *  - It returns a code: EIGENMAP_DONE (0), EIGENMAP_FAILED (1: the work failed), EIGENMAP_REQUEST
 *    (2: the options, the arrays or a handle are wrong) or EIGENMAP_CANCELLED (130). These are the
 *    exit statuses of the program. eigenmap_last_error() has the text. Nothing aborts the process.
 *  - Options are a JSON object with the names of the program's flags, {"method": "cle",
 *    "clusters": 12, "neighbors": 10}; NULL or "" means {}. Without "method" a clustering takes the
 *    program's default (diffusion; semi-le with labels, cle with constraints), and an embedding le.
 *    "threads" is the number of threads of this call, "max-memory" bounds the arrays of its
 *    stages, in bytes or as "2GiB": what needs more is refused before it is taken, with code
 *    EIGENMAP_FAILED. "labels" is a file, or a list of the class of
 *    each row: [0, 2, null, ...]; see docs/c.md.
 *  - Arrays belong to the caller. Input is read where it is, only during the call; output is
 *    written into the caller's arrays, whole or not at all. Indices and classes count from 0.
 *  - Every function may be called from any number of threads at the same time. A model may be used
 *    by several threads; it must not be freed while one of them uses it.
 *
 * docs/c.md has the whole manual: costs, threads, signals, fork, dlclose.
 */
#ifndef EIGENMAP_H
#define EIGENMAP_H

#include <stddef.h>
#include <stdint.h>

/* The semantic version of this header. Functions, enumerators and options are added by a minor
 * version; what breaks a caller changes the soname, libeigenmap.so.0. */
#define EIGENMAP_VERSION_MAJOR 0
#define EIGENMAP_VERSION_MINOR 1
#define EIGENMAP_VERSION_PATCH 0
#define EIGENMAP_VERSION "0.1.0"
/* One number to compare: 100 for 0.1.0, 10203 for 1.2.3. */
#define EIGENMAP_VERSION_NUMBER \
	(10000 * EIGENMAP_VERSION_MAJOR + 100 * EIGENMAP_VERSION_MINOR + EIGENMAP_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

enum {
	EIGENMAP_DONE = 0,
	EIGENMAP_FAILED = 1,
	EIGENMAP_REQUEST = 2,
	EIGENMAP_CANCELLED = 130
};

/* The text of the last error of the calling thread, "" if its last call succeeded. It is valid
 * until the thread's next call. */
const char *eigenmap_last_error(void);

/* What the last call of the calling thread warns of, if it fitted a model or placed rows: a JSON
 * list of {"kind": "convergence" or "warning", "text": "..."}, [] for nothing. It is valid until
 * the thread's next call. */
const char *eigenmap_last_warnings(void);

/* The version of the library that was loaded, "0.1.0", or "0.1.0+g0a2ace85" of a revision between
 * two releases. The text is static. */
const char *eigenmap_version(void);

/* EIGENMAP_VERSION_NUMBER of the library that was loaded. Less than the header's: functions of the
 * header may be missing. */
int eigenmap_version_number(void);

/* ---- One call, one result ---- */

/* Embeds the rows of a sparse matrix: rows × cols, indptr of rows + 1, indices and values of
 * indptr[rows] entries, the columns of a row ascending. embedding gets rows × dims numbers, row by
 * row. */
int eigenmap_embed_csr(int64_t rows, int64_t cols, const int64_t *indptr, const int32_t *indices,
                       const double *values, const char *options, int32_t dims, double *embedding);

/* Clusters the rows of a sparse matrix: labels gets the cluster of each row. options need
 * "clusters", a number or "auto", or "labels". */
int eigenmap_cluster_csr(int64_t rows, int64_t cols, const int64_t *indptr, const int32_t *indices,
                         const double *values, const char *options, int32_t *labels);

/* Embeds the nodes of a graph: a symmetric n × n matrix of weights that are not negative. values
 * gets the dims eigenvalues, ascending, or is NULL. le leaves the constant eigenvector and its
 * eigenvalue 0 out of every embedding, as the program does; {"drop-first": false} keeps it. */
int eigenmap_embed_affinity(int64_t n, const int64_t *indptr, const int32_t *indices,
                            const double *weights, const char *options, int32_t dims,
                            double *values, double *embedding);

/* ---- Models ---- */

/* How a matrix is laid out. */
enum {
	EIGENMAP_CSR = 0,          /* sparse rows; indptr, indices and values */
	EIGENMAP_ROW_MAJOR = 1,    /* dense, row by row (C); values */
	EIGENMAP_COLUMN_MAJOR = 2, /* dense, column by column (Fortran): copied once; values */
	EIGENMAP_AFFINITY = 3,     /* a graph: CSR, rows = cols, symmetric; instead of documents */
	EIGENMAP_CSR_FLOAT = 4,    /* as EIGENMAP_CSR, and values points to float: not copied where the
	                              method has the option precision, which is then single */
	EIGENMAP_ROW_MAJOR_FLOAT = 5 /* as EIGENMAP_ROW_MAJOR, and values points to float: as above, if
	                              the rows are adjacent */
};

/* A matrix of the caller's: one row per document. */
typedef struct eigenmap_matrix {
	int64_t rows, cols;
	const int64_t *indptr;
	const int32_t *indices;
	const double *values; /* of the layouts of float a const float *, cast */
	int64_t stride; /* dense: numbers from one row (column) to the next; 0: they are adjacent */
	int32_t layout;
} eigenmap_matrix;

/* What a method is given to learn from. Leave out what there is not by NULL and 0. */
typedef struct eigenmap_known {
	const int32_t *labels;  /* class of each row, negative for unknown; or NULL */
	const int64_t *first;   /* constraint i is between the rows first[i] and second[i]: */
	const int64_t *second;
	const int32_t *cannot;  /* 0: they belong together, else they do not; NULL: all are 0 */
	int64_t links;          /* number of constraints */
} eigenmap_known;

/* A fitted model. */
typedef struct eigenmap_model eigenmap_model;

/* What eigenmap_fit is for. */
enum { EIGENMAP_CLUSTER = 0, EIGENMAP_EMBED = 1 };

/* Fits a method and makes a model, which the caller frees. The model keeps no reference to the
 * matrix. known may be NULL. The option "column-names" is a list of a name for each column. */
int eigenmap_fit(const eigenmap_matrix *x, int32_t purpose, const char *options,
                 const eigenmap_known *known, eigenmap_model **model);

/* Frees a model; NULL is allowed. */
void eigenmap_model_free(eigenmap_model *model);

/* Counts of a model. */
enum {
	EIGENMAP_DOCUMENTS = 0, /* rows that it was fitted on */
	EIGENMAP_COLUMNS = 1,   /* columns of its rows, 0 for a graph */
	EIGENMAP_CLUSTERS = 2,  /* 0 for an embedding */
	EIGENMAP_DIMS = 3,      /* coordinates of its embedding, 0 without one */
	EIGENMAP_VALUES = 4,    /* numbers that eigenmap_model_values gives */
	EIGENMAP_PROBABILITIES = 5, /* columns of eigenmap_model_posterior, 0 without one */
	EIGENMAP_PREDICTS = 6,  /* 1 if it places new rows, else 0 */
	EIGENMAP_COUNTS = 7     /* how many counts there are */
};

/* A count, -1 beside an error; and all counts in their order, an array of EIGENMAP_COUNTS. */
int64_t eigenmap_model_count(const eigenmap_model *model, int32_t which);
int eigenmap_model_counts(const eigenmap_model *model, int64_t *counts);

/* The clusters, the coordinates and the probabilities of the rows that the model was fitted on.
 * A model that was loaded does not have them. Layouts are EIGENMAP_ROW_MAJOR and
 * EIGENMAP_COLUMN_MAJOR. */
int eigenmap_model_labels(const eigenmap_model *model, int32_t *labels);
int eigenmap_model_embedding(const eigenmap_model *model, int32_t layout, double *embedding);
int eigenmap_model_posterior(const eigenmap_model *model, int32_t layout, double *posterior);

/* The places of the rows in the plane, rows × 2, as the report page shows them: of a clustering
 * that was fitted with the option "map": true. */
int eigenmap_model_map(const eigenmap_model *model, int32_t layout, double *places);

/* The confidence of each row that the model was fitted on, 0 to 1, docs/confidence.md: an error
 * if the method has none or the model was loaded. The first of this call, eigenmap_model_save,
 * eigenmap_model_encode and eigenmap_update on a model takes the second looks that confidences are
 * made by, two fits of parts of the rows, which the host can cancel. */
int eigenmap_model_confidence(const eigenmap_model *model, double *confidence);

/* The eigenvalues, singular values or variances of the coordinates. */
int eigenmap_model_values(const eigenmap_model *model, double *values);

/* The class of the known labels that each cluster is, -1 for none; a model whose clusters have no
 * classes gives -1 for all. */
int eigenmap_model_classes(const eigenmap_model *model, int32_t *classes);

/* Everything that is known about the model as JSON text, as the program prints it with --json.
 * Free it with eigenmap_free. */
int eigenmap_model_describe(const eigenmap_model *model, char **json);

/* Places new rows, of the columns of the training rows. Arrays that are NULL are left out. */
int eigenmap_predict(const eigenmap_model *model, const eigenmap_matrix *x, const char *options,
                     int32_t layout, int32_t *labels, double *embedding, double *posterior);

/* Takes new rows into a model, as the program's update does: the rows are placed as by
 * eigenmap_predict, and updated gets a model that the caller frees, which places later rows by them
 * too, if models of its method grow. The first model stays as it is. json, unless it is NULL, gets
 * what grew, the drift, and the reasons to fit again ("refit_reasons"), as the program prints them
 * under "update"; free it with eigenmap_free. The rows that updated was fitted on have no labels and
 * coordinates in it, as in a model that was loaded. */
int eigenmap_update(const eigenmap_model *model, const eigenmap_matrix *x, const char *options, int32_t layout,
                    int32_t *labels, double *embedding, double *posterior, eigenmap_model **updated, char **json);

/* A model's file is the model.npz of the program. */
int eigenmap_model_save(const eigenmap_model *model, const char *path);
int eigenmap_model_load(const char *path, eigenmap_model **model);

/* The bytes of that file, to be freed with eigenmap_free, and back. */
int eigenmap_model_encode(const eigenmap_model *model, void **bytes, size_t *size);
int eigenmap_model_decode(const void *bytes, size_t size, eigenmap_model **model);

/* Frees what this library allocated for the caller; NULL is allowed. */
void eigenmap_free(void *memory);

/* ---- Graphs ---- */

/* A sparse matrix that the library made: row i has the entries indptr[i] to indptr[i + 1] - 1. Free
 * it with eigenmap_csr_free. */
typedef struct eigenmap_csr {
	int64_t rows, cols;
	int64_t *indptr;
	int32_t *indices;
	double *values;
} eigenmap_csr;

/* Frees the arrays, and sets them to NULL; NULL is allowed. */
void eigenmap_csr_free(eigenmap_csr *matrix);

/* The k nearest neighbours of each row of x, as it is, with their Euclidean distances as values: the
 * nearest first, ties by the lower row. Options: neighbors-method (exact, approx, auto), seed,
 * threads, max-memory. */
int eigenmap_neighbors(const eigenmap_matrix *x, int32_t k, const char *options, eigenmap_csr *graph);

/* The affinity graph of the rows of x, as they are: symmetric, without a diagonal, columns
 * ascending. Options: the options of graphs (neighbors, epsilon, edge-weight, heat-width, symmetry, ...),
 * seed, threads, max-memory. */
int eigenmap_affinity(const eigenmap_matrix *x, const char *options, eigenmap_csr *graph);

/* The affinity graph that a method joined its documents by. A model that was loaded, and one of a
 * method without a graph of all documents, is refused. */
int eigenmap_model_affinity(const eigenmap_model *model, eigenmap_csr *graph);

/* ---- Eigenpairs of an operator of the caller's ---- */

/* Sets y = A x for one vector of n numbers. It returns 0; another value ends the call with code
 * EIGENMAP_FAILED. It runs on the thread that made the call, and must neither throw, nor jump out,
 * nor call this library. */
typedef int (*eigenmap_matvec_fn)(void *user, int64_t n, const double *x, double *y);

/* Sets Y = A X for a block of vectors, row by row: x[i * columns + j] is row i of vector j. */
typedef int (*eigenmap_matmat_fn)(void *user, int64_t n, int64_t columns, const double *x, double *y);

/* The two ends of a spectrum, by algebraic value. */
enum { EIGENMAP_SMALLEST = 0, EIGENMAP_LARGEST = 1 };

/* Finds k eigenpairs of A y = λ y, or of A y = λ M y, at one end of the spectrum. A is a symmetric
 * operator of size n; two random products check that, and refuse one that is not. mass is the
 * diagonal of M, n positive numbers, or NULL. values gets k eigenvalues, ascending; vectors gets
 * eigenvector j at vectors + j * n, with yᵀMy = 1, or is NULL. Options: tol (largest residual,
 * relative to the norm of A; 1e-8), max-iter (300), solver (auto, dense, arpack, lanczos), block,
 * subspace, seed, threads, max-memory. Code EIGENMAP_FAILED: it did not converge, and nothing is
 * written. */
int eigenmap_symmetric(int64_t n, int32_t k, int32_t which, eigenmap_matvec_fn matvec, void *user,
                       const double *mass, const char *options, double *values, double *vectors);

/* The same by products of blocks, which are fewer calls of more work each. */
int eigenmap_symmetric_block(int64_t n, int32_t k, int32_t which, eigenmap_matmat_fn matmat, void *user,
                             const double *mass, const char *options, double *values, double *vectors);

/* The same for a symmetric CSR matrix, whose products the library makes on all threads, and which
 * it can factor (solver shift-invert, verify). */
int eigenmap_symmetric_csr(int64_t n, const int64_t *indptr, const int32_t *indices, const double *matrix,
                           int32_t k, int32_t which, const double *mass, const char *options,
                           double *values, double *vectors);

/* ---- Corpora: files and texts ---- */

/* Documents that were read. */
typedef struct eigenmap_corpus eigenmap_corpus;

/* Reads a file or a folder, of any format that the program reads. Options are the options of input and of
 * texts: text-column, label-column, language, stop-words, min-df, max-df, ngrams, ... */
int eigenmap_corpus_read(const char *path, const char *options, eigenmap_corpus **corpus);

/* Counts the terms of n texts in UTF-8, one document each. */
int eigenmap_corpus_texts(int64_t n, const char *const *texts, const char *options, eigenmap_corpus **corpus);

/* Frees a corpus; NULL is allowed. */
void eigenmap_corpus_free(eigenmap_corpus *corpus);

/* What is known about the documents as JSON text: name, format, documents, columns, and terms, ids,
 * classes, labels (-1: none) and notes if there are any. Free it with eigenmap_free. */
int eigenmap_corpus_describe(const eigenmap_corpus *corpus, char **json);

/* The n documents of these numbers (counted from 0, in any order, also several times) as a corpus of
 * the same columns, such as a part to learn from. */
int eigenmap_corpus_select(const eigenmap_corpus *corpus, int64_t n, const int64_t *rows, eigenmap_corpus **part);

/* The rows of the documents as weighting and normalize of the options say: without them the
 * entries as they were read, such as counts. */
int eigenmap_corpus_rows(const eigenmap_corpus *corpus, const char *options, eigenmap_csr *rows);

/* eigenmap_fit on a corpus: without other options texts and counts are weighed as by the program.
 * eigenmap_model_describe then has the terms of the clusters. */
int eigenmap_fit_corpus(const eigenmap_corpus *corpus, int32_t purpose, const char *options,
                        const eigenmap_known *known, eigenmap_model **model);

/* eigenmap_predict for n texts, with a model of texts or of columns with names. */
int eigenmap_predict_texts(const eigenmap_model *model, int64_t n, const char *const *texts, const char *options,
                           int32_t layout, int32_t *labels, double *embedding, double *posterior);

/* eigenmap_update by n texts. */
int eigenmap_update_texts(const eigenmap_model *model, int64_t n, const char *const *texts, const char *options,
                          int32_t layout, int32_t *labels, double *embedding, double *posterior,
                          eigenmap_model **updated, char **json);

/* ---- Vectors and columns beside the documents ---- */

/* Documents, and what they are compared by beside their terms or in place of these. Exactly one of
 * x, corpus and texts says what the documents are; what there is not is NULL. */
typedef struct eigenmap_documents {
	const eigenmap_matrix *x;      /* rows */
	const eigenmap_corpus *corpus; /* documents that were read: of a fit */
	const char *const *texts;      /* of new documents: n texts in UTF-8 */
	int64_t n;
	const eigenmap_matrix *vectors; /* a vector for each document, such as an embedding of its text */
	/* Columns beside the texts, a JSON list of {"name": "product", "values": ["tv", null, ...]} with a
	 * value, or null, for each document: numbers, texts or true and false. "kind": "category", "number"
	 * or "date" says what they are, as "code=number" of the option "view-columns" does; without it
	 * nearly all of the values do. */
	const char *columns;
} eigenmap_documents;

/* eigenmap_fit and eigenmap_fit_corpus of documents with vectors or columns. The option "views" says
 * by what they are compared, such as ["words", "vectors"]; without it by the vectors if there are
 * any, by the terms otherwise, and by the columns too. See docs/vectors.md. */
int eigenmap_fit_documents(const eigenmap_documents *documents, int32_t purpose, const char *options,
                           const eigenmap_known *known, eigenmap_model **model);

/* eigenmap_predict and eigenmap_update of new documents. A model of several views places them by
 * those that they have: vectors alone are x. */
int eigenmap_predict_documents(const eigenmap_model *model, const eigenmap_documents *documents, const char *options,
                               int32_t layout, int32_t *labels, double *embedding, double *posterior);
int eigenmap_update_documents(const eigenmap_model *model, const eigenmap_documents *documents, const char *options,
                              int32_t layout, int32_t *labels, double *embedding, double *posterior,
                              eigenmap_model **updated, char **json);

/* ---- Progress and cancelling ---- */

/* A report about the work. Texts are valid during the callback. */
typedef struct eigenmap_event {
	const char *stage;   /* what is being done */
	const char *unit;    /* what done and total count */
	const char *message; /* a sentence for the user, or NULL */
	int64_t done, total; /* total is 0 if the end is not known */
} eigenmap_event;

/* Both return 0 to go on; another value cancels the call, which then returns 130. They run on the
 * thread that made the call, and must neither throw, nor jump out, nor call this library. */
typedef int (*eigenmap_progress_fn)(void *user, const eigenmap_event *event);
typedef int (*eigenmap_cancelled_fn)(void *user);

/* Sets the callbacks of all later calls that the calling thread makes; NULL removes one. cancelled
 * is polled about 20 times a second. */
void eigenmap_set_callbacks(eigenmap_progress_fn progress, eigenmap_cancelled_fn cancelled, void *user);

#ifdef __cplusplus
}
#endif
#endif
