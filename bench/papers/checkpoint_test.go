package papers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/progress"
)

// One flipped bit, wherever it is, and a line that was cut are refused or computed again: no table
// is another one.
func TestFlippedBitsAreNotTrusted(t *testing.T) {
	e := synthetic(t)
	e.Tests = 1
	e.Columns = slices.Concat(e.Columns[:1], e.Columns[2:])
	want := tableOf(t, e, Options{})
	path := filepath.Join(t.TempDir(), "check")
	tableOf(t, e, Options{Checkpoint: path})
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	step := 1
	if testing.Short() {
		step = 7
	}
	refused := 0
	try := func(name string, text []byte) {
		t.Helper()
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		run, err := e.Run(context.Background(), Options{Checkpoint: path})
		switch {
		case err != nil && (!errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "--fresh") || !strings.Contains(err.Error(), path)):
			t.Errorf("%s: %v", name, err)
		case err != nil:
			refused++
		case csvOf(t, e.view().Table(run)) != want:
			t.Errorf("%s: the table is another one", name)
		}
	}
	for at := 0; at < len(good); at += step {
		text := bytes.Clone(good)
		text[at] ^= 1 << (at % 8)
		try("bit flipped in byte "+string(good[at]), text)
	}
	if refused < len(good)/step*9/10 {
		t.Errorf("%d of %d flipped bits are refused", refused, len(good)/step)
	}
	lines := bytes.SplitAfter(good, []byte("\n"))
	cut := bytes.Clone(lines[2])
	try("a line cut in the middle", slices.Concat(lines[0], lines[1], cut[:len(cut)/2], []byte("\n"), lines[3]))
	other := bytes.Replace(lines[2], []byte(`"test":0`), []byte(`"test":1`), 1)
	if before := refused; bytes.Equal(other, lines[2]) {
		t.Fatal("the line has no test")
	} else if try("a line of another test", slices.Concat(lines[0], lines[1], other)); refused == before {
		t.Error("a line that was written by hand is trusted")
	}
}

// Scores that no metric has are refused, even with a checksum that is right.
func TestScoresOutOfRange(t *testing.T) {
	e := synthetic(t)
	path := filepath.Join(t.TempDir(), "check")
	tableOf(t, e, Options{Checkpoint: path, Tests: 1})
	good, _ := os.ReadFile(path)
	lines := bytes.SplitAfter(good, []byte("\n"))
	object, summed := unseal(bytes.TrimSpace(lines[1]))
	var l line
	if err := json.Unmarshal(object, &l); err != nil || !summed {
		t.Fatalf("%v, checksum %v", err, summed)
	}
	for name, change := range map[string]func(l *line){
		"large": func(l *line) { l.Scores[0][0] = 1.5 }, "negative": func(l *line) { l.Scores[0][0] = -0.25 },
		"seconds": func(l *line) { l.Seconds = -1 }, "row": func(l *line) { l.Row = "" },
	} {
		var bad line
		if err := json.Unmarshal(object, &bad); err != nil {
			t.Fatal(err)
		}
		change(&bad)
		text, _ := json.Marshal(bad)
		if err := os.WriteFile(path, slices.Concat(lines[0], seal(text), []byte("\n")), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(context.Background(), Options{Checkpoint: path, Tests: 1}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A checkpoint of the version before, without checksums, is read with a note and goes on as it is.
func TestCheckpointWithoutChecksums(t *testing.T) {
	e := synthetic(t)
	want := tableOf(t, e, Options{})
	path := filepath.Join(t.TempDir(), "check")
	tableOf(t, e, Options{Checkpoint: path, Tests: 1})
	good, _ := os.ReadFile(path)
	var h header
	var old []byte
	for i, raw := range bytes.Split(bytes.TrimSpace(good), []byte("\n")) {
		object, summed := unseal(raw)
		if !summed {
			t.Fatalf("line %d has no checksum: %s", i+1, raw)
		}
		if i == 0 {
			if err := json.Unmarshal(object, &h); err != nil {
				t.Fatal(err)
			}
			h.Format = unsummedFormat
			object, _ = json.Marshal(h)
		} else {
			var l line
			if err := json.Unmarshal(object, &l); err != nil {
				t.Fatal(err)
			}
			l.Fingerprint = h.fingerprint()
			object, _ = json.Marshal(l)
		}
		old = append(append(old, object...), '\n')
	}
	if err := os.WriteFile(path, old, 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		noted := ""
		run, err := e.Run(context.Background(), Options{Checkpoint: path, Observer: func(ev progress.Event) { noted += ev.Message }})
		if err != nil || csvOf(t, e.view().Table(run)) != want {
			t.Fatalf("it does not go on: %v", err)
		}
		if !strings.Contains(noted, "no checksums") || !strings.Contains(noted, "--fresh") {
			t.Errorf("the notes are %q", noted)
		}
	}
}
