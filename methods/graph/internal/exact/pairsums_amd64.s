//go:build amd64 && !purego

#include "textflag.h"

// Both functions: CX bytes of the values, BX place, SI the row, R8-R11 the other rows, DI sums. Y0-Y3
// sums.

#define LOADSUMS \
	MOVQ a+0(FP), AX;   \
	MOVQ 0(AX), CX;     \
	SHLQ $3, CX;        \
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
	VXORPD Y3, Y3, Y3

#define STORESUMS \
	VMOVUPD Y0, (DI);   \
	VMOVUPD Y1, 32(DI); \
	VMOVUPD Y2, 64(DI); \
	VMOVUPD Y3, 96(DI); \
	VZEROUPPER

// func squaresAVX(a *sumArgs)
TEXT ·squaresAVX(SB), NOSPLIT, $0-8
	LOADSUMS
sqstep:
	VMOVUPD (SI)(BX*1), Y4
	VSUBPD (R8)(BX*1), Y4, Y5
	VSUBPD (R9)(BX*1), Y4, Y6
	VSUBPD (R10)(BX*1), Y4, Y7
	VSUBPD (R11)(BX*1), Y4, Y8
	VMULPD Y5, Y5, Y5
	VMULPD Y6, Y6, Y6
	VMULPD Y7, Y7, Y7
	VMULPD Y8, Y8, Y8
	VADDPD Y5, Y0, Y0
	VADDPD Y6, Y1, Y1
	VADDPD Y7, Y2, Y2
	VADDPD Y8, Y3, Y3
	ADDQ $32, BX
	CMPQ BX, CX
	JLT  sqstep
	STORESUMS
	RET

// func productsAVX(a *sumArgs)
TEXT ·productsAVX(SB), NOSPLIT, $0-8
	LOADSUMS
prstep:
	VMOVUPD (SI)(BX*1), Y4
	VMULPD (R8)(BX*1), Y4, Y5
	VMULPD (R9)(BX*1), Y4, Y6
	VMULPD (R10)(BX*1), Y4, Y7
	VMULPD (R11)(BX*1), Y4, Y8
	VADDPD Y5, Y0, Y0
	VADDPD Y6, Y1, Y1
	VADDPD Y7, Y2, Y2
	VADDPD Y8, Y3, Y3
	ADDQ $32, BX
	CMPQ BX, CX
	JLT  prstep
	STORESUMS
	RET
