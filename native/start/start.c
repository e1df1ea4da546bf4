//go:build linux && cgo && !purego

#include "start.h"
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#define MOST_VARIABLES 4096

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

// begin runs before the constructors of the libraries: it may use system calls and the stack only.
static void begin(int argc, char **argv, char **environment) {
  struct rlimit limit;
  (void)argc;
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
  static char *variables[MOST_VARIABLES + 3];
  int n = 0;
  for (; environment[n] != 0 && n < MOST_VARIABLES; n++) {
    if (strncmp(environment[n], "OPENBLAS_NUM_THREADS=", 21) == 0)
      return;
    variables[n] = environment[n];
  }
  const char *program = (const char *)getauxval(AT_EXECFN);
  if (program == 0 || environment[n] != 0)
    return;
  variables[n++] = "OPENBLAS_NUM_THREADS=1";
  variables[n++] = "MALLOC_ARENA_MAX=1";
  variables[n] = 0;
  execve(program, argv, variables);
}

__attribute__((section(".preinit_array"), used)) static void (*const before_libraries)(int, char **, char **) = begin;
