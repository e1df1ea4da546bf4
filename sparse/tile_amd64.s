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

// func tile4(a *tileArgs) bool
TEXT ·tile4(SB), NOSPLIT, $0-9
	MOVQ a+0(FP), AX
	MOVQ 0(AX), SI
	MOVQ 8(AX), CX
	MOVQ 16(AX), R8
	MOVQ 24(AX), R9
	MOVQ 32(AX), R10
	MOVQ 40(AX), R11
	MOVQ 48(AX), R12
	MOVQ 56(AX), DI
	MOVQ 64(AX), R13
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
	CMPQ    AX, R12
	JCC     outside
	IMULQ   R11, AX
	ADDQ    R10, AX
	VBROADCASTSD (R9)(BX*8), Y15
	VMULPD 0(AX), Y15, Y8
	VADDPD Y8, Y0, Y0
	INCQ  BX
	CMPQ  BX, DX
	JLT   entry
store:
	VMOVUPD Y0, 0(DI)
	ADDQ  R13, DI
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

// func tile8(a *tileArgs) bool
TEXT ·tile8(SB), NOSPLIT, $0-9
	MOVQ a+0(FP), AX
	MOVQ 0(AX), SI
	MOVQ 8(AX), CX
	MOVQ 16(AX), R8
	MOVQ 24(AX), R9
	MOVQ 32(AX), R10
	MOVQ 40(AX), R11
	MOVQ 48(AX), R12
	MOVQ 56(AX), DI
	MOVQ 64(AX), R13
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
	CMPQ    AX, R12
	JCC     outside
	IMULQ   R11, AX
	ADDQ    R10, AX
	VBROADCASTSD (R9)(BX*8), Y15
	VMULPD 0(AX), Y15, Y8
	VADDPD Y8, Y0, Y0
	VMULPD 32(AX), Y15, Y9
	VADDPD Y9, Y1, Y1
	INCQ  BX
	CMPQ  BX, DX
	JLT   entry
store:
	VMOVUPD Y0, 0(DI)
	VMOVUPD Y1, 32(DI)
	ADDQ  R13, DI
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

// func tile16(a *tileArgs) bool
TEXT ·tile16(SB), NOSPLIT, $0-9
	MOVQ a+0(FP), AX
	MOVQ 0(AX), SI
	MOVQ 8(AX), CX
	MOVQ 16(AX), R8
	MOVQ 24(AX), R9
	MOVQ 32(AX), R10
	MOVQ 40(AX), R11
	MOVQ 48(AX), R12
	MOVQ 56(AX), DI
	MOVQ 64(AX), R13
row:
	TESTQ CX, CX
	JZ    done
	MOVQ  (SI), BX
	MOVQ  8(SI), DX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	CMPQ  BX, DX
	JGE   store
entry:
	MOVLQSX (R8)(BX*4), AX
	CMPQ    AX, R12
	JCC     outside
	IMULQ   R11, AX
	ADDQ    R10, AX
	VBROADCASTSD (R9)(BX*8), Y15
	VMULPD 0(AX), Y15, Y8
	VADDPD Y8, Y0, Y0
	VMULPD 32(AX), Y15, Y9
	VADDPD Y9, Y1, Y1
	VMULPD 64(AX), Y15, Y10
	VADDPD Y10, Y2, Y2
	VMULPD 96(AX), Y15, Y11
	VADDPD Y11, Y3, Y3
	INCQ  BX
	CMPQ  BX, DX
	JLT   entry
store:
	VMOVUPD Y0, 0(DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	ADDQ  R13, DI
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

// func tile32(a *tileArgs) bool
TEXT ·tile32(SB), NOSPLIT, $0-9
	MOVQ a+0(FP), AX
	MOVQ 0(AX), SI
	MOVQ 8(AX), CX
	MOVQ 16(AX), R8
	MOVQ 24(AX), R9
	MOVQ 32(AX), R10
	MOVQ 40(AX), R11
	MOVQ 48(AX), R12
	MOVQ 56(AX), DI
	MOVQ 64(AX), R13
row:
	TESTQ CX, CX
	JZ    done
	MOVQ  (SI), BX
	MOVQ  8(SI), DX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7
	CMPQ  BX, DX
	JGE   store
entry:
	MOVLQSX (R8)(BX*4), AX
	CMPQ    AX, R12
	JCC     outside
	IMULQ   R11, AX
	ADDQ    R10, AX
	VBROADCASTSD (R9)(BX*8), Y15
	VMULPD 0(AX), Y15, Y8
	VADDPD Y8, Y0, Y0
	VMULPD 32(AX), Y15, Y9
	VADDPD Y9, Y1, Y1
	VMULPD 64(AX), Y15, Y10
	VADDPD Y10, Y2, Y2
	VMULPD 96(AX), Y15, Y11
	VADDPD Y11, Y3, Y3
	VMULPD 128(AX), Y15, Y12
	VADDPD Y12, Y4, Y4
	VMULPD 160(AX), Y15, Y13
	VADDPD Y13, Y5, Y5
	VMULPD 192(AX), Y15, Y14
	VADDPD Y14, Y6, Y6
	VMULPD 224(AX), Y15, Y8
	VADDPD Y8, Y7, Y7
	INCQ  BX
	CMPQ  BX, DX
	JLT   entry
store:
	VMOVUPD Y0, 0(DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VMOVUPD Y4, 128(DI)
	VMOVUPD Y5, 160(DI)
	VMOVUPD Y6, 192(DI)
	VMOVUPD Y7, 224(DI)
	ADDQ  R13, DI
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
