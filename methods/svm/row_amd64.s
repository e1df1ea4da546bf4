//go:build amd64 && !purego

#include "textflag.h"

// func dotSSE(cols *int32, vals *float64, n int, w *float64) float64
//
// SI columns, DI values, CX entries left, BX w; X0-X3 the sums of dotRowGo.
TEXT ·dotSSE(SB), NOSPLIT, $0-40
	MOVQ cols+0(FP), SI
	MOVQ vals+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ w+24(FP), BX
	XORPS X0, X0
	XORPS X1, X1
	XORPS X2, X2
	XORPS X3, X3
	SUBQ $4, CX
	JLT  rest
four:
	MOVLQSX (SI), R8
	MOVLQSX 4(SI), R9
	MOVLQSX 8(SI), R10
	MOVLQSX 12(SI), R11
	MOVSD (BX)(R8*8), X4
	MOVSD (BX)(R9*8), X5
	MOVSD (BX)(R10*8), X6
	MOVSD (BX)(R11*8), X7
	MULSD (DI), X4
	MULSD 8(DI), X5
	MULSD 16(DI), X6
	MULSD 24(DI), X7
	ADDSD X4, X0
	ADDSD X5, X1
	ADDSD X6, X2
	ADDSD X7, X3
	ADDQ $16, SI
	ADDQ $32, DI
	SUBQ $4, CX
	JGE  four
rest:
	ADDQ $4, CX
	JLE  sum
one:
	MOVLQSX (SI), R8
	MOVSD (BX)(R8*8), X4
	MULSD (DI), X4
	ADDSD X4, X0
	ADDQ $4, SI
	ADDQ $8, DI
	DECQ CX
	JGT  one
sum:
	ADDSD X2, X0
	ADDSD X3, X1
	ADDSD X1, X0
	MOVSD X0, ret+32(FP)
	RET

// func addSSE(cols *int32, vals *float64, n int, w *float64, s float64)
//
// SI columns, DI values, CX entries left, BX w; X0 s. Columns differ, so four can be read at once.
TEXT ·addSSE(SB), NOSPLIT, $0-40
	MOVQ cols+0(FP), SI
	MOVQ vals+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ w+24(FP), BX
	MOVSD s+32(FP), X0
	SUBQ $4, CX
	JLT  rest
four:
	MOVLQSX (SI), R8
	MOVLQSX 4(SI), R9
	MOVLQSX 8(SI), R10
	MOVLQSX 12(SI), R11
	MOVSD (DI), X4
	MOVSD 8(DI), X5
	MOVSD 16(DI), X6
	MOVSD 24(DI), X7
	MULSD X0, X4
	MULSD X0, X5
	MULSD X0, X6
	MULSD X0, X7
	ADDSD (BX)(R8*8), X4
	ADDSD (BX)(R9*8), X5
	ADDSD (BX)(R10*8), X6
	ADDSD (BX)(R11*8), X7
	MOVSD X4, (BX)(R8*8)
	MOVSD X5, (BX)(R9*8)
	MOVSD X6, (BX)(R10*8)
	MOVSD X7, (BX)(R11*8)
	ADDQ $16, SI
	ADDQ $32, DI
	SUBQ $4, CX
	JGE  four
rest:
	ADDQ $4, CX
	JLE  done
one:
	MOVLQSX (SI), R8
	MOVSD (DI), X4
	MULSD X0, X4
	ADDSD (BX)(R8*8), X4
	MOVSD X4, (BX)(R8*8)
	ADDQ $4, SI
	ADDQ $8, DI
	DECQ CX
	JGT  one
done:
	RET

// func fetchSSE(cols *int32, vals *float64, n int)
//
// SI a line of columns and DI two lines of values, for 16 entries each time; the last line of each
// may lie behind the row.
TEXT ·fetchSSE(SB), NOSPLIT, $0-24
	MOVQ cols+0(FP), SI
	MOVQ vals+8(FP), DI
	MOVQ n+16(FP), CX
lines:
	PREFETCHT0 (SI)
	PREFETCHT0 (DI)
	PREFETCHT0 64(DI)
	ADDQ $64, SI
	ADDQ $128, DI
	SUBQ $16, CX
	JGT  lines
	RET
