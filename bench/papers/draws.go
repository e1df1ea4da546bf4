package papers

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
)

// Draws returns n random choices of r of the given number of classes, each ascending. The choices
// depend on the arguments alone.
func Draws(seed uint64, classes, r, n int) [][]int {
	rng := rand.New(rand.NewPCG(seed, uint64(r)))
	out := make([][]int, n)
	for i := range out {
		out[i] = slices.Sorted(slices.Values(rng.Perm(classes)[:r]))
	}
	return out
}

// LabelSeed is the seed of the labels of one case: the first eight bytes, the highest first, of the
// SHA-256 of the text "labels SEED ROW TEST SHARE CASE", tests and cases counted from 0, the share
// in the fewest digits: "labels 0 2 3 0.05 4". Methods with the same share of labels get the same
// labels.
func LabelSeed(seed uint64, row string, test int, share float64, labelCase int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "labels %d %s %d %s %d", seed, row, test, shortest(share), labelCase))
	return binary.BigEndian.Uint64(sum[:])
}

// shortest writes a number in the fewest digits that are read back as it.
func shortest(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// shareText writes a share as "3 %".
func shareText(share float64) string { return strconv.FormatFloat(100*share, 'g', 6, 64) + " %" }
