//go:build amd64 && !purego

#include "textflag.h"

// shortProductsAVX multiplies pairs of 16-bit values and adds the products in 32 bits. It fetches
// the first lines of the next row.
//
// R8 rows, R9 bytes of a row, R10 own row, SI rows, CX rows left, DI out; BX place in the row, R11
// row. Y0 sums.

// func shortProductsAVX(a *shortArgs)
TEXT ·shortProductsAVX(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), R8
	MOVQ 8(AX), R9
	SHLQ $5, R9
	MOVQ 16(AX), R10
	MOVQ 24(AX), SI
	MOVQ 32(AX), CX
	MOVQ 40(AX), DI
srow:
	CMPQ CX, $3
	JLT  sread
	MOVLQSX 8(SI), AX
	IMULQ R9, AX
	PREFETCHT0 (R8)(AX*1)
	PREFETCHT0 64(R8)(AX*1)
	PREFETCHT0 128(R8)(AX*1)
	PREFETCHT0 192(R8)(AX*1)
sread:
	MOVLQSX (SI), R11
	IMULQ R9, R11
	ADDQ  R8, R11
	XORQ  BX, BX
	VPXOR Y0, Y0, Y0
sstep:
	VMOVDQU  (R10)(BX*1), Y1
	VPMADDWD (R11)(BX*1), Y1, Y1
	VPADDD   Y1, Y0, Y0
	ADDQ $32, BX
	CMPQ BX, R9
	JLT  sstep
	VEXTRACTI128 $1, Y0, X1
	VPADDD  X1, X0, X0
	VPSHUFD $0x4E, X0, X1
	VPADDD  X1, X0, X0
	VPSHUFD $0xB1, X0, X1
	VPADDD  X1, X0, X0
	VMOVD   X0, (DI)
	ADDQ $4, DI
	ADDQ $4, SI
	DECQ CX
	JNZ  srow
	VZEROUPPER
	RET

// ROWAVX adds the products of a pair of values of an own row and of a block's rows.
#define ROWAVX(off, lo, hi) \
	VPBROADCASTD off, Y10;       \
	VPMADDWD     Y8, Y10, Y11;   \
	VPMADDWD     Y9, Y10, Y12;   \
	VPADDD       Y11, lo, lo;    \
	VPADDD       Y12, hi, hi

// KEYAVX writes 2·products − norms of a row: n is its norm, out the place.
#define KEYAVX(n, out, lo, hi) \
	VPBROADCASTD n, Y10;         \
	VPADDD       lo, lo, lo;     \
	VPADDD       hi, hi, hi;     \
	VPSUBD       Y10, lo, lo;    \
	VPSUBD       Y10, hi, hi;    \
	VPSUBD       Y8, lo, lo;     \
	VPSUBD       Y9, hi, hi;     \
	VMOVDQU      lo, (out);      \
	VMOVDQU      hi, 32(out)

// shortTileAVX multiplies four rows by blocks of sixteen packed ones.
//
// R8-R11 own rows, R12 their norms, R13 packed, R14 norms of the packed, CX blocks left, DI out, SI
// bytes of a row of out, DX bytes of an own row; BX place in the own rows. Y0-Y7 sums.

// TILEARGS sets the registers of a *tileArgs.
#define TILEARGS \
	MOVQ a+0(FP), AX; \
	MOVQ 0(AX), R8; \
	MOVQ 8(AX), R12; \
	MOVQ 16(AX), DX; \
	SHLQ $5, DX; \
	LEAQ (R8)(DX*1), R9; \
	LEAQ (R9)(DX*1), R10; \
	LEAQ (R10)(DX*1), R11; \
	MOVQ 24(AX), R13; \
	MOVQ 32(AX), R14; \
	MOVQ 40(AX), CX; \
	LEAQ (CX*4), SI; \
	SHRQ $4, CX; \
	MOVQ 48(AX), DI

// func shortTileAVX(a *tileArgs)
TEXT ·shortTileAVX(SB), NOSPLIT, $0-8
	TILEARGS
tblock:
	XORQ  BX, BX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
tpair:
	VMOVDQU (R13), Y8
	VMOVDQU 32(R13), Y9
	ROWAVX((R8)(BX*1), Y0, Y1)
	ROWAVX((R9)(BX*1), Y2, Y3)
	ROWAVX((R10)(BX*1), Y4, Y5)
	ROWAVX((R11)(BX*1), Y6, Y7)
	ADDQ $64, R13
	ADDQ $4, BX
	CMPQ BX, DX
	JLT  tpair
	VMOVDQU (R14), Y8
	VMOVDQU 32(R14), Y9
	ADDQ $64, R14
	MOVQ DI, AX
	KEYAVX(0(R12), AX, Y0, Y1)
	ADDQ SI, AX
	KEYAVX(4(R12), AX, Y2, Y3)
	ADDQ SI, AX
	KEYAVX(8(R12), AX, Y4, Y5)
	ADDQ SI, AX
	KEYAVX(12(R12), AX, Y6, Y7)
	ADDQ $64, DI
	DECQ CX
	JNZ  tblock
	VZEROUPPER
	RET

// KEYVNNI is KEYAVX for 16 lanes.
#define KEYVNNI(n, out, z) \
	VPBROADCASTD n, Z10;      \
	VPADDD       z, z, z;     \
	VPSUBD       Z10, z, z;   \
	VPSUBD       Z8, z, z;    \
	VMOVDQU32    z, (out)

// shortTileVNNI is shortTileAVX with registers of sixteen lanes; two sums of each row hide the
// latency.
//
// Registers as there. Z0-Z3 sums of even pairs, Z4-Z7 of odd ones. A row has an even number of pairs.

// func shortTileVNNI(a *tileArgs)
TEXT ·shortTileVNNI(SB), NOSPLIT, $0-8
	TILEARGS
vblock:
	XORQ   BX, BX
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
vpair:
	VMOVDQU32 (R13), Z8
	VMOVDQU32 64(R13), Z9
	VPDPWSSD.BCST (R8)(BX*1), Z8, Z0
	VPDPWSSD.BCST (R9)(BX*1), Z8, Z1
	VPDPWSSD.BCST (R10)(BX*1), Z8, Z2
	VPDPWSSD.BCST (R11)(BX*1), Z8, Z3
	VPDPWSSD.BCST 4(R8)(BX*1), Z9, Z4
	VPDPWSSD.BCST 4(R9)(BX*1), Z9, Z5
	VPDPWSSD.BCST 4(R10)(BX*1), Z9, Z6
	VPDPWSSD.BCST 4(R11)(BX*1), Z9, Z7
	ADDQ $128, R13
	ADDQ $8, BX
	CMPQ BX, DX
	JLT  vpair
	VPADDD Z4, Z0, Z0
	VPADDD Z5, Z1, Z1
	VPADDD Z6, Z2, Z2
	VPADDD Z7, Z3, Z3
	VMOVDQU32 (R14), Z8
	ADDQ $64, R14
	MOVQ DI, AX
	KEYVNNI(0(R12), AX, Z0)
	ADDQ SI, AX
	KEYVNNI(4(R12), AX, Z1)
	ADDQ SI, AX
	KEYVNNI(8(R12), AX, Z2)
	ADDQ SI, AX
	KEYVNNI(12(R12), AX, Z3)
	ADDQ $64, DI
	DECQ CX
	JNZ  vblock
	VZEROUPPER
	RET

// func groupTopsAVX(keys *int32, count, group int, tops *int32)
TEXT ·groupTopsAVX(SB), NOSPLIT, $0-32
	MOVQ keys+0(FP), SI
	MOVQ count+8(FP), CX
	MOVQ group+16(FP), DX
	MOVQ tops+24(FP), DI
ggroup:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	ADDQ $64, SI
	DECQ CX
	MOVQ DX, BX
gblock:
	DECQ BX
	JZ   gend
	TESTQ CX, CX
	JZ   gend
	VPMAXSD (SI), Y0, Y0
	VPMAXSD 32(SI), Y1, Y1
	ADDQ $64, SI
	DECQ CX
	JMP  gblock
gend:
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ $64, DI
	TESTQ CX, CX
	JNZ  ggroup
	VZEROUPPER
	RET

// atLeastAVX compares sixteen keys at a time. BX is the number of the first of them, R8 the mask of
// those below least, inverted.

// func atLeastAVX(keys *int32, count int, least int32, passed *int32) int
TEXT ·atLeastAVX(SB), NOSPLIT, $0-40
	MOVQ keys+0(FP), SI
	MOVQ count+8(FP), CX
	MOVL least+16(FP), AX
	VMOVD AX, X0
	VPBROADCASTD X0, Y0
	MOVQ passed+24(FP), DI
	MOVQ DI, R10
	XORQ BX, BX
ablock:
	VPCMPGTD (SI), Y0, Y1
	VPCMPGTD 32(SI), Y0, Y2
	VMOVMSKPS Y1, R8
	VMOVMSKPS Y2, R9
	SHLL $8, R9
	ORL  R9, R8
	XORL $0xFFFF, R8
	JZ   anext
abit:
	BSFL R8, R9
	ADDL BX, R9
	MOVL R9, (DI)
	ADDQ $4, DI
	LEAL -1(R8), R9
	ANDL R9, R8
	JNZ  abit
anext:
	ADDQ $64, SI
	ADDQ $16, BX
	DECQ CX
	JNZ  ablock
	SUBQ R10, DI
	SHRQ $2, DI
	MOVQ DI, ret+32(FP)
	VZEROUPPER
	RET
