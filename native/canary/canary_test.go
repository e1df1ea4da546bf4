package canary

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// fault runs a call on a copy of an operand and returns what End says of it.
func fault[T Number](t *testing.T, x []T, area Area, written bool, call func(x []T)) *Fault {
	t.Helper()
	var found *Fault
	func() {
		defer func() {
			if p := recover(); p != nil {
				if err, ok := p.(error); !ok || !errors.As(err, &found) {
					t.Fatalf("the panic is %v", p)
				}
			}
		}()
		c := Begin("call")
		call(guard(c, "x", x, area, written))
		c.End()
	}()
	return found
}

// outside is the entry at any distance from the first, as C reaches it.
func outside[T Number](x []T, at int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(x)), at*int(unsafe.Sizeof(x[0]))))
}

// Every byte on both sides of an operand, between its rows and in the triangle that is not stored
// is watched, for all widths of numbers.
func TestEveryByteOutside(t *testing.T) {
	t.Run("uint8", everyByte[uint8])
	t.Run("int32", everyByte[int32])
	t.Run("float32", everyByte[float32])
	t.Run("float64", everyByte[float64])
}

func everyByte[T Number](t *testing.T) {
	width := int(unsafe.Sizeof(*new(T)))
	x := make([]T, 5*7)
	for _, area := range []Area{{5, 4, 7, Whole}, {5, 5, 7, Upper}, {5, 5, 7, Lower}, Vector(5, 3), Vector(5, -3), Vector(5, 1), Vector(0, 1)} {
		inside := make([]bool, area.size())
		for i := range area.Rows {
			lo, hi := area.columns(i)
			for j := lo; j < hi; j++ {
				inside[i*area.Stride+j] = true
			}
		}
		for _, written := range []bool{false, true} {
			for at := -margin; at < area.size()*width+margin; at++ {
				entry := int(math.Floor(float64(at) / float64(width)))
				may := written && entry >= 0 && entry < len(inside) && inside[entry]
				f := fault(t, x, area, written, func(x []T) {
					*(*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(x)), at)) ^= 0x40
				})
				if may == (f != nil) {
					t.Fatalf("%+v, written %v, byte %d: %v", area, written, at, f)
				}
			}
		}
	}
}

// A call finds its operand at the same place in a cache line and between numbers that are NaN; its
// results come back, nothing else does.
func TestResultsComeBack(t *testing.T) {
	for shift := range 9 {
		x := make([]float64, 40)[shift:]
		for i := range x {
			x[i] = float64(i)
		}
		before := slices.Clone(x)
		area := Area{Rows: 3, Cols: 2, Stride: 5}
		if f := fault(t, x, area, true, func(g []float64) {
			if uintptr(unsafe.Pointer(&g[0]))%cacheLine != uintptr(unsafe.Pointer(&x[0]))%cacheLine {
				t.Error("the copy lies elsewhere in a cache line")
			}
			if len(g) != area.size() || cap(g) != area.size() {
				t.Errorf("length %d, capacity %d", len(g), cap(g))
			}
			for _, at := range []int{-1, 2, 3, 4, area.size()} {
				if !math.IsNaN(*outside(g, at)) {
					t.Errorf("entry %d is %v", at, *outside(g, at))
				}
			}
			for i := range 3 {
				g[5*i] = -1 - g[5*i]
			}
		}); f != nil {
			t.Fatal(f)
		}
		for i := range x {
			want := before[i]
			if i < 15 && i%5 == 0 {
				want = -1 - want
			}
			if x[i] != want {
				t.Errorf("entry %d is %v, want %v", i, x[i], want)
			}
		}
	}
}

// A fault names routine, operand and place; an operand that is too short is refused; nil stays nil.
func TestFaultNames(t *testing.T) {
	f := fault(t, make([]int32, 9), Vector(9, 1), true, func(x []int32) { *outside(x, -1) = 0 })
	if f == nil || !strings.Contains(f.Error(), "call wrote before x: 4 bytes from entry -1 to entry -1, entry -1 is now 00 00 00 00") {
		t.Errorf("%v", f)
	}
	if x := Read[float64](Begin("call"), "x", nil, Vector(3, 1)); x != nil {
		t.Errorf("nil became %v", x)
	}
	defer func() {
		if p, ok := recover().(string); !ok || !strings.Contains(p, "10 numbers of x, which has 9") {
			t.Errorf("the panic is %v", p)
		}
	}()
	Read(Begin("call"), "x", make([]float64, 9), Vector(10, 1))
}
