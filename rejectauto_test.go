package eigenmap_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
)

// drawnTexts are n texts as JSON lines, of 15 to 60 words each: half of them of one of four topics
// of the kind, a third of words of all kinds, and the others of a long tail of rare words.
func drawnTexts(rng *rand.Rand, kind string, n int) string {
	var out strings.Builder
	rank := func(of int) int { return int(float64(of) * rng.Float64() * rng.Float64()) }
	for i := range n {
		topic := rng.IntN(4)
		var words []string
		for range 15 + rng.IntN(46) {
			switch u := rng.Float64(); {
			case u < .55:
				words = append(words, fmt.Sprintf("%s%cq%d", kind, 'a'+topic, rank(80)))
			case u < .85:
				words = append(words, fmt.Sprintf("allq%d", rank(300)))
			default:
				words = append(words, fmt.Sprintf("%srareq%d", kind, rank(20000)))
			}
		}
		fmt.Fprintf(&out, "{\"id\":\"%s%d\",\"text\":%q}\n", kind, i, strings.Join(words, " "))
	}
	return out.String()
}

// With --reject auto nearly all documents of another kind are left in no cluster, and about one in
// twenty of the model's kind, whatever the method; a document is rejected alone as among others,
// and the model that was saved and loaded again rejects the same.
func TestRejectAuto(t *testing.T) {
	ctx, dir, rng := context.Background(), t.TempDir(), rand.New(rand.NewPCG(8, 1))
	train := write(t, dir, "train.jsonl", drawnTexts(rng, "own", 600))
	like := write(t, dir, "like.jsonl", drawnTexts(rng, "own", 400))
	noise := write(t, dir, "noise.jsonl", drawnTexts(rng, "other", 200))
	for _, name := range []string{"kmeans", "diffusion", "gmm", "lsi"} {
		model := saveModel(t, cluster(t, train, options(t, name, "clusters", "4")))
		var opt eigenmap.Options
		set(t, &opt, "reject", "auto")
		counts := map[string]int{}
		for _, file := range []string{like, noise} {
			p := must.Get(eigenmap.Predict(ctx, model, file, opt))(t)
			counts[filepath.Base(file)] = p.RejectedCount
			if v := p.JSON(func(s string) string { return s }, nil); !v.Auto || v.Rejected != p.RejectedCount {
				t.Errorf("%s: JSON says %v, %d", name, v.Auto, v.Rejected)
			}
			if file == noise {
				out := t.TempDir()
				must.Do(t, p.Save(out))
				rows := rowsOf(t, out)
				at := slices.Index(rows[0], "unlike")
				for i, row := range rows[1:] {
					if (row[1] == "-1") != (p.Unlike[i] >= .95) || at < 0 || row[at] == "" {
						t.Fatalf("%s: row %v, unlike %v", name, row, p.Unlike[i])
					}
				}
			}
		}
		if own, other := counts["like.jsonl"], counts["noise.jsonl"]; own > 32 || own < 4 || other < 190 {
			t.Errorf("%s: %d of 400 of the model's kind and %d of 200 of another are rejected", name, own, other)
		}
		lines := strings.SplitAfter(drawnTexts(rand.New(rand.NewPCG(9, 1)), "other", 3)+drawnTexts(rng, "own", 3), "\n")
		for i, line := range lines[:6] {
			alone := must.Get(eigenmap.Predict(ctx, model, write(t, dir, "alone.jsonl", line), opt))(t)
			among := must.Get(eigenmap.Predict(ctx, model, write(t, dir, "among.jsonl", strings.Join(lines[:6], "")), opt))(t)
			if alone.Labels[0] != among.Labels[i] || alone.Unlike[0] != among.Unlike[i] {
				t.Errorf("%s: document %d is in %d, %v alone and in %d, %v among others", name, i, alone.Labels[0], alone.Unlike[0], among.Labels[i], among.Unlike[i])
			}
		}
	}
}

// Documents of a new subject among others are noted, with the option that leaves them out; without
// them there is no such note, though one document in twenty is as unlike. An update notes them too.
func TestNewSubjectIsNoted(t *testing.T) {
	ctx, dir, rng := context.Background(), t.TempDir(), rand.New(rand.NewPCG(8, 1))
	train := write(t, dir, "train.jsonl", drawnTexts(rng, "own", 600))
	own := drawnTexts(rng, "own", 400)
	like := write(t, dir, "like.jsonl", own)
	both := write(t, dir, "both.jsonl", own+drawnTexts(rng, "other", 60))
	model := saveModel(t, cluster(t, train, options(t, "diffusion", "clusters", "4")))
	noted := func(notes []string) bool {
		return slices.ContainsFunc(notes, func(note string) bool {
			return strings.HasPrefix(note, "Documents that may be of none of the model's clusters") && strings.Contains(note, "reject auto")
		})
	}
	for file, want := range map[string]bool{like: false, both: true} {
		p, err := eigenmap.Predict(ctx, model, file)
		if err != nil {
			t.Fatal(err)
		}
		u, err := eigenmap.Update(ctx, model, file)
		if err != nil {
			t.Fatal(err)
		}
		into, _, err := eigenmap.PredictInto(ctx, model, file, eigenmap.Into{})
		if err != nil {
			t.Fatal(err)
		}
		plain := func(name string) string { return name }
		if noted(p.NotesAs(plain)) != want || noted(u.NotesAs(plain)) != want || noted(into.NotesAs(plain)) != want {
			t.Errorf("%s: of new subjects predict, update and predict in blocks say %v, %v and %v, want %v", filepath.Base(file), noted(p.NotesAs(plain)), noted(u.NotesAs(plain)), noted(into.NotesAs(plain)), want)
		}
	}
	var opt eigenmap.Options
	set(t, &opt, "reject", "auto")
	p, err := eigenmap.Predict(ctx, model, both, opt)
	if err != nil {
		t.Fatal(err)
	}
	if noted(p.NotesAs(func(name string) string { return name })) || p.RejectedCount < 60 {
		t.Errorf("with reject auto %d documents are in no cluster, and the note is there too: %v", p.RejectedCount, p.Notes())
	}
}

// Documents of the model are of its clusters, if it has them; of other methods some are rejected.
func TestRejectAutoKnown(t *testing.T) {
	train := write(t, t.TempDir(), "train.jsonl", drawnTexts(rand.New(rand.NewPCG(8, 1)), "own", 600))
	for name, known := range map[string]int{"diffusion": 600, "lsi": 0} {
		var opt eigenmap.Options
		set(t, &opt, "reject", "auto")
		p := must.Get(eigenmap.Predict(context.Background(), saveModel(t, cluster(t, train, options(t, name, "clusters", "4"))), train, opt))(t)
		if p.Known != known || (p.RejectedCount == 0) != (known > 0) {
			t.Errorf("%s: %d of the model's documents are rejected, and %d are known", name, p.RejectedCount, p.Known)
		}
	}
}

// A model without a novelty, and a fit, refuse --reject auto; a number after it counts.
func TestRejectAutoRefused(t *testing.T) {
	ctx := context.Background()
	var opt eigenmap.Options
	set(t, &opt, "reject", "auto")
	_, err := eigenmap.Predict(ctx, "testdata/golden/le/model.npz", fresh, opt)
	refused(t, err, "reject", "novelty")
	fit := options(t, "kmeans", "reject", "auto")
	_, err = eigenmap.Cluster(ctx, train, fit)
	refused(t, err, "reject", "new documents")
	set(t, &fit, "reject", "0.1")
	if run := cluster(t, train, fit); run.RejectBelow != .1 {
		t.Errorf("a number after auto: documents are rejected below %v", run.RejectBelow)
	}
}

// Of each document the reader counts its terms, and those that a vocabulary made without it would
// lack: what is left of its terms when it is read alone by the vocabulary of all others.
func TestRarities(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	lines := strings.SplitAfter(strings.TrimSpace(drawnTexts(rand.New(rand.NewPCG(3, 1)), "own", 60)), "\n")
	for _, opt := range []corpus.TextOptions{{}, {MinDF: 1}, {MinDF: 3, MaxDF: .5}, {MinDFShare: .1, MaxDF: 1}} {
		if opt.MaxDF == 0 {
			opt.MaxDF = 1
		}
		whole := must.Get(corpus.Read(ctx, write(t, dir, "all.jsonl", strings.Join(lines, "")), corpus.ReadOptions{Text: opt}))(t)
		for _, i := range []int{0, 17, 59} {
			alone := opt
			alone.MinDF, alone.MinDFShare, alone.MaxDF = 1, 0, 1
			own := must.Get(corpus.Read(ctx, write(t, dir, "own.jsonl", lines[i]), corpus.ReadOptions{Text: alone}))(t)
			if got := whole.Rarities[i].Terms; int(got) != len(own.Terms) {
				t.Errorf("%+v: document %d has %d terms, and %d when it is read alone", opt, i, got, len(own.Terms))
			}
			without := opt
			if opt.MinDFShare > 0 {
				without.MinDF, without.MinDFShare = 6, 0 // a tenth of 60, which 59 are not
			}
			if opt.MaxDF < 1 {
				without.MaxDF, without.MaxDFCount = 1, 30
			}
			others := must.Get(corpus.Read(ctx, write(t, dir, "others.jsonl", strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "")), corpus.ReadOptions{Text: without}))(t)
			lacks := 0
			for _, term := range own.Terms {
				if !slices.Contains(others.Terms, term) {
					lacks++
				}
			}
			if got := whole.Rarities[i].Own; int(got) != lacks {
				t.Errorf("%+v: document %d has %d terms of its own, and %d that the others' vocabulary lacks", opt, i, got, lacks)
			}
		}
	}
}
