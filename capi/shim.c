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

int eigenmap_call_progress(eigenmap_call *c, const eigenmap_event *event)
{
	fesetenv(&c->host);
	int stop = c->progress(c->user, event);
	fegetenv(&c->host);
	fesetenv(FE_DFL_ENV);
	return stop;
}

int eigenmap_call_cancelled(eigenmap_call *c)
{
	fesetenv(&c->host);
	int stop = c->cancelled(c->user);
	fegetenv(&c->host);
	fesetenv(FE_DFL_ENV);
	return stop;
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
	if (!call)
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

int eigenmap_model_labels(const eigenmap_model *model, int32_t *labels)
{
	CALL(eigenmapGoLabels(call, (uintptr_t)model, labels));
}

int eigenmap_model_embedding(const eigenmap_model *model, int32_t layout, double *embedding)
{
	CALL(eigenmapGoCoordinates(call, (uintptr_t)model, layout, 0, embedding));
}

int eigenmap_model_posterior(const eigenmap_model *model, int32_t layout, double *posterior)
{
	CALL(eigenmapGoCoordinates(call, (uintptr_t)model, layout, 1, posterior));
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
