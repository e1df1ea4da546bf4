/* Whether the BLAS that the process found has integers of 64 bits, as another library of the host
 * may bring it: our calls pass 32 bits. */
#ifndef EIGENMAP_INTEGERS_H
#define EIGENMAP_INTEGERS_H

extern int idamax_(const int *n, const double *x, const int *step);

/* Returns 1 if idamax reads its counts as 64 bits. As 32 bits the first is 2, and the largest of
 * two numbers is the second. As 64 bits it is negative, for which idamax returns 0. */
static int eigenmap_wide_integers(void)
{
	const int two[2] = {2, -1}, one[2] = {1, 0};
	const double x[2] = {1, 3};
	return idamax_(two, x, one) != 2;
}

#endif
