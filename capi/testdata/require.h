/* What the tests in C ask of a call: a line of text and exit status 1 if it is not so. */
#include <eigenmap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(what) \
	do { \
		if (!(what)) { \
			printf("line %d: %s: %s\n", __LINE__, #what, eigenmap_last_error()); \
			exit(1); \
		} \
	} while (0)

static void require_error(int code, int want, const char *part)
{
	if (code != want || !strstr(eigenmap_last_error(), part)) {
		printf("code %d and \"%s\", want %d and \"%s\"\n", code, eigenmap_last_error(), want, part);
		exit(1);
	}
}
