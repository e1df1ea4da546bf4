/*
 * Operators by callback, graphs as arrays, rows of floats and corpora of texts. The argument chooses
 * what is checked: each check prints "ok", or what is wrong and ends with 1.
 */
#include <math.h>
#include <pthread.h>

#include "require.h"

#define PI 3.14159265358979323846

/* The path of n unknowns between two fixed ends, scaled by the root of a mass: M^1/2 T M^1/2. Then
 * T z = λ z and A y = λ M y have the eigenvalues 2 - 2cos(jπ/(n+1)). */
typedef struct path {
	int64_t n;
	const double *root; /* or NULL */
	int calls, fail_at, wrong;
	pthread_t caller;
} path;

static double root_of(const path *p, int64_t i) { return p->root ? p->root[i] : 1; }

static int matmat(void *user, int64_t n, int64_t columns, const double *x, double *y)
{
	path *p = user;
	REQUIRE(n == p->n && columns > 0 && pthread_equal(pthread_self(), p->caller));
	if (++p->calls == p->fail_at)
		return 7;
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < columns; j++) {
			double sum = 2 * root_of(p, i) * x[i * columns + j];
			if (i > 0)
				sum -= (1 + p->wrong) * root_of(p, i - 1) * x[(i - 1) * columns + j];
			if (i < n - 1)
				sum -= root_of(p, i + 1) * x[(i + 1) * columns + j];
			y[i * columns + j] = root_of(p, i) * sum;
		}
	return 0;
}

static int matvec(void *user, int64_t n, const double *x, double *y) { return matmat(user, n, 1, x, y); }

static int not_finite(void *user, int64_t n, const double *x, double *y)
{
	(void)user;
	for (int64_t i = 0; i < n; i++)
		y[i] = x[i] / 0.0;
	return 0;
}

enum { N = 600, K = 5 };

/* The values are the path's, and the vectors have yᵀMy = 1 and satisfy the equation. */
static void require_pairs(path *p, const double *mass, int32_t which, const double *values, const double *vectors)
{
	static double y[N];
	for (int j = 0; j < K; j++) {
		int at = which == EIGENMAP_SMALLEST ? j + 1 : N - K + 1 + j;
		REQUIRE(fabs(values[j] - (2 - 2 * cos(at * PI / (N + 1)))) < 1e-9);
		const double *v = vectors + j * N;
		matmat(p, N, 1, v, y);
		double length = 0;
		for (int i = 0; i < N; i++) {
			double m = mass ? mass[i] : 1;
			length += m * v[i] * v[i];
			REQUIRE(fabs(y[i] - values[j] * m * v[i]) < 1e-6);
		}
		REQUIRE(fabs(length - 1) < 1e-9);
	}
}

static int64_t indptr[N + 1];
static int32_t indices[3 * N];
static double entries[3 * N];

static int cancel_now(void *user) { return ++*(int *)user > 0; }
static int events;
static int count_events(void *user, const eigenmap_event *e) { (void)user; events += e->stage != NULL; return 0; }

static void symmetric(void)
{
	static double mass[N], root[N], values[K], vectors[K * N], other[K * N];
	for (int i = 0; i < N; i++) {
		mass[i] = 1 + 3 * fabs(sin(i));
		root[i] = sqrt(mass[i]);
	}
	path plain = {.n = N, .caller = pthread_self()}, heavy = {.n = N, .root = root, .caller = pthread_self()};
	const char *solvers[] = {"{}", "{\"solver\": \"lanczos\"}", "{\"solver\": \"arpack\", \"subspace\": 120}", "{\"solver\": \"dense\"}", "{\"solver\": \"lanczos\", \"block\": 1, \"seed\": 5}"};
	for (int which = 0; which < 2; which++)
		for (int s = 0; s < 5; s++) {
			REQUIRE(eigenmap_symmetric(N, K, which, matvec, &plain, NULL, solvers[s], values, vectors) == 0);
			require_pairs(&plain, NULL, which, values, vectors);
			REQUIRE(eigenmap_symmetric_block(N, K, which, matmat, &heavy, mass, solvers[s], values, vectors) == 0);
			require_pairs(&heavy, mass, which, values, vectors);
		}
	/* one vector a call and blocks give the same bits, since the products have */
	REQUIRE(eigenmap_symmetric(N, K, 0, matvec, &plain, NULL, solvers[1], values, vectors) == 0);
	REQUIRE(eigenmap_symmetric_block(N, K, 0, matmat, &plain, NULL, solvers[1], values, other) == 0);
	REQUIRE(memcmp(vectors, other, sizeof vectors) == 0);
	REQUIRE(eigenmap_symmetric(N, K, 0, matvec, &plain, NULL, NULL, values, NULL) == 0);
	/* a matrix, whose products are the library's */
	int64_t at = 0;
	for (int i = 0; i < N; i++) {
		for (int j = i - 1; j <= i + 1; j++)
			if (j >= 0 && j < N) {
				indices[at] = j;
				entries[at++] = (i == j ? 2 : -1) * root[i] * root[j];
			}
		indptr[i + 1] = at;
	}
	const char *factored[] = {NULL, "{\"solver\": \"shift-invert\"}", "{\"verify\": true, \"solver\": \"lanczos\"}"};
	for (int s = 0; s < 3; s++) {
		REQUIRE(eigenmap_symmetric_csr(N, indptr, indices, entries, K, 0, mass, factored[s], values, vectors) == 0);
		require_pairs(&heavy, mass, 0, values, vectors);
	}
	/* what is refused */
	values[0] = 77;
	require_error(eigenmap_symmetric(0, 1, 0, matvec, &plain, NULL, NULL, values, NULL), 2, "n is 0");
	require_error(eigenmap_symmetric(N, N + 1, 0, matvec, &plain, NULL, NULL, values, NULL), 2, "k is 601");
	require_error(eigenmap_symmetric(N, K, 2, matvec, &plain, NULL, NULL, values, NULL), 2, "which is 2");
	require_error(eigenmap_symmetric(N, K, 0, NULL, &plain, NULL, NULL, values, NULL), 2, "the function of the products");
	require_error(eigenmap_symmetric(N, K, 0, matvec, &plain, NULL, NULL, NULL, NULL), 2, "values");
	require_error(eigenmap_symmetric(N, K, 0, matvec, &plain, NULL, "{\"tolerance\": 1}", values, NULL), 2, "tolerance");
	require_error(eigenmap_symmetric(N, K, 0, matvec, &plain, NULL, "{\"labels\": [1]}", values, NULL), 2, "no labels");
	require_error(eigenmap_symmetric(N, K, 0, matvec, &plain, NULL, "{\"solver\": \"qr\"}", values, NULL), 2, "qr");
	require_error(eigenmap_symmetric(N, K, 0, matvec, &plain, NULL, "{\"max-memory\": 1000}", values, NULL), 1, "max-memory");
	mass[3] = 0;
	require_error(eigenmap_symmetric(N, K, 0, matvec, &plain, mass, NULL, values, NULL), 2, "mass 3");
	plain.wrong = 1;
	require_error(eigenmap_symmetric(N, K, 0, matvec, &plain, NULL, NULL, values, NULL), 2, "not symmetric");
	plain.wrong = 0;
	entries[1] += 1;
	require_error(eigenmap_symmetric_csr(N, indptr, indices, entries, K, 0, NULL, NULL, values, NULL), 2, "entry (0, 1)");
	plain.calls = 0, plain.fail_at = 9;
	require_error(eigenmap_symmetric(N, K, 0, matvec, &plain, NULL, solvers[1], values, NULL), 1, "returned 7");
	plain.fail_at = 0;
	REQUIRE(eigenmap_symmetric(N, K, 0, not_finite, NULL, NULL, solvers[1], values, NULL) != 0);
	require_error(eigenmap_symmetric(N, K, 0, matvec, &plain, NULL, "{\"solver\": \"lanczos\", \"max-iter\": 1, \"tol\": 1e-15}", values, NULL), 1, "max-iter");
	REQUIRE(values[0] == 77);
	/* progress and cancelling are set for the thread, as for its other calls */
	int polls = 0;
	eigenmap_set_callbacks(count_events, NULL, NULL);
	REQUIRE(eigenmap_symmetric(N, K, 0, matvec, &plain, NULL, solvers[1], values, NULL) == 0 && events > 0);
	eigenmap_set_callbacks(NULL, cancel_now, &polls);
	require_error(eigenmap_symmetric(N, K, 0, matvec, &plain, NULL, solvers[1], values, NULL), 130, "cancelled");
	eigenmap_set_callbacks(NULL, NULL, NULL);
}

enum { RING = 60 };

/* Points on a circle: two neighbours each, in a ring whose eigenvalues are 1 - cos(2πj/n). */
static void graphs(void)
{
	static double x[RING * 2], values[3], y[3 * RING];
	static float single[RING * 2];
	for (int i = 0; i < RING; i++) {
		x[2 * i] = cos(2 * PI * i / RING);
		x[2 * i + 1] = sin(2 * PI * i / RING);
		single[2 * i] = x[2 * i], single[2 * i + 1] = x[2 * i + 1];
	}
	eigenmap_matrix m = {RING, 2, NULL, NULL, x, 0, EIGENMAP_ROW_MAJOR};
	eigenmap_matrix floats = {RING, 2, NULL, NULL, (const double *)single, 0, EIGENMAP_ROW_MAJOR_FLOAT};
	eigenmap_csr g, f;
	for (int k = 0; k < 2; k++) {
		REQUIRE(eigenmap_neighbors(k ? &floats : &m, 2, k ? NULL : "{\"neighbors-method\": \"exact\"}", &g) == 0);
		REQUIRE(g.rows == RING && g.cols == RING && g.indptr[RING] == 2 * RING);
		for (int i = 0; i < RING; i++)
			for (int e = 0; e < 2; e++) {
				int d = abs(g.indices[2 * i + e] - i);
				REQUIRE(g.indptr[i] == 2 * i && (d == 1 || d == RING - 1));
				REQUIRE(fabs(g.values[2 * i + e] - 2 * sin(PI / RING)) < 1e-6);
			}
		eigenmap_csr_free(&g);
		REQUIRE(!g.indptr && !g.indices && !g.values);
	}
	REQUIRE(eigenmap_affinity(&m, "{\"neighbors\": 2, \"edge-weight\": \"binary\"}", &g) == 0);
	REQUIRE(g.indptr[RING] == 2 * RING);
	REQUIRE(eigenmap_embed_affinity(RING, g.indptr, g.indices, g.values, NULL, 3, values, y) == 0);
	for (int j = 0; j < 3; j++)
		REQUIRE(fabs(values[j] - (1 - cos(2 * PI * (j / 2 + 1) / RING))) < 1e-12);
	/* the graph of a fit is the one of the same options */
	eigenmap_model *model;
	REQUIRE(eigenmap_fit(&m, EIGENMAP_EMBED, "{\"method\": \"le\", \"dims\": 3, \"neighbors\": 2, \"edge-weight\": \"binary\"}", NULL, &model) == 0);
	REQUIRE(eigenmap_model_affinity(model, &f) == 0);
	REQUIRE(memcmp(f.indptr, g.indptr, sizeof(int64_t) * (RING + 1)) == 0 && memcmp(f.indices, g.indices, sizeof(int32_t) * 2 * RING) == 0);
	REQUIRE(memcmp(f.values, g.values, sizeof(double) * 2 * RING) == 0);
	eigenmap_model_free(model);
	eigenmap_csr_free(&f);
	eigenmap_csr_free(&g);
	eigenmap_csr_free(NULL);
	REQUIRE(eigenmap_fit(&m, EIGENMAP_CLUSTER, "{\"method\": \"kmeans\", \"clusters\": 3}", NULL, &model) == 0);
	require_error(eigenmap_model_affinity(model, &f), 2, "no affinity graph");
	eigenmap_model_free(model);
	require_error(eigenmap_neighbors(&m, RING, NULL, &g), 2, "59");
	require_error(eigenmap_neighbors(&m, 2, "{\"neighbors\": 2}", &g), 2, "neighbors");
	require_error(eigenmap_neighbors(&m, 2, NULL, NULL), 2, "graph");
	require_error(eigenmap_affinity(&m, "{\"neighbours\": 2}", &g), 2, "neighbors");
	require_error(eigenmap_affinity(&m, "{\"edge-weight\": \"cosine\"}", &g), 2, "edge-weight");
	require_error(eigenmap_affinity(&m, "{\"max-memory\": 100}", &g), 1, "max-memory");
	require_error(eigenmap_affinity(&m, "{\"max-memory\": \"much\"}", &g), 2, "max-memory");
	m.layout = EIGENMAP_AFFINITY;
	require_error(eigenmap_affinity(&m, NULL, &g), 2, "layout");
}

/* Rows of floats give the bits of the same rows with "precision": "single". */
static void floats(void)
{
	enum { ROWS = 120, COLS = 8 };
	static float x[ROWS * COLS], wide[ROWS * 2 * COLS];
	static double d[ROWS * COLS], ya[ROWS * 3], yb[ROWS * 3];
	int64_t p[ROWS + 1] = {0};
	static int32_t col[ROWS * COLS];
	uint32_t state = 1;
	for (int i = 0; i < ROWS * COLS; i++) {
		state = state * 1664525u + 1013904223u;
		x[i] = (float)(state >> 8) / (1 << 24) + 3 * (i / COLS % 3);
		d[i] = x[i];
		wide[i / COLS * 2 * COLS + i % COLS] = x[i];
		col[i] = i % COLS;
		p[i / COLS + 1] = i + 1;
	}
	eigenmap_matrix all[] = {
		{ROWS, COLS, NULL, NULL, d, 0, EIGENMAP_ROW_MAJOR},
		{ROWS, COLS, NULL, NULL, (const double *)x, 0, EIGENMAP_ROW_MAJOR_FLOAT},
		{ROWS, COLS, NULL, NULL, (const double *)wide, 2 * COLS, EIGENMAP_ROW_MAJOR_FLOAT},
		{ROWS, COLS, p, col, d, 0, EIGENMAP_CSR},
		{ROWS, COLS, p, col, (const double *)x, 0, EIGENMAP_CSR_FLOAT},
	};
	/* pca computes in double precision, and copies */
	const char *methods[] = {"{\"method\": \"le\", \"dims\": 3%s}", "{\"method\": \"pca\", \"dims\": 3%s}"};
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < 5; i++) {
			char options[200];
			sprintf(options, methods[k], k == 0 && (i == 0 || i == 3) ? ", \"precision\": \"single\"" : "");
			eigenmap_model *m;
			REQUIRE(eigenmap_fit(&all[i], EIGENMAP_EMBED, options, NULL, &m) == 0);
			REQUIRE(eigenmap_model_embedding(m, EIGENMAP_ROW_MAJOR, i == 0 || i == 3 ? ya : yb) == 0);
			REQUIRE(i == 0 || i == 3 || memcmp(ya, yb, sizeof ya) == 0);
			REQUIRE(eigenmap_predict(m, &all[i], NULL, EIGENMAP_ROW_MAJOR, NULL, yb, NULL) == 0);
			eigenmap_model_free(m);
		}
	x[9] = NAN;
	eigenmap_model *m;
	require_error(eigenmap_fit(&all[1], EIGENMAP_EMBED, "{\"method\": \"le\", \"dims\": 3}", NULL, &m), 2, "NaN");
	require_error(eigenmap_fit(&all[4], EIGENMAP_EMBED, "{\"method\": \"le\", \"dims\": 3}", NULL, &m), 2, "NaN");
	all[2].stride = 2;
	require_error(eigenmap_fit(&all[2], EIGENMAP_EMBED, "{\"method\": \"le\", \"dims\": 3}", NULL, &m), 2, "stride");
}

/* Texts and a file of them: terms, counts, clusters and new texts. */
static void corpora(void)
{
	enum { TEXTS = 24 };
	static const char *words[] = {"ship sea harbour", "kernel compiler code"};
	static char text[TEXTS][100];
	const char *texts[TEXTS];
	FILE *file = fopen("texts.jsonl", "w");
	for (int i = 0; i < TEXTS; i++) {
		sprintf(text[i], "%s %s %s", words[i % 2], i % 4 < 2 ? "blue" : "green", i % 3 ? words[i % 2] : "");
		texts[i] = text[i];
		fprintf(file, "{\"text\": \"%s\"}\n", text[i]);
	}
	fclose(file);
	eigenmap_corpus *c[2];
	char *json[2];
	eigenmap_csr rows[2];
	REQUIRE(eigenmap_corpus_texts(TEXTS, texts, "{\"language\": \"none\"}", &c[0]) == 0);
	REQUIRE(eigenmap_corpus_read("texts.jsonl", "{\"language\": \"none\"}", &c[1]) == 0);
	for (int i = 0; i < 2; i++) {
		REQUIRE(eigenmap_corpus_describe(c[i], &json[i]) == 0);
		REQUIRE(strstr(json[i], "\"documents\":24") && strstr(json[i], "\"columns\":8") && strstr(json[i], "\"harbour\""));
		eigenmap_free(json[i]);
		REQUIRE(eigenmap_corpus_rows(c[i], NULL, &rows[i]) == 0);
		REQUIRE(rows[i].rows == TEXTS && rows[i].cols == 8 && rows[i].values[0] == 1);
		int32_t labels[TEXTS], placed[2];
		eigenmap_model *m;
		REQUIRE(eigenmap_fit_corpus(c[i], EIGENMAP_CLUSTER, "{\"method\": \"kmeans\", \"clusters\": 2}", NULL, &m) == 0);
		REQUIRE(eigenmap_model_labels(m, labels) == 0);
		for (int k = 0; k < TEXTS; k++)
			REQUIRE(labels[k] == labels[k % 2]);
		char *said;
		REQUIRE(eigenmap_model_describe(m, &said) == 0 && strstr(said, "\"cluster_terms\":[{\"cluster\":0") && strstr(said, "\"weights\""));
		eigenmap_free(said);
		const char *fresh[] = {"a sea with a ship", "the compiler of a kernel"};
		REQUIRE(eigenmap_predict_texts(m, 2, fresh, NULL, EIGENMAP_ROW_MAJOR, placed, NULL, NULL) == 0);
		REQUIRE(placed[0] == labels[0] && placed[1] == labels[1]);
		/* a model of a method that does not grow counts the texts */
		eigenmap_model *next;
		int32_t again[2];
		REQUIRE(eigenmap_update_texts(m, 2, fresh, NULL, EIGENMAP_ROW_MAJOR, again, NULL, NULL, &next, &said) == 0);
		REQUIRE(again[0] == placed[0] && again[1] == placed[1] && next != m);
		REQUIRE(strstr(said, "\"added_documents\":0") && strstr(said, "\"updates\":1"));
		REQUIRE(eigenmap_model_count(next, EIGENMAP_CLUSTERS) == 2 && eigenmap_model_labels(next, again) != 0);
		REQUIRE(eigenmap_update_texts(m, 2, fresh, NULL, EIGENMAP_ROW_MAJOR, NULL, NULL, NULL, NULL, NULL) == EIGENMAP_REQUEST);
		eigenmap_free(said);
		eigenmap_model_free(next);
		eigenmap_model_free(m);
	}
	/* a graph grows by rows */
	{
		enum { ROWS = 40, COLUMNS = 8 };
		static double values[2 * ROWS * COLUMNS];
		for (int i = 0; i < 2 * ROWS; i++)
			for (int j = 0; j < COLUMNS; j++)
				values[i * COLUMNS + j] = (j / 4 == i % 2 ? 5 : 0) + ((i * i * 31 + j * 17 + i * j * 7) % 1009) / 1009.0;
		eigenmap_matrix old = {.rows = ROWS, .cols = COLUMNS, .layout = EIGENMAP_ROW_MAJOR, .values = values};
		eigenmap_matrix fresh = old;
		fresh.values = values + ROWS * COLUMNS;
		eigenmap_model *first, *second;
		int32_t labels[ROWS], placed[ROWS];
		char *said;
		REQUIRE(eigenmap_fit(&old, EIGENMAP_CLUSTER, "{\"method\": \"le\", \"clusters\": 2, \"neighbors\": 5}", NULL, &first) == 0);
		REQUIRE(eigenmap_model_labels(first, labels) == 0);
		REQUIRE(eigenmap_update(first, &fresh, NULL, EIGENMAP_ROW_MAJOR, placed, NULL, NULL, &second, &said) == 0);
		REQUIRE(memcmp(labels, placed, sizeof labels) == 0 && strstr(said, "\"added_documents\":40"));
		REQUIRE(eigenmap_model_count(first, EIGENMAP_DOCUMENTS) == ROWS && eigenmap_model_count(second, EIGENMAP_DOCUMENTS) == 2 * ROWS);
		eigenmap_free(said);
		eigenmap_model_free(second);
		eigenmap_model_free(first);
	}
	REQUIRE(memcmp(rows[0].indices, rows[1].indices, sizeof(int32_t) * rows[0].indptr[TEXTS]) == 0);
	eigenmap_csr weighted;
	REQUIRE(eigenmap_corpus_rows(c[0], "{\"weighting\": \"tfidf\", \"normalize\": \"l2\"}", &weighted) == 0);
	for (int i = 0; i < TEXTS; i++) {
		double square = 0;
		for (int64_t e = weighted.indptr[i]; e < weighted.indptr[i + 1]; e++)
			square += weighted.values[e] * weighted.values[e];
		REQUIRE(fabs(square - 1) < 1e-12);
	}
	eigenmap_csr_free(&weighted);
	eigenmap_csr_free(&rows[0]);
	eigenmap_csr_free(&rows[1]);
	/* labels of a part of the texts */
	int32_t some[TEXTS];
	for (int i = 0; i < TEXTS; i++)
		some[i] = i < 4 ? i % 2 : -1;
	eigenmap_known known = {.labels = some};
	eigenmap_model *m;
	int32_t labels[TEXTS];
	REQUIRE(eigenmap_fit_corpus(c[1], EIGENMAP_CLUSTER, "{\"method\": \"label-propagation\"}", &known, &m) == 0);
	REQUIRE(eigenmap_model_labels(m, labels) == 0);
	for (int i = 0; i < TEXTS; i++)
		REQUIRE(labels[i] == i % 2);
	eigenmap_model_free(m);
	eigenmap_corpus *none;
	require_error(eigenmap_corpus_read("missing.jsonl", NULL, &none), 2, "missing.jsonl");
	require_error(eigenmap_corpus_read(NULL, NULL, &none), 2, "path");
	require_error(eigenmap_corpus_texts(TEXTS, texts, "{\"language\": \"klingon\"}", &none), 2, "klingon");
	texts[3] = "\xff";
	require_error(eigenmap_corpus_texts(TEXTS, texts, NULL, &none), 2, "text 3");
	texts[3] = NULL;
	require_error(eigenmap_corpus_texts(TEXTS, texts, NULL, &none), 2, "text 3");
	require_error(eigenmap_corpus_texts(-1, texts, NULL, &none), 2, "-1");
	require_error(eigenmap_corpus_rows(c[0], "{\"min-df\": 2}", &weighted), 2, "min-df");
	require_error(eigenmap_fit_corpus(c[0], EIGENMAP_CLUSTER, "{\"clusters\": 99}", NULL, &m), 2, "clusters");
	int64_t chosen_rows[] = {3, 0, 3};
	eigenmap_corpus *part;
	eigenmap_csr all, chosen;
	REQUIRE(eigenmap_corpus_select(c[0], 3, chosen_rows, &part) == 0);
	REQUIRE(eigenmap_corpus_rows(c[0], NULL, &all) == 0 && eigenmap_corpus_rows(part, NULL, &chosen) == 0);
	REQUIRE(chosen.rows == 3 && chosen.cols == all.cols);
	for (int i = 0; i < 3; i++) {
		int64_t at = all.indptr[chosen_rows[i]], to = chosen.indptr[i], width = all.indptr[chosen_rows[i] + 1] - at;
		REQUIRE(chosen.indptr[i + 1] - to == width);
		for (int64_t k = 0; k < width; k++)
			REQUIRE(chosen.indices[to + k] == all.indices[at + k] && chosen.values[to + k] == all.values[at + k]);
	}
	eigenmap_csr_free(&all);
	eigenmap_csr_free(&chosen);
	eigenmap_corpus_free(part);
	chosen_rows[1] = -1;
	require_error(eigenmap_corpus_select(c[0], 3, chosen_rows, &part), 2, "row -1");
	require_error(eigenmap_corpus_select(c[0], 0, chosen_rows, &part), 2, "number of rows");
	require_error(eigenmap_corpus_select(c[0], 3, NULL, &part), 2, "rows");
	eigenmap_corpus_free(c[0]);
	require_error(eigenmap_corpus_rows(c[0], NULL, &weighted), 2, "no such corpus");
	eigenmap_corpus_free(c[1]);
	eigenmap_corpus_free(NULL);
}

/* Columns beside rows of either precision: what they are, by kind, and what is no list of them. */
static void columns(void)
{
	enum { ROWS = 60, COLS = 6 };
	static double d[ROWS * COLS];
	static float x[ROWS * COLS];
	static char text[3][4000];
	for (int i = 0; i < ROWS * COLS; i++)
		x[i] = (float)(d[i] = (i % COLS == i / COLS % 3) + (i * 7919 % 100) / 400.0);
	const char *heads[] = {"[{\"name\": \"code\", \"kind\": \"category\", \"values\": [", "[{\"name\": \"code\", \"values\": [", "[{\"name\": \"code\", \"values\": ["};
	const char *values[] = {"%d", "%d.0", "\"%d\""};
	for (int k = 0; k < 3; k++) {
		strcpy(text[k], heads[k]);
		for (int i = 0; i < ROWS; i++) {
			strcat(text[k], i ? ", " : "");
			sprintf(text[k] + strlen(text[k]), values[k], 100 + i % 3);
		}
		strcat(text[k], "]}]");
	}
	eigenmap_matrix all[] = {
		{ROWS, COLS, NULL, NULL, d, 0, EIGENMAP_ROW_MAJOR},
		{ROWS, COLS, NULL, NULL, (const double *)x, 0, EIGENMAP_ROW_MAJOR_FLOAT},
	};
	const char *options = "{\"method\": \"kmeans\", \"clusters\": 3}";
	for (int i = 0; i < 2; i++) {
		eigenmap_documents docs = {.x = &all[i], .columns = text[0]};
		eigenmap_model *m;
		static double y[2][ROWS * 3];
		REQUIRE(eigenmap_fit_documents(&docs, EIGENMAP_EMBED, "{\"method\": \"lsi\", \"dims\": 3}", NULL, &m) == 0);
		char *json;
		REQUIRE(eigenmap_model_describe(m, &json) == 0);
		REQUIRE(strstr(json, "\"category\""));
		eigenmap_free(json);
		/* a number is the value that it writes */
		docs.columns = text[2];
		REQUIRE(eigenmap_predict_documents(m, &docs, NULL, EIGENMAP_ROW_MAJOR, NULL, y[0], NULL) == 0);
		docs.columns = text[1];
		REQUIRE(eigenmap_predict_documents(m, &docs, NULL, EIGENMAP_ROW_MAJOR, NULL, y[1], NULL) == 0);
		REQUIRE(memcmp(y[0], y[1], sizeof y[0]) == 0);
		docs.columns = NULL;
		REQUIRE(eigenmap_predict_documents(m, &docs, NULL, EIGENMAP_ROW_MAJOR, NULL, y[1], NULL) == 0);
		REQUIRE(memcmp(y[0], y[1], sizeof y[0]) != 0);
		docs.columns = "[{\"name\": \"other\", \"values\": []}]";
		REQUIRE(eigenmap_predict_documents(m, &docs, NULL, EIGENMAP_ROW_MAJOR, NULL, y[1], NULL) == 2);
		eigenmap_model_free(m);
	}
	/* an option that names the column takes its kind too; another kind is refused */
	eigenmap_documents named = {.x = &all[0], .columns = text[0]};
	eigenmap_model *kept;
	REQUIRE(eigenmap_fit_documents(&named, EIGENMAP_EMBED, "{\"method\": \"lsi\", \"dims\": 3, \"view-columns\": [\"code\"]}", NULL, &kept) == 0);
	char *of;
	REQUIRE(eigenmap_model_describe(kept, &of) == 0);
	REQUIRE(strstr(of, "\"category\""));
	eigenmap_free(of);
	eigenmap_model_free(kept);
	require_error(eigenmap_fit_documents(&named, EIGENMAP_EMBED, "{\"method\": \"lsi\", \"dims\": 3, \"view-columns\": [\"code=number\"]}", NULL, &kept), 2, "of kind");
	eigenmap_documents both = {.x = &all[1], .vectors = &all[1]};
	eigenmap_model *joined;
	REQUIRE(eigenmap_fit_documents(&both, EIGENMAP_CLUSTER, "{\"method\": \"kmeans\", \"clusters\": 3, \"views\": [\"words\", \"vectors\"]}", NULL, &joined) == 0);
	eigenmap_model_free(joined);
	static const struct { const char *text, *error; } bad[] = {
		{"", "EOF"}, {"{}", "object"}, {"[] []", "goes on"}, {"[{\"name\": 1}]", "number"}, {"[{\"nam\": \"a\"}]", "\"nam\""},
		{"[{\"name\": \"a\", \"kind\": \"colour\", \"values\": [1]}]", "category, number or date"},
		{"[{\"name\": \"a\", \"values\": [1]}]", "1 value"}, {"[{\"name\": \"a\", \"values\": [[1]]}]", "a list"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		eigenmap_documents docs = {.x = &all[0], .columns = bad[i].text};
		eigenmap_model *m;
		require_error(eigenmap_fit_documents(&docs, EIGENMAP_CLUSTER, options, NULL, &m), 2, bad[i].error);
		REQUIRE(!strstr(eigenmap_last_error(), "Go value"));
	}
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(void); } checks[] = {
		{"symmetric", symmetric}, {"graphs", graphs}, {"floats", floats}, {"corpora", corpora}, {"columns", columns},
	};
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
		if (argc > 1 && !strcmp(argv[1], checks[i].name)) {
			checks[i].run();
			printf("ok\n");
			return 0;
		}
	return 2;
}
