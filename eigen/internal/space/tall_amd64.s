//go:build amd64 && !purego

#include "textflag.h"

// The kernels have a *tallArgs: SI is v, R8 bytes between its rows, CX rows left, DX its columns, DI
// w (rows of 4), R9 h (a row of 4 for each column of v), R12 the end of h, R13 three rows of v. In
// the loops SI is the next entry of the first row of v, R15 that of the fifth, BX the next row of h.

#define TALLARGS \
	MOVQ a+0(FP), AX \
	MOVQ 0(AX), SI \
	MOVQ 8(AX), R8 \
	MOVQ 16(AX), CX \
	MOVQ 24(AX), DX \
	MOVQ 32(AX), DI \
	MOVQ 40(AX), R9 \
	MOVQ DX, R12 \
	SHLQ $5, R12 \
	ADDQ R9, R12 \
	LEAQ (R8)(R8*2), R13 \
	SHLQ $3, DX

// func tallDots4(a *tallArgs)
//
// h += vᵀw, eight rows at a time: a row of h is read and written once for eight rows of v.
TEXT ·tallDots4(SB), NOSPLIT, $0-8
	TALLARGS
eight:
	CMPQ  CX, $8
	JLT   one
	VMOVUPD 0(DI), Y0
	VMOVUPD 32(DI), Y1
	VMOVUPD 64(DI), Y2
	VMOVUPD 96(DI), Y3
	VMOVUPD 128(DI), Y4
	VMOVUPD 160(DI), Y5
	VMOVUPD 192(DI), Y6
	VMOVUPD 224(DI), Y7
	LEAQ  (SI)(R8*4), R15
	MOVQ  R9, BX
column:
	VMOVUPD (BX), Y8
	VXORPD Y9, Y9, Y9
	VBROADCASTSD (SI), Y10
	VFMADD231PD Y0, Y10, Y8
	VBROADCASTSD (SI)(R8*1), Y11
	VFMADD231PD Y1, Y11, Y9
	VBROADCASTSD (SI)(R8*2), Y12
	VFMADD231PD Y2, Y12, Y8
	VBROADCASTSD (SI)(R13*1), Y13
	VFMADD231PD Y3, Y13, Y9
	VBROADCASTSD (R15), Y10
	VFMADD231PD Y4, Y10, Y8
	VBROADCASTSD (R15)(R8*1), Y11
	VFMADD231PD Y5, Y11, Y9
	VBROADCASTSD (R15)(R8*2), Y12
	VFMADD231PD Y6, Y12, Y8
	VBROADCASTSD (R15)(R13*1), Y13
	VFMADD231PD Y7, Y13, Y9
	VADDPD Y9, Y8, Y8
	VMOVUPD Y8, (BX)
	ADDQ  $8, SI
	ADDQ  $8, R15
	ADDQ  $32, BX
	CMPQ  BX, R12
	JLT   column
	SUBQ  DX, SI
	LEAQ  (SI)(R8*8), SI
	ADDQ  $256, DI
	SUBQ  $8, CX
	JMP   eight
one:
	TESTQ CX, CX
	JZ    done
	VMOVUPD 0(DI), Y0
	MOVQ  R9, BX
single:
	VBROADCASTSD (SI), Y10
	VMOVUPD (BX), Y8
	VFMADD231PD Y0, Y10, Y8
	VMOVUPD Y8, (BX)
	ADDQ  $8, SI
	ADDQ  $32, BX
	CMPQ  BX, R12
	JLT   single
	SUBQ  DX, SI
	ADDQ  R8, SI
	ADDQ  $32, DI
	DECQ  CX
	JMP   one
done:
	VZEROUPPER
	RET

// func tallSubtract4(a *tallArgs)
//
// w −= v·h, eight rows at a time: they stay in registers, and a row of h serves all of them.
TEXT ·tallSubtract4(SB), NOSPLIT, $0-8
	TALLARGS
eight:
	CMPQ  CX, $8
	JLT   one
	VMOVUPD 0(DI), Y0
	VMOVUPD 32(DI), Y1
	VMOVUPD 64(DI), Y2
	VMOVUPD 96(DI), Y3
	VMOVUPD 128(DI), Y4
	VMOVUPD 160(DI), Y5
	VMOVUPD 192(DI), Y6
	VMOVUPD 224(DI), Y7
	LEAQ  (SI)(R8*4), R15
	MOVQ  R9, BX
column:
	VMOVUPD (BX), Y8
	VBROADCASTSD (SI), Y10
	VFNMADD231PD Y8, Y10, Y0
	VBROADCASTSD (SI)(R8*1), Y11
	VFNMADD231PD Y8, Y11, Y1
	VBROADCASTSD (SI)(R8*2), Y12
	VFNMADD231PD Y8, Y12, Y2
	VBROADCASTSD (SI)(R13*1), Y13
	VFNMADD231PD Y8, Y13, Y3
	VBROADCASTSD (R15), Y10
	VFNMADD231PD Y8, Y10, Y4
	VBROADCASTSD (R15)(R8*1), Y11
	VFNMADD231PD Y8, Y11, Y5
	VBROADCASTSD (R15)(R8*2), Y12
	VFNMADD231PD Y8, Y12, Y6
	VBROADCASTSD (R15)(R13*1), Y13
	VFNMADD231PD Y8, Y13, Y7
	ADDQ  $8, SI
	ADDQ  $8, R15
	ADDQ  $32, BX
	CMPQ  BX, R12
	JLT   column
	VMOVUPD Y0, 0(DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VMOVUPD Y4, 128(DI)
	VMOVUPD Y5, 160(DI)
	VMOVUPD Y6, 192(DI)
	VMOVUPD Y7, 224(DI)
	SUBQ  DX, SI
	LEAQ  (SI)(R8*8), SI
	ADDQ  $256, DI
	SUBQ  $8, CX
	JMP   eight
one:
	TESTQ CX, CX
	JZ    done
	VMOVUPD 0(DI), Y0
	MOVQ  R9, BX
single:
	VBROADCASTSD (SI), Y10
	VMOVUPD (BX), Y8
	VFNMADD231PD Y8, Y10, Y0
	ADDQ  $8, SI
	ADDQ  $32, BX
	CMPQ  BX, R12
	JLT   single
	VMOVUPD Y0, 0(DI)
	SUBQ  DX, SI
	ADDQ  R8, SI
	ADDQ  $32, DI
	DECQ  CX
	JMP   one
done:
	VZEROUPPER
	RET
