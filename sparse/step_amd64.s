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

// SUMMED adds the products of the entry's value and a row of x to the sums of four columns, SCALED
// sets α·sum + β·x, KEPT adds γ·y. Those with 8 are of the second four columns: NOTHING in step4.
#define NOTHING
#define SUMMED(PLACE, P, SUM) VMULPD PLACE(R10)(AX*1), Y15, P; VADDPD P, SUM, SUM
#define SCALED(PLACE, P, SUM) VMULPD SUM, Y12, SUM; VMULPD PLACE(R11), Y13, P; VADDPD P, SUM, SUM
#define KEPT(PLACE, P, SUM) VMULPD PLACE(DI), Y14, P; VADDPD P, SUM, SUM
#define ZERO8   VXORPD Y1, Y1, Y1
#define SUMMED8 SUMMED(32, Y9, Y1)
#define SCALED8 SCALED(32, Y9, Y1)
#define KEPT8   KEPT(32, Y9, Y1)
#define WRITE8  VMOVUPD Y1, 32(DI)

// The kernels with "ahead" take the column of a later entry and, where the present one is inside,
// fetch its row of x, of two to the power SHIFT bytes.
#define LATER MOVL (4*AHEAD)(R8)(BX*4), R15
#define FETCH(SHIFT) SHLQ $SHIFT, R15; PREFETCHT0 (R10)(R15*1)

// STEP is a whole kernel: rows of x and y have ROW bytes, two to the power SHIFT.
#define STEP(SHIFT, ROW, TAKE, AHEADOF, ZERO, SUMMED2, SCALED2, KEPT2, WRITE2) \
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
	MOVQ 88(AX), R13 \
row: \
	TESTQ CX, CX \
	JZ    done \
	MOVQ  (SI), BX \
	MOVQ  8(SI), DX \
	VXORPD Y0, Y0, Y0 \
	ZERO \
	CMPQ  BX, DX \
	JGE   store \
entry: \
	TAKE \
	MOVLQSX (R8)(BX*4), AX \
	CMPQ  AX, R12 \
	JCC   outside \
	AHEADOF \
	SHLQ  $SHIFT, AX \
	VBROADCASTSD (R9)(BX*8), Y15 \
	SUMMED(0, Y8, Y0) \
	SUMMED2 \
	INCQ  BX \
	CMPQ  BX, DX \
	JLT   entry \
store: \
	SCALED(0, Y8, Y0) \
	SCALED2 \
	TESTQ R13, R13 \
	JZ    write \
	KEPT(0, Y8, Y0) \
	KEPT2 \
write: \
	VMOVUPD Y0, 0(DI) \
	WRITE2 \
	ADDQ  $ROW, DI \
	ADDQ  $ROW, R11 \
	ADDQ  $8, SI \
	DECQ  CX \
	JMP   row \
done: \
	VZEROUPPER \
	MOVB  $1, ret+8(FP) \
	RET \
outside: \
	VZEROUPPER \
	MOVB  $0, ret+8(FP) \
	RET

// func step4(a *stepArgs) bool
TEXT ·step4(SB), NOSPLIT, $0-9
	STEP(5, 32, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)

// func step4ahead(a *stepArgs) bool
TEXT ·step4ahead(SB), NOSPLIT, $0-9
	STEP(5, 32, LATER, FETCH(5), NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)

// func step8(a *stepArgs) bool
TEXT ·step8(SB), NOSPLIT, $0-9
	STEP(6, 64, NOTHING, NOTHING, ZERO8, SUMMED8, SCALED8, KEPT8, WRITE8)

// func step8ahead(a *stepArgs) bool
TEXT ·step8ahead(SB), NOSPLIT, $0-9
	STEP(6, 64, LATER, FETCH(6), ZERO8, SUMMED8, SCALED8, KEPT8, WRITE8)
