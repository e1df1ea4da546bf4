//go:build linux && amd64 && (!cgo || purego)

#include "textflag.h"

#define RLIMIT_AS 9
#define SYS_write 1
#define SYS_getrlimit 97
#define SYS_exit_group 231

// eigenmap_entry is the first code of a program that is linked with -E=eigenmap_entry. It refuses an
// address space below Least in one sentence and with status 1, and else jumps to the entry of the
// Go runtime. It runs on the stack of the kernel, without a runtime, and makes system calls only.
TEXT eigenmap_entry(SB), NOSPLIT|NOFRAME, $0
	MOVQ SP, R12
	SUBQ $64, SP
	MOVQ $RLIMIT_AS, DI
	MOVQ SP, SI
	MOVQ $SYS_getrlimit, AX
	SYSCALL
	TESTQ AX, AX
	JNE  begin
	MOVQ 0(SP), R13              // the limit; unlimited is the largest unsigned number
	CMPQ R13, ·leastSpace(SB)
	JCC  begin

	MOVQ ·entryBefore+0(SB), SI
	MOVQ ·entryBefore+8(SB), DX
	MOVQ $2, DI
	MOVQ $SYS_write, AX
	SYSCALL

	// The digits of the limit in MiB, from the last one, end at 64(SP).
	MOVQ R13, AX
	SHRQ $20, AX
	LEAQ 64(SP), SI
	MOVQ $10, R8
digit:
	XORL DX, DX
	DIVQ R8
	ADDB $'0', DX
	DECQ SI
	MOVB DX, 0(SI)
	TESTQ AX, AX
	JNE  digit
	MOVQ R12, DX
	SUBQ SI, DX
	MOVQ $2, DI
	MOVQ $SYS_write, AX
	SYSCALL

	MOVQ ·entryAfter+0(SB), SI
	MOVQ ·entryAfter+8(SB), DX
	MOVQ $2, DI
	MOVQ $SYS_write, AX
	SYSCALL
	MOVQ $1, DI
	MOVQ $SYS_exit_group, AX
	SYSCALL

begin:
	MOVQ R12, SP
	JMP  _rt0_amd64_linux(SB)
