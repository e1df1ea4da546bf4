//go:build amd64 && !purego

#include "textflag.h"

// All functions: CX bytes of the values, of two to the power shift each, BX place, SI the row, R8-R11
// the other rows, DI sums. Y0-Y3 sums.

#define LOADSUMS(shift) \
	MOVQ a+0(FP), AX;   \
	MOVQ 0(AX), CX;     \
	SHLQ $shift, CX;    \
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
	LOADSUMS(3)
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
	LOADSUMS(3)
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

// Four values of each row in double precision, Y4 of the row and Y5-Y8 of the others.
#define LOADSINGLES \
	VCVTPS2PD (SI)(BX*1), Y4;  \
	VCVTPS2PD (R8)(BX*1), Y5;  \
	VCVTPS2PD (R9)(BX*1), Y6;  \
	VCVTPS2PD (R10)(BX*1), Y7; \
	VCVTPS2PD (R11)(BX*1), Y8

// func squaresSingleAVX(a *sumArgs)
TEXT ·squaresSingleAVX(SB), NOSPLIT, $0-8
	LOADSUMS(2)
sqsingle:
	LOADSINGLES
	VSUBPD Y5, Y4, Y5
	VSUBPD Y6, Y4, Y6
	VSUBPD Y7, Y4, Y7
	VSUBPD Y8, Y4, Y8
	VMULPD Y5, Y5, Y5
	VMULPD Y6, Y6, Y6
	VMULPD Y7, Y7, Y7
	VMULPD Y8, Y8, Y8
	VADDPD Y5, Y0, Y0
	VADDPD Y6, Y1, Y1
	VADDPD Y7, Y2, Y2
	VADDPD Y8, Y3, Y3
	ADDQ $16, BX
	CMPQ BX, CX
	JLT  sqsingle
	STORESUMS
	RET

// func productsSingleAVX(a *sumArgs)
TEXT ·productsSingleAVX(SB), NOSPLIT, $0-8
	LOADSUMS(2)
prsingle:
	LOADSINGLES
	VMULPD Y5, Y4, Y5
	VMULPD Y6, Y4, Y6
	VMULPD Y7, Y4, Y7
	VMULPD Y8, Y4, Y8
	VADDPD Y5, Y0, Y0
	VADDPD Y6, Y1, Y1
	VADDPD Y7, Y2, Y2
	VADDPD Y8, Y3, Y3
	ADDQ $16, BX
	CMPQ BX, CX
	JLT  prsingle
	STORESUMS
	RET
