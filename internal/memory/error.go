package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/internal/words"
)

// ErrLimit marks work that would take more memory than it may: errors.Is(err, ErrLimit). The
// command line exits with status 1 for it.
var ErrLimit = errors.New("more memory than allowed")

// OptionName is the option that sets the memory that the program may take.
const OptionName = "max-memory"

// Error says that work needs more memory than it may take. It satisfies errors.Is for [ErrLimit]
// and, because smaller work would have been done, for fs.ErrInvalid.
type Error struct {
	What  string // the work, "15 neighbours of 3,000,000 documents"
	Need  int64  // bytes
	Limit int64  // bytes
	Way   string // another way out than more memory, "give fewer ‹neighbors›"; may be empty
	Own   bool   // the limit is none that ‹max-memory› raises
}

// Error is one sentence with both numbers of bytes and the way out.
func (e *Error) Error() string {
	need, limit := words.BytesApart(e.Need, e.Limit)
	way := e.Way
	if e.Own {
		return fmt.Sprintf("%s: this needs %s of memory; %s are allowed: %s", e.What, need, limit, way)
	}
	if way != "" {
		way += ", or "
	}
	return fmt.Sprintf("%s: this needs %s of memory; %s are allowed: %sallow more with %s", e.What, need, limit, way, words.Option(OptionName))
}

// Is implements errors.Is.
func (e *Error) Is(target error) bool { return target == ErrLimit || target == fs.ErrInvalid }

// Need returns an [*Error] if work needs more bytes than [Left] gives under ctx, else nil. A stage
// asks it before it allocates. way is another way out than more memory, such as "give fewer
// ‹neighbors›"; what, with args as for fmt.Sprintf, names the work.
func Need(ctx context.Context, bytes int64, way, what string, args ...any) error {
	return Check(bytes, UpTo(ctx, bytes), way, what, args...)
}

// Check is [Need] with a limit in bytes that the caller knows already.
func Check(need, limit int64, way, what string, args ...any) error {
	if need <= limit {
		return nil
	}
	return &Error{What: fmt.Sprintf(what, args...), Need: need, Limit: limit, Way: way}
}

// Bytes multiplies a size in bytes by counts; a product above the largest int64 is that.
func Bytes(size int64, counts ...int) int64 {
	total := uint64(max(size, 0))
	for _, n := range counts {
		high, low := bits.Mul64(total, uint64(max(n, 0)))
		if high != 0 || low > math.MaxInt64 {
			return math.MaxInt64
		}
		total = low
	}
	return int64(total)
}

// Whole is a number of bytes that was computed in floating point.
func Whole(bytes float64) int64 {
	if !(bytes < math.MaxInt64) {
		return math.MaxInt64
	}
	return int64(bytes)
}

// Sum adds sizes in bytes; a sum above the largest int64 is that.
func Sum(sizes ...int64) int64 {
	total := int64(0)
	for _, s := range sizes {
		if total > math.MaxInt64-s {
			return math.MaxInt64
		}
		total += s
	}
	return total
}

// Parse reads a number of bytes: 500000000, 500MB, 8GiB, 1.5G. KB, MB, GB and TB are powers of
// 1,000, KiB to TiB of 1,024; K, M, G and T alone are those of 1,024, as for ulimit and Slurm.
func Parse(text string) (int64, error) {
	number := strings.TrimRight(text, "KMGTiBkmgtb ")
	unit := strings.ToLower(strings.TrimSpace(text[len(number):]))
	x, err := strconv.ParseFloat(number, 64)
	scale := 0.0
	switch {
	case unit == "" || unit == "b":
		scale = 1
	case len(unit) == 1 || unit[1:] == "ib":
		scale = math.Pow(1024, 1+float64(strings.IndexByte("kmgt", unit[0])))
	case unit[1:] == "b":
		scale = math.Pow(1000, 1+float64(strings.IndexByte("kmgt", unit[0])))
	}
	if err != nil || !(x*scale >= 1) || x*scale >= math.MaxInt64 || strings.HasPrefix(number, "+") {
		return 0, fmt.Errorf("it is a number of bytes of at least 1, such as 500MB or 8GiB")
	}
	return int64(x * scale), nil
}
