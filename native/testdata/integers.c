/* Prints the size of the integers of the BLAS that it is linked with. */
#include <stdio.h>

#include "../integers.h"

int main(void)
{
	printf("%d\n", eigenmap_wide_integers() ? 64 : 32);
	return 0;
}
