/* The kernels of OpenBLAS for this processor.
 *
 * OpenBLAS knows processors by their model numbers. Before 0.3.25 it took the kernels of a Prescott
 * of 2004, with SSE3, for every Intel model that came after its release: Debian 12's 0.3.21 does so
 * on Emerald Rapids and Granite Rapids, where a product then takes about ten times as long
 * (OpenBLAS' issue 4267). What counts is which instructions a processor has, and that can be asked. */
#ifndef EIGENMAP_KERNELS_H
#define EIGENMAP_KERNELS_H

enum {
	EIGENMAP_KERNELS_RIGHT,  /* OpenBLAS' own choice fits the processor */
	EIGENMAP_KERNELS_CHOSEN, /* it did not, and we chose */
	EIGENMAP_KERNELS_FORCED, /* they are older than the processor: OPENBLAS_CORETYPE is set */
	EIGENMAP_KERNELS_OLD,    /* they are older, and this OpenBLAS has no others */
};

/* One of the above. */
extern int eigenmap_kernels;

/* Takes kernels with AVX-512 or AVX2 where the processor has these instructions and OpenBLAS took
 * kernels without both, unless OPENBLAS_CORETYPE is set. Runs by itself when the library is
 * loaded; nobody may compute at the same time. */
void eigenmap_choose_kernels(void);

#endif
