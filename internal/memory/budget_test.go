package memory

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "500MB": 500e6, "8GiB": 8 << 30, "1.5G": 3 << 29, "2k": 2048, "2KB": 2000, "64 MiB": 64 << 20, "1TiB": 1 << 40, "7b": 7} {
		if got, err := Parse(text); got != want || err != nil {
			t.Errorf("%q is %d, not %d: %v", text, got, want, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "+5", "1e30", "MB", "8x", "8 G B", "NaN", "Inf", "8GiBiB", "1..2", "0.1"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}

// TestLeftIsTheLeast: the smaller of the bounds of process and stage counts, and inner bounds only
// lower outer ones.
func TestLeftIsTheLeast(t *testing.T) {
	ctx := context.Background()
	if a, b := Left(ctx), Left(Within(ctx, 1)); a <= 0 || b != 0 {
		t.Errorf("%d of the machine, %d of one byte", a, b)
	}
	if got := Left(Bound(Bound(ctx, 5), 10)); got != 5 {
		t.Errorf("an inner bound raises an outer one to %d", got)
	}
	if got := Left(Bound(ctx, 7)); got != 7 {
		t.Errorf("%d of 7", got)
	}
	if Within(ctx, 0) != ctx || Bound(ctx, -1) != ctx {
		t.Error("no bound is a bound")
	}
	if got := Left(Within(ctx, 1<<40)); got > 1<<40 {
		t.Errorf("%d of a process of %d", got, int64(1)<<40)
	}
	if err := Need(Bound(ctx, 2), 3, "", "the table of %d rows", 7); !errors.Is(err, ErrLimit) || !strings.HasPrefix(err.Error(), "the table of 7 rows: this needs 3 bytes") {
		t.Errorf("3 bytes of 2: %v", err)
	}
}

// TestErrorNamesDifferentBytes: the two sizes of a refusal never look the same.
func TestErrorNamesDifferentBytes(t *testing.T) {
	for _, c := range []struct {
		need, limit int64
		want        string
	}{
		{109366477, 104857600, "needs 104.3 MiB of memory; 100.0 MiB are allowed"},
		{1<<30 + 1, 1 << 30, "needs 1,073,741,825 bytes of memory; 1,073,741,824 bytes are allowed"},
		{1<<30 + 1<<20, 1 << 30, "needs 1.001 GiB of memory; 1.000 GiB are allowed"},
		{5, 4, "needs 5 bytes of memory; 4 bytes are allowed"},
	} {
		err := Check(c.need, c.limit, "give fewer ‹neighbors›", "the graph")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "‹max-memory›") || !strings.Contains(err.Error(), "‹neighbors›") {
			t.Errorf("%v", err)
		}
		if !errors.Is(err, ErrLimit) || !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%v is neither", err)
		}
		if own := (&Error{Need: c.need, Limit: c.limit, Own: true}); strings.Contains(own.Error(), "max-memory") {
			t.Errorf("%v", own)
		}
	}
	tight := Bound(context.Background(), 4)
	if Check(4, 4, "", "") != nil || Need(tight, 4, "", "") != nil {
		t.Error("work that fits is refused")
	}
}

func TestBytesDoNotOverflow(t *testing.T) {
	if got := Bytes(8, math.MaxInt32, math.MaxInt32, 100); got != math.MaxInt64 {
		t.Errorf("%d", got)
	}
	if got := Sum(math.MaxInt64, 5); got != math.MaxInt64 {
		t.Errorf("%d", got)
	}
	if Bytes(8, 3, 4) != 96 || Sum(1, 2) != 3 || Whole(math.Inf(1)) != math.MaxInt64 || Whole(7.5) != 7 {
		t.Error("wrong")
	}
}

// Small work soon after a reading of the system does not read it again, and keeps to the bounds of
// its own context.
func TestFreshReading(t *testing.T) {
	ctx := context.Background()
	if Left(ctx) < 2*spare {
		t.Skip("less than 2 GiB are free")
	}
	read := latest.Load()
	read.when = time.Now().Add(time.Hour) // it stays fresh
	for taken := int64(1 << 20); taken <= 2<<20; taken += 1 << 20 {
		err := Need(ctx, 1<<20, "", "work")
		if now := latest.Load(); err != nil || now.when != read.when || now.left != read.left-taken {
			t.Errorf("the system was read again, or the request was not taken from what it had left (%v)", err)
		}
	}
	if err := Need(Bound(ctx, 100), 101, "", "work"); !errors.Is(err, ErrLimit) {
		t.Errorf("more than the stage may take: %v", err)
	}
	read = latest.Load()
	read.when = time.Now().Add(time.Hour)
	if err := Need(Within(ctx, 1), 101, "", "work"); !errors.Is(err, ErrLimit) || latest.Load().when == read.when {
		t.Errorf("more than the process may take: %v", err)
	}
	read = latest.Load()
	read.when = time.Now().Add(-fresh)
	if UpTo(ctx, 1); latest.Load().when == read.when {
		t.Error("an old reading was taken")
	}
}
