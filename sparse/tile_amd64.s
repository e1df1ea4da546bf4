//go:build amd64 && !purego

#include "textflag.h"

// Each kernel sets one tile of W columns of some rows of dst = a·x. The argument is a *tileArgs. It
// returns false at a column index outside the matrix, before it reads there. Products and sums are
// rounded separately (no fused multiply-add), in each lane in the order of columns, so the bits are
// those of the Go kernels.
//
// SI row pointers, CX rows left, R8 columns, R9 values, R10 x, R11 bytes between its rows, R12
// number of its rows, DI dst, R13 bytes between its rows; BX entry, DX end of the row. Y0-Y7 sums,
// Y15 the entry's value.

// For each width: ZERO sets the sums to 0, ADD adds the products of the entry's value and a row of x,
// STORE writes a row of dst.
#define ZERO4  VXORPD Y0, Y0, Y0
#define ZERO8  ZERO4; VXORPD Y1, Y1, Y1
#define ZERO16 ZERO8; VXORPD Y2, Y2, Y2; VXORPD Y3, Y3, Y3
#define ZERO32 ZERO16; VXORPD Y4, Y4, Y4; VXORPD Y5, Y5, Y5; VXORPD Y6, Y6, Y6; VXORPD Y7, Y7, Y7

#define PRODUCT(PLACE, P, SUM) VMULPD PLACE(AX), Y15, P; VADDPD P, SUM, SUM
#define ADD4  PRODUCT(0, Y8, Y0)
#define ADD8  ADD4; PRODUCT(32, Y9, Y1)
#define ADD16 ADD8; PRODUCT(64, Y10, Y2); PRODUCT(96, Y11, Y3)
#define ADD32 ADD16; PRODUCT(128, Y12, Y4); PRODUCT(160, Y13, Y5); PRODUCT(192, Y14, Y6); PRODUCT(224, Y8, Y7)

#define STORE4  VMOVUPD Y0, 0(DI)
#define STORE8  STORE4; VMOVUPD Y1, 32(DI)
#define STORE16 STORE8; VMOVUPD Y2, 64(DI); VMOVUPD Y3, 96(DI)
#define STORE32 STORE16; VMOVUPD Y4, 128(DI); VMOVUPD Y5, 160(DI); VMOVUPD Y6, 192(DI); VMOVUPD Y7, 224(DI)

// TILE is a whole kernel for one width, of the three macros of that width.
#define TILE(ZERO, ADD, STORE) \
	MOVQ a+0(FP), AX \
	MOVQ 0(AX), SI \
	MOVQ 8(AX), CX \
	MOVQ 16(AX), R8 \
	MOVQ 24(AX), R9 \
	MOVQ 32(AX), R10 \
	MOVQ 40(AX), R11 \
	MOVQ 48(AX), R12 \
	MOVQ 56(AX), DI \
	MOVQ 64(AX), R13 \
row: \
	TESTQ CX, CX \
	JZ    done \
	MOVQ  (SI), BX \
	MOVQ  8(SI), DX \
	ZERO \
	CMPQ  BX, DX \
	JGE   store \
entry: \
	MOVLQSX (R8)(BX*4), AX \
	CMPQ    AX, R12 \
	JCC     outside \
	IMULQ   R11, AX \
	ADDQ    R10, AX \
	VBROADCASTSD (R9)(BX*8), Y15 \
	ADD \
	INCQ  BX \
	CMPQ  BX, DX \
	JLT   entry \
store: \
	STORE \
	ADDQ  R13, DI \
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

// func tile4(a *tileArgs) bool
TEXT ·tile4(SB), NOSPLIT, $0-9
	TILE(ZERO4, ADD4, STORE4)

// func tile8(a *tileArgs) bool
TEXT ·tile8(SB), NOSPLIT, $0-9
	TILE(ZERO8, ADD8, STORE8)

// func tile16(a *tileArgs) bool
TEXT ·tile16(SB), NOSPLIT, $0-9
	TILE(ZERO16, ADD16, STORE16)

// func tile32(a *tileArgs) bool
TEXT ·tile32(SB), NOSPLIT, $0-9
	TILE(ZERO32, ADD32, STORE32)
