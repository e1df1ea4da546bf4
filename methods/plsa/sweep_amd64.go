//go:build amd64 && !purego

package plsa

import "golang.org/x/sys/cpu"

// sweepArgs holds the arguments of the kernel in sweep_amd64.s.
type sweepArgs struct {
	col    *int32
	val    *float64
	fours  int
	theta  *float64
	step   int // bytes of a row of theta, a multiple of 32
	now    *float64
	acc    *float64
	probs  *float64
	ratios *float64
}

//go:noescape
func sweep4(a *sweepArgs)

var haveAVX = cpu.X86.HasAVX

// sweepFours does the leading entries, four at a time, and returns their number.
func sweepFours(acc, now []float64, theta block, col []int32, val, probs, ratios []float64) int {
	fours := len(val) / 4
	if !haveAVX || fours == 0 || theta.Stride%4 != 0 || theta.Stride == 0 {
		return 0
	}
	checkSweep(acc, now, theta, col)
	sweep4(&sweepArgs{&col[0], &val[0], fours, &theta.Data[0], 8 * theta.Stride, &now[0], &acc[0], &probs[0], &ratios[0]})
	return 4 * fours
}
