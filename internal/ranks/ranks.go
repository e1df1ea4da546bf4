// Package ranks is the seam between work that several processes share and the library by which they
// reach each other (MPI, in native/slepc).
//
// All ranks run the same program on the same input: they take the same decisions in the same
// order, and each does its part of the stages that are divided. A context carries the team, so
// methods that divide nothing do not name it. One process is a team of one: nothing outside this
// package asks whether there is a team.
package ranks

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
)

// Team is the processes of one run. Every method is a collective call: all ranks make the same
// calls in the same order, from one goroutine each. A rank that fails ends the whole run, so there
// are no errors.
type Team interface {
	// Rank is the number of this process, from 0 on.
	Rank() int
	// Size is the number of processes.
	Size() int
	// Sum replaces x by its sum over all ranks. All get the same bits.
	Sum(x []float64)
	// Share replaces x by rank 0's.
	Share(x []float64)
	// Exchange sends parts[r] to rank r, and returns what each rank sent to this one.
	Exchange(parts [][]byte) [][]byte
}

type key struct{}

// With returns a context that carries the team, for the work under it.
func With(ctx context.Context, t Team) context.Context { return context.WithValue(ctx, key{}, t) }

// From returns the team of the work. A run without other processes is a team of one ([Alone]), so
// code that works for a team works for one process.
func From(ctx context.Context) Team {
	if t, ok := ctx.Value(key{}).(Team); ok {
		return t
	}
	return Alone{}
}

// Alone is the team of one process. Its collective calls return at once: a sum over one process is
// the number itself.
type Alone struct{}

// Rank implements [Team].
func (Alone) Rank() int { return 0 }

// Size implements [Team].
func (Alone) Size() int { return 1 }

// Sum implements [Team].
func (Alone) Sum([]float64) {}

// Share implements [Team].
func (Alone) Share([]float64) {}

// Exchange implements [Team].
func (Alone) Exchange(parts [][]byte) [][]byte { return parts }

// Part returns the rows of n that a rank owns.
func Part(t Team, rank, n int) (lo, hi int) { return rank * n / t.Size(), (rank + 1) * n / t.Size() }

// Gather returns what each rank gave, in the order of ranks, to all of them.
func Gather(t Team, own []byte) [][]byte {
	parts := make([][]byte, t.Size())
	for r := range parts {
		parts[r] = own
	}
	return t.Exchange(parts)
}

// GatherFloats joins the numbers of all ranks, in their order; nil if all ranks give nil. With one
// rank it returns own itself. All ranks call it.
func GatherFloats(t Team, own []float64) []float64 {
	if t.Size() == 1 {
		return own
	}
	all := Floats(bytes.Join(Gather(t, Bytes(own)), nil))
	if own == nil && len(all) == 0 {
		return nil
	}
	return all
}

// GatherInts is [GatherFloats] for whole numbers of 32 bits.
func GatherInts(t Team, own []int) []int {
	if t.Size() == 1 {
		return own
	}
	part := make([]byte, 0, 4*len(own))
	for _, v := range own {
		part = binary.LittleEndian.AppendUint32(part, uint32(int32(v)))
	}
	var all []int
	for _, part := range Gather(t, part) {
		for _, v := range Ints(part) {
			all = append(all, int(v))
		}
	}
	if own != nil && all == nil {
		return []int{}
	}
	return all
}

// Bytes are the 8 bytes of each number.
func Bytes(x []float64) []byte {
	out := make([]byte, 8*len(x))
	for i, v := range x {
		binary.LittleEndian.PutUint64(out[8*i:], math.Float64bits(v))
	}
	return out
}

// Floats are the numbers of which b has the bytes.
func Floats(b []byte) []float64 {
	x := make([]float64, len(b)/8)
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return x
}
