//go:build amd64 && !purego

#include "textflag.h"

// Each kernel does a step y = α·a·x + β·x + γ·y for some rows and all 4 or 8 columns of blocks whose
// rows follow one another. The argument is a *stepArgs. It returns false at a column index outside
// the matrix, before it reads there. Products and sums are rounded separately (no fused
// multiply-add), in each lane in the order of columns, so the bits are those of the Go kernels.
//
// The rows of x that a row of a needs are scattered, and waiting for them would take most of the
// time: the kernels with "ahead" fetch those of the entries AHEAD further on.
//
// SI row pointers, CX rows left, R8 columns, R9 values, R10 x, R12 number of its rows, R11 the row of
// x beside that of y, DI y, R13 0 if γ = 0 (y is not read); BX entry, DX end of the row, R15 column
// ahead. Y0-Y1 sums, Y12-Y14 α, β, γ, Y15 the entry's value.

#define AHEAD 64 // as in step_amd64.go

#define STEPARGS \
	MOVQ a+0(FP), AX \
	MOVQ 0(AX), SI \
	MOVQ 8(AX), CX \
	MOVQ 16(AX), R8 \
	MOVQ 24(AX), R9 \
	MOVQ 32(AX), R10 \
	MOVQ 40(AX), R12 \
	MOVQ 48(AX), R11 \
	MOVQ 56(AX), DI \
	VBROADCASTSD 64(AX), Y12 \
	VBROADCASTSD 72(AX), Y13 \
	VBROADCASTSD 80(AX), Y14 \
	MOVQ 88(AX), R13

// func step4(a *stepArgs) bool
TEXT ·step4(SB), NOSPLIT, $0-9
	STEPARGS
row:
	TESTQ CX, CX
	JZ    done
	MOVQ  (SI), BX
	MOVQ  8(SI), DX
	VXORPD Y0, Y0, Y0
	CMPQ  BX, DX
	JGE   store
entry:
	MOVLQSX (R8)(BX*4), AX
	CMPQ  AX, R12
	JCC   outside
	SHLQ  $5, AX
	VBROADCASTSD (R9)(BX*8), Y15
	VMULPD 0(R10)(AX*1), Y15, Y8
	VADDPD Y8, Y0, Y0
	INCQ  BX
	CMPQ  BX, DX
	JLT   entry
store:
	VMULPD Y0, Y12, Y0
	VMULPD 0(R11), Y13, Y8
	VADDPD Y8, Y0, Y0
	TESTQ R13, R13
	JZ    write
	VMULPD 0(DI), Y14, Y8
	VADDPD Y8, Y0, Y0
write:
	VMOVUPD Y0, 0(DI)
	ADDQ  $32, DI
	ADDQ  $32, R11
	ADDQ  $8, SI
	DECQ  CX
	JMP   row
done:
	VZEROUPPER
	MOVB  $1, ret+8(FP)
	RET
outside:
	VZEROUPPER
	MOVB  $0, ret+8(FP)
	RET

// func step4ahead(a *stepArgs) bool
TEXT ·step4ahead(SB), NOSPLIT, $0-9
	STEPARGS
row:
	TESTQ CX, CX
	JZ    done
	MOVQ  (SI), BX
	MOVQ  8(SI), DX
	VXORPD Y0, Y0, Y0
	CMPQ  BX, DX
	JGE   store
entry:
	MOVL  (4*AHEAD)(R8)(BX*4), R15
	MOVLQSX (R8)(BX*4), AX
	CMPQ  AX, R12
	JCC   outside
	SHLQ  $5, R15
	PREFETCHT0 (R10)(R15*1)
	SHLQ  $5, AX
	VBROADCASTSD (R9)(BX*8), Y15
	VMULPD 0(R10)(AX*1), Y15, Y8
	VADDPD Y8, Y0, Y0
	INCQ  BX
	CMPQ  BX, DX
	JLT   entry
store:
	VMULPD Y0, Y12, Y0
	VMULPD 0(R11), Y13, Y8
	VADDPD Y8, Y0, Y0
	TESTQ R13, R13
	JZ    write
	VMULPD 0(DI), Y14, Y8
	VADDPD Y8, Y0, Y0
write:
	VMOVUPD Y0, 0(DI)
	ADDQ  $32, DI
	ADDQ  $32, R11
	ADDQ  $8, SI
	DECQ  CX
	JMP   row
done:
	VZEROUPPER
	MOVB  $1, ret+8(FP)
	RET
outside:
	VZEROUPPER
	MOVB  $0, ret+8(FP)
	RET

// func step8(a *stepArgs) bool
TEXT ·step8(SB), NOSPLIT, $0-9
	STEPARGS
row:
	TESTQ CX, CX
	JZ    done
	MOVQ  (SI), BX
	MOVQ  8(SI), DX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	CMPQ  BX, DX
	JGE   store
entry:
	MOVLQSX (R8)(BX*4), AX
	CMPQ  AX, R12
	JCC   outside
	SHLQ  $6, AX
	VBROADCASTSD (R9)(BX*8), Y15
	VMULPD 0(R10)(AX*1), Y15, Y8
	VADDPD Y8, Y0, Y0
	VMULPD 32(R10)(AX*1), Y15, Y9
	VADDPD Y9, Y1, Y1
	INCQ  BX
	CMPQ  BX, DX
	JLT   entry
store:
	VMULPD Y0, Y12, Y0
	VMULPD 0(R11), Y13, Y8
	VADDPD Y8, Y0, Y0
	VMULPD Y1, Y12, Y1
	VMULPD 32(R11), Y13, Y9
	VADDPD Y9, Y1, Y1
	TESTQ R13, R13
	JZ    write
	VMULPD 0(DI), Y14, Y8
	VADDPD Y8, Y0, Y0
	VMULPD 32(DI), Y14, Y9
	VADDPD Y9, Y1, Y1
write:
	VMOVUPD Y0, 0(DI)
	VMOVUPD Y1, 32(DI)
	ADDQ  $64, DI
	ADDQ  $64, R11
	ADDQ  $8, SI
	DECQ  CX
	JMP   row
done:
	VZEROUPPER
	MOVB  $1, ret+8(FP)
	RET
outside:
	VZEROUPPER
	MOVB  $0, ret+8(FP)
	RET

// func step8ahead(a *stepArgs) bool
TEXT ·step8ahead(SB), NOSPLIT, $0-9
	STEPARGS
row:
	TESTQ CX, CX
	JZ    done
	MOVQ  (SI), BX
	MOVQ  8(SI), DX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	CMPQ  BX, DX
	JGE   store
entry:
	MOVL  (4*AHEAD)(R8)(BX*4), R15
	MOVLQSX (R8)(BX*4), AX
	CMPQ  AX, R12
	JCC   outside
	SHLQ  $6, R15
	PREFETCHT0 (R10)(R15*1)
	SHLQ  $6, AX
	VBROADCASTSD (R9)(BX*8), Y15
	VMULPD 0(R10)(AX*1), Y15, Y8
	VADDPD Y8, Y0, Y0
	VMULPD 32(R10)(AX*1), Y15, Y9
	VADDPD Y9, Y1, Y1
	INCQ  BX
	CMPQ  BX, DX
	JLT   entry
store:
	VMULPD Y0, Y12, Y0
	VMULPD 0(R11), Y13, Y8
	VADDPD Y8, Y0, Y0
	VMULPD Y1, Y12, Y1
	VMULPD 32(R11), Y13, Y9
	VADDPD Y9, Y1, Y1
	TESTQ R13, R13
	JZ    write
	VMULPD 0(DI), Y14, Y8
	VADDPD Y8, Y0, Y0
	VMULPD 32(DI), Y14, Y9
	VADDPD Y9, Y1, Y1
write:
	VMOVUPD Y0, 0(DI)
	VMOVUPD Y1, 32(DI)
	ADDQ  $64, DI
	ADDQ  $64, R11
	ADDQ  $8, SI
	DECQ  CX
	JMP   row
done:
	VZEROUPPER
	MOVB  $1, ret+8(FP)
	RET
outside:
	VZEROUPPER
	MOVB  $0, ret+8(FP)
	RET
