package eigenmap_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/store/storetest"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
)

// streamed clusters a file by a sample, and saves the results.
func streamed(t *testing.T, file, dir string, size, block int, opt eigenmap.Options) *eigenmap.Streamed {
	t.Helper()
	p := must.Get(eigenmap.Prepare(opt, "cluster"))(t)
	s := must.Get(p.OnSample(context.Background(), file, size))(t)
	out := must.Get(eigenmap.OpenFolder(dir))(t)
	defer out.Discard()
	s.Block = block
	if _, err := s.PlaceIn(context.Background(), out); err != nil {
		t.Fatal(err)
	}
	return s
}

// Every document gets exactly the line and the coordinates that Predict gives it with the model,
// and neither the size of blocks nor the format of the file changes a byte.
func TestStreamedIsPredicted(t *testing.T) {
	text := must.Get(os.ReadFile(train))(t)
	files := []string{train, write(t, t.TempDir(), "train.csv", asCSV(t, text))}
	for _, method := range []string{"diffusion", "plsa"} {
		var first string
		for _, file := range files {
			for _, block := range []int{0, 7} {
				dir, again := t.TempDir(), t.TempDir()
				s := streamed(t, file, dir, 40, block, options(t, method, "min-df", "1"))
				p := must.Get(eigenmap.Predict(context.Background(), dir, file, eigenmap.Options{}))(t)
				must.Do(t, p.Save(again))
				for _, path := range filesIn(t, again) {
					name := filepath.Base(path)
					if name != "uncertain.csv" && name != "run.json" && !bytes.Equal(content(t, dir, name), content(t, again, name)) {
						t.Errorf("%s, %s, blocks of %d: %s is not the prediction's", method, file, block, name)
					}
				}
				if s.Documents != 60 || s.Corpus.Len() != 40 || !slices.Equal(s.Sizes, p.Sizes) || s.Scores == nil || s.Scores.Accuracy != p.Scores.Accuracy || s.Known != p.Known {
					t.Errorf("%s: %d documents, fitted on %d, sizes %v for %v, scores %v for %v", method, s.Documents, s.Corpus.Len(), s.Sizes, p.Sizes, s.Scores, p.Scores)
				}
				if table := string(content(t, dir, "clusters.csv")); first == "" {
					first = table
				} else if table != first {
					t.Errorf("%s, %s, blocks of %d: another clusters.csv", method, file, block)
				}
			}
		}
	}
}

// asCSV is JSON lines of id, label and text as a table.
func asCSV(t *testing.T, text []byte) string {
	t.Helper()
	c := readTrain(t, text)
	var b strings.Builder
	b.WriteString("id,label,text\n")
	for _, d := range c {
		fmt.Fprintf(&b, "%s,%s,%q\n", d.ID, d.Label, d.Text)
	}
	return b.String()
}

// Blocks of texts without a word, or without one that the model has, are placed as Predict places
// them among others.
func TestStreamedBlocksWithoutTerms(t *testing.T) {
	text := must.Get(os.ReadFile(train))(t)
	file := write(t, t.TempDir(), "more.jsonl", string(text)+"{\"text\":\"\"}\n{\"text\":\"- ... 1\"}\n{\"text\":\"quarks gluons\"}\n{\"text\":\"the and of\"}\n{\"id\":\"=1\",\"text\":null}\n")
	dir := t.TempDir()
	s := streamed(t, file, dir, 40, 1, options(t, "le"))
	p := must.Get(eigenmap.Predict(context.Background(), dir, file, eigenmap.Options{}))(t)
	again := t.TempDir()
	must.Do(t, p.Save(again))
	if !bytes.Equal(content(t, dir, "clusters.csv"), content(t, again, "clusters.csv")) || s.Isolated != len(p.Isolated) || s.Isolated < 5 {
		t.Errorf("%d isolated for %d, or other lines", s.Isolated, len(p.Isolated))
	}
}

// A sample of at least all documents is all of them: the fit is the one in memory.
func TestStreamedOnAllDocuments(t *testing.T) {
	opt := options(t, "diffusion")
	run := cluster(t, train, opt)
	s := streamed(t, train, t.TempDir(), 1000, 0, opt)
	if !slices.Equal(run.Labels, s.Labels) || !slices.Equal(run.Sizes, s.Sizes) || s.Corpus.Len() != 60 {
		t.Errorf("sizes %v and %v, in memory %v", s.Run.Sizes, s.Sizes, run.Sizes)
	}
}

// A run that is stopped while it places documents leaves nothing.
func TestStreamedIsWholeOrNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	opt := options(t, "diffusion")
	blocks := 0
	opt.Observer = func(e progress.Event) {
		if e.Stage == "place" && e.Message == "" {
			if blocks++; blocks == 3 {
				cancel()
			}
		}
	}
	p := must.Get(eigenmap.Prepare(opt, "cluster"))(t)
	s := must.Get(p.OnSample(ctx, train, 40))(t)
	dir := filepath.Join(t.TempDir(), "out")
	out := must.Get(eigenmap.OpenFolder(dir))(t)
	s.Block = 10
	if _, err := s.PlaceIn(ctx, out); eigenmap.ExitStatus(err) != eigenmap.StatusInterrupted {
		t.Errorf("the run ended with %v", err)
	}
	out.Discard()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// Placing with a folder of finished work, stopped at any event and begun again, or with damaged
// pieces, writes the bytes of an undisturbed one; blocks that were placed are taken from there.
func TestStreamedGoesOn(t *testing.T) {
	taken := 0
	storetest.Resumed(t, func(ctx context.Context, o progress.Observer) (map[string]string, error) {
		opt := options(t, "diffusion", "map", "false", "restarts", "1", "confidence", "raw")
		placing := false
		opt.Observer = func(e progress.Event) {
			if strings.Contains(e.Message, "were placed before") {
				taken++
			}
			if placing {
				o(e)
			}
		}
		p, err := eigenmap.Prepare(opt, "cluster")
		if err != nil {
			return nil, err
		}
		s, err := p.OnSample(context.Background(), train, 40)
		if err != nil {
			return nil, err
		}
		out, err := eigenmap.OpenFolder(t.TempDir())
		if err != nil {
			return nil, err
		}
		defer out.Discard()
		s.Block, placing = 20, true
		if _, err := s.PlaceIn(ctx, out); err != nil {
			return nil, err
		}
		total, err := json.Marshal(s.StreamedTotal)
		found := map[string]string{"total": string(total)}
		for _, name := range []string{"clusters.csv", "embedding.npy", eigenmap.ModelName} {
			found[name] = string(content(t, out.Dir, name))
		}
		return found, err
	})
	if taken == 0 {
		t.Error("no run took blocks that were placed before")
	}
}

// TestStreamedGoesOnAtOtherThreads: blocks that one thread placed are taken by a run on two.
func TestStreamedGoesOnAtOtherThreads(t *testing.T) {
	defer native.SetThreads(native.Threads())
	ctx := store.With(context.Background(), storetest.Open(t))
	for threads := 1; threads <= 2; threads++ {
		native.SetThreads(threads)
		taken := false
		opt := options(t, "diffusion", "map", "false", "restarts", "1", "confidence", "raw")
		opt.Observer = func(e progress.Event) { taken = taken || strings.Contains(e.Message, "were placed before") }
		p := must.Get(eigenmap.Prepare(opt, "cluster"))(t)
		s := must.Get(p.OnSample(context.Background(), train, 40))(t)
		if _, err := s.PlaceIn(ctx, nil); err != nil {
			t.Fatal(err)
		}
		if taken != (threads == 2) {
			t.Errorf("%d threads: blocks that were placed before are taken: %v", threads, taken)
		}
	}
}

func TestStreamedRefuses(t *testing.T) {
	dir := t.TempDir()
	twice := write(t, dir, "twice.jsonl", "{\"id\":\"a\",\"text\":\"one two\"}\n{\"id\":\"b\",\"text\":\"two three\"}\n{\"id\":\"a\",\"text\":\"three one\"}\n")
	numbers := write(t, dir, "numbers.csv", "x,y\n1,2\n3,4\n5,6\n")
	for _, c := range []struct {
		file  string
		size  int
		opt   eigenmap.Options
		parts []string
	}{
		{twice, 2, options(t, "diffusion"), []string{"documents 1 and 3 have one id", "id-column"}},
		{numbers, 2, options(t, "diffusion"), []string{"numbers", "not read in blocks"}},
		{train, 1, options(t, "diffusion"), []string{"2 or more"}},
		{train, 40, options(t, "diffusion", "truth", train), []string{"truth", "fit-on"}},
		{train, 40, options(t, "diffusion", "duplicates", "drop"), []string{"duplicates"}},
		{train, 40, options(t, "gmm", "map", "false", "levels", "all"), []string{"levels"}},
		{"-", 40, options(t, "diffusion"), []string{"standard input"}},
	} {
		p, err := eigenmap.Prepare(c.opt, "cluster")
		if err == nil {
			_, err = p.OnSample(context.Background(), c.file, c.size)
		}
		refused(t, err, c.parts...)
	}
}

// A corpus whose plan fits is held; one that does not has a sample whose plan fits.
func TestFitOnAuto(t *testing.T) {
	if n, why, err := eigenmap.FitOnAuto(context.Background(), train, options(t, "le")); err != nil || n != 0 || !strings.Contains(why, "fit") {
		t.Errorf("%d, %q, %v", n, why, err)
	}
	p, err := eigenmap.PlanOnSample(context.Background(), train, options(t, "le"), 30)
	if err != nil || p.Documents != 30 || p.Stages[len(p.Stages)-1].Name != "place" {
		t.Errorf("%+v, %v", p, err)
	}
}

type trainDocument struct{ ID, Label, Text string }

func readTrain(t *testing.T, text []byte) (docs []trainDocument) {
	t.Helper()
	for line := range bytes.Lines(text) {
		var d trainDocument
		must.Do(t, json.Unmarshal(line, &d))
		docs = append(docs, d)
	}
	return docs
}
