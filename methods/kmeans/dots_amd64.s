//go:build amd64 && !purego

#include "textflag.h"

// The kernels add, for each entry of a sparse row, its value times the coordinates of 4 to 32
// centres in its column. Products and sums are rounded separately, in the order of the entries, so
// the bits are those of dotsGo. The columns of later entries are fetched: c is larger than the
// caches.
//
// SI columns, DX values, CX entries left, R8 c, R9 bytes of a column of c, DI dst; BX the column,
// R10 that of a later entry, Y0-Y7 sums, Y15 the value.

#define AHEAD 8

#define ADDED(PLACE, SUM) VMULPD PLACE(BX), Y15, Y8; VADDPD Y8, SUM, SUM
#define ADDED4  ADDED(0, Y0)
#define ADDED8  ADDED4; ADDED(32, Y1)
#define ADDED16 ADDED8; ADDED(64, Y2); ADDED(96, Y3)
#define ADDED32 ADDED16; ADDED(128, Y4); ADDED(160, Y5); ADDED(192, Y6); ADDED(224, Y7)

#define FETCH4  PREFETCHT0 (R10)
#define FETCH8  FETCH4; PREFETCHT0 56(R10)
#define FETCH16 FETCH4; PREFETCHT0 64(R10); PREFETCHT0 120(R10)
#define FETCH32 FETCH4; PREFETCHT0 64(R10); PREFETCHT0 128(R10); PREFETCHT0 192(R10); PREFETCHT0 248(R10)

#define STORED4  VMOVUPD Y0, (DI)
#define STORED8  STORED4; VMOVUPD Y1, 32(DI)
#define STORED16 STORED8; VMOVUPD Y2, 64(DI); VMOVUPD Y3, 96(DI)
#define STORED32 STORED16; VMOVUPD Y4, 128(DI); VMOVUPD Y5, 160(DI); VMOVUPD Y6, 192(DI); VMOVUPD Y7, 224(DI)

#define ENTRY(ADD) \
	MOVLQSX (SI), BX \
	VBROADCASTSD (DX), Y15 \
	IMULQ R9, BX \
	ADDQ  R8, BX \
	ADD \
	ADDQ  $4, SI \
	ADDQ  $8, DX \
	DECQ  CX

#define DOTS(ADD, FETCH, STORE) \
	MOVQ dst+0(FP), DI \
	MOVQ cols+8(FP), SI \
	MOVQ vals+16(FP), DX \
	MOVQ n+24(FP), CX \
	MOVQ c+32(FP), R8 \
	MOVQ stride+40(FP), R9 \
	VXORPD Y0, Y0, Y0 \
	VXORPD Y1, Y1, Y1 \
	VXORPD Y2, Y2, Y2 \
	VXORPD Y3, Y3, Y3 \
	VXORPD Y4, Y4, Y4 \
	VXORPD Y5, Y5, Y5 \
	VXORPD Y6, Y6, Y6 \
	VXORPD Y7, Y7, Y7 \
	SUBQ $AHEAD, CX \
	JLE  last \
early: \
	MOVLQSX (4*AHEAD)(SI), R10 \
	IMULQ R9, R10 \
	ADDQ  R8, R10 \
	FETCH \
	ENTRY(ADD) \
	JNZ  early \
last: \
	ADDQ $AHEAD, CX \
late: \
	ENTRY(ADD) \
	JNZ  late \
	STORE \
	VZEROUPPER \
	RET

// func dots32AVX(dst *float64, cols *int32, vals *float64, n int, c *float64, stride int)
TEXT ·dots32AVX(SB), NOSPLIT, $0-48
	DOTS(ADDED32, FETCH32, STORED32)

// func dots16AVX(dst *float64, cols *int32, vals *float64, n int, c *float64, stride int)
TEXT ·dots16AVX(SB), NOSPLIT, $0-48
	DOTS(ADDED16, FETCH16, STORED16)

// func dots8AVX(dst *float64, cols *int32, vals *float64, n int, c *float64, stride int)
TEXT ·dots8AVX(SB), NOSPLIT, $0-48
	DOTS(ADDED8, FETCH8, STORED8)

// func dots4AVX(dst *float64, cols *int32, vals *float64, n int, c *float64, stride int)
TEXT ·dots4AVX(SB), NOSPLIT, $0-48
	DOTS(ADDED4, FETCH4, STORED4)
