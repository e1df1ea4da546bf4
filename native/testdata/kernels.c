/* Plays a processor that OpenBLAS does not know, for which it takes kernels of Prescott, and lets
 * kernels.c choose. Prints the state and the kernels, and the largest error of a product, before,
 * after, and where OPENBLAS_CORETYPE asks for them. */
#include "../kernels.h"
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void gotoblas_dynamic_init(void);
void gotoblas_dynamic_quit(void);

enum { N = 150 };
static double a[N * N], b[N * N], c[N * N];

static double error(void)
{
	double worst = 0;
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, b, N, 0, c, N);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double sum = 0;
			for (int k = 0; k < N; k++)
				sum += a[i * N + k] * b[k * N + j];
			worst = fmax(worst, fabs(sum - c[i * N + j]));
		}
	return worst;
}

static void say(void)
{
	printf("%d %s %d\n", eigenmap_kernels, openblas_get_corename(), error() < 1e-10);
}

int main(void)
{
	for (int i = 0; i < N * N; i++) {
		a[i] = sin(i);
		b[i] = cos(3 * i);
	}
	say();
	setenv("OPENBLAS_CORETYPE", "Prescott", 1);
	gotoblas_dynamic_quit();
	gotoblas_dynamic_init();
	unsetenv("OPENBLAS_CORETYPE");
	say();
	eigenmap_choose_kernels();
	say();
	printf("%s\n", getenv("OPENBLAS_CORETYPE") ? "left in the environment" : "");
	setenv("OPENBLAS_CORETYPE", "Prescott", 1);
	gotoblas_dynamic_quit();
	gotoblas_dynamic_init();
	eigenmap_choose_kernels();
	say();
	return 0;
}
