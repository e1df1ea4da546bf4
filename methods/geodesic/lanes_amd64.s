//go:build amd64 && !purego

#include "textflag.h"

// OFFERED sets OUT to the smaller of the lanes at PLACE of node R9 and the path FROM + Y4, and NEAR
// to where the path is the shorter one.
#define OFFERED(PLACE, FROM, OUT, NEAR) \
	VMOVUPD PLACE(R9), NEAR \
	VADDPD  FROM, Y4, OUT \
	VMINPD  NEAR, OUT, Y9 \
	VCMPPD  $0x11, NEAR, OUT, NEAR \
	VMOVAPD Y9, OUT

// func relaxAVX(dist *float64, dirty *byte, from *float64, cols *int32, vals *float64, n int) bool
//
// SI columns, DI values, CX entries left, R8 dist, R10 dirty, AX result; Y0-Y3 the 16 distances of
// the node that is passed on, Y4 the length of the edge, Y5-Y8 the new distances of a neighbour.
TEXT ·relaxAVX(SB), NOSPLIT, $0-49
	MOVQ dist+0(FP), R8
	MOVQ dirty+8(FP), R10
	MOVQ from+16(FP), DX
	MOVQ cols+24(FP), SI
	MOVQ vals+32(FP), DI
	MOVQ n+40(FP), CX
	XORL AX, AX
	VMOVUPD (DX), Y0
	VMOVUPD 32(DX), Y1
	VMOVUPD 64(DX), Y2
	VMOVUPD 96(DX), Y3
edge:
	MOVLQSX (SI), BX
	VBROADCASTSD (DI), Y4
	MOVQ BX, R9
	SHLQ $7, R9
	ADDQ R8, R9
	OFFERED(0, Y0, Y5, Y10)
	OFFERED(32, Y1, Y6, Y11)
	OFFERED(64, Y2, Y7, Y12)
	OFFERED(96, Y3, Y8, Y13)
	VORPD Y10, Y11, Y10
	VORPD Y12, Y13, Y12
	VORPD Y10, Y12, Y10
	VMOVMSKPD Y10, R11
	TESTL R11, R11
	JZ   same
	VMOVUPD Y5, (R9)
	VMOVUPD Y6, 32(R9)
	VMOVUPD Y7, 64(R9)
	VMOVUPD Y8, 96(R9)
	MOVB $1, (R10)(BX*1)
	MOVL $1, AX
same:
	ADDQ $4, SI
	ADDQ $8, DI
	DECQ CX
	JNZ  edge
	VZEROUPPER
	MOVB AX, ret+48(FP)
	RET
