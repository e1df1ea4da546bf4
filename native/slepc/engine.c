//go:build slepc && cgo && !purego

#include "engine.h"
#include <stdio.h>
#include <stdlib.h>

extern void openblas_set_num_threads(int);

int em_start(void) {
  int provided, up;
  PetscErrorCode ierr;
  char *words[] = {"eigenmap", "-no_signal_handler", "-skip_petscrc", NULL}, **args = words;
  int count = 3;

  MPI_Initialized(&up);
  if (!up && MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided)) return 1;
  openblas_set_num_threads(1);
  ierr = SlepcInitialize(&count, &args, NULL, NULL);
  if (ierr) return ierr;
  return PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
}

void em_stop(void) {
  int down;
  SlepcFinalize();
  MPI_Finalized(&down);
  if (!down) MPI_Finalize();
}

void em_say(int code, char *text, int size) {
  const char *general = NULL;
  char *special = NULL;
  PetscErrorMessage(code, &general, &special);
  snprintf(text, size, "%s%s%s", general ? general : "unknown error", special && *special ? ": " : "", special ? special : "");
}

/* em_add adds to y what S has beside the entries of a; moved says whether the known eigenvalues are moved. */
static PetscErrorCode em_add(em_matrix *m, const double *x, double *y, int moved) {
  int sets = m->sets, labels = moved ? m->labels : 0, i, c;
  double *set = m->sums, *label = m->sums + sets;
  if (sets + labels == 0) return 0;
  for (c = 0; c < sets + labels; c++) m->sums[c] = 0;
  for (i = 0; i < m->rows; i++) {
    if (sets && m->set[i] >= 0) set[m->set[i]] += m->scale[i] * x[i];
    if (labels) label[m->label[i]] += m->height[i] * x[i];
  }
  if (MPI_Allreduce(MPI_IN_PLACE, m->sums, sets + labels, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD)) return PETSC_ERR_LIB;
  for (i = 0; i < m->rows; i++) {
    if (sets && m->set[i] >= 0) y[i] += m->weight * m->scale[i] * (set[m->set[i]] - m->scale[i] * x[i]);
    if (labels) y[i] -= m->below * m->height[i] * label[m->label[i]];
  }
  return 0;
}

/* em_apply is the product of the shell. */
static PetscErrorCode em_apply(Mat op, Vec x, Vec y) {
  em_matrix *m;
  const double *from;
  double *to;
  PetscCall(MatShellGetContext(op, &m));
  PetscCall(MatMult(m->a, x, y));
  PetscCall(VecGetArrayRead(x, &from));
  PetscCall(VecGetArray(y, &to));
  PetscCall(em_add(m, from, to, 1));
  PetscCall(VecRestoreArray(y, &to));
  PetscCall(VecRestoreArrayRead(x, &from));
  m->products++;
  return 0;
}

/* Each rank passes its own rows; PETSc finds which entries of vectors the ranks must send each other. */
int em_matrix_new(em_matrix *m, PetscInt n, PetscInt rows, PetscInt *ptr, PetscInt *col, double *val) {
  m->rows = rows;
  m->sums = malloc(sizeof(double) * (m->sets + m->labels + 1));
  if (!m->sums) return PETSC_ERR_MEM;
  PetscCall(MatCreateMPIAIJWithArrays(PETSC_COMM_WORLD, rows, rows, n, n, ptr, col, val, &m->a));
  PetscCall(MatSetOption(m->a, MAT_SYMMETRIC, PETSC_TRUE));
  PetscCall(MatGetGhosts(m->a, &m->ghosts, NULL));
  PetscCall(MatCreateShell(PETSC_COMM_WORLD, rows, rows, n, n, m, &m->op));
  PetscCall(MatShellSetOperation(m->op, MATOP_MULT, (void (*)(void))em_apply));
  return MatSetOption(m->op, MAT_SYMMETRIC, PETSC_TRUE);
}

int em_matrix_times(em_matrix *m, int cols, int from, const double *x, int to, double *y) {
  Vec u, v;
  PetscCall(MatCreateVecs(m->a, &u, &v));
  for (int j = 0; j < cols; j++) {
    double *a;
    const double *b, *own;
    PetscCall(VecGetArrayWrite(u, &a));
    for (PetscInt i = 0; i < m->rows; i++) a[i] = x[(size_t)i * from + j];
    PetscCall(VecRestoreArrayWrite(u, &a));
    PetscCall(MatMult(m->a, u, v));
    PetscCall(VecGetArrayRead(u, &own));
    PetscCall(VecGetArray(v, &a));
    PetscCall(em_add(m, own, a, 0));
    PetscCall(VecRestoreArray(v, &a));
    PetscCall(VecRestoreArrayRead(u, &own));
    PetscCall(VecGetArrayRead(v, &b));
    for (PetscInt i = 0; i < m->rows; i++) y[(size_t)i * to + j] = b[i];
    PetscCall(VecRestoreArrayRead(v, &b));
    m->products++;
  }
  PetscCall(VecDestroy(&u));
  return VecDestroy(&v);
}

int em_matrix_largest(em_matrix *m, int k, int ncv, double tol, int relative, int iterations, const double *start,
                      double *values, double *vectors, int *found, int *rounds, int *used) {
  EPS eps;
  Vec x;
  double *a;
  const double *b;
  PetscInt count, its, width;
  PetscCall(EPSCreate(PETSC_COMM_WORLD, &eps));
  PetscCall(EPSSetOperators(eps, m->op, NULL));
  PetscCall(EPSSetProblemType(eps, EPS_HEP));
  PetscCall(EPSSetType(eps, EPSKRYLOVSCHUR));
  PetscCall(EPSSetWhichEigenpairs(eps, EPS_LARGEST_REAL));
  PetscCall(EPSSetDimensions(eps, k, ncv > 0 ? ncv : PETSC_DEFAULT, PETSC_DEFAULT));
  PetscCall(EPSSetTolerances(eps, tol, iterations));
  PetscCall(EPSSetConvergenceTest(eps, relative ? EPS_CONV_REL : EPS_CONV_ABS));
  PetscCall(MatCreateVecs(m->op, &x, NULL));
  PetscCall(VecGetArrayWrite(x, &a));
  for (PetscInt i = 0; i < m->rows; i++) a[i] = start[i];
  PetscCall(VecRestoreArrayWrite(x, &a));
  PetscCall(EPSSetInitialSpace(eps, 1, &x));
  PetscCall(EPSSetFromOptions(eps)); /* -eps_... in PETSC_OPTIONS */
  PetscCall(EPSSolve(eps));
  PetscCall(EPSGetConverged(eps, &count));
  PetscCall(EPSGetIterationNumber(eps, &its));
  PetscCall(EPSGetDimensions(eps, NULL, &width, NULL));
  if (count > k) count = k;
  for (PetscInt j = 0; j < count; j++) {
    PetscCall(EPSGetEigenpair(eps, j, &values[j], NULL, x, NULL));
    PetscCall(VecGetArrayRead(x, &b));
    for (PetscInt i = 0; i < m->rows; i++) vectors[(size_t)i * k + j] = b[i];
    PetscCall(VecRestoreArrayRead(x, &b));
  }
  *found = (int)count, *rounds = (int)its, *used = (int)width;
  PetscCall(VecDestroy(&x));
  return EPSDestroy(&eps);
}

void em_matrix_free(em_matrix *m) {
  if (m->op) MatDestroy(&m->op);
  if (m->a) MatDestroy(&m->a);
  free(m->sums), free(m->set), free(m->scale), free(m->label), free(m->height);
}

/* Nothing is not sent: the other side does not wait for it. */
void em_swap(const void *send, int sent, int to, void *receive, int received, int from) {
  if (sent == 0) to = MPI_PROC_NULL;
  if (received == 0) from = MPI_PROC_NULL;
  MPI_Sendrecv(send, sent, MPI_BYTE, to, 1, receive, received, MPI_BYTE, from, 1, PETSC_COMM_WORLD, MPI_STATUS_IGNORE);
}
