/*
 * A host that is particular about its process. The argument chooses what is checked: each check
 * prints "ok", or what is wrong and ends with 1.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <eigenmap.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "require.h"

enum { N = 120, PER = 6, COLS = 30 };
static int64_t indptr[N + 1];
static int32_t indices[N * PER];
static double values[N * PER];

static void make(void)
{
	for (int i = 0; i < N; i++) {
		indptr[i + 1] = indptr[i] + PER;
		for (int k = 0; k < PER; k++) {
			indices[i * PER + k] = (i % 3) * 10 + k + (k >= (i / 3) % PER);
			values[i * PER + k] = 1 + (i * 7 + k * 3) % 5;
		}
	}
}

static int cluster(const char *options, int32_t *labels)
{
	return eigenmap_cluster_csr(N, COLS, indptr, indices, values, options, labels);
}

/* A product that is not called. */
static int unused(void *user, int64_t n, const double *x, double *y) { return !user + (n < 1) + (x == y); }

/* Wrong requests give code 2 and say where; the caller's arrays stay as they were. */
static void errors(void)
{
	int32_t labels[N];
	double y[N * 2];
	labels[0] = 77;
	REQUIRE(cluster("{\"clusters\": 3}", labels) == 0 && eigenmap_last_error()[0] == 0);
	REQUIRE(eigenmap_last_warnings()[0] == '[');
	REQUIRE(cluster("{\"clusters\": 3.0, \"seed\": 1e1, \"threads\": 2.0}", labels) == 0);
	labels[0] = 77;
	require_error(cluster("{\"k\": 3}", labels), 2, "short for clusters");
	require_error(cluster("{\"clusters\": 2.5}", labels), 2, "whole number");
	require_error(cluster("{\"names\": [\"clusters=n_clusters\"], \"clusters\": 121}", labels), 2, "n_clusters 121 is more");
	require_error(cluster("{\"names\": [\"clusters=n_clusters\"], \"clusters\": -1}", labels), 2, "n_clusters \"-1\"");
	require_error(cluster("{\"names\": \"clusters\"}", labels), 2, "names");
	require_error(cluster("{\"labels\": [0, 1, 2]}", labels), 2, "3 labels given for 120 documents");
	require_error(cluster("{\"labels\": [0, 1.5]}", labels), 2, "item 1");
	require_error(cluster("{\"labels\": \"/nonexistent/labels.csv\"}", labels), 2, "/nonexistent/labels.csv");
	require_error(cluster("{\"clusters\": 3, \"constraints\": [[0, 3], [1, 4, \"never\"]]}", labels), 2, "item 1");
	require_error(cluster("{\"clusters\": 3", labels), 2, "JSON");
	require_error(cluster("[1]", labels), 2, "JSON");
	require_error(cluster("{\"clusters\": 3} 4", labels), 2, "JSON");
	require_error(cluster("{\"clusters\": 3, \"clusters\": 4}", labels), 2, "twice");
	require_error(cluster("{\"clusters\": {}}", labels), 2, "clusters");
	require_error(cluster("{\"clusters\": 3, \"neighbours\": 4}", labels), 2, "neighbors");
	require_error(cluster("{\"clusters\": 3, \"neighbors\": 0}", labels), 2, "neighbors");
	require_error(cluster("{\"clusters\": 3, \"threads\": -1}", labels), 2, "threads");
	require_error(cluster("{\"clusters\": 3, \"method\": \"cle\"}", labels), 2, "label");
	require_error(cluster(NULL, labels), 2, "clusters");
	require_error(eigenmap_cluster_csr(N, COLS, NULL, indices, values, "{\"clusters\": 3}", labels), 2, "indptr");
	require_error(eigenmap_cluster_csr(N, COLS, indptr, NULL, values, "{\"clusters\": 3}", labels), 2, "indices");
	require_error(eigenmap_cluster_csr(N, COLS, indptr, indices, NULL, "{\"clusters\": 3}", labels), 2, "values");
	require_error(cluster("{\"clusters\": 3}", NULL), 2, "labels");
	require_error(eigenmap_cluster_csr(-1, COLS, indptr, indices, values, "{}", labels), 2, "-1");
	require_error(eigenmap_cluster_csr(0, COLS, indptr, indices, values, "{}", labels), 2, "0");
	require_error(eigenmap_cluster_csr(N, INT64_MAX, indptr, indices, values, "{}", labels), 2, "rows and columns");
	require_error(eigenmap_embed_csr(N, COLS, indptr, indices, values, "{}", 0, y), 2, "dims");
	require_error(eigenmap_embed_csr(N, COLS, indptr, indices, values, "{\"dims\": 3}", 2, y), 2, "dims");
	require_error(eigenmap_embed_csr(N, COLS, indptr, indices, values, "{\"method\": \"gmm\"}", 2, y), 2, "embedding");
	require_error(eigenmap_embed_csr(N, COLS, indptr, indices, values, "{\"method\": \"lsi\"}", 29999, y), 2, "dims");
	indptr[N] = (int64_t)N * COLS + 1;
	require_error(cluster("{\"clusters\": 3}", labels), 2, "indptr[120]");
	indptr[6] = indptr[5] - 1;
	indptr[N] = N * PER;
	require_error(cluster("{\"clusters\": 3}", labels), 2, "row 5");
	make();
	int32_t old = indices[10];
	indices[10] = -1;
	require_error(cluster("{\"clusters\": 3}", labels), 2, "(1, -1)");
	indices[10] = indices[9];
	require_error(cluster("{\"clusters\": 3}", labels), 2, "row 1");
	indices[10] = old;
	values[13] = NAN;
	require_error(cluster("{\"clusters\": 3}", labels), 2, "NaN");
	values[13] = INFINITY;
	require_error(cluster("{\"clusters\": 3}", labels), 2, "Inf");
	values[13] = 1;
	REQUIRE(labels[0] == 77);
	eigenmap_model *none = (eigenmap_model *)(uintptr_t)12345;
	require_error(eigenmap_model_labels(none, labels), 2, "no such model");
	require_error(eigenmap_model_save(NULL, "x"), 2, "no such model");
	REQUIRE(eigenmap_model_count(none, EIGENMAP_DIMS) == -1);
	int64_t counts[EIGENMAP_COUNTS];
	REQUIRE(eigenmap_model_counts(none, counts) == EIGENMAP_REQUEST);
	require_error(eigenmap_model_load("/nonexistent/model.npz", &none), 2, "/nonexistent/model.npz");
	require_error(eigenmap_model_decode("rubbish", 7, &none), 2, "model");
	eigenmap_model_free(none);
	eigenmap_model_free(NULL);
	REQUIRE(strlen(eigenmap_version()) > 0);
	/* Arrays that end before their sizes say, where nothing is mapped behind them. */
	size_t page = sysconf(_SC_PAGESIZE);
	char *end = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	REQUIRE(end != MAP_FAILED && mprotect(end + page, page, PROT_NONE) == 0);
	end += page;
	int32_t *few = (int32_t *)end - 10;
	memcpy(few, indices, 10 * sizeof *few);
	require_error(eigenmap_cluster_csr(N, COLS, indptr, few, values, "{\"clusters\": 3}", labels), 2, "shorter than the sizes");
	eigenmap_matrix x = {N, COLS, indptr, indices, values, 0, EIGENMAP_CSR};
	eigenmap_known known = {.labels = few};
	require_error(eigenmap_fit(&x, EIGENMAP_CLUSTER, "{\"method\": \"cle\"}", &known, &none), 2, "shorter than the sizes");
	double *numbers = (double *)end - 20 * 4 + 1; /* of 20 rows of 4, but for the last */
	for (double *v = numbers; v < (double *)end; v++)
		*v = 1;
	eigenmap_matrix dense = {20, 4, NULL, NULL, numbers, 0, EIGENMAP_ROW_MAJOR};
	require_error(eigenmap_fit(&dense, EIGENMAP_CLUSTER, "{\"clusters\": 3}", NULL, &none), 2, "shorter than the sizes");
	dense.layout = EIGENMAP_COLUMN_MAJOR;
	require_error(eigenmap_fit(&dense, EIGENMAP_CLUSTER, "{\"clusters\": 3}", NULL, &none), 2, "shorter than the sizes");
	dense.layout = EIGENMAP_ROW_MAJOR_FLOAT;
	dense.values = (double *)((float *)end - 20 * 4 + 1);
	require_error(eigenmap_fit(&dense, EIGENMAP_CLUSTER, "{\"clusters\": 3}", NULL, &none), 2, "shorter than the sizes");
	double value;
	require_error(eigenmap_symmetric(20, 1, EIGENMAP_SMALLEST, unused, NULL, (double *)end - 19, NULL, &value, NULL), 2, "shorter than the sizes");
	known.labels = indices;
	require_error(eigenmap_fit(&x, EIGENMAP_CLUSTER, "{\"labels\": [1]}", &known, &none), 2, "twice");
	/* Not converged: the work failed. */
	require_error(cluster("{\"clusters\": 3, \"solver\": \"lanczos\", \"max-iter\": 1, \"tol\": 1e-15, \"dims\": 40}", labels), 1, "max-iter");
}

/* Labels and constraints in the options, and the method that is taken if none is named. */
static void given(void)
{
	char options[N * 8] = "{\"method\": \"label-propagation\", \"labels\": [";
	int32_t labels[N];
	for (int i = 0; i < N; i++)
		sprintf(options + strlen(options), i < 15 ? "%s%d" : i % 2 ? "%s-1" : "%snull", i ? ", " : "", 2 - i % 3);
	strcat(options, "]}");
	REQUIRE(cluster(options, labels) == 0);
	for (int i = 0; i < N; i++)
		REQUIRE(labels[i] == 2 - i % 3); /* clusters are classes */
	REQUIRE(cluster("{\"clusters\": 3, \"constraints\": [[0, 3], [1, 4, \"must\"]]}", labels) == 0);
	REQUIRE(labels[0] == labels[3] && labels[1] == labels[4] && labels[0] != labels[1]);
	for (int i = 0; i < N; i++)
		labels[i] = i < 15 ? i % 3 : -1;
	static const struct { const char *options, *method; int labels; } each[] = {
		{"{\"clusters\": 3}", "\"method\":\"diffusion\"", 0}, {"{}", "\"method\":\"semi-le\"", 1},
		{"{\"clusters\": 3, \"constraints\": [[0, 3]]}", "\"method\":\"cle\"", 0}};
	eigenmap_matrix x = {N, COLS, indptr, indices, values, 0, EIGENMAP_CSR};
	for (int i = 0; i < 3; i++) {
		eigenmap_known known = {.labels = each[i].labels ? labels : NULL};
		eigenmap_model *m;
		char *json;
		REQUIRE(eigenmap_fit(&x, EIGENMAP_CLUSTER, each[i].options, &known, &m) == 0);
		REQUIRE(eigenmap_model_describe(m, &json) == 0 && strstr(json, each[i].method));
		eigenmap_free(json);
		eigenmap_model_free(m);
	}
	double y[N], v[2];
	int64_t p[] = {0, 1, 3, 4};
	int32_t path[] = {1, 0, 2, 1};
	double one[] = {1, 1, 1, 1};
	REQUIRE(eigenmap_embed_affinity(3, p, path, one, NULL, 2, v, y) == 0 && fabs(v[0] - 1) < 1e-12 && fabs(v[1] - 2) < 1e-12);
	REQUIRE(eigenmap_embed_affinity(3, p, path, one, "{\"drop-first\": false}", 2, v, y) == 0 && fabs(v[0]) < 1e-12 && fabs(v[1] - 1) < 1e-12);
}

/* Both layouts say the same, and a model gives the same after its file and its bytes. */
static void models(void)
{
	double *rows = calloc(N * COLS, sizeof *rows), *columns = calloc(N * COLS, sizeof *columns);
	for (int i = 0; i < N; i++)
		for (int k = 0; k < PER; k++) {
			rows[i * COLS + indices[i * PER + k]] = values[i * PER + k];
			columns[i + indices[i * PER + k] * N] = values[i * PER + k];
		}
	const char *options = "{\"method\": \"pca\", \"dims\": 3, \"clusters\": 3}";
	eigenmap_matrix r = {N, COLS, NULL, NULL, rows, 0, EIGENMAP_ROW_MAJOR};
	eigenmap_matrix c = {N, COLS, NULL, NULL, columns, 0, EIGENMAP_COLUMN_MAJOR};
	eigenmap_matrix part = {N / 2, COLS, NULL, NULL, rows, 2 * COLS, EIGENMAP_ROW_MAJOR};
	eigenmap_model *a, *b, *p;
	REQUIRE(eigenmap_fit(&r, EIGENMAP_CLUSTER, options, NULL, &a) == 0);
	REQUIRE(eigenmap_fit(&c, EIGENMAP_CLUSTER, options, NULL, &b) == 0);
	REQUIRE(eigenmap_fit(&part, EIGENMAP_CLUSTER, options, NULL, &p) == 0);
	REQUIRE(eigenmap_model_count(a, EIGENMAP_DOCUMENTS) == N && eigenmap_model_count(p, EIGENMAP_DOCUMENTS) == N / 2);
	REQUIRE(eigenmap_model_count(a, EIGENMAP_COLUMNS) == COLS && eigenmap_model_count(a, EIGENMAP_CLUSTERS) == 3);
	REQUIRE(eigenmap_model_count(a, EIGENMAP_DIMS) == 3 && eigenmap_model_count(a, EIGENMAP_VALUES) == 3);
	REQUIRE(eigenmap_model_count(a, EIGENMAP_PREDICTS) == 1);
	REQUIRE(eigenmap_model_count(a, EIGENMAP_COUNTS) == -1 && eigenmap_model_counts(a, NULL) == EIGENMAP_REQUEST);
	int64_t counts[EIGENMAP_COUNTS];
	REQUIRE(eigenmap_model_counts(a, counts) == 0);
	for (int i = 0; i < EIGENMAP_COUNTS; i++)
		REQUIRE(counts[i] == eigenmap_model_count(a, i));
	double ya[N * 3], yb[N * 3], v[3], w[3];
	int32_t la[N], lb[N];
	REQUIRE(eigenmap_model_embedding(a, EIGENMAP_ROW_MAJOR, ya) == 0);
	REQUIRE(eigenmap_model_embedding(b, EIGENMAP_COLUMN_MAJOR, yb) == 0);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < 3; j++)
			REQUIRE(ya[i * 3 + j] == yb[i + j * N]);
	eigenmap_model *drawn;
	double at[N * 2], across[N * 2];
	REQUIRE(eigenmap_model_map(a, EIGENMAP_ROW_MAJOR, at) == EIGENMAP_REQUEST);
	REQUIRE(eigenmap_fit(&r, EIGENMAP_CLUSTER, "{\"method\": \"le\", \"clusters\": 3, \"map\": true}", NULL, &drawn) == 0);
	REQUIRE(eigenmap_model_map(drawn, EIGENMAP_ROW_MAJOR, at) == 0);
	REQUIRE(eigenmap_model_map(drawn, EIGENMAP_COLUMN_MAJOR, across) == 0);
	for (int i = 0; i < N; i++)
		REQUIRE(at[2 * i] == across[i] && at[2 * i + 1] == across[N + i]);
	eigenmap_model_free(drawn);
	REQUIRE(eigenmap_model_values(a, v) == 0 && v[0] >= v[1] && v[1] >= v[2] && v[2] > 0);
	REQUIRE(eigenmap_model_labels(a, la) == 0);
	/* the matrix may go: the model keeps nothing of it */
	void *bytes;
	size_t size;
	REQUIRE(eigenmap_model_encode(a, &bytes, &size) == 0 && size > 100);
	eigenmap_model *copy, *loaded;
	REQUIRE(eigenmap_model_decode(bytes, size, &copy) == 0);
	memset(bytes, 0, size);
	eigenmap_free(bytes);
	REQUIRE(eigenmap_model_save(a, "model.npz") == 0 && eigenmap_model_load("model.npz", &loaded) == 0);
	for (int k = 0; k < 3; k++) {
		eigenmap_model *m = k == 0 ? a : k == 1 ? copy : loaded;
		REQUIRE(eigenmap_predict(m, &r, NULL, EIGENMAP_ROW_MAJOR, lb, yb, NULL) == 0);
		REQUIRE(memcmp(la, lb, sizeof la) == 0);
		for (int i = 0; i < N * 3; i++)
			REQUIRE(fabs(ya[i] - yb[i]) < 1e-9);
	}
	REQUIRE(eigenmap_model_values(loaded, w) == 0 && memcmp(v, w, sizeof v) == 0);
	require_error(eigenmap_model_labels(loaded, lb), 2, "loaded");
	require_error(eigenmap_predict(a, &r, NULL, EIGENMAP_ROW_MAJOR, lb, NULL, yb), 2, "probabilities");
	char *json;
	REQUIRE(eigenmap_model_describe(a, &json) == 0 && strstr(json, "\"method\":\"pca\""));
	eigenmap_free(json);
	eigenmap_model_free(copy);
	require_error(eigenmap_model_labels(copy, lb), 2, "no such model");
	/* labels of some rows: the clusters are the classes, with their numbers */
	int32_t some[N], classes[3];
	for (int i = 0; i < N; i++)
		some[i] = i < 15 ? 5 * (i % 3) + 2 : -1;
	eigenmap_known known = {.labels = some};
	eigenmap_matrix x = {N, COLS, indptr, indices, values, 0, EIGENMAP_CSR};
	eigenmap_model *s;
	REQUIRE(eigenmap_fit(&x, EIGENMAP_CLUSTER, "{\"method\": \"label-propagation\"}", &known, &s) == 0);
	REQUIRE(eigenmap_model_labels(s, la) == 0 && eigenmap_model_classes(s, classes) == 0);
	for (int i = 0; i < N; i++)
		REQUIRE(classes[la[i]] == 5 * (i % 3) + 2);
	REQUIRE(eigenmap_model_count(s, EIGENMAP_PROBABILITIES) == 3);
	double posterior[N * 3];
	REQUIRE(eigenmap_model_posterior(s, EIGENMAP_ROW_MAJOR, posterior) == 0);
	REQUIRE(fabs(posterior[0] + posterior[1] + posterior[2] - 1) < 1e-9);
	/* confidences are made when they are asked for, of nothing of the caller's, and are those that a file has */
	double sure[N], again[N];
	memset(some, 0, sizeof some);
	REQUIRE(eigenmap_model_confidence(s, sure) == 0 && eigenmap_model_confidence(s, again) == 0);
	REQUIRE(memcmp(sure, again, sizeof sure) == 0);
	for (int i = 0; i < N; i++)
		REQUIRE(sure[i] >= 0 && sure[i] <= 1);
	require_error(eigenmap_model_confidence(s, NULL), 2, "confidence");
	require_error(eigenmap_model_confidence(loaded, sure), 2, "loaded");
	eigenmap_model_free(s);
	for (int i = 0; i < N; i++)
		some[i] = i < 15 ? 5 * (i % 3) + 2 : -1;
	require_error(eigenmap_fit(&x, EIGENMAP_CLUSTER, "{\"method\": \"le\", \"clusters\": 3}", &known, &s), 2, "no use for labels");
	/* constraints */
	free(rows);
	free(columns);
	int64_t first[] = {0, 1, 2}, second[] = {3, 4, 5};
	eigenmap_known links = {.first = first, .second = second, .links = 3};
	REQUIRE(eigenmap_fit(&x, EIGENMAP_CLUSTER, "{\"method\": \"cle\", \"clusters\": 3}", &links, &s) == 0);
	second[1] = N;
	require_error(eigenmap_fit(&x, EIGENMAP_CLUSTER, "{\"method\": \"cle\", \"clusters\": 3}", &links, &s), 2, "line 2");
}

static int seen, stop_at;
static pthread_t caller;

static int progress(void *user, const eigenmap_event *e)
{
	int32_t labels[N];
	REQUIRE(user == &seen && e->stage && pthread_equal(pthread_self(), caller));
	REQUIRE(cluster("{\"clusters\": 3}", labels) == 2); /* a call inside a callback is refused */
	return ++seen == stop_at;
}

static int cancelled(void *user) { return ++*(int *)user > 3; }

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Callbacks run on the calling thread, and stop the work. */
static void callbacks(void)
{
	int32_t labels[N];
	caller = pthread_self();
	eigenmap_set_callbacks(progress, NULL, &seen);
	REQUIRE(cluster("{\"clusters\": 3}", labels) == 0 && seen > 2);
	stop_at = 1, seen = 0;
	require_error(cluster("{\"clusters\": 3}", labels), 130, "cancelled");
	/* A long run ends within two seconds of the host's wish. */
	static int64_t p[20001];
	static int32_t col[20000 * 20];
	static double val[20000 * 20];
	static double y[20000 * 10];
	uint32_t state = 1;
	for (int i = 0; i < 20000; i++) {
		p[i + 1] = p[i] + 20;
		for (int k = 0; k < 20; k++) {
			state = state * 1664525u + 1013904223u;
			col[i * 20 + k] = k * 50 + (state >> 16) % 50;
			val[i * 20 + k] = 1 + (state >> 28);
		}
	}
	int polls = 0;
	eigenmap_set_callbacks(NULL, cancelled, &polls);
	double begin = now();
	require_error(eigenmap_embed_csr(20000, 1000, p, col, val, "{\"method\": \"isomap\"}", 10, y), 130, "cancelled");
	REQUIRE(now() - begin < 5);
	eigenmap_set_callbacks(NULL, NULL, NULL);
	REQUIRE(cluster("{\"clusters\": 3}", labels) == 0);
}

static volatile sig_atomic_t got_int, got_usr;
static void on_int(int s) { (void)s, got_int++; }
static void on_usr(int s) { (void)s, got_usr++; }

/* The host's handlers stay and run, also during a call. */
static void signals(void)
{
	struct sigaction a = {.sa_handler = on_int}, was;
	int32_t labels[N];
	sigaction(SIGINT, NULL, &was);
	REQUIRE(was.sa_handler == SIG_DFL); /* the library has not touched it */
	sigaction(SIGINT, &a, NULL);
	a.sa_handler = on_usr;
	sigaction(SIGUSR1, &a, NULL);
	timer_t timer;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	struct itimerspec every = {{0, 1000000}, {0, 1000000}};
	REQUIRE(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 && timer_settime(timer, 0, &every, NULL) == 0);
	for (int i = 0; i < 100; i++)
		REQUIRE(cluster("{\"clusters\": 3}", labels) == 0);
	timer_delete(timer);
	REQUIRE(got_usr > 0);
	raise(SIGINT);
	REQUIRE(got_int == 1);
	sigaction(SIGINT, NULL, &was);
	REQUIRE(was.sa_handler == on_int);
	sigaction(SIGUSR1, NULL, &was);
	REQUIRE(was.sa_handler == on_usr);
}

extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int) __attribute__((weak));

/* The host's BLAS has its threads after every call. */
static void blas(void)
{
	int32_t labels[N];
	double y[N * 2];
	if (!openblas_get_num_threads) {
		printf("no OpenBLAS; ");
		return;
	}
	for (int n = 1; n <= 4; n++) {
		openblas_set_num_threads(n);
		REQUIRE(cluster("{\"clusters\": 3}", labels) == 0);
		REQUIRE(eigenmap_embed_csr(N, COLS, indptr, indices, values, "{\"solver\": \"dense\"}", 2, y) == 0);
		REQUIRE(cluster("{\"clusters\": 0}", labels) == 2);
		REQUIRE(openblas_get_num_threads() == n);
	}
}

/* Traps, rounding and flags are as they were; traps do not fire inside. */
static void floats(void)
{
	int32_t labels[N], nearest[N];
	REQUIRE(cluster("{\"clusters\": 3}", nearest) == 0);
	feclearexcept(FE_ALL_EXCEPT);
	fesetround(FE_DOWNWARD);
	feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
	const char *each[] = {"{\"clusters\": 3}", "{\"clusters\": 3, \"method\": \"gmm\"}", "{\"clusters\": 3, \"method\": \"nmf\"}",
	                      "{\"clusters\": 3, \"method\": \"isomap\"}", "{\"clusters\": 3, \"solver\": \"arpack\"}"};
	for (size_t i = 0; i < sizeof each / sizeof *each; i++)
		REQUIRE(cluster(each[i], labels) == 0 || strstr(eigenmap_last_error(), "arpack"));
	REQUIRE(fegetexcept() == (FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) && fegetround() == FE_DOWNWARD);
	REQUIRE(fetestexcept(FE_ALL_EXCEPT & ~FE_INEXACT) == 0);
	REQUIRE(cluster("{\"clusters\": 3}", labels) == 0 && memcmp(labels, nearest, sizeof labels) == 0);
}

/* A child of fork gets an error, and no deadlock. */
static void child(void)
{
	int32_t labels[N];
	REQUIRE(cluster("{\"clusters\": 3}", labels) == 0);
	pid_t pid = fork();
	if (pid == 0) {
		alarm(10);
		_exit(cluster("{\"clusters\": 3}", labels) == 1 && strstr(eigenmap_last_error(), "fork") ? 42 : 1);
	}
	int status;
	waitpid(pid, &status, 0);
	REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 42);
	REQUIRE(cluster("{\"clusters\": 3}", labels) == 0);
}

static int calls_each;

static void *caller_thread(void *arg)
{
	char options[128];
	int32_t labels[N];
	double y[N * 2];
	int me = *(int *)arg;
	for (int i = 0; i < calls_each; i++) {
		snprintf(options, sizeof options, "{\"clusters\": 3, \"seed\": %d, \"threads\": %d}", i, 1 + (i / 8) % 2);
		REQUIRE(cluster(options, labels) == 0 && eigenmap_last_error()[0] == 0);
		for (int k = 0; k < N; k++)
			REQUIRE(labels[k] == labels[k % 3]);
		if (i % 5 == 0) {
			char name[32];
			snprintf(name, sizeof name, "wrong-%d", me);
			snprintf(options, sizeof options, "{\"clusters\": 3, \"%s\": 1}", name);
			REQUIRE(cluster(options, labels) == 2 && strstr(eigenmap_last_error(), name));
		}
		if (i % 4 == 0) {
			eigenmap_matrix x = {N, COLS, indptr, indices, values, 0, EIGENMAP_CSR};
			eigenmap_model *m;
			REQUIRE(eigenmap_fit(&x, EIGENMAP_EMBED, "{\"method\": \"lsi\", \"dims\": 2}", NULL, &m) == 0);
			REQUIRE(eigenmap_model_embedding(m, EIGENMAP_ROW_MAJOR, y) == 0);
			eigenmap_model_free(m);
		}
	}
	return NULL;
}

static long resident(void)
{
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	REQUIRE(f && fscanf(f, "%*d %ld", &pages) == 1);
	fclose(f);
	return pages * sysconf(_SC_PAGESIZE) / 1024;
}

static void from_threads(int calls)
{
	pthread_t t[8];
	int id[8];
	calls_each = calls / 8;
	for (int i = 0; i < 8; i++) {
		id[i] = i;
		REQUIRE(pthread_create(&t[i], NULL, caller_thread, &id[i]) == 0);
	}
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
}

/* 1,000 calls from 8 threads; the second, third and fourth time they need no more memory. */
static void threads(void)
{
	long kib[4];
	int calls = getenv("CALLS") ? atoi(getenv("CALLS")) : 1000;
	for (int i = 0; i < 4; i++)
		from_threads(calls), kib[i] = resident();
	fprintf(stderr, "resident after each %d calls: %ld %ld %ld %ld KiB\n", calls, kib[0], kib[1], kib[2], kib[3]);
	REQUIRE(getenv("CALLS") || kib[3] < kib[1] + 8192);
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(void); } checks[] = {
		{"errors", errors}, {"given", given}, {"models", models}, {"callbacks", callbacks}, {"signals", signals}, {"blas", blas},
		{"floats", floats}, {"child", child}, {"threads", threads},
	};
	make();
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
		if (argc > 1 && !strcmp(argv[1], checks[i].name)) {
			checks[i].run();
			printf("ok\n");
			return 0;
		}
	return 2;
}
