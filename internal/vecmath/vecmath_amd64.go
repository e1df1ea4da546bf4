//go:build amd64 && !purego

package vecmath

import (
	"math"

	"golang.org/x/sys/cpu"
)

// table holds the constants of the kernels, each four times, in the order of vecmath_amd64.s.
var table = func() (t [34][4]float64) {
	list := append([]float64{log2e, magic, ln2High, ln2Low}, taylor[:]...)
	list = append(list, 1, 2, 0.5, least, most, flat, math.Float64frombits(rootHalf), 1<<52, 1<<52+1023)
	list = append(list, logs[:]...)
	list = append(list, math.Float64frombits(normal-1), math.Inf(1))
	for i, v := range list {
		t[i] = [4]float64{v, v, v, v}
	}
	return t
}()

// signs is −0 four times.
var signs = [4]float64{math.Copysign(0, -1), math.Copysign(0, -1), math.Copysign(0, -1), math.Copysign(0, -1)}

var haveAVX2 = cpu.X86.HasAVX2

// exp4 and tanh4 replace four values at v, fours times.
//
//go:noescape
func exp4(v *float64, fours int, table *[34][4]float64)

//go:noescape
func tanh4(v *float64, fours int, table *[34][4]float64, signs *[4]float64)

// log4 replaces four values at v, fours times, and returns the number of times: it stops before
// four of which one is no positive normal number.
//
//go:noescape
func log4(v *float64, fours int, table *[34][4]float64) int

// exps replaces as many of the leading values as the kernel takes and returns their number.
func exps(v []float64) int {
	if !haveAVX2 || len(v) < 4 {
		return 0
	}
	exp4(&v[0], len(v)/4, &table)
	return len(v) &^ 3
}

func tanhs(v []float64) int {
	if !haveAVX2 || len(v) < 4 {
		return 0
	}
	tanh4(&v[0], len(v)/4, &table, &signs)
	return len(v) &^ 3
}

func logs4(v []float64) int {
	if !haveAVX2 || len(v) < 4 {
		return 0
	}
	return 4 * log4(&v[0], len(v)/4, &table)
}
