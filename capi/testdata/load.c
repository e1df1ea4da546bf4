/* Loads the library with floating-point traps on and a handler of SIGINT in place, calls it, closes
 * it, and loads it again. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fenv.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

typedef int (*embed_fn)(int64_t, const int64_t *, const int32_t *, const double *, const char *, int32_t, double *, double *);

static volatile sig_atomic_t interrupts;
static void on_int(int s) { (void)s, interrupts++; }

int main(int argc, char **argv)
{
	int64_t indptr[] = {0, 2, 4, 6, 8};
	int32_t indices[] = {1, 3, 0, 2, 1, 3, 0, 2};
	double weights[] = {1, 1, 1, 1, 1, 1, 1, 1}, values[2], y[8];
	feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
	struct sigaction handler = {.sa_handler = on_int}, now;
	sigaction(SIGINT, &handler, NULL);
	for (int i = 0; i < 3; i++) {
		void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
		if (!library) {
			printf("dlopen: %s\n", dlerror());
			return 1;
		}
		if (fegetexcept() != (FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW)) {
			printf("loading changed the traps\n");
			return 1;
		}
		embed_fn embed = (embed_fn)dlsym(library, "eigenmap_embed_affinity");
		if (!embed || embed(4, indptr, indices, weights, "", 2, values, y) != 0 || values[1] < 0.99 || values[1] > 1.01) {
			printf("the call failed\n");
			return 1;
		}
		sigaction(SIGINT, NULL, &now);
		raise(SIGINT);
		if (now.sa_handler != on_int || interrupts != i + 1) {
			printf("SIGINT has another handler\n");
			return 1;
		}
		dlclose(library);
	}
	printf("ok\n");
	return 0;
}
