//go:build amd64 && !purego

#include "textflag.h"

// ADD8 adds the eight numbers of Y0 to the first of X0, in the order of sum8.
#define ADD8 \
	VEXTRACTF128 $1, Y0, X1; \
	VADDPS       X1, X0, X0; \
	VMOVHLPS     X0, X0, X1; \
	VADDPS       X1, X0, X0; \
	VMOVSHDUP    X0, X1;     \
	VADDSS       X1, X0, X0

// sparseProductsAVX multiplies rows of blocks by the open row, without fused operations. It fetches
// the first lines of the row after the next.
//
// R8 first blocks of rows, R9 blocks, R10 open row, SI rows, CX rows left, DI out; BX block, DX end
// of the row. Y0 and Y4 sums of even and odd blocks would change the order: there is one, Y0.

// func sparseProductsAVX(a *sparseArgs)
TEXT ·sparseProductsAVX(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), R8
	MOVQ 8(AX), R9
	MOVQ 16(AX), R10
	MOVQ 24(AX), SI
	MOVQ 32(AX), CX
	MOVQ 40(AX), DI
row:
	CMPQ CX, $3
	JLT  read
	MOVLQSX 8(SI), AX
	MOVQ (R8)(AX*8), BX
	SHLQ $6, BX
	PREFETCHT0 (R9)(BX*1)
	PREFETCHT0 64(R9)(BX*1)
	PREFETCHT0 128(R9)(BX*1)
	PREFETCHT0 192(R9)(BX*1)
read:
	MOVLQSX (SI), AX
	MOVQ (R8)(AX*8), BX
	MOVQ 8(R8)(AX*8), DX
	SHLQ $6, BX
	SHLQ $6, DX
	ADDQ R9, BX
	ADDQ R9, DX
	VXORPS Y0, Y0, Y0
	CMPQ BX, DX
	JGE  sum
block:
	VMOVDQU  (BX), Y1
	VPCMPEQD Y2, Y2, Y2
	VXORPS   Y3, Y3, Y3
	VGATHERDPS Y2, (R10)(Y1*4), Y3
	VMULPS   32(BX), Y3, Y3
	VADDPS   Y3, Y0, Y0
	ADDQ     $64, BX
	CMPQ     BX, DX
	JLT      block
sum:
	ADD8
	VMOVSS X0, (DI)
	ADDQ $4, DI
	ADDQ $4, SI
	DECQ CX
	JNZ  row
	VZEROUPPER
	RET

// denseDistancesAVX sums squared differences, without fused operations.
//
// R8 rows, R9 bytes of a row, R10 own row, SI rows, CX rows left, DI out; BX place in the row, R11
// row. Y0-Y3 sums.

// func denseDistancesAVX(a *denseArgs)
TEXT ·denseDistancesAVX(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), R8
	MOVQ 8(AX), R9
	SHLQ $7, R9
	MOVQ 16(AX), R10
	MOVQ 24(AX), SI
	MOVQ 32(AX), CX
	MOVQ 40(AX), DI
drow:
	CMPQ CX, $2
	JLT  dread
	MOVLQSX 4(SI), AX
	IMULQ R9, AX
	PREFETCHT0 (R8)(AX*1)
	PREFETCHT0 64(R8)(AX*1)
	PREFETCHT0 128(R8)(AX*1)
	PREFETCHT0 192(R8)(AX*1)
dread:
	MOVLQSX (SI), R11
	IMULQ R9, R11
	ADDQ  R8, R11
	XORQ  BX, BX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
step:
	VMOVUPS (R10)(BX*1), Y4
	VMOVUPS 32(R10)(BX*1), Y5
	VMOVUPS 64(R10)(BX*1), Y6
	VMOVUPS 96(R10)(BX*1), Y7
	VSUBPS (R11)(BX*1), Y4, Y4
	VSUBPS 32(R11)(BX*1), Y5, Y5
	VSUBPS 64(R11)(BX*1), Y6, Y6
	VSUBPS 96(R11)(BX*1), Y7, Y7
	VMULPS Y4, Y4, Y4
	VMULPS Y5, Y5, Y5
	VMULPS Y6, Y6, Y6
	VMULPS Y7, Y7, Y7
	VADDPS Y4, Y0, Y0
	VADDPS Y5, Y1, Y1
	VADDPS Y6, Y2, Y2
	VADDPS Y7, Y3, Y3
	ADDQ $128, BX
	CMPQ BX, R9
	JLT  step
	VADDPS Y1, Y0, Y0
	VADDPS Y3, Y2, Y2
	VADDPS Y2, Y0, Y0
	ADD8
	VXORPS X1, X1, X1
	VSUBSS X0, X1, X0
	VMOVSS X0, (DI)
	ADDQ $4, DI
	ADDQ $4, SI
	DECQ CX
	JNZ  drow
	VZEROUPPER
	RET
