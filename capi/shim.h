/* What the C and the Go half of the library share. */
#ifndef EIGENMAP_SHIM_H
#define EIGENMAP_SHIM_H

#include <fenv.h>

#include "eigenmap.h"

/* A call into the library: the thread's callbacks, its texts of errors and warnings and its
 * floating-point environment. */
typedef struct eigenmap_call {
	eigenmap_progress_fn progress;
	eigenmap_cancelled_fn cancelled;
	void *user;
	fenv_t host;
	int busy;
	char error[8192];
	char warnings[4096]; /* JSON */
} eigenmap_call;

/* An operator of the host's: by one of two functions, or a matrix. */
typedef struct eigenmap_operator {
	int64_t n;
	eigenmap_matvec_fn matvec;
	eigenmap_matmat_fn matmat;
	void *user;
	eigenmap_matrix matrix;
	int explicit;
} eigenmap_operator;

/* These run the callbacks, in the environment of the host. */
int eigenmap_call_progress(eigenmap_call *call, const eigenmap_event *event);
int eigenmap_call_cancelled(eigenmap_call *call);
int eigenmap_call_matvec(eigenmap_call *call, eigenmap_matvec_fn f, void *user, int64_t n, const double *x, double *y);
int eigenmap_call_matmat(eigenmap_call *call, eigenmap_matmat_fn f, void *user, int64_t n, int64_t columns, const double *x, double *y);

#endif
