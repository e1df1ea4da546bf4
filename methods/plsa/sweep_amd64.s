//go:build amd64 && !purego

#include "textflag.h"

// func sweep4(a *sweepArgs)
//
// R8 columns, R9 counts, CX fours left, R10 theta, R11 bytes of its rows, SI now, DI acc; R12, R13,
// R15 and AX rows of theta of four entries, DX byte within a row, BX entries done. Y0-Y3 sums, then
// Y4-Y7 the ratios, each four times.
TEXT ·sweep4(SB), NOSPLIT, $0-8
	MOVQ a+0(FP), AX
	MOVQ 0(AX), R8
	MOVQ 8(AX), R9
	MOVQ 16(AX), CX
	MOVQ 24(AX), R10
	MOVQ 32(AX), R11
	MOVQ 40(AX), SI
	MOVQ 48(AX), DI
	XORQ BX, BX
four:
	MOVLQSX 0(R8)(BX*4), R12
	IMULQ   R11, R12
	ADDQ    R10, R12
	MOVLQSX 4(R8)(BX*4), R13
	IMULQ   R11, R13
	ADDQ    R10, R13
	MOVLQSX 8(R8)(BX*4), R15
	IMULQ   R11, R15
	ADDQ    R10, R15
	MOVLQSX 12(R8)(BX*4), AX
	IMULQ   R11, AX
	ADDQ    R10, AX
	VXORPD  Y0, Y0, Y0
	VXORPD  Y1, Y1, Y1
	VXORPD  Y2, Y2, Y2
	VXORPD  Y3, Y3, Y3
	XORQ    DX, DX
product:
	VMOVUPD (SI)(DX*1), Y8
	VMULPD  (R12)(DX*1), Y8, Y9
	VADDPD  Y9, Y0, Y0
	VMULPD  (R13)(DX*1), Y8, Y10
	VADDPD  Y10, Y1, Y1
	VMULPD  (R15)(DX*1), Y8, Y11
	VADDPD  Y11, Y2, Y2
	VMULPD  (AX)(DX*1), Y8, Y12
	VADDPD  Y12, Y3, Y3
	ADDQ    $32, DX
	CMPQ    DX, R11
	JLT     product

	// Y0 = the four sums of Y0 to Y3.
	VHADDPD    Y1, Y0, Y0
	VHADDPD    Y3, Y2, Y2
	VPERM2F128 $0x20, Y2, Y0, Y1
	VPERM2F128 $0x31, Y2, Y0, Y3
	VADDPD     Y3, Y1, Y0
	VMOVUPD    (R9)(BX*8), Y1
	VDIVPD     Y0, Y1, Y1
	MOVQ       a+0(FP), DX
	MOVQ       56(DX), R14
	VMOVUPD    Y0, (R14)(BX*8)
	MOVQ       64(DX), R14
	VMOVUPD    Y1, (R14)(BX*8)

	VBROADCASTSD 0(R14)(BX*8), Y4
	VBROADCASTSD 8(R14)(BX*8), Y5
	VBROADCASTSD 16(R14)(BX*8), Y6
	VBROADCASTSD 24(R14)(BX*8), Y7
	XORQ    DX, DX
add:
	VMULPD  (R12)(DX*1), Y4, Y9
	VADDPD  (DI)(DX*1), Y9, Y9
	VMULPD  (R13)(DX*1), Y5, Y10
	VADDPD  Y10, Y9, Y9
	VMULPD  (R15)(DX*1), Y6, Y11
	VADDPD  Y11, Y9, Y9
	VMULPD  (AX)(DX*1), Y7, Y12
	VADDPD  Y12, Y9, Y9
	VMOVUPD Y9, (DI)(DX*1)
	ADDQ    $32, DX
	CMPQ    DX, R11
	JLT     add

	ADDQ $4, BX
	DECQ CX
	JNZ  four
	VZEROUPPER
	RET
