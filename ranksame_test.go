package eigenmap

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/graph"
)

// rankFile writes a file in a folder of its own, so that ranks can have other files of one name.
func rankFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, []byte(content), 0o666))
	return path
}

// smallCorpus are documents of two kinds, of which end is the last one's value.
func smallCorpus(end string) string {
	return "id,a,b,c,label\nd1,1,2,0,x\nd2,1,3,0,x\nd3,2,2,0,x\nd4,0,1,4,y\nd5,0,1,5,y\nd6,0,2," + end + ",y\n"
}

// TestRanksWithOtherInput: ranks that were started with other options, or whose files hold other
// content, are all refused, with the rank and what differs; other folders of the same files are
// not.
func TestRanksWithOtherInput(t *testing.T) {
	with := func(method string, set ...string) Options {
		opt := Options{Method: method, Clusters: 2}
		for i := 0; i < len(set); i += 2 {
			must.Do(t, opt.Set(set[i], set[i+1]))
		}
		return opt
	}
	label := func(end string) string { return rankFile(t, "l.csv", "id,label\nd1,x\nd4,y\nd5,"+end+"\n") }
	pairs := func(end string) string { return rankFile(t, "p.csv", "d1,d2,must\nd4,"+end+",must\n") }
	affinity := func(end string) string {
		return rankFile(t, "g.mtx", "%%MatrixMarket matrix coordinate real symmetric\n6 6 6\n2 1 1\n3 2 1\n5 4 1\n6 5 1\n4 3 .1\n6 1 ."+end+"\n")
	}
	file := func(end string) string { return rankFile(t, "a.csv", smallCorpus(end)) }
	missing := filepath.Join(t.TempDir(), "none.csv")
	for name, c := range map[string]struct {
		zero, one string // files
		a, b      Options
		want      string // in the error; "" for none
	}{
		"the same elsewhere":  {file("4"), file("4"), with("le", "neighbors", "2"), with("le", "neighbors", "2"), ""},
		"a document":          {file("4"), file("5"), with("le", "neighbors", "2"), with("le", "neighbors", "2"), "a.csv: rank 1 reads other content"},
		"an option":           {file("4"), file("4"), with("le", "neighbors", "2"), with("le", "neighbors", "3"), "neighbors: rank 1 was started with \"3\" and rank 0 with \"2\""},
		"a seed":              {file("4"), file("4"), with("le", "seed", "2"), with("le", "seed", "3"), "seed: rank 1"},
		"a method":            {file("4"), file("4"), with("le"), with("kmeans"), "method: rank 1"},
		"labels":              {file("4"), file("4"), with("semi-le", "neighbors", "2", "labels", label("y")), with("semi-le", "neighbors", "2", "labels", label("x")), "l.csv: rank 1 reads other"},
		"labels or none":      {file("4"), file("4"), with("semi-le", "labels", label("y")), with("semi-le", "labeled-fraction", "0.5"), "labels: rank 1"},
		"labels elsewhere":    {file("4"), file("4"), with("semi-le", "neighbors", "2", "labels", label("y")), with("semi-le", "neighbors", "2", "labels", label("y")), ""},
		"constraints":         {file("4"), file("4"), with("cle", "neighbors", "2", "constraints", pairs("d5")), with("cle", "neighbors", "2", "constraints", pairs("d6")), "p.csv: rank 1 reads other"},
		"a graph":             {file("4"), file("4"), with("le", "graph", affinity("1")), with("le", "graph", affinity("2")), "g.mtx: rank 1 reads other"},
		"a graph as the file": {affinity("1"), affinity("2"), with("le", "precomputed", "true"), with("le", "precomputed", "true"), "g.mtx: rank 1 reads other"},
		"true labels":         {file("4"), file("4"), with("le", "neighbors", "2", "truth", label("y")), with("le", "neighbors", "2", "truth", label("x")), "rank 1 reads other"},
		"no file":             {file("4"), missing, with("le"), with("le"), "there is no such file"},
		"no labels":           {file("4"), file("4"), with("semi-le", "labels", label("y")), with("semi-le", "labels", missing), "there is no such file"},
	} {
		ranks.Together(2, func(team ranks.Team) {
			ctx, file, opt := ranks.With(context.Background(), team), c.zero, c.a
			if team.Rank() == 1 {
				file, opt = c.one, c.b
			}
			_, err := Cluster(ctx, file, opt)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !errors.Is(err, fs.ErrInvalid) || !strings.Contains(strings.NewReplacer("‹", "", "›", "").Replace(err.Error()), c.want)) {
				t.Errorf("%s: rank %d: %v", name, team.Rank(), err)
			}
		})
	}
	ranks.Together(2, func(team ranks.Team) {
		_, err := Graph(ranks.With(context.Background(), team), file("4"), Options{}, graph.Options{Neighbors: 2 + team.Rank()})
		if err == nil || !strings.Contains(err.Error(), "rank 1") {
			t.Errorf("graphs of other options: rank %d: %v", team.Rank(), err)
		}
	})
}

// TestRanksCountRowsAsOften: the clusters of a table of few different rows, which count as often as
// they occur, are the same whatever rank has which copies.
func TestRanksCountRowsAsOften(t *testing.T) {
	program := request.FewDocuments
	request.FewDocuments = 20
	defer func() { request.FewDocuments = program }()
	var text strings.Builder
	text.WriteString("a,b,c,d\n")
	rng := rand.New(rand.NewPCG(2, 9))
	answer := func(mean float64) int { return int(min(max(math.Round(mean+0.6*rng.NormFloat64()), 1), 5)) }
	for i := range 400 {
		m := []float64{1.5, 4.2, 3}[i%3]
		fmt.Fprintf(&text, "%d,%d,%d,%d\n", answer(m), answer(6-m), answer(4.6), answer(m/2+1))
	}
	file := rankFile(t, "rows.csv", text.String())
	opt := fewerStarts(Options{Method: "diffusion", Clusters: 3})
	want := must.Get(Cluster(t.Context(), file, opt))(t)
	if d := want.Duplicates(); d == nil || !strings.Contains(strings.Join(want.Notes(), " "), "as often as they occur") {
		t.Fatalf("copies %v", d)
	}
	for _, size := range []int{2, 3} {
		ranks.Together(size, func(team ranks.Team) {
			run, err := Cluster(ranks.With(t.Context(), team), file, opt)
			if err == nil {
				err = sameRun(run, want)
			}
			if err != nil {
				t.Errorf("rank %d of %d: %v", team.Rank(), size, err)
			}
		})
	}
}
