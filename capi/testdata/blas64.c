/* A host whose BLAS has 64-bit integers (Debian's libopenblas64, MKL's ILP64 interface): it and the
 * library each use their own. Three groups of rows lie far apart, so that every method finds them. */
#include <eigenmap.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern void dgemm_(const char *, const char *, const int64_t *m, const int64_t *n, const int64_t *k, const double *alpha,
                   const double *a, const int64_t *lda, const double *b, const int64_t *ldb, const double *beta, double *c, const int64_t *ldc);
extern void dsyev_(const char *, const char *, const int64_t *n, double *a, const int64_t *lda, double *w, double *work,
                   const int64_t *lwork, int64_t *info);

enum { ROWS = 600, COLS = 40, GROUPS = 3 };

/* Whether the host's own products and eigenvalues are right. */
static int host_is_right(void)
{
	int64_t three = 3, room = 64, info = -1;
	double one = 1, zero = 0, a[9] = {2, 1, 0, 1, 2, 1, 0, 1, 2}, unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, c[9], w[3], work[64];
	dgemm_("N", "N", &three, &three, &three, &one, a, &three, unit, &three, &zero, c, &three);
	if (memcmp(a, c, sizeof a) != 0)
		return 0;
	dsyev_("N", "U", &three, c, &three, w, work, &room, &info);
	return info == 0 && w[1] > 1.999999 && w[1] < 2.000001; /* 2 and 2 ± √2 */
}

int main(void)
{
	static double x[ROWS * COLS];
	static const char *const methods[] = {"pca", "gmm", "lsi", "lpp", "isomap", "diffusion"};
	unsigned state = 1;
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLS; j++) {
			state = state * 1664525u + 1013904223u;
			x[i * COLS + j] = (state >> 8) / 16777216.0 + (j % GROUPS == i % GROUPS ? 4 : 0);
		}
	const eigenmap_matrix matrix = {.rows = ROWS, .cols = COLS, .values = x, .layout = EIGENMAP_ROW_MAJOR};
	for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
		char options[100];
		int32_t labels[ROWS];
		eigenmap_model *model = NULL;
		if (!host_is_right()) {
			printf("the host's BLAS is wrong before %s\n", methods[k]);
			return 1;
		}
		snprintf(options, sizeof options, "{\"method\": \"%s\", \"clusters\": %d}", methods[k], GROUPS);
		if (eigenmap_fit(&matrix, EIGENMAP_CLUSTER, options, NULL, &model) != EIGENMAP_DONE || eigenmap_model_labels(model, labels) != EIGENMAP_DONE) {
			printf("%s: %s\n", methods[k], eigenmap_last_error());
			return 1;
		}
		eigenmap_model_free(model);
		for (int i = 0; i < ROWS; i++)
			if (labels[i] != labels[i % GROUPS] || (i < GROUPS && i > 0 && labels[i] == labels[0])) {
				printf("%s: row %d is in cluster %d\n", methods[k], i, labels[i]);
				return 1;
			}
	}
	printf(host_is_right() ? "ok\n" : "the host's BLAS is wrong at the end\n");
	return 0;
}
