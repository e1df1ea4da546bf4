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
