//go:build amd64 && !purego

#include "textflag.h"

// The kernels have a *tallArgs: SI is v, R8 bytes between its rows, CX rows left, DX its columns, DI
// w (rows of 4 or 2), R9 h (a row as wide for each column of v), R12 the end of h, R13 three rows of
// v. In the loops SI is the next entry of the first row of v, R15 that of the fifth, BX the next row
// of h.

#define TALLARGS(SHIFT) \
	MOVQ a+0(FP), AX \
	MOVQ 0(AX), SI \
	MOVQ 8(AX), R8 \
	MOVQ 16(AX), CX \
	MOVQ 24(AX), DX \
	MOVQ 32(AX), DI \
	MOVQ 40(AX), R9 \
	MOVQ DX, R12 \
	SHLQ $SHIFT, R12 \
	ADDQ R9, R12 \
	LEAQ (R8)(R8*2), R13 \
	SHLQ $3, DX

// SHIFT is the binary logarithm of ROW, the bytes in a row of w; BROADCAST copies a number to all
// places of a register, V0 to V13 are registers of ROW bytes. Both widths do the same operations in
// the same order.

// DOTS sets h += vᵀw, eight rows at a time: a row of h is read and written once for eight rows of v.
#define DOTS(SHIFT, ROW, BROADCAST, V0, V1, V2, V3, V4, V5, V6, V7, V8, V9, V10, V11, V12, V13) \
	TALLARGS(SHIFT) \
eight: \
	CMPQ  CX, $8 \
	JLT   one \
	VMOVUPD (0*ROW)(DI), V0 \
	VMOVUPD (1*ROW)(DI), V1 \
	VMOVUPD (2*ROW)(DI), V2 \
	VMOVUPD (3*ROW)(DI), V3 \
	VMOVUPD (4*ROW)(DI), V4 \
	VMOVUPD (5*ROW)(DI), V5 \
	VMOVUPD (6*ROW)(DI), V6 \
	VMOVUPD (7*ROW)(DI), V7 \
	LEAQ  (SI)(R8*4), R15 \
	MOVQ  R9, BX \
column: \
	VMOVUPD (BX), V8 \
	VXORPD V9, V9, V9 \
	BROADCAST (SI), V10 \
	VFMADD231PD V0, V10, V8 \
	BROADCAST (SI)(R8*1), V11 \
	VFMADD231PD V1, V11, V9 \
	BROADCAST (SI)(R8*2), V12 \
	VFMADD231PD V2, V12, V8 \
	BROADCAST (SI)(R13*1), V13 \
	VFMADD231PD V3, V13, V9 \
	BROADCAST (R15), V10 \
	VFMADD231PD V4, V10, V8 \
	BROADCAST (R15)(R8*1), V11 \
	VFMADD231PD V5, V11, V9 \
	BROADCAST (R15)(R8*2), V12 \
	VFMADD231PD V6, V12, V8 \
	BROADCAST (R15)(R13*1), V13 \
	VFMADD231PD V7, V13, V9 \
	VADDPD V9, V8, V8 \
	VMOVUPD V8, (BX) \
	ADDQ  $8, SI \
	ADDQ  $8, R15 \
	ADDQ  $ROW, BX \
	CMPQ  BX, R12 \
	JLT   column \
	SUBQ  DX, SI \
	LEAQ  (SI)(R8*8), SI \
	ADDQ  $(8*ROW), DI \
	SUBQ  $8, CX \
	JMP   eight \
one: \
	TESTQ CX, CX \
	JZ    done \
	VMOVUPD (0*ROW)(DI), V0 \
	MOVQ  R9, BX \
single: \
	BROADCAST (SI), V10 \
	VMOVUPD (BX), V8 \
	VFMADD231PD V0, V10, V8 \
	VMOVUPD V8, (BX) \
	ADDQ  $8, SI \
	ADDQ  $ROW, BX \
	CMPQ  BX, R12 \
	JLT   single \
	SUBQ  DX, SI \
	ADDQ  R8, SI \
	ADDQ  $ROW, DI \
	DECQ  CX \
	JMP   one \
done: \
	VZEROUPPER \
	RET

// SUBTRACT sets w −= v·h, eight rows at a time: they stay in registers, and a row of h serves all of
// them.
#define SUBTRACT(SHIFT, ROW, BROADCAST, V0, V1, V2, V3, V4, V5, V6, V7, V8, V9, V10, V11, V12, V13) \
	TALLARGS(SHIFT) \
eight: \
	CMPQ  CX, $8 \
	JLT   one \
	VMOVUPD (0*ROW)(DI), V0 \
	VMOVUPD (1*ROW)(DI), V1 \
	VMOVUPD (2*ROW)(DI), V2 \
	VMOVUPD (3*ROW)(DI), V3 \
	VMOVUPD (4*ROW)(DI), V4 \
	VMOVUPD (5*ROW)(DI), V5 \
	VMOVUPD (6*ROW)(DI), V6 \
	VMOVUPD (7*ROW)(DI), V7 \
	LEAQ  (SI)(R8*4), R15 \
	MOVQ  R9, BX \
column: \
	VMOVUPD (BX), V8 \
	BROADCAST (SI), V10 \
	VFNMADD231PD V8, V10, V0 \
	BROADCAST (SI)(R8*1), V11 \
	VFNMADD231PD V8, V11, V1 \
	BROADCAST (SI)(R8*2), V12 \
	VFNMADD231PD V8, V12, V2 \
	BROADCAST (SI)(R13*1), V13 \
	VFNMADD231PD V8, V13, V3 \
	BROADCAST (R15), V10 \
	VFNMADD231PD V8, V10, V4 \
	BROADCAST (R15)(R8*1), V11 \
	VFNMADD231PD V8, V11, V5 \
	BROADCAST (R15)(R8*2), V12 \
	VFNMADD231PD V8, V12, V6 \
	BROADCAST (R15)(R13*1), V13 \
	VFNMADD231PD V8, V13, V7 \
	ADDQ  $8, SI \
	ADDQ  $8, R15 \
	ADDQ  $ROW, BX \
	CMPQ  BX, R12 \
	JLT   column \
	VMOVUPD V0, (0*ROW)(DI) \
	VMOVUPD V1, (1*ROW)(DI) \
	VMOVUPD V2, (2*ROW)(DI) \
	VMOVUPD V3, (3*ROW)(DI) \
	VMOVUPD V4, (4*ROW)(DI) \
	VMOVUPD V5, (5*ROW)(DI) \
	VMOVUPD V6, (6*ROW)(DI) \
	VMOVUPD V7, (7*ROW)(DI) \
	SUBQ  DX, SI \
	LEAQ  (SI)(R8*8), SI \
	ADDQ  $(8*ROW), DI \
	SUBQ  $8, CX \
	JMP   eight \
one: \
	TESTQ CX, CX \
	JZ    done \
	VMOVUPD (0*ROW)(DI), V0 \
	MOVQ  R9, BX \
single: \
	BROADCAST (SI), V10 \
	VMOVUPD (BX), V8 \
	VFNMADD231PD V8, V10, V0 \
	ADDQ  $8, SI \
	ADDQ  $ROW, BX \
	CMPQ  BX, R12 \
	JLT   single \
	VMOVUPD V0, (0*ROW)(DI) \
	SUBQ  DX, SI \
	ADDQ  R8, SI \
	ADDQ  $ROW, DI \
	DECQ  CX \
	JMP   one \
done: \
	VZEROUPPER \
	RET

// func tallDots4(a *tallArgs)
TEXT ·tallDots4(SB), NOSPLIT, $0-8
	DOTS(5, 32, VBROADCASTSD, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13)

// func tallDots2(a *tallArgs)
TEXT ·tallDots2(SB), NOSPLIT, $0-8
	DOTS(4, 16, VMOVDDUP, X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11, X12, X13)

// func tallSubtract4(a *tallArgs)
TEXT ·tallSubtract4(SB), NOSPLIT, $0-8
	SUBTRACT(5, 32, VBROADCASTSD, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13)

// func tallSubtract2(a *tallArgs)
TEXT ·tallSubtract2(SB), NOSPLIT, $0-8
	SUBTRACT(4, 16, VMOVDDUP, X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11, X12, X13)
