//go:build amd64 && !purego

#include "textflag.h"

// least is the smallest entry that is not set to zero, 1e-64, four times.
DATA least<>+0(SB)/8, $0x32A50FFD44F4A73D
DATA least<>+8(SB)/8, $0x32A50FFD44F4A73D
DATA least<>+16(SB)/8, $0x32A50FFD44F4A73D
DATA least<>+24(SB)/8, $0x32A50FFD44F4A73D
GLOBL least<>(SB), RODATA|NOPTR, $32

// MINIMISED sets the four entries at PLACE to max(0, entry − G/Y8), where G is their slope, and G
// to what was added to them. It adds the square of that to SUM.
#define MINIMISED(PLACE, G, SUM) \
	VMOVUPD PLACE(R8), Y10 \
	VDIVPD  Y8, G, Y11 \
	VSUBPD  Y11, Y10, Y11 \
	VCMPPD  $0x11, least<>(SB), Y11, Y12 \
	VANDNPD Y11, Y12, Y11 \
	VSUBPD  Y10, Y11, G \
	VMOVUPD Y11, PLACE(R8) \
	VMULPD  G, G, Y12 \
	VADDPD  Y12, SUM, SUM

// COLUMN minimises over the column at PLACE, of slopes A and B and the diagonal entry DIAGONAL. A
// and B become what was added. NONE does so if the entry is not above zero, and comes back to NEXT.
#define COLUMN(PLACE, A, B, DIAGONAL, NONE, NEXT) \
	VBROADCASTSD DIAGONAL, Y8 \
	VUCOMISD     X8, X13 \
	JCC          NONE \
	MINIMISED(PLACE, A, Y14) \
	MINIMISED(PLACE+32, B, Y15) \
NEXT:

#define NOTHING(A, B, NONE, NEXT) \
NONE: \
	VXORPD A, A, A \
	VXORPD B, B, B \
	JMP    NEXT

// ADDTIMES adds D and E, times the number ENTRY, to A and B.
#define ADDTIMES(D, E, ENTRY, A, B) \
	VBROADCASTSD ENTRY, Y10 \
	VMULPD       D, Y10, Y11 \
	VADDPD       Y11, A, A \
	VMULPD       E, Y10, Y12 \
	VADDPD       Y12, B, B

// func sweepEight(f, slopes, gram *float64, fours int, change *float64)
//
// R8 the eights of f, DI g, R9 the block's part of the rows of gram, R10 its four rows and columns,
// R11 and R12 bytes of a row and of three, CX blocks left, SI the eights of the block in g; DX, BX
// and AX go over all rows. Y0-Y7 slopes and then what is added to the block's four columns, Y13
// zero, Y14 and Y15 sums of its squares.
TEXT ·sweepEight(SB), NOSPLIT, $0-40
	MOVQ f+0(FP), R8
	MOVQ slopes+8(FP), DI
	MOVQ gram+16(FP), R9
	MOVQ fours+24(FP), CX
	MOVQ CX, R11
	SHLQ $5, R11
	LEAQ (R11)(R11*2), R12
	MOVQ R9, R10
	MOVQ DI, SI
	VXORPD Y13, Y13, Y13
	VXORPD Y14, Y14, Y14
	VXORPD Y15, Y15, Y15
block:
	VMOVUPD (SI), Y0
	VMOVUPD 32(SI), Y1
	VMOVUPD 64(SI), Y2
	VMOVUPD 96(SI), Y3
	VMOVUPD 128(SI), Y4
	VMOVUPD 160(SI), Y5
	VMOVUPD 192(SI), Y6
	VMOVUPD 224(SI), Y7
	COLUMN(0, Y0, Y1, 0(R10), none0, next0)
	ADDTIMES(Y0, Y1, 0(R10)(R11*1), Y2, Y3)
	ADDTIMES(Y0, Y1, 0(R10)(R11*2), Y4, Y5)
	ADDTIMES(Y0, Y1, 0(R10)(R12*1), Y6, Y7)
	COLUMN(64, Y2, Y3, 8(R10)(R11*1), none1, next1)
	ADDTIMES(Y2, Y3, 8(R10)(R11*2), Y4, Y5)
	ADDTIMES(Y2, Y3, 8(R10)(R12*1), Y6, Y7)
	COLUMN(128, Y4, Y5, 16(R10)(R11*2), none2, next2)
	ADDTIMES(Y4, Y5, 16(R10)(R12*1), Y6, Y7)
	COLUMN(192, Y6, Y7, 24(R10)(R12*1), none3, next3)

	VORPD  Y0, Y1, Y8
	VORPD  Y2, Y3, Y9
	VORPD  Y4, Y5, Y10
	VORPD  Y6, Y7, Y11
	VORPD  Y8, Y9, Y8
	VORPD  Y10, Y11, Y10
	VORPD  Y8, Y10, Y8
	VPTEST Y8, Y8
	JZ     done
	MOVQ   DI, DX
	MOVQ   R9, BX
	MOVQ   fours+24(FP), AX
	SHLQ   $2, AX
row:
	VMOVUPD (DX), Y8
	VMOVUPD 32(DX), Y9
	ADDTIMES(Y0, Y1, 0(BX), Y8, Y9)
	ADDTIMES(Y2, Y3, 8(BX), Y8, Y9)
	ADDTIMES(Y4, Y5, 16(BX), Y8, Y9)
	ADDTIMES(Y6, Y7, 24(BX), Y8, Y9)
	VMOVUPD Y8, (DX)
	VMOVUPD Y9, 32(DX)
	ADDQ    $64, DX
	ADDQ    R11, BX
	DECQ    AX
	JNZ     row
done:
	ADDQ $256, R8
	ADDQ $256, SI
	ADDQ $32, R9
	LEAQ 32(R10)(R11*4), R10
	DECQ CX
	JNZ  block
	MOVQ change+32(FP), AX
	VMOVUPD Y14, (AX)
	VMOVUPD Y15, 32(AX)
	VZEROUPPER
	RET
	NOTHING(Y0, Y1, none0, next0)
	NOTHING(Y2, Y3, none1, next1)
	NOTHING(Y4, Y5, none2, next2)
	NOTHING(Y6, Y7, none3, next3)
