package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/native"
)

// nowhere has no place for the numbers of a block.
func nowhere(int, int, int) []float64 { return nil }

// readAll reads all rows of a table, and says with which bits, words, lines and error; by blocks
// where that is asked. inBlocks counts the rows that came so.
func readAll(t *testing.T, text, separator string, byBlocks bool) (said string, inBlocks int) {
	t.Helper()
	in, err := input.New(context.Background(), "f", bytes.NewReader([]byte(text)), int64(len(text)), input.Limits{MaxBytes: 1 << 30})
	if err != nil {
		return err.Error(), 0
	}
	in.Stream.Reset(iotest.DataErrReader(strings.NewReader(text)))
	var comma rune
	for _, r := range separator {
		comma = r
	}
	tab, err := Open(in, Options{Comma: comma})
	if err != nil {
		return err.Error(), 0
	}
	uses := usesOf(tab)
	// Without fmt, which is slow under the race detector. A missing number has the bits of math.NaN.
	var out bytes.Buffer
	value := func(v float64) {
		out.Write(append(strconv.AppendUint(out.AvailableBuffer(), math.Float64bits(v+0), 16), ' '))
	}
	word := func(w string) { fmt.Fprintf(&out, "%q ", strings.TrimSpace(w)) }
	for !byBlocks || tab.Sampled() || inBlocks >= 0 {
		if byBlocks && !tab.Sampled() {
			blocks := tab.Blocks(uses)
			byBlocks = false
			if blocks == nil {
				continue
			}
			err := blocks.Each(nowhere, func(b *Block) error {
				val, words := b.Val, b.Words
				for _, line := range b.Lines {
					fmt.Fprintf(&out, "%d: ", line)
					for _, use := range uses {
						switch use {
						case Number:
							value(val[0])
							val = val[1:]
						case Word:
							word(string(words[0]))
							words = words[1:]
						}
					}
					out.WriteString("\n")
				}
				if len(val)+len(words) > 0 {
					t.Fatalf("%d numbers and %d words are left of %d rows", len(val), len(words), len(b.Lines))
				}
				inBlocks += len(b.Lines)
				return nil
			})
			if err != nil {
				return out.String() + err.Error(), inBlocks
			}
		}
		rec, err := tab.Next()
		if err != nil {
			return out.String() + err.Error(), inBlocks
		}
		fmt.Fprintf(&out, "%d: ", tab.Line)
		for j, f := range rec {
			switch uses[j] {
			case Number:
				v, err := tab.Value(f)
				if lexical.IsMissing(f) {
					v, err = math.NaN(), nil
				} else if err != nil || v-v != 0 {
					return out.String() + fmt.Sprintf("bad %q at %d", f, j), inBlocks
				}
				value(v)
			case Word:
				word(f)
			}
		}
		out.WriteString("\n")
	}
	return out.String(), inBlocks
}

// usesOf reads words where the first row has one, no fifth column, and else numbers.
func usesOf(tab *Table) []Use {
	uses := make([]Use, len(tab.Columns))
	for j := range uses {
		uses[j] = Number
		if IsWord(strings.TrimSpace(tab.first[min(1, len(tab.first)-1)].fields[j])) && shapeOf(tab.first[0].fields[j]) == notWritten {
			uses[j] = Word
		}
		if j == 4 {
			uses[j] = Skip
		}
	}
	return uses
}

// Blocks give what rows give one by one: values, words, lines, and errors with their place.
func TestBlocksAreRows(t *testing.T) {
	defer native.SetThreads(native.Threads())
	rnd := rand.New(rand.NewPCG(36, 2))
	odd := []string{"\"1\"", "1,5", "x", "", "nan", "1e400", " 2 ", "2\r", "true", "\t3", "1 2", "'4'", "1.234.567", "0x1p-2", "\u00a05", "5\u00a0", "12€", "1\xe92", "-0", "#", "\xff", "1\"2", "inf"}
	ends := []string{"\n", "\r\n"}
	cut := 0
	for round := range 40 {
		sep := []string{",", ";", "\t", " ", "|"}[round%5]
		end := ends[rnd.IntN(2)]
		var b strings.Builder
		words, rows := rnd.IntN(2) == 0, sampledRows+rnd.IntN(60)
		for i := range rows {
			for j := range 6 {
				if j > 0 {
					b.WriteString(sep)
				}
				if j == 2 && words {
					fmt.Fprintf(&b, "w%d", rnd.IntN(50))
					continue
				}
				switch f := rnd.IntN(8); {
				case i > sampledRows && round > 5 && rnd.IntN(200) == 0:
					b.WriteString(odd[rnd.IntN(len(odd))])
				case f == 0:
					b.WriteString("0")
				case f < 4:
					fmt.Fprintf(&b, "%d", rnd.IntN(2000)-1000)
				default:
					fmt.Fprintf(&b, "%v", rnd.NormFloat64())
				}
			}
			if i > sampledRows && rnd.IntN(400) == 0 {
				b.WriteString(sep + "7")
			}
			if i < rows-1 || rnd.IntN(2) == 0 {
				b.WriteString(end)
			}
			if rnd.IntN(100) == 0 {
				b.WriteString(end)
			}
		}
		want, _ := readAll(t, b.String(), sep, false)
		for _, threads := range race.Threads(1, 3) {
			native.SetThreads(threads)
			got, n := readAll(t, b.String(), sep, true)
			cut += n
			if got != want {
				for k, line := range strings.Split(got, "\n") {
					if w := strings.Split(want, "\n"); k >= len(w) || w[k] != line {
						t.Fatalf("round %d, separator %q, %d threads: row %d is %q, want %q", round, sep, threads, k, line, w[min(k, len(w)-1):][0])
					}
				}
				t.Fatalf("round %d: rows are missing", round)
			}
		}
	}
	if cut < 500 {
		t.Errorf("blocks had %d rows", cut)
	}
}

// Rows of many blocks, a line longer than a block, and a stream that breaks off.
func TestThreadsReadALargeFile(t *testing.T) {
	line := strings.Repeat("1.25,-3,", 20) + "7\n"
	many := strings.Repeat(line, 3*blockBytes/len(line))
	for i, c := range []struct {
		name, text string
		all        bool
	}{
		{"many", many, true},
		{"without a last line end", strings.TrimSuffix(many, "\n"), true},
		{"a quote in the end", many + strings.Replace(line, "7", `"7"`, 1) + line, false},
		{"a quote while more is read", strings.Repeat(line, 3*sampledRows) + strings.Replace(line, "7", `"7"`, 1) + many + many, false},
		{"a quote in the middle", many + strings.Replace(line, "7", `"7"`, 1) + many, false},
		{"a fault in the end", many + strings.Replace(line, "7", `x`, 1) + line, false},
		{"long lines", strings.Repeat(strings.Repeat("1,", blockBytes/2+10)+"2\n", 3), false},
	} {
		if race.On && i%2 != 0 {
			continue
		}
		want, _ := readAll(t, c.text, ",", false)
		got, n := readAll(t, c.text, ",", true)
		if got != want || c.all && n < strings.Count(c.text, "\n")-sampledRows-1 {
			t.Errorf("%s: %d rows in blocks, the same: %v", c.name, n, got == want)
		}
	}
	broken := errors.New("the line is dead")
	_, tab := behindSample(t, many, io.MultiReader(strings.NewReader(many[:len(many)-5]), ended{broken}))
	rows := 0
	err := tab.Blocks(slices.Repeat([]Use{Number}, 41)).Each(nowhere, func(b *Block) error {
		rows += len(b.Lines)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Next(); !errors.Is(err, broken) || rows == 0 {
		t.Errorf("after %d rows the error is %v", rows, err)
	}
}

// behindSample is a table of so long a text, which comes from a reader, behind the rows that are
// looked at first.
func behindSample(t *testing.T, text string, from io.Reader) (*input.File, *Table) {
	t.Helper()
	in := must.Get(input.New(context.Background(), "f", strings.NewReader(text), int64(len(text)), input.Limits{MaxBytes: 1 << 30}))(t)
	in.Stream.Reset(from)
	tab := must.Get(Open(in, Options{}))(t)
	for tab.Sampled() {
		if _, err := tab.Next(); err != nil {
			t.Fatal(err)
		}
	}
	return in, tab
}

// What a block has in memory is reserved: numbers, words and lines of the shortest rows.
func TestMemoryOfBlocks(t *testing.T) {
	defer native.SetThreads(native.Threads())
	native.SetThreads(1)
	for row, uses := range map[string][]Use{"1\n": {Number}, "1,\n": {Number, Word}, "1,,,\n": {Number, Word, Word, Word}, "1,2,3,4,5,6,7,8\n": slices.Repeat([]Use{Number}, 8)} {
		first := strings.Repeat(strings.ReplaceAll(strings.ReplaceAll(row, ",,", ",x,"), ",\n", ",x\n"), sampledRows+2)
		text := strings.ReplaceAll(first, ",,", ",x,") + strings.Repeat(row, 3*blockBytes/len(row))
		in, tab := behindSample(t, text, strings.NewReader(text))
		before := in.Mem.Used()
		blocks := tab.Blocks(uses)
		held := in.Mem.Used() - before
		most := int64(0)
		err := blocks.Each(nowhere, func(b *Block) error {
			most = max(most, int64(cap(b.buffer)+8*cap(b.own)+24*cap(b.Words)+8*cap(b.Lines)))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if most > held || most < held*9/10 {
			t.Errorf("%q: a block takes %d bytes, %d are reserved", row, most, held)
		}
		if left := in.Mem.Used() - before; left != 0 {
			t.Errorf("%q: %d bytes stay reserved", row, left)
		}
	}
}

// idle never gives a byte.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// Bytes are filled whatever the steps of the stream, and each end is what the stream says.
func TestFill(t *testing.T) {
	for _, c := range []struct {
		name string
		from io.Reader
		n    int
		want error
	}{
		{"enough", iotest.OneByteReader(strings.NewReader("123456")), 5, nil},
		{"a true end", iotest.OneByteReader(strings.NewReader("123")), 3, io.EOF},
		{"an end with bytes", iotest.DataErrReader(strings.NewReader("123")), 3, io.EOF},
		{"cut off", io.MultiReader(strings.NewReader("123"), ended{io.ErrUnexpectedEOF}), 3, io.ErrUnexpectedEOF},
		{"nothing", idle{}, 0, io.ErrNoProgress},
	} {
		if n, err := fill(c.from, make([]byte, 5)); n != c.n || err != c.want {
			t.Errorf("%s: %d bytes, %v", c.name, n, err)
		}
	}
}
