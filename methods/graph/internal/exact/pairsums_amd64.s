//go:build amd64 && !purego

#include "textflag.h"

// All functions: CX bytes of the values, of two to the power shift each, BX place, SI the row, R8-R11
// the other rows, DI sums. Y0-Y3 sums.

// SUMS is a whole kernel. READ sets Y5-Y8 from four values of the row, Y4, and of the other rows;
// TERMS turns them into what is added to the sums; STEP is the bytes of four values.
#define SUMS(SHIFT, STEP, READ, TERMS) \
	MOVQ a+0(FP), AX;   \
	MOVQ 0(AX), CX;     \
	SHLQ $SHIFT, CX;    \
	MOVQ 8(AX), SI;     \
	MOVQ 16(AX), R8;    \
	MOVQ 24(AX), R9;    \
	MOVQ 32(AX), R10;   \
	MOVQ 40(AX), R11;   \
	MOVQ 48(AX), DI;    \
	XORQ BX, BX;        \
	VXORPD Y0, Y0, Y0;  \
	VXORPD Y1, Y1, Y1;  \
	VXORPD Y2, Y2, Y2;  \
	VXORPD Y3, Y3, Y3;  \
step:                  \
	READ;               \
	TERMS;              \
	VADDPD Y5, Y0, Y0;  \
	VADDPD Y6, Y1, Y1;  \
	VADDPD Y7, Y2, Y2;  \
	VADDPD Y8, Y3, Y3;  \
	ADDQ $STEP, BX;     \
	CMPQ BX, CX;        \
	JLT  step;          \
	VMOVUPD Y0, (DI);   \
	VMOVUPD Y1, 32(DI); \
	VMOVUPD Y2, 64(DI); \
	VMOVUPD Y3, 96(DI); \
	VZEROUPPER;         \
	RET

#define DOUBLES(OP) \
	VMOVUPD (SI)(BX*1), Y4; \
	OP (R8)(BX*1), Y4, Y5;  \
	OP (R9)(BX*1), Y4, Y6;  \
	OP (R10)(BX*1), Y4, Y7; \
	OP (R11)(BX*1), Y4, Y8

#define SINGLES(OP) \
	VCVTPS2PD (SI)(BX*1), Y4;  \
	VCVTPS2PD (R8)(BX*1), Y5;  \
	VCVTPS2PD (R9)(BX*1), Y6;  \
	VCVTPS2PD (R10)(BX*1), Y7; \
	VCVTPS2PD (R11)(BX*1), Y8; \
	OP Y5, Y4, Y5;             \
	OP Y6, Y4, Y6;             \
	OP Y7, Y4, Y7;             \
	OP Y8, Y4, Y8

#define ASTHEYARE
#define SQUARED \
	VMULPD Y5, Y5, Y5; \
	VMULPD Y6, Y6, Y6; \
	VMULPD Y7, Y7, Y7; \
	VMULPD Y8, Y8, Y8

// func squaresAVX(a *sumArgs)
TEXT ·squaresAVX(SB), NOSPLIT, $0-8
	SUMS(3, 32, DOUBLES(VSUBPD), SQUARED)

// func productsAVX(a *sumArgs)
TEXT ·productsAVX(SB), NOSPLIT, $0-8
	SUMS(3, 32, DOUBLES(VMULPD), ASTHEYARE)

// func squaresSingleAVX(a *sumArgs)
TEXT ·squaresSingleAVX(SB), NOSPLIT, $0-8
	SUMS(2, 16, SINGLES(VSUBPD), SQUARED)

// func productsSingleAVX(a *sumArgs)
TEXT ·productsSingleAVX(SB), NOSPLIT, $0-8
	SUMS(2, 16, SINGLES(VMULPD), ASTHEYARE)
