#pragma once
#include <slepceps.h>

/* em_matrix is S: the rows of a, sets of rows that are joined, and known eigenvectors. */
typedef struct {
  Mat a;  /* MatMPIAIJ */
  Mat op; /* shell: S with the known eigenvalues moved below all others */
  PetscInt rows;
  int sets, *set;
  double *scale, weight;
  int labels, *label;
  double *height, below;
  double *sums;
  PetscInt ghosts;
  long products;
} em_matrix;

int em_start(void);
void em_stop(void);
void em_say(int code, char *text, int size);
int em_matrix_new(em_matrix *m, PetscInt n, PetscInt rows, PetscInt *ptr, PetscInt *col, double *val);
int em_matrix_times(em_matrix *m, int cols, int from, const double *x, int to, double *y);
int em_matrix_largest(em_matrix *m, int k, int ncv, double tol, int relative, int iterations, const double *start,
                      double *values, double *vectors, int *found, int *rounds, int *used);
void em_matrix_free(em_matrix *m);
void em_swap(const void *send, int sent, int to, void *receive, int received, int from);
