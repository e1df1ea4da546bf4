package matrix

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"testing"
)

// 10,000 rows of 70 numbers of 16 or 17 digits, 14 MB.
func BenchmarkCSV(b *testing.B) {
	rnd := rand.New(rand.NewPCG(36, 3))
	var text []byte
	for range 10000 {
		for j := range 70 {
			if j > 0 {
				text = append(text, ',')
			}
			text = strconv.AppendFloat(text, rnd.NormFloat64(), 'g', -1, 64)
		}
		text = append(text, '\n')
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := readBytes(bytes.Clone(text), "csv", Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
