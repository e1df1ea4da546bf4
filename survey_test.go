package eigenmap_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
)

// A survey finds lengths, terms that tell and documents that nearly repeat others, however many are
// equal.
func TestSurvey(t *testing.T) {
	var lines []string
	for i := range 200 {
		var text []string
		for k := range 20 {
			text = append(text, fmt.Sprintf("w%dx%d", i, k), fmt.Sprintf("shared%d", k))
		}
		switch {
		case i >= 150: // 50 equal documents, the first of which repeats none
			text = strings.Fields(strings.Repeat("garden flower tree bush ", 3))
		case i == 7: // nearly document 6
			text = []string{"unusual"}
			for k := range 20 {
				text = append(text, fmt.Sprintf("w6x%d", k), fmt.Sprintf("shared%d", k))
			}
		}
		lines = append(lines, fmt.Sprintf(`{"id": "d%d", "text": %q}`, i, strings.Join(text, " ")))
	}
	file := filepath.Join(t.TempDir(), "a.jsonl")
	must.Do(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600))
	opt := eigenmap.Options{}
	must.Do(t, opt.Set("min-df", "1"))
	r := must.Get(eigenmap.Read(context.Background(), file, opt))(t)
	v := must.Get(r.Survey(context.Background()))(t)
	if v.Near != 50 || v.Copies != 49 || !v.Searched || len(v.Pairs) != 5 {
		t.Errorf("%d near duplicates, %d equal, searched %v, pairs %v; want 49 equal ones and one other", v.Near, v.Copies, v.Searched, v.Pairs)
	}
	if v.Lengths != [5]float64{12, 12, 40, 40, 41} {
		t.Errorf("lengths %v", v.Lengths)
	}
	if len(v.Telling) == 0 || !slices.Contains(v.Telling, "garden") {
		t.Errorf("telling terms %q", v.Telling)
	}
	surveyWithin(t, r)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Survey(ctx); err == nil {
		t.Error("a survey that was stopped has no error")
	}
	dense := must.Get(eigenmap.Read(context.Background(), writeCSV(t, "x,y\n1,2\n3,4\n"), eigenmap.Options{}))(t)
	if v, err := dense.Survey(context.Background()); v != nil || err != nil {
		t.Errorf("a survey of dense rows: %v, %v", v, err)
	}
}

// surveyWithin checks that a survey leaves out what the memory does not allow.
func surveyWithin(t *testing.T, r *eigenmap.Reading) {
	t.Helper()
	for most, want := range map[int64][2]bool{1 << 30: {true, true}, 128 << 10: {false, true}, 3 << 10: {false, false}} {
		v, err := r.Survey(memory.Bound(context.Background(), most))
		if err != nil || v.Weighed != want[0] || v.Searched != want[1] || (len(v.Telling) > 0) != want[0] {
			t.Errorf("within %d bytes: %v, %+v", most, err, v)
		}
	}
	if _, err := r.Survey(memory.Bound(context.Background(), 1<<10)); !errors.Is(err, memory.ErrLimit) {
		t.Errorf("within a kilobyte: %v", err)
	}
}

// writeCSV writes a table.
func writeCSV(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "a.csv")
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}
