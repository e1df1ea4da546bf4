//go:build amd64 && !purego

#include "textflag.h"

// mulLanesAVX sets rows of 64 float32 columns: out[r] = the sum over the row's entries of
// val·terms[index], with fused multiply-adds.
//
// SI row pointers, CX rows left, R8 indices, R9 values, R10 terms, DI out; BX entry, DX end of the
// row. Y0-Y7 sums, Y15 the entry's value.

// func mulLanesAVX(a *mulArgs)
TEXT ·mulLanesAVX(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), SI
	MOVQ 8(AX), CX
	MOVQ 16(AX), R8
	MOVQ 24(AX), R9
	MOVQ 32(AX), R10
	MOVQ 40(AX), DI
row:
	TESTQ CX, CX
	JZ    done
	MOVQ  (SI), BX
	MOVQ  8(SI), DX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	CMPQ  BX, DX
	JGE   store
entry:
	MOVLQSX (R8)(BX*4), AX
	SHLQ    $8, AX
	VBROADCASTSS (R9)(BX*4), Y15
	ADDQ    R10, AX
	VFMADD231PS 0(AX), Y15, Y0
	VFMADD231PS 32(AX), Y15, Y1
	VFMADD231PS 64(AX), Y15, Y2
	VFMADD231PS 96(AX), Y15, Y3
	VFMADD231PS 128(AX), Y15, Y4
	VFMADD231PS 160(AX), Y15, Y5
	VFMADD231PS 192(AX), Y15, Y6
	VFMADD231PS 224(AX), Y15, Y7
	INCQ  BX
	CMPQ  BX, DX
	JLT   entry
store:
	VMOVUPS Y0, 0(DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VMOVUPS Y4, 128(DI)
	VMOVUPS Y5, 160(DI)
	VMOVUPS Y6, 192(DI)
	VMOVUPS Y7, 224(DI)
	ADDQ  $256, DI
	ADDQ  $8, SI
	DECQ  CX
	JMP   row
done:
	VZEROUPPER
	RET

// passingAVX searches a tile from (row, lane) on for eight pairs of which one passes.
//
// SI products of the row, R8 bytes between rows, CX rows, R9 width, R10 floors of rows, R11 shifts
// of rows, R12 floors of lanes, R13 shifts of lanes; BX row, DX lane. Y14 floor and Y13 shift of the
// row.

// func passingAVX(a *passArgs)
TEXT ·passingAVX(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), SI
	MOVQ 8(AX), R8
	MOVQ 16(AX), CX
	MOVQ 24(AX), R9
	MOVQ 32(AX), R10
	MOVQ 40(AX), R11
	MOVQ 48(AX), R12
	MOVQ 56(AX), R13
	MOVQ 64(AX), BX
	MOVQ 72(AX), DX
	MOVQ BX, DI
	IMULQ R8, DI
	ADDQ DI, SI
	CMPQ BX, CX
	JGE  none
row:
	VBROADCASTSS (R10)(BX*4), Y14
	VBROADCASTSS (R11)(BX*4), Y13
	CMPQ DX, R9
	JGE  next
lane:
	VADDPS (R13)(DX*4), Y14, Y0
	VADDPS (R12)(DX*4), Y13, Y1
	VMINPS Y1, Y0, Y0
	VMOVUPS (SI)(DX*4), Y2
	VCMPPS $0x1e, Y0, Y2, Y0
	VMOVMSKPS Y0, DI
	TESTL DI, DI
	JNZ  found
	ADDQ $8, DX
	CMPQ DX, R9
	JLT  lane
next:
	XORQ DX, DX
	ADDQ R8, SI
	INCQ BX
	CMPQ BX, CX
	JLT  row
none:
	XORL DI, DI
	XORQ DX, DX
found:
	MOVQ BX, 64(AX)
	MOVQ DX, 72(AX)
	MOVQ DI, 80(AX)
	VZEROUPPER
	RET

// addTransposedAVX adds eight columns of a 64-row matrix to the eight rows of a tile of 64 lanes.
//
// SI matrix, R8 bytes between its rows, DI tile, CX groups of eight lanes left.

// func addTransposedAVX(tile, a *float32, step int)
TEXT ·addTransposedAVX(SB), NOSPLIT, $0-24
	MOVQ tile+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ step+16(FP), R8
	LEAQ (R8)(R8*2), R9
	LEAQ (R8)(R8*4), R10
	LEAQ (R9)(R8*4), R11
	MOVQ $8, CX
group:
	VMOVUPS (SI), Y0
	VMOVUPS (SI)(R8*1), Y1
	VMOVUPS (SI)(R8*2), Y2
	VMOVUPS (SI)(R9*1), Y3
	VMOVUPS (SI)(R8*4), Y4
	VMOVUPS (SI)(R10*1), Y5
	VMOVUPS (SI)(R9*2), Y6
	VMOVUPS (SI)(R11*1), Y7
	VUNPCKLPS Y1, Y0, Y8
	VUNPCKHPS Y1, Y0, Y9
	VUNPCKLPS Y3, Y2, Y10
	VUNPCKHPS Y3, Y2, Y11
	VUNPCKLPS Y5, Y4, Y12
	VUNPCKHPS Y5, Y4, Y13
	VUNPCKLPS Y7, Y6, Y14
	VUNPCKHPS Y7, Y6, Y15
	VSHUFPS $0x44, Y10, Y8, Y0
	VSHUFPS $0xEE, Y10, Y8, Y1
	VSHUFPS $0x44, Y11, Y9, Y2
	VSHUFPS $0xEE, Y11, Y9, Y3
	VSHUFPS $0x44, Y14, Y12, Y4
	VSHUFPS $0xEE, Y14, Y12, Y5
	VSHUFPS $0x44, Y15, Y13, Y6
	VSHUFPS $0xEE, Y15, Y13, Y7
	VPERM2F128 $0x20, Y4, Y0, Y8
	VPERM2F128 $0x20, Y5, Y1, Y9
	VPERM2F128 $0x20, Y6, Y2, Y10
	VPERM2F128 $0x20, Y7, Y3, Y11
	VPERM2F128 $0x31, Y4, Y0, Y12
	VPERM2F128 $0x31, Y5, Y1, Y13
	VPERM2F128 $0x31, Y6, Y2, Y14
	VPERM2F128 $0x31, Y7, Y3, Y15
	VADDPS 0(DI), Y8, Y8
	VMOVUPS Y8, 0(DI)
	VADDPS 256(DI), Y9, Y9
	VMOVUPS Y9, 256(DI)
	VADDPS 512(DI), Y10, Y10
	VMOVUPS Y10, 512(DI)
	VADDPS 768(DI), Y11, Y11
	VMOVUPS Y11, 768(DI)
	VADDPS 1024(DI), Y12, Y12
	VMOVUPS Y12, 1024(DI)
	VADDPS 1280(DI), Y13, Y13
	VMOVUPS Y13, 1280(DI)
	VADDPS 1536(DI), Y14, Y14
	VMOVUPS Y14, 1536(DI)
	VADDPS 1792(DI), Y15, Y15
	VMOVUPS Y15, 1792(DI)
	LEAQ (SI)(R8*8), SI
	ADDQ $32, DI
	DECQ CX
	JNZ  group
	VZEROUPPER
	RET
