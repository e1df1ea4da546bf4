/* The C interface of Eigenmap for .Call. Memory of a call is R's, so that errors may jump. */
#include <R.h>
#include <Rinternals.h>
#include <R_ext/Rdynload.h>
#include <eigenmap.h>
#include <string.h>

/* ---- calls that Ctrl-C ends ---- */

static void look(void *none) { (void)none; R_CheckUserInterrupt(); }
static int interrupted(void *none) { (void)none; return !R_ToplevelExec(look, NULL); }
static void begin(void) { eigenmap_set_callbacks(NULL, interrupted, NULL); }

static void end(int code)
{
	eigenmap_set_callbacks(NULL, NULL, NULL);
	if (code)
		Rf_error("%s", eigenmap_last_error());
}

/* ---- what goes in ---- */

static const char *text_of(SEXP x) { return Rf_translateCharUTF8(STRING_ELT(x, 0)); }

static const char **texts_of(SEXP x)
{
	const char **texts = (const char **)R_alloc(XLENGTH(x) + 1, sizeof *texts);
	for (R_xlen_t i = 0; i < XLENGTH(x); i++)
		texts[i] = Rf_translateCharUTF8(STRING_ELT(x, i));
	return texts;
}

/* A dense matrix, column by column, or list(dim, p, i, x) of sparse rows. */
static eigenmap_matrix matrix_of(SEXP x, int affinity)
{
	eigenmap_matrix m = {0};
	if (TYPEOF(x) == REALSXP) {
		m.rows = Rf_nrows(x), m.cols = Rf_ncols(x), m.values = REAL(x), m.layout = EIGENMAP_COLUMN_MAJOR;
		return m;
	}
	SEXP p = VECTOR_ELT(x, 1);
	int64_t *indptr = (int64_t *)R_alloc(XLENGTH(p), sizeof *indptr);
	for (R_xlen_t i = 0; i < XLENGTH(p); i++)
		indptr[i] = INTEGER(p)[i];
	m.rows = INTEGER(VECTOR_ELT(x, 0))[0], m.cols = INTEGER(VECTOR_ELT(x, 0))[1];
	m.indptr = indptr, m.indices = INTEGER(VECTOR_ELT(x, 2)), m.values = REAL(VECTOR_ELT(x, 3));
	m.layout = affinity ? EIGENMAP_AFFINITY : EIGENMAP_CSR;
	return m;
}

static int64_t *rows_of(SEXP x)
{
	int64_t *rows = (int64_t *)R_alloc(XLENGTH(x) + 1, sizeof *rows);
	for (R_xlen_t i = 0; i < XLENGTH(x); i++)
		rows[i] = INTEGER(x)[i];
	return rows;
}

/* ---- models ---- */

static void free_model(SEXP pointer)
{
	eigenmap_model_free(R_ExternalPtrAddr(pointer));
	R_ClearExternalPtr(pointer);
}

static SEXP pointer_of(eigenmap_model *model)
{
	SEXP pointer = PROTECT(R_MakeExternalPtr(model, R_NilValue, R_NilValue));
	R_RegisterCFinalizerEx(pointer, free_model, TRUE);
	UNPROTECT(1);
	return pointer;
}

static eigenmap_model *model_of(SEXP pointer)
{
	eigenmap_model *model = R_ExternalPtrAddr(pointer);
	if (!model)
		Rf_error("the model is of another session: keep it by save_model and load_model");
	return model;
}

/* ---- corpora ---- */

static void free_corpus(SEXP pointer)
{
	eigenmap_corpus_free(R_ExternalPtrAddr(pointer));
	R_ClearExternalPtr(pointer);
}

static SEXP corpus_pointer(eigenmap_corpus *corpus)
{
	SEXP pointer = PROTECT(R_MakeExternalPtr(corpus, R_NilValue, R_NilValue));
	R_RegisterCFinalizerEx(pointer, free_corpus, TRUE);
	UNPROTECT(1);
	return pointer;
}

static eigenmap_corpus *corpus_of(SEXP pointer)
{
	eigenmap_corpus *corpus = R_ExternalPtrAddr(pointer);
	if (!corpus)
		Rf_error("the corpus is of another session: read it again");
	return corpus;
}

/* A corpus of a file, or of texts. */
static SEXP corpus(SEXP source, SEXP is_file, SEXP options)
{
	eigenmap_corpus *made = NULL;
	const char **texts = texts_of(source);
	begin();
	if (Rf_asLogical(is_file))
		end(eigenmap_corpus_read(R_ExpandFileName(texts[0]), text_of(options), &made));
	else
		end(eigenmap_corpus_texts(XLENGTH(source), texts, text_of(options), &made));
	return corpus_pointer(made);
}

/* A JSON text of the library as a text of R. */
static SEXP json_from(char *json)
{
	SEXP out = PROTECT(Rf_ScalarString(Rf_mkCharCE(json, CE_UTF8)));
	eigenmap_free(json);
	UNPROTECT(1);
	return out;
}

static SEXP corpus_describe(SEXP pointer)
{
	char *json = NULL;
	end(eigenmap_corpus_describe(corpus_of(pointer), &json));
	return json_from(json);
}

static SEXP corpus_select(SEXP pointer, SEXP rows)
{
	eigenmap_corpus *part = NULL;
	end(eigenmap_corpus_select(corpus_of(pointer), XLENGTH(rows), rows_of(rows), &part));
	return corpus_pointer(part);
}

/* What there is of documents: x is a matrix, a corpus, texts of new ones or NULL. */
typedef struct { eigenmap_documents d; eigenmap_matrix x, vectors; } documents;

static void documents_of(documents *m, SEXP x, int affinity, SEXP vectors, SEXP columns)
{
	memset(m, 0, sizeof *m);
	if (TYPEOF(x) == EXTPTRSXP)
		m->d.corpus = corpus_of(x);
	else if (TYPEOF(x) == STRSXP)
		m->d.texts = texts_of(x), m->d.n = XLENGTH(x);
	else
		m->x = matrix_of(x, affinity), m->d.x = &m->x, m->d.n = m->x.rows;
	if (vectors != R_NilValue)
		m->vectors = matrix_of(vectors, 0), m->d.vectors = &m->vectors;
	if (columns != R_NilValue)
		m->d.columns = text_of(columns);
}

static SEXP fit(SEXP x, SEXP affinity, SEXP purpose, SEXP options, SEXP labels, SEXP first, SEXP second, SEXP cannot, SEXP vectors, SEXP columns)
{
	eigenmap_known known = {0};
	if (labels != R_NilValue)
		known.labels = INTEGER(labels);
	known.links = XLENGTH(first), known.first = rows_of(first), known.second = rows_of(second), known.cannot = INTEGER(cannot);
	eigenmap_model *model = NULL;
	documents m;
	documents_of(&m, x, Rf_asLogical(affinity), vectors, columns);
	begin();
	end(eigenmap_fit_documents(&m.d, Rf_asInteger(purpose), text_of(options), &known, &model));
	return pointer_of(model);
}

static SEXP warnings_of(void) { return Rf_mkString(eigenmap_last_warnings()); }

static SEXP doubles(int64_t rows, int64_t cols) { return Rf_allocMatrix(REALSXP, (int)rows, (int)cols); }

/* list(labels, embedding, posterior, values, json, columns, classes), NULL for what there is not. */
static SEXP describe(SEXP pointer, SEXP fitted)
{
	eigenmap_model *m = model_of(pointer);
	int64_t n = eigenmap_model_count(m, EIGENMAP_DOCUMENTS), k = eigenmap_model_count(m, EIGENMAP_CLUSTERS);
	int64_t dims = eigenmap_model_count(m, EIGENMAP_DIMS), values = eigenmap_model_count(m, EIGENMAP_VALUES);
	int64_t shares = eigenmap_model_count(m, EIGENMAP_PROBABILITIES);
	SEXP out = PROTECT(Rf_allocVector(VECSXP, 7));
	if (Rf_asLogical(fitted) && k > 0) {
		SET_VECTOR_ELT(out, 0, Rf_allocVector(INTSXP, n));
		end(eigenmap_model_labels(m, INTEGER(VECTOR_ELT(out, 0))));
	}
	if (Rf_asLogical(fitted) && dims > 0) {
		SET_VECTOR_ELT(out, 1, doubles(n, dims));
		end(eigenmap_model_embedding(m, EIGENMAP_COLUMN_MAJOR, REAL(VECTOR_ELT(out, 1))));
	}
	if (Rf_asLogical(fitted) && shares > 0) {
		SET_VECTOR_ELT(out, 2, doubles(n, shares));
		end(eigenmap_model_posterior(m, EIGENMAP_COLUMN_MAJOR, REAL(VECTOR_ELT(out, 2))));
	}
	if (values > 0) {
		SET_VECTOR_ELT(out, 3, Rf_allocVector(REALSXP, values));
		end(eigenmap_model_values(m, REAL(VECTOR_ELT(out, 3))));
	}
	if (k > 0) {
		SET_VECTOR_ELT(out, 6, Rf_allocVector(INTSXP, k));
		end(eigenmap_model_classes(m, INTEGER(VECTOR_ELT(out, 6))));
	}
	char *json = NULL;
	end(eigenmap_model_describe(m, &json));
	SET_VECTOR_ELT(out, 4, json_from(json));
	SET_VECTOR_ELT(out, 5, Rf_ScalarReal((double)eigenmap_model_count(m, EIGENMAP_COLUMNS)));
	UNPROTECT(1);
	return out;
}

/* The places of the rows in the plane. */
static SEXP places(SEXP pointer)
{
	eigenmap_model *m = model_of(pointer);
	SEXP out = PROTECT(doubles(eigenmap_model_count(m, EIGENMAP_DOCUMENTS), 2));
	end(eigenmap_model_map(m, EIGENMAP_COLUMN_MAJOR, REAL(out)));
	UNPROTECT(1);
	return out;
}

/* what: 0 clusters, 1 coordinates, 2 probabilities. */
static SEXP place(SEXP pointer, SEXP x, SEXP what, SEXP options, SEXP vectors, SEXP columns)
{
	eigenmap_model *m = model_of(pointer);
	int w = Rf_asInteger(what);
	documents new;
	documents_of(&new, x, 0, vectors, columns);
	int64_t n = new.d.n, width = eigenmap_model_count(m, w == 1 ? EIGENMAP_DIMS : EIGENMAP_CLUSTERS);
	SEXP out = PROTECT(w == 0 ? Rf_allocVector(INTSXP, n) : doubles(n, width));
	int32_t *labels = w == 0 ? INTEGER(out) : NULL;
	double *y = w == 1 ? REAL(out) : NULL, *p = w == 2 ? REAL(out) : NULL;
	begin();
	end(eigenmap_predict_documents(m, &new.d, text_of(options), EIGENMAP_COLUMN_MAJOR, labels, y, p));
	UNPROTECT(1);
	return out;
}

/* list(model, labels, embedding, json) of new documents, which the model takes. */
static SEXP update(SEXP pointer, SEXP x, SEXP options, SEXP vectors, SEXP columns)
{
	eigenmap_model *m = model_of(pointer), *updated = NULL;
	documents new;
	documents_of(&new, x, 0, vectors, columns);
	int64_t dims = eigenmap_model_count(m, EIGENMAP_DIMS), k = eigenmap_model_count(m, EIGENMAP_CLUSTERS);
	SEXP out = PROTECT(Rf_allocVector(VECSXP, 4));
	if (k > 0)
		SET_VECTOR_ELT(out, 1, Rf_allocVector(INTSXP, new.d.n));
	if (dims > 0)
		SET_VECTOR_ELT(out, 2, doubles(new.d.n, dims));
	char *json = NULL;
	begin();
	end(eigenmap_update_documents(m, &new.d, text_of(options), EIGENMAP_COLUMN_MAJOR, k > 0 ? INTEGER(VECTOR_ELT(out, 1)) : NULL,
	                              dims > 0 ? REAL(VECTOR_ELT(out, 2)) : NULL, NULL, &updated, &json));
	SET_VECTOR_ELT(out, 0, pointer_of(updated));
	SET_VECTOR_ELT(out, 3, json_from(json));
	UNPROTECT(1);
	return out;
}

static SEXP confidence(SEXP pointer)
{
	eigenmap_model *m = model_of(pointer);
	SEXP out = PROTECT(Rf_allocVector(REALSXP, eigenmap_model_count(m, EIGENMAP_DOCUMENTS)));
	begin();
	end(eigenmap_model_confidence(m, REAL(out)));
	UNPROTECT(1);
	return out;
}

/* A model as the bytes of its file, and back. */
static SEXP encode(SEXP pointer)
{
	void *bytes = NULL;
	size_t size = 0;
	begin();
	end(eigenmap_model_encode(model_of(pointer), &bytes, &size));
	SEXP out = PROTECT(Rf_allocVector(RAWSXP, size));
	memcpy(RAW(out), bytes, size);
	eigenmap_free(bytes);
	UNPROTECT(1);
	return out;
}

static SEXP decode(SEXP bytes)
{
	eigenmap_model *model = NULL;
	begin();
	end(eigenmap_model_decode(RAW(bytes), XLENGTH(bytes), &model));
	return pointer_of(model);
}

static SEXP save(SEXP pointer, SEXP path)
{
	end(eigenmap_model_save(model_of(pointer), R_ExpandFileName(text_of(path))));
	return R_NilValue;
}

static SEXP load(SEXP path)
{
	eigenmap_model *model = NULL;
	begin();
	end(eigenmap_model_load(R_ExpandFileName(text_of(path)), &model));
	return pointer_of(model);
}

/* ---- graphs and operators ---- */

/* list(dim, p, i, x) of the rows of a graph. */
static SEXP rows_from(eigenmap_csr *g)
{
	if (g->indptr[g->rows] > INT_MAX) {
		eigenmap_csr_free(g);
		Rf_error("the graph has more entries than a sparse matrix of R can hold, 2^31 - 1");
	}
	int64_t entries = g->indptr[g->rows];
	SEXP out = PROTECT(Rf_allocVector(VECSXP, 4));
	SET_VECTOR_ELT(out, 0, Rf_allocVector(INTSXP, 2));
	INTEGER(VECTOR_ELT(out, 0))[0] = (int)g->rows;
	INTEGER(VECTOR_ELT(out, 0))[1] = (int)g->cols;
	SET_VECTOR_ELT(out, 1, Rf_allocVector(INTSXP, g->rows + 1));
	for (int64_t i = 0; i <= g->rows; i++)
		INTEGER(VECTOR_ELT(out, 1))[i] = (int)g->indptr[i];
	SET_VECTOR_ELT(out, 2, Rf_allocVector(INTSXP, entries));
	memcpy(INTEGER(VECTOR_ELT(out, 2)), g->indices, entries * sizeof(int));
	SET_VECTOR_ELT(out, 3, Rf_allocVector(REALSXP, entries));
	memcpy(REAL(VECTOR_ELT(out, 3)), g->values, entries * sizeof(double));
	eigenmap_csr_free(g);
	UNPROTECT(1);
	return out;
}

/* k: neighbours; 0: the affinity graph. */
static SEXP graph(SEXP x, SEXP k, SEXP options)
{
	eigenmap_matrix m = matrix_of(x, 0);
	eigenmap_csr g;
	begin();
	if (Rf_asInteger(k) > 0)
		end(eigenmap_neighbors(&m, Rf_asInteger(k), text_of(options), &g));
	else
		end(eigenmap_affinity(&m, text_of(options), &g));
	return rows_from(&g);
}

static SEXP model_affinity(SEXP pointer)
{
	eigenmap_csr g;
	begin();
	end(eigenmap_model_affinity(model_of(pointer), &g));
	return rows_from(&g);
}

static SEXP corpus_rows(SEXP pointer, SEXP options)
{
	eigenmap_csr g;
	begin();
	end(eigenmap_corpus_rows(corpus_of(pointer), text_of(options), &g));
	return rows_from(&g);
}

static int product(void *user, int64_t n, const double *x, double *y)
{
	SEXP vector = PROTECT(Rf_allocVector(REALSXP, n));
	memcpy(REAL(vector), x, n * sizeof *x);
	SEXP call = PROTECT(Rf_lang2((SEXP)user, vector));
	int failed = 0;
	SEXP got = PROTECT(R_tryEval(call, R_GlobalEnv, &failed));
	if (!failed) {
		SEXP numbers = PROTECT(Rf_coerceVector(got, REALSXP));
		failed = XLENGTH(numbers) != n;
		if (!failed)
			memcpy(y, REAL(numbers), n * sizeof *y);
		UNPROTECT(1);
	}
	UNPROTECT(3);
	return failed;
}

static SEXP symmetric(SEXP a, SEXP n, SEXP k, SEXP largest, SEXP mass, SEXP options)
{
	int size = Rf_asInteger(n), count = Rf_asInteger(k), which = Rf_asLogical(largest) ? EIGENMAP_LARGEST : EIGENMAP_SMALLEST;
	if (size < 1 || count < 1 || count > size)
		Rf_error("k is %d: it must be between 1 and n, %d", count, size);
	SEXP out = PROTECT(Rf_allocVector(VECSXP, 2));
	SET_VECTOR_ELT(out, 0, Rf_allocVector(REALSXP, count));
	SET_VECTOR_ELT(out, 1, doubles(size, count));
	double *values = REAL(VECTOR_ELT(out, 0)), *vectors = REAL(VECTOR_ELT(out, 1));
	const double *m = mass == R_NilValue ? NULL : REAL(mass);
	if (Rf_isFunction(a)) {
		begin();
		end(eigenmap_symmetric(size, count, which, product, a, m, text_of(options), values, vectors));
	} else {
		eigenmap_matrix w = matrix_of(a, 0);
		begin();
		end(eigenmap_symmetric_csr(size, w.indptr, w.indices, w.values, count, which, m, text_of(options), values, vectors));
	}
	UNPROTECT(1);
	return out;
}

static SEXP version(void) { return Rf_mkString(eigenmap_version()); }

static const R_CallMethodDef calls[] = {
	{"C_fit", (DL_FUNC)fit, 10}, {"C_describe", (DL_FUNC)describe, 2}, {"C_map", (DL_FUNC)places, 1}, {"C_place", (DL_FUNC)place, 6},
	{"C_update", (DL_FUNC)update, 5}, {"C_confidence", (DL_FUNC)confidence, 1}, {"C_affinity", (DL_FUNC)model_affinity, 1},
	{"C_encode", (DL_FUNC)encode, 1}, {"C_decode", (DL_FUNC)decode, 1}, {"C_corpus", (DL_FUNC)corpus, 3},
	{"C_corpus_describe", (DL_FUNC)corpus_describe, 1}, {"C_corpus_select", (DL_FUNC)corpus_select, 2},
	{"C_corpus_rows", (DL_FUNC)corpus_rows, 2},
	{"C_save", (DL_FUNC)save, 2}, {"C_load", (DL_FUNC)load, 1}, {"C_graph", (DL_FUNC)graph, 3},
	{"C_symmetric", (DL_FUNC)symmetric, 6}, {"C_version", (DL_FUNC)version, 0}, {"C_warnings", (DL_FUNC)warnings_of, 0},
	{NULL, NULL, 0}};

void R_init_eigenmap(DllInfo *dll)
{
	R_registerRoutines(dll, NULL, calls, NULL, NULL);
	R_useDynamicSymbols(dll, FALSE);
	R_forceSymbols(dll, TRUE);
}
