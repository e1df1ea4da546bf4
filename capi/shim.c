/*
 * The public functions. Each one runs its Go half on the calling thread, with callbacks and error
 * text of the thread, in the default floating-point environment: a host that traps on division by
 * zero, or rounds otherwise, finds its environment as it was.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "_cgo_export.h"
#include "shim.h"

/* A thread's call is allocated: a library that is loaded by dlopen has little room for variables of
 * threads. It is freed when the thread ends. */
static __thread eigenmap_call *own;
static pthread_key_t key;

static eigenmap_call *thread_call(void)
{
	if (!own && (own = calloc(1, sizeof *own)))
		pthread_setspecific(key, own);
	return own;
}

/* Set in the child of a fork, which has none of the threads that the library works with. */
static volatile int forked;

static void in_child(void) { forked = 1; }

/* The threads of the Go runtime inherit the floating-point environment of the thread that loads the
 * library. This runs before the runtime starts. */
static fenv_t loader;

__attribute__((constructor(101))) static void before_runtime(void)
{
	fegetenv(&loader);
	fesetenv(FE_DFL_ENV);
	pthread_atfork(NULL, NULL, in_child);
	pthread_key_create(&key, free);
}

/* This runs after the runtime has started its first thread: constructors with a priority run before
 * those without one, and the runtime's object is linked before this one. */
__attribute__((constructor)) static void after_runtime(void) { fesetenv(&loader); }

static int refuse(eigenmap_call *call, const char *why, int code)
{
	strncpy(call->error, why, sizeof call->error - 1);
	return code;
}

static pthread_mutex_t handlers = PTHREAD_MUTEX_INITIALIZER;

/* Threads that run Go code have small stacks that grow, on which a handler of the host would write
 * over other memory. They also have an alternate stack: handlers that were installed without
 * SA_ONSTACK get it, as the Go runtime gives it to those that it finds when it is loaded. */
static void use_alternate_stack(void)
{
	pthread_mutex_lock(&handlers);
	for (int s = 1; s < NSIG; s++) {
		struct sigaction a;
		if (sigaction(s, NULL, &a) != 0 || a.sa_flags & SA_ONSTACK || a.sa_handler == SIG_DFL || a.sa_handler == SIG_IGN)
			continue;
		a.sa_flags |= SA_ONSTACK;
		sigaction(s, &a, NULL);
	}
	pthread_mutex_unlock(&handlers);
}

/* Returns 0 if a call may begin. */
static int enter(eigenmap_call *call)
{
	if (!call)
		return EIGENMAP_FAILED;
	if (call->busy)
		return refuse(call, "a callback must not call the library: return from it first", EIGENMAP_REQUEST);
	if (forked)
		return refuse(call, "the library does not work in the child of a fork: load it after the fork, or call exec", EIGENMAP_FAILED);
	use_alternate_stack();
	call->error[0] = 0;
	call->warnings[0] = 0;
	call->busy = 1;
	fegetenv(&call->host);
	fesetenv(FE_DFL_ENV);
	return 0;
}

static void leave(eigenmap_call *call)
{
	fesetenv(&call->host);
	call->busy = 0;
}

/* Runs an expression in the environment of the host. */
#define IN_HOST(c, expression) \
	do { \
		fesetenv(&(c)->host); \
		int said = (expression); \
		fegetenv(&(c)->host); \
		fesetenv(FE_DFL_ENV); \
		return said; \
	} while (0)

int eigenmap_call_progress(eigenmap_call *c, const eigenmap_event *event)
{
	IN_HOST(c, c->progress(c->user, event));
}

int eigenmap_call_cancelled(eigenmap_call *c)
{
	IN_HOST(c, c->cancelled(c->user));
}

int eigenmap_call_matvec(eigenmap_call *c, eigenmap_matvec_fn f, void *user, int64_t n, const double *x, double *y)
{
	IN_HOST(c, f(user, n, x, y));
}

int eigenmap_call_matmat(eigenmap_call *c, eigenmap_matmat_fn f, void *user, int64_t n, int64_t columns, const double *x, double *y)
{
	IN_HOST(c, f(user, n, columns, x, y));
}

#define CALL(expression) \
	do { \
		eigenmap_call *call = thread_call(); \
		int code = enter(call); \
		if (code == 0) { \
			code = (expression); \
			leave(call); \
		} \
		return code; \
	} while (0)

const char *eigenmap_last_error(void)
{
	return own ? own->error : "";
}

const char *eigenmap_last_warnings(void)
{
	return own && own->warnings[0] ? own->warnings : "[]";
}

void eigenmap_set_callbacks(eigenmap_progress_fn progress, eigenmap_cancelled_fn cancelled, void *user)
{
	eigenmap_call *call = thread_call();
	if (!call || call->busy) /* a call that runs keeps its own */
		return;
	call->progress = progress;
	call->cancelled = cancelled;
	call->user = user;
}

const char *eigenmap_version(void)
{
	static const char *version;
	if (!version && !forked)
		version = eigenmapGoVersion();
	return version ? version : "";
}

int eigenmap_version_number(void) { return EIGENMAP_VERSION_NUMBER; }

void eigenmap_free(void *memory) { free(memory); }

int eigenmap_embed_csr(int64_t rows, int64_t cols, const int64_t *indptr, const int32_t *indices,
                       const double *values, const char *options, int32_t dims, double *embedding)
{
	eigenmap_matrix x = {rows, cols, indptr, indices, values, 0, EIGENMAP_CSR};
	CALL(eigenmapGoEmbed(call, &x, (char *)options, dims, NULL, embedding));
}

int eigenmap_cluster_csr(int64_t rows, int64_t cols, const int64_t *indptr, const int32_t *indices,
                         const double *values, const char *options, int32_t *labels)
{
	eigenmap_matrix x = {rows, cols, indptr, indices, values, 0, EIGENMAP_CSR};
	CALL(eigenmapGoCluster(call, &x, (char *)options, labels));
}

int eigenmap_embed_affinity(int64_t n, const int64_t *indptr, const int32_t *indices,
                            const double *weights, const char *options, int32_t dims,
                            double *values, double *embedding)
{
	eigenmap_matrix x = {n, n, indptr, indices, weights, 0, EIGENMAP_AFFINITY};
	CALL(eigenmapGoEmbed(call, &x, (char *)options, dims, values, embedding));
}

int eigenmap_fit(const eigenmap_matrix *x, int32_t purpose, const char *options,
                 const eigenmap_known *known, eigenmap_model **model)
{
	CALL(eigenmapGoFit(call, (eigenmap_matrix *)x, purpose, (char *)options, (eigenmap_known *)known, (uintptr_t *)model));
}

void eigenmap_model_free(eigenmap_model *model)
{
	if (model && !forked)
		eigenmapGoFree((uintptr_t)model);
}

int64_t eigenmap_model_count(const eigenmap_model *model, int32_t which)
{
	int64_t count = -1;
	eigenmap_call *call = thread_call();
	if (enter(call) == 0) {
		if (eigenmapGoCount(call, (uintptr_t)model, which, &count) != 0)
			count = -1;
		leave(call);
	}
	return count;
}

int eigenmap_model_counts(const eigenmap_model *model, int64_t *counts)
{
	CALL(eigenmapGoCounts(call, (uintptr_t)model, counts));
}

int eigenmap_model_labels(const eigenmap_model *model, int32_t *labels)
{
	CALL(eigenmapGoLabels(call, (uintptr_t)model, labels));
}

int eigenmap_model_confidence(const eigenmap_model *model, double *confidence)
{
	CALL(eigenmapGoConfidence(call, (uintptr_t)model, confidence));
}

int eigenmap_model_embedding(const eigenmap_model *model, int32_t layout, double *embedding)
{
	CALL(eigenmapGoCoordinates(call, (uintptr_t)model, layout, 0, embedding));
}

int eigenmap_model_posterior(const eigenmap_model *model, int32_t layout, double *posterior)
{
	CALL(eigenmapGoCoordinates(call, (uintptr_t)model, layout, 1, posterior));
}

int eigenmap_model_map(const eigenmap_model *model, int32_t layout, double *places)
{
	CALL(eigenmapGoCoordinates(call, (uintptr_t)model, layout, 2, places));
}

int eigenmap_model_values(const eigenmap_model *model, double *values)
{
	CALL(eigenmapGoValues(call, (uintptr_t)model, values));
}

int eigenmap_model_classes(const eigenmap_model *model, int32_t *classes)
{
	CALL(eigenmapGoClasses(call, (uintptr_t)model, classes));
}

int eigenmap_model_describe(const eigenmap_model *model, char **json)
{
	CALL(eigenmapGoDescribe(call, (uintptr_t)model, json));
}

int eigenmap_predict(const eigenmap_model *model, const eigenmap_matrix *x, const char *options,
                     int32_t layout, int32_t *labels, double *embedding, double *posterior)
{
	CALL(eigenmapGoPredict(call, (uintptr_t)model, (eigenmap_matrix *)x, (char *)options, layout, labels, embedding, posterior));
}

int eigenmap_update(const eigenmap_model *model, const eigenmap_matrix *x, const char *options, int32_t layout,
                    int32_t *labels, double *embedding, double *posterior, eigenmap_model **updated, char **json)
{
	CALL(eigenmapGoUpdate(call, (uintptr_t)model, (eigenmap_matrix *)x, (char *)options, layout, labels, embedding, posterior, (uintptr_t *)updated, json));
}

int eigenmap_model_save(const eigenmap_model *model, const char *path)
{
	CALL(eigenmapGoSave(call, (uintptr_t)model, (char *)path));
}

int eigenmap_model_load(const char *path, eigenmap_model **model)
{
	CALL(eigenmapGoLoad(call, (char *)path, (uintptr_t *)model));
}

int eigenmap_model_encode(const eigenmap_model *model, void **bytes, size_t *size)
{
	CALL(eigenmapGoEncode(call, (uintptr_t)model, bytes, size));
}

int eigenmap_model_decode(const void *bytes, size_t size, eigenmap_model **model)
{
	CALL(eigenmapGoDecode(call, (void *)bytes, size, (uintptr_t *)model));
}

void eigenmap_csr_free(eigenmap_csr *matrix)
{
	if (!matrix)
		return;
	free(matrix->indptr);
	free(matrix->indices);
	free(matrix->values);
	matrix->indptr = NULL;
	matrix->indices = NULL;
	matrix->values = NULL;
}

int eigenmap_neighbors(const eigenmap_matrix *x, int32_t k, const char *options, eigenmap_csr *graph)
{
	CALL(eigenmapGoNeighbors(call, (eigenmap_matrix *)x, k, (char *)options, graph));
}

int eigenmap_affinity(const eigenmap_matrix *x, const char *options, eigenmap_csr *graph)
{
	CALL(eigenmapGoAffinity(call, (eigenmap_matrix *)x, (char *)options, graph));
}

int eigenmap_model_affinity(const eigenmap_model *model, eigenmap_csr *graph)
{
	CALL(eigenmapGoModelAffinity(call, (uintptr_t)model, graph));
}

int eigenmap_symmetric(int64_t n, int32_t k, int32_t which, eigenmap_matvec_fn matvec, void *user,
                       const double *mass, const char *options, double *values, double *vectors)
{
	eigenmap_operator a = {.n = n, .matvec = matvec, .user = user};
	CALL(eigenmapGoSymmetric(call, &a, k, which, (double *)mass, (char *)options, values, vectors));
}

int eigenmap_symmetric_block(int64_t n, int32_t k, int32_t which, eigenmap_matmat_fn matmat, void *user,
                             const double *mass, const char *options, double *values, double *vectors)
{
	eigenmap_operator a = {.n = n, .matmat = matmat, .user = user};
	CALL(eigenmapGoSymmetric(call, &a, k, which, (double *)mass, (char *)options, values, vectors));
}

int eigenmap_symmetric_csr(int64_t n, const int64_t *indptr, const int32_t *indices, const double *matrix,
                           int32_t k, int32_t which, const double *mass, const char *options,
                           double *values, double *vectors)
{
	eigenmap_operator a = {.n = n, .matrix = {n, n, indptr, indices, matrix, 0, EIGENMAP_CSR}, .explicit = 1};
	CALL(eigenmapGoSymmetric(call, &a, k, which, (double *)mass, (char *)options, values, vectors));
}

int eigenmap_corpus_read(const char *path, const char *options, eigenmap_corpus **corpus)
{
	CALL(eigenmapGoCorpusRead(call, (char *)path, (char *)options, (uintptr_t *)corpus));
}

int eigenmap_corpus_texts(int64_t n, const char *const *texts, const char *options, eigenmap_corpus **corpus)
{
	CALL(eigenmapGoCorpusTexts(call, n, (char **)texts, (char *)options, (uintptr_t *)corpus));
}

void eigenmap_corpus_free(eigenmap_corpus *corpus)
{
	if (corpus && !forked)
		eigenmapGoCorpusFree((uintptr_t)corpus);
}

int eigenmap_corpus_describe(const eigenmap_corpus *corpus, char **json)
{
	CALL(eigenmapGoCorpusDescribe(call, (uintptr_t)corpus, json));
}

int eigenmap_corpus_rows(const eigenmap_corpus *corpus, const char *options, eigenmap_csr *rows)
{
	CALL(eigenmapGoCorpusRows(call, (uintptr_t)corpus, (char *)options, rows));
}

int eigenmap_corpus_select(const eigenmap_corpus *corpus, int64_t n, const int64_t *rows, eigenmap_corpus **part)
{
	CALL(eigenmapGoCorpusSelect(call, (uintptr_t)corpus, n, (int64_t *)rows, (uintptr_t *)part));
}

int eigenmap_fit_corpus(const eigenmap_corpus *corpus, int32_t purpose, const char *options,
                        const eigenmap_known *known, eigenmap_model **model)
{
	CALL(eigenmapGoFitCorpus(call, (uintptr_t)corpus, purpose, (char *)options, (eigenmap_known *)known, (uintptr_t *)model));
}

int eigenmap_predict_texts(const eigenmap_model *model, int64_t n, const char *const *texts, const char *options,
                           int32_t layout, int32_t *labels, double *embedding, double *posterior)
{
	CALL(eigenmapGoPredictTexts(call, (uintptr_t)model, n, (char **)texts, (char *)options, layout, labels, embedding, posterior));
}

int eigenmap_update_texts(const eigenmap_model *model, int64_t n, const char *const *texts, const char *options,
                          int32_t layout, int32_t *labels, double *embedding, double *posterior,
                          eigenmap_model **updated, char **json)
{
	CALL(eigenmapGoUpdateTexts(call, (uintptr_t)model, n, (char **)texts, (char *)options, layout, labels, embedding, posterior, (uintptr_t *)updated, json));
}

int eigenmap_fit_documents(const eigenmap_documents *documents, int32_t purpose, const char *options,
                           const eigenmap_known *known, eigenmap_model **model)
{
	CALL(eigenmapGoFitDocuments(call, (eigenmap_documents *)documents, purpose, (char *)options, (eigenmap_known *)known, (uintptr_t *)model));
}

int eigenmap_predict_documents(const eigenmap_model *model, const eigenmap_documents *documents, const char *options,
                               int32_t layout, int32_t *labels, double *embedding, double *posterior)
{
	CALL(eigenmapGoPredictDocuments(call, (uintptr_t)model, (eigenmap_documents *)documents, (char *)options, layout, labels, embedding, posterior));
}

int eigenmap_update_documents(const eigenmap_model *model, const eigenmap_documents *documents, const char *options,
                              int32_t layout, int32_t *labels, double *embedding, double *posterior,
                              eigenmap_model **updated, char **json)
{
	CALL(eigenmapGoUpdateDocuments(call, (uintptr_t)model, (eigenmap_documents *)documents, (char *)options, layout, labels, embedding, posterior, (uintptr_t *)updated, json));
}
