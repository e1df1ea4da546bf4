//go:build linux && cgo && !purego

#include "start.h"
#include <malloc.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* OpenBLAS's count of threads and the size of its pool. Its constructor asks for the processors,
 * makes the pool, and the new threads poll for work, only where the count is 0. */
extern int blas_cpu_number __attribute__((weak));
extern int blas_num_threads __attribute__((weak));

// say writes a piece of a message to standard error.
static void say(const char *text) {
  if (write(2, text, strlen(text)) < 0)
    _exit(1);
}

// say_mib writes a number of bytes in MiB.
static void say_mib(long long bytes) {
  char digits[24], *at = digits + sizeof digits;
  long long n = bytes >> 20;
  *--at = 0;
  do
    *--at = '0' + n % 10;
  while ((n /= 10) > 0);
  say(at);
  say(" MiB");
}

// begin runs before the constructors of the libraries.
static void begin(void) {
  if (&blas_cpu_number != 0 && &blas_num_threads != 0)
    blas_cpu_number = blas_num_threads = 1;
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return;
  if ((long long)limit.rlim_cur >= 0 && (long long)limit.rlim_cur < LEAST_ADDRESS_SPACE) {
    say("eigenmap: ulimit -v allows ");
    say_mib((long long)limit.rlim_cur);
    say(" of address space, and the program needs at least ");
    say_mib(LEAST_ADDRESS_SPACE);
    say(" to begin: raise the limit (ulimit -v unlimited)\n");
    _exit(1);
  }
  mallopt(M_ARENA_MAX, 1);
}

__attribute__((section(".preinit_array"), used)) static void (*const before_libraries)(void) = begin;
