//go:build cgo && !purego

#include "kernels.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

extern char *openblas_get_corename(void);

/* Only an OpenBLAS that has the kernels of several processors has these: another BLAS under its
 * name, or one that was built for one processor, leaves them null. */
extern void gotoblas_dynamic_init(void) __attribute__((weak));
extern void gotoblas_dynamic_quit(void) __attribute__((weak));

int eigenmap_kernels;

/* The processors of OpenBLAS without AVX2. The list is closed: what it does not name is newer. */
static const char *const old[] = {
	"Katmai", "Coppermine", "Northwood", "Prescott", "Banias", "Atom", "Core2", "Penryn",
	"Dunnington", "Nehalem", "Sandybridge", "Athlon", "Opteron", "Opteron_SSE3", "Barcelona",
	"Nano", "Bobcat", "Bulldozer", "Piledriver", "Steamroller",
};

static int has_old_kernels(void)
{
	const char *core = openblas_get_corename();
	for (size_t i = 0; i < sizeof old / sizeof *old; i++)
		if (strcasecmp(core, old[i]) == 0)
			return 1;
	return 0;
}

#if defined(__x86_64__)
/* The processors whose kernels this one can run, the best first; null behind the last. */
static void candidates(const char *names[3])
{
	int n = 0;
	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
		if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
		    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
		    __builtin_cpu_supports("avx512vl"))
			names[n++] = "SkylakeX";
		names[n++] = __builtin_cpu_is("amd") ? "Zen" : "Haswell";
	}
	names[n] = NULL;
}
#else
static void candidates(const char *names[3]) { names[0] = NULL; }
#endif

static const char variable[] = "OPENBLAS_CORETYPE";

/* take makes OpenBLAS choose its kernels again: those of the processor name, or, without a name,
 * the ones it takes by itself. */
static void take(const char *name)
{
	if (name != NULL)
		setenv(variable, name, 1);
	gotoblas_dynamic_quit();
	gotoblas_dynamic_init();
	if (name != NULL)
		unsetenv(variable);
}

void eigenmap_choose_kernels(void)
{
	const char *names[3];
	eigenmap_kernels = EIGENMAP_KERNELS_RIGHT;
	candidates(names);
	if (names[0] == NULL)
		return;
	if (gotoblas_dynamic_init != NULL)
		gotoblas_dynamic_init(); /* OpenBLAS' own constructor may come after ours */
	if (!has_old_kernels())
		return;
	const char *wish = getenv(variable);
	if (wish != NULL && *wish != 0) {
		eigenmap_kernels = EIGENMAP_KERNELS_FORCED;
		return;
	}
	eigenmap_kernels = EIGENMAP_KERNELS_OLD;
	if (gotoblas_dynamic_init == NULL || gotoblas_dynamic_quit == NULL)
		return;
	for (int i = 0; names[i] != NULL; i++) {
		take(names[i]);
		if (!has_old_kernels()) {
			eigenmap_kernels = EIGENMAP_KERNELS_CHOSEN;
			return;
		}
	}
	take(NULL);
}

/* Before main, or before dlopen returns: nobody computes with this OpenBLAS yet, unless a program
 * that has it already opens the library on one thread and computes on another. */
__attribute__((constructor)) static void choose(void) { eigenmap_choose_kernels(); }
