//go:build amd64 && !purego

#include "textflag.h"

// The kernels are those of vecmath.go, four values at a time. Products and sums are rounded
// separately, so the bits are the same.
//
// DI values, CX fours left, AX constants of 32 bytes: log2e, magic, ln2High, ln2Low, twelve
// coefficients, 1, 2, ½, least, most, flat, √½, 2⁵², 2⁵² + 1023, seven coefficients of log, the bits
// before the least normal number, +Inf. REDUCED takes x in Y0 and leaves expm1(r) in Y3 and n in
// the first 12 bits of Y2; it uses Y0, Y1 and Y4.

#define REDUCED \
	VMULPD 0(AX), Y0, Y1; \
	VADDPD 32(AX), Y1, Y1; \
	VPSLLQ $52, Y1, Y2; \
	VSUBPD 32(AX), Y1, Y1; \
	VMULPD 64(AX), Y1, Y4; \
	VSUBPD Y4, Y0, Y0; \
	VMULPD 96(AX), Y1, Y4; \
	VSUBPD Y4, Y0, Y0; \
	VMOVUPD 128(AX), Y3; \
	VMULPD Y0, Y3, Y3; \
	VADDPD 160(AX), Y3, Y3; \
	VMULPD Y0, Y3, Y3; \
	VADDPD 192(AX), Y3, Y3; \
	VMULPD Y0, Y3, Y3; \
	VADDPD 224(AX), Y3, Y3; \
	VMULPD Y0, Y3, Y3; \
	VADDPD 256(AX), Y3, Y3; \
	VMULPD Y0, Y3, Y3; \
	VADDPD 288(AX), Y3, Y3; \
	VMULPD Y0, Y3, Y3; \
	VADDPD 320(AX), Y3, Y3; \
	VMULPD Y0, Y3, Y3; \
	VADDPD 352(AX), Y3, Y3; \
	VMULPD Y0, Y3, Y3; \
	VADDPD 384(AX), Y3, Y3; \
	VMULPD Y0, Y3, Y3; \
	VADDPD 416(AX), Y3, Y3; \
	VMULPD Y0, Y3, Y3; \
	VADDPD 448(AX), Y3, Y3; \
	VMULPD Y0, Y3, Y3; \
	VADDPD 480(AX), Y3, Y3; \
	VMULPD Y0, Y0, Y4; \
	VMULPD Y4, Y3, Y3; \
	VADDPD Y3, Y0, Y3

// func exp4(v *float64, fours int, table *[34][4]float64)
TEXT ·exp4(SB), NOSPLIT, $0-24
	MOVQ v+0(FP), DI
	MOVQ fours+8(FP), CX
	MOVQ table+16(FP), AX
	VMOVUPD 608(AX), Y14
	VMOVUPD 640(AX), Y15
next:
	TESTQ CX, CX
	JZ    done
	VMOVUPD (DI), Y0
	VCMPPD $1, Y14, Y0, Y5 // x < least
	VMAXPD Y0, Y14, Y0     // the first operand where one is not a number
	VMINPD Y0, Y15, Y0
	REDUCED
	VPADDQ 576(AX), Y2, Y2
	VMULPD Y2, Y3, Y3
	VADDPD Y3, Y2, Y3
	VMULPD 544(AX), Y3, Y3
	VANDNPD Y3, Y5, Y3
	VMOVUPD Y3, (DI)
	ADDQ $32, DI
	DECQ CX
	JMP  next
done:
	VZEROUPPER
	RET

// func tanh4(v *float64, fours int, table *[34][4]float64, signs *[4]float64)
TEXT ·tanh4(SB), NOSPLIT, $0-32
	MOVQ v+0(FP), DI
	MOVQ fours+8(FP), CX
	MOVQ table+16(FP), AX
	MOVQ signs+24(FP), BX
	VMOVUPD (BX), Y15
	VMOVUPD 672(AX), Y14
	VMOVUPD 544(AX), Y13
	VMOVUPD 512(AX), Y12
next:
	TESTQ CX, CX
	JZ    done
	VMOVUPD (DI), Y0
	VANDPD Y15, Y0, Y6 // the sign
	VORPD  Y15, Y0, Y0 // −|x|
	VMULPD Y13, Y0, Y0
	VMAXPD Y0, Y14, Y0 // the first operand where one is not a number
	REDUCED
	VPADDQ Y12, Y2, Y2
	VMULPD Y2, Y3, Y3
	VSUBPD Y12, Y2, Y4
	VADDPD Y4, Y3, Y3
	VADDPD Y13, Y3, Y4
	VDIVPD Y4, Y3, Y3
	VANDNPD Y3, Y15, Y3
	VORPD  Y6, Y3, Y3
	VMOVUPD Y3, (DI)
	ADDQ $32, DI
	DECQ CX
	JMP  next
done:
	VZEROUPPER
	RET

// func log4(v *float64, fours int, table *[34][4]float64) int
TEXT ·log4(SB), NOSPLIT, $0-32
	MOVQ v+0(FP), DI
	MOVQ fours+8(FP), CX
	MOVQ table+16(FP), AX
	MOVQ CX, BX
	VMOVUPD 512(AX), Y15
	VMOVUPD 544(AX), Y14
	VMOVUPD 1056(AX), Y13
next:
	TESTQ CX, CX
	JZ    done
	VMOVUPD (DI), Y0
	VPCMPGTQ 1024(AX), Y0, Y1 // at least normal
	VPCMPGTQ Y0, Y13, Y2     // finite
	VPAND Y1, Y2, Y1
	VMOVMSKPD Y1, DX
	CMPL DX, $15
	JNE  done
	VPSUBQ 704(AX), Y0, Y1
	VPADDQ Y15, Y1, Y1
	VPSRLQ $52, Y1, Y1       // k + 1023
	VPSLLQ $52, Y1, Y2
	VPSUBQ Y2, Y0, Y0
	VPADDQ Y15, Y0, Y0       // m
	VPOR   736(AX), Y1, Y1
	VSUBPD 768(AX), Y1, Y1   // k
	VSUBPD Y15, Y0, Y0       // f
	VADDPD Y14, Y0, Y7
	VDIVPD Y7, Y0, Y7        // s
	VMULPD Y7, Y7, Y8        // z
	VMOVUPD 800(AX), Y9
	VMULPD Y8, Y9, Y9
	VADDPD 832(AX), Y9, Y9
	VMULPD Y8, Y9, Y9
	VADDPD 864(AX), Y9, Y9
	VMULPD Y8, Y9, Y9
	VADDPD 896(AX), Y9, Y9
	VMULPD Y8, Y9, Y9
	VADDPD 928(AX), Y9, Y9
	VMULPD Y8, Y9, Y9
	VADDPD 960(AX), Y9, Y9
	VMULPD Y8, Y9, Y9
	VADDPD 992(AX), Y9, Y9
	VMULPD Y8, Y9, Y9        // r
	VMULPD Y0, Y0, Y2
	VMULPD 576(AX), Y2, Y2   // f²/2
	VADDPD Y9, Y2, Y9
	VMULPD Y7, Y9, Y9
	VMULPD 96(AX), Y1, Y3
	VADDPD Y3, Y9, Y9
	VSUBPD Y9, Y2, Y2
	VSUBPD Y0, Y2, Y2
	VMULPD 64(AX), Y1, Y3
	VSUBPD Y2, Y3, Y3
	VMOVUPD Y3, (DI)
	ADDQ $32, DI
	DECQ CX
	JMP  next
done:
	SUBQ CX, BX
	MOVQ BX, ret+24(FP)
	VZEROUPPER
	RET
