package eigenmap_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/npy"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/diffusion"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nmf"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
)

// long writes Matrix Market of a corpus that a plan measures by its header alone: there are fewer
// entries than in the header.
func long(t *testing.T, n, terms, entries int) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "long.mtx")
	f := must.Get(os.Create(file))(t)
	defer f.Close()
	fmt.Fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n1 1 1\n", n, terms, entries)
	must.Do(t, f.Truncate(33<<20))
	return file
}

func stageOf(t *testing.T, p *eigenmap.Plan, name string) eigenmap.PlanStage {
	t.Helper()
	for _, s := range p.Stages {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("the plan of %s has no stage %q: %v", p.Method, name, p.Stages)
	return eigenmap.PlanStage{}
}

// A plan of a long file takes its header alone, and its stages take at least what the stages of the
// run ask for.
func TestPlanIsWhatTheStagesAskFor(t *testing.T) {
	const n, terms, entries = 2_000_000, 50_000, 80_000_000
	file := long(t, n, terms, entries)
	x := &sparse.CSR{NumRows: n, NumCols: terms, RowPtr: make([]int, n+1)}
	x.RowPtr[n] = entries
	plan := func(name string, pairs ...string) *eigenmap.Plan {
		p, err := eigenmap.MakePlan(t.Context(), file, options(t, name, append([]string{"clusters", "20"}, pairs...)...))
		if err != nil {
			t.Fatal(name, err)
		}
		if p.Documents != n || p.Terms != terms || p.Entries != entries || p.Share != 0 || !p.Sparse {
			t.Errorf("%s: %+v", name, p)
		}
		return p
	}
	least := map[string]struct {
		plan  *eigenmap.Plan
		stage string
		asks  int64
	}{
		"le":        {plan("le", "neighbors", "15"), "graph", graph.Bytes(n, 15)},
		"landmarks": {plan("le", "landmarks", "20000"), "placing", nystrom.PlacingBytes(n, 20)},
		"spectral":  {plan("spectral"), "kmeans", kmeans.Memory(method.Shape(n, 20), kmeans.Options{K: 20})},
		"diffusion": {plan("diffusion"), "kmeans", kmeans.Memory(method.Shape(n, diffusion.DimsFor(20)), kmeans.Options{K: 20})},
		"kmeans":    {plan("kmeans"), "kmeans", kmeans.Memory(x, kmeans.Options{K: 20})},
		"nmf":       {plan("nmf"), "nmf", nmf.Bytes(n, terms, nmf.Options{Dims: 20, Restarts: 10})},
	}
	// Of many terms, those of the clusters take more than k-means does.
	wide := must.Get(eigenmap.MakePlan(t.Context(), long(t, 10_000, 5_000_000, entries), options(t, "diffusion", "clusters", "20")))(t)
	if s, asks := stageOf(t, wide, "kmeans"), kmeans.TermsMemory(10_000, 5_000_000, entries, 20); s.Bytes < asks {
		t.Errorf("the terms of clusters are planned with %d bytes and ask for %d", s.Bytes, asks)
	}
	without, err := eigenmap.MakePlan(t.Context(), long(t, 10_000, 5_000_000, entries), options(t, "diffusion", "clusters", "20", "nearest-by", "coordinates"))
	if err != nil || stageOf(t, without, "kmeans").Bytes > 100<<20 {
		t.Errorf("without terms: %v, %v", without, err)
	}
	for name, c := range least {
		s := stageOf(t, c.plan, c.stage)
		if s.Bytes < c.asks || s.Bytes > 4*c.asks+(4<<30) {
			t.Errorf("%s: the stage %s is planned with %d bytes and asks for %d", name, c.stage, s.Bytes, c.asks)
		}
		if c.plan.Peak < s.Bytes || !c.plan.Complete || c.plan.Seconds <= 0 {
			t.Errorf("%s: %+v", name, c.plan)
		}
	}
	whole, part := least["le"].plan, least["landmarks"].plan
	if part.Peak >= whole.Peak || part.Seconds >= whole.Seconds {
		t.Errorf("20,000 landmarks of %d documents take %d bytes and %g s, without them %d and %g", n, part.Peak, part.Seconds, whole.Peak, whole.Seconds)
	}
	if dear := plan("le", "neighbors-method", "exact"); dear.Seconds <= whole.Seconds {
		t.Errorf("an exact search takes %g s, an approximate one %g", dear.Seconds, whole.Seconds)
	}
}

// Every method plans its own stages, which take memory and time, and the options that make them
// smaller are its own.
func TestEveryMethodPlans(t *testing.T) {
	file := long(t, 100_000, 20_000, 4_000_000)
	for _, spec := range registry.Specs {
		pairs := []string{"clusters", "20"}
		if spec.Needs.Labels == method.Required {
			pairs = append(pairs, "labeled-fraction", "0.1")
		}
		p, err := eigenmap.MakePlan(t.Context(), file, options(t, spec.Name, pairs...))
		if err != nil {
			t.Error(spec.Name, err)
			continue
		}
		if !p.Complete || p.Seconds < 1 {
			t.Errorf("%s: %+v", spec.Name, p)
		}
		for _, s := range p.Stages {
			if s.Bytes <= 0 && s.Name != "weights" || s.Bytes > 1<<40 || s.Seconds < 0 {
				t.Errorf("%s: the stage %s takes %d bytes and %g s", spec.Name, s.Name, s.Bytes, s.Seconds)
			}
			for _, help := range s.Helps {
				name, _, _ := strings.Cut(strings.TrimPrefix(help, "‹"), "›")
				if option.Find(option.Of(spec.New()), name) == nil && !slices.Contains([]string{"ranks", "threads", "restarts", "map", "confidence", "shards"}, name) {
					t.Errorf("%s: %s is no option of it", spec.Name, help)
				}
			}
		}
	}
}

// rankPlanner plans runs of 20 clusters by some number of ranks.
func rankPlanner(t *testing.T, file string) func(name string, size int, pairs ...string) *eigenmap.Plan {
	return func(name string, size int, pairs ...string) *eigenmap.Plan {
		t.Helper()
		p, err := eigenmap.PlanRanks(t.Context(), file, options(t, name, append([]string{"clusters", "20"}, pairs...)...), size)
		if err != nil {
			t.Fatal(name, err)
		}
		return p
	}
}

// The plan of a rank takes at least what the stages of a rank ask for, less the more ranks there
// are, and what it receives is told.
func TestPlanOfRanks(t *testing.T) {
	const n, terms, entries = 2_000_000, 50_000, 80_000_000
	plan := rankPlanner(t, long(t, n, terms, entries))
	one, alone := plan("le", 0), plan("le", 1)
	if more := alone.Peak - one.Peak; more < 40e6 || more > 65e6 || one.Divided || alone.Divided {
		t.Errorf("with MPI one process takes %d bytes more", more)
	}
	search := graph.Options{Neighbors: 15, Search: graph.ExactSearch}
	before, apartBefore := alone, alone.Peak
	for _, size := range []int{2, 4, 16, 64} {
		search.Share = ranks.Evenly(ranks.Planned(size), n)
		own := n / size
		p := plan("le", size, "solver", "slepc", "neighbors-method", "exact")
		// Ranks hold the rows of a visitor too, so the search takes less from four ranks on.
		more := size > 2 && stageOf(t, p, "graph").Bytes >= stageOf(t, before, "graph").Bytes
		if !p.Divided || p.Ranks != size || size > 2 && p.Peak > before.Peak || more { // one process joins nothing
			t.Errorf("%d ranks: %d bytes at the peak, %d with fewer", size, p.Peak, before.Peak)
		}
		for stage, asks := range map[string]int64{
			"graph":  search.SharedBytes(entries, false),
			"eigen":  eigen.SharedBytes(own, 30*own, graph.Ghosts(n, size, 15), 20, eigen.Options{Solver: eigen.SLEPc}),
			"kmeans": kmeans.Memory(method.Shape(own, 20), kmeans.Options{K: 20, Share: search.Share}),
			"write":  4*8*20*n + 2*(16*n+12*entries), // coordinates as they come, joined, in the model, and written; counts and rows
		} {
			if s := stageOf(t, p, stage); s.Bytes < asks || s.Bytes > asks+asks/10 || s.Received <= 0 {
				t.Errorf("%d ranks: the stage %s is planned with %d bytes, and asks for %d; it receives %d", size, stage, s.Bytes, asks, s.Received)
			}
		}
		apart := must.Get(eigenmap.PlanShards(t.Context(), long(t, n, terms, entries), options(t, "le", "clusters", "20", "solver", "slepc", "neighbors-method", "exact"), size))(t)
		if s := stageOf(t, apart, "write"); s.Bytes != 8*20*terms+48*n || apart.Peak > p.Peak || apart.Peak > apartBefore {
			t.Errorf("%d ranks that write their own parts: %d bytes, at the peak %d, and %d where rank 0 joins them", size, s.Bytes, apart.Peak, p.Peak)
		}
		if s := stageOf(t, p, "graph"); s.Received != search.SharedReceived(entries, false) {
			t.Errorf("%d ranks: the graph receives %d bytes", size, s.Received)
		}
		if s, whole := stageOf(t, p, "graph"), stageOf(t, plan("le", 0, "neighbors-method", "exact"), "graph"); s.Seconds*float64(size) < 0.99*whole.Seconds || s.Seconds*float64(size) > 1.01*whole.Seconds {
			t.Errorf("%d ranks: the search takes %g s, one process's %g s", size, s.Seconds, whole.Seconds)
		}
		if s := stageOf(t, p, "weights"); s.Bytes != 8*int64(entries/size) {
			t.Errorf("%d ranks: the weights take %d bytes", size, s.Bytes)
		}
		before, apartBefore = p, apart.Peak
	}
}

// Ranks compare methods by known labels as one process does, each all of them: their plan is one
// process's, but for what MPI takes, and says so.
func TestPlanOfRanksWithLabels(t *testing.T) {
	file := long(t, 100_000, 50_000, 4_000_000)
	var opt eigenmap.Options
	set(t, &opt, "labeled-fraction", "0.01", "clusters", "20")
	p := must.Get(eigenmap.PlanRanks(t.Context(), file, opt, 2))(t)
	one := must.Get(eigenmap.PlanRanks(t.Context(), file, opt, 1))(t)
	if p.Method != one.Method || p.Divided || !reflect.DeepEqual(p.Stages, one.Stages) {
		t.Errorf("%+v\nand not %+v", p, one)
	}
	if notes := strings.Join(p.Notes, "\n"); !strings.Contains(notes, "choose the method") || !strings.Contains(notes, "Each of the 2 ranks has all documents") {
		t.Error(notes)
	}
	set(t, &opt, "solver", "slepc")
	if _, err := eigenmap.PlanRanks(t.Context(), file, opt, 2); err == nil || !strings.Contains(err.Error(), "give method with one of semi-le") {
		t.Errorf("%v", err)
	}
}

// What ranks do not divide is on each of them, and what they refuse is not planned.
func TestPlanOfWhatRanksDoNotDivide(t *testing.T) {
	const n, terms = 2_000_000, 50_000
	file := long(t, n, terms, 80_000_000)
	plan := rankPlanner(t, file)
	// The names of all documents are on every rank.
	if p := plan("le", 1000); p.Peak < 60*n {
		t.Errorf("1,000 ranks: each takes %d bytes", p.Peak)
	}
	// All maps of cle are on every rank; k-means of documents moves centres as wide as their terms.
	if p := plan("cle", 64, "labeled-fraction", "0.1"); stageOf(t, p, "eigen").Bytes < 8*n*3*20 {
		t.Errorf("the maps of cle: %+v", p.Stages)
	}
	if s := stageOf(t, plan("kmeans", 64), "kmeans"); s.Received < 16*20*terms*10 {
		t.Errorf("k-means of documents receives %d bytes", s.Received)
	}
	// Every rank fits all landmarks, and places its own documents.
	p, alone := plan("le", 4, "landmarks", "20000"), plan("le", 0, "landmarks", "20000")
	if !p.Divided || stageOf(t, p, "graph").Bytes != stageOf(t, alone, "graph").Bytes || stageOf(t, p, "placing").Bytes >= stageOf(t, alone, "placing").Bytes {
		t.Errorf("landmarks: %+v", p)
	}
	for says, pairs := range map[string][]string{
		"not divided among ranks": {"method", "isomap"},
		"single is for one":       {"method", "le", "precision", "single"},
	} {
		var opt eigenmap.Options
		set(t, &opt, append(pairs, "clusters", "20")...)
		_, err := eigenmap.PlanRanks(t.Context(), file, opt, 4)
		refused(t, err, says)
	}
	_, err := eigenmap.PlanRanks(t.Context(), file, options(t, "le"), -1)
	refused(t, err, "ranks -1")
}

// Numbers of a file that stay in single precision are planned so, and read into one array.
func TestPlanOfFloat32(t *testing.T) {
	const n, cols = 5000, 60
	file := write(t, t.TempDir(), "x.npy", string(append(npy.Header("<f4", n, cols), bytes.Repeat([]byte{0, 0, 128, 63, 0, 0, 0, 64}, n*cols/2)...)))
	read := func(pairs ...string) eigenmap.PlanStage {
		plan := must.Get(eigenmap.PlanRanks(t.Context(), file, options(t, "kmeans", append(pairs, "clusters", "20")...), 1))(t)
		return stageOf(t, plan, "read")
	}
	single, double := read(), read("precision", "double")
	if saved := double.Bytes - single.Bytes; saved != (2*8-4)*n*cols {
		t.Errorf("reading takes %d bytes, and %d in double precision", single.Bytes, double.Bytes)
	}
}

// The plan counts the bytes of the weights of a run: 8 per entry beside those that were read, of
// which sparse ones share the columns, and none for weights that are the entries themselves.
func TestPlanOfWeights(t *testing.T) {
	const n, terms, entries = 2_000_000, 50_000, 80_000_000
	file := long(t, n, terms, entries)
	for want, pairs := range map[int64][]string{
		8 * entries: {"clusters", "20"},
		0:           {"clusters", "20", "normalize", "none", "weighting", "tf"},
	} {
		p := must.Get(eigenmap.MakePlan(t.Context(), file, options(t, "le", pairs...)))(t)
		if s := stageOf(t, p, "weights"); s.Bytes != want {
			t.Errorf("%v: the weights are planned with %d bytes, not %d", pairs, s.Bytes, want)
		}
	}
	b := sparse.NewBuilder(300, 400)
	for i := range 300 {
		for c := range 200 {
			b.Add(i, (i+c)%400, float64(1+c%3))
		}
	}
	x := must.Get(b.Build())(t)
	c := &corpus.Corpus{Name: "words", X: x}
	for weighting, shared := range map[string]bool{corpus.WeightTFIDF: false, corpus.WeightTF: true} {
		normalize := corpus.NormL2
		if shared {
			normalize = corpus.NormNone
		}
		weighted := must.Get(c.Weighted(weighting, normalize))(t)
		if y := weighted.(*sparse.CSR); &y.Col[0] != &x.Col[0] || (&y.Val[0] == &x.Val[0]) != shared {
			t.Errorf("%s: the weights share something else than the columns, or less", weighting)
		}
	}
}

// The plan of a run counts the page that it writes, and the columns on it.
func TestPlanOfPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,text,shelf,year\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "d%d,the %s was red and round,s%d,%d\n", i, []string{"apple", "car", "plum"}[i%3], i%5, 1990+i%30)
	}
	file := write(t, t.TempDir(), "a.csv", b.String())
	plan := func(pairs ...string) eigenmap.PlanStage {
		p := must.Get(eigenmap.MakePlan(t.Context(), file, options(t, "kmeans", append([]string{"clusters", "3"}, pairs...)...)))(t)
		return stageOf(t, p, "write")
	}
	all, one, none := plan(), plan("page-columns", "year"), plan("page-columns", "none")
	if all.Bytes <= one.Bytes || one.Bytes <= none.Bytes || none.Bytes <= 0 || !slices.Contains(all.Helps, "‹page-columns›") || len(none.Helps) > 0 {
		t.Errorf("two columns take %+v, one %+v, none %+v", all, one, none)
	}
}

// A run for whose page there is no memory goes on without the documents on it, and so does its
// plan.
func TestPlanWithoutPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,y,z,w\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "%d,%d,%d,%d\n", i%7, i%11, i%13, i%5)
	}
	file := write(t, t.TempDir(), "a.csv", b.String())
	program := int64(80_000_000) // as plans have it
	if len(native.Engines()) == 1 {
		program = 62_000_000
	}
	plan := func(ctx context.Context) *eigenmap.Plan {
		p := must.Get(eigenmap.MakePlan(ctx, file, options(t, "kmeans", "clusters", "3")))(t)
		return p
	}
	all := plan(t.Context())
	page := stageOf(t, all, "write")
	rest := int64(0)
	for _, s := range all.Stages {
		if s.Name != "write" {
			rest = max(rest, s.Peak)
		}
	}
	if page.Peak != all.Peak || page.Peak < rest+10<<20 {
		t.Fatalf("the page takes %d, other stages %d", page.Peak, rest)
	}
	p := plan(memory.Bound(t.Context(), rest-program+10_000_000))
	if !p.Fits || p.Peak > rest || !slices.ContainsFunc(p.Notes, func(n string) bool { return strings.Contains(n, "The page shows the clusters and no documents") }) {
		t.Errorf("%d of %d bytes, fits %v, %q", p.Peak, p.Allowed, p.Fits, p.Notes)
	}
	if p = plan(memory.Bound(t.Context(), (rest-program)*8/10)); p.Fits || stageOf(t, p, "write").Peak == 0 {
		t.Errorf("nothing fits: %+v", p)
	}
}

// A plan says whether the run fits, and the options that help.
func TestPlanFits(t *testing.T) {
	file := long(t, 1_000_000, 50_000, 40_000_000)
	opt := options(t, "le", "clusters", "20", "neighbors", "40")
	p := must.Get(eigenmap.MakePlan(memory.Within(context.Background(), 2<<30), file, opt))(t)
	if p.Fits || p.Allowed > 3<<30 || len(p.Helps()) == 0 {
		t.Errorf("a graph of 40,000,000 edges in 2 GiB: %+v", p)
	}
}

// The estimate of a corpus that is read whole uses its own sizes, and plan refuses what cluster
// refuses.
func TestPlanRefuses(t *testing.T) {
	file := write(t, t.TempDir(), "some.jsonl", `{"text":"a boat in the harbour","label":"x"}
{"text":"a boat and a sail","label":"y"}
{"text":"the harbour of sails and boats","label":"x"}
`)
	for says, pairs := range map[string][]string{
		"clusters 4 is more than its 3 documents":  {"method", "le", "clusters", "4"},
		"landmarks 4 is more than its 3 documents": {"method", "le", "landmarks", "4"},
		"neighbors 9 is as many":                   {"method", "le", "neighbors", "9"},
		"has no use for neighbors":                 {"method", "kmeans", "neighbors", "3"},
		"made from documents":                      {"method", "le", "precomputed", "true"},
		"graph that the run makes":                 {"method", "le", "graph", "affinity.npz"},
		"one number of clusters":                   {"method", "le", "clusters", "2-3"},
		"not known before":                         {"method", "le", "epsilon", "1"},
	} {
		var opt eigenmap.Options
		set(t, &opt, pairs...)
		_, err := eigenmap.MakePlan(t.Context(), file, opt)
		refused(t, err, says)
	}
	var opt eigenmap.Options
	set(t, &opt, "method", "le", "neighbors", "1")
	p, err := eigenmap.MakePlan(t.Context(), file, opt)
	if err != nil || p.Documents != 3 || p.Share != 1 || p.Clusters != 2 {
		t.Errorf("%+v, %v", p, err)
	}
	opt = eigenmap.Options{Method: "le"}
	_, err = eigenmap.MakePlan(t.Context(), long(t, 1000, 10, 5000), opt)
	refused(t, err, "give clusters")
}

// A runner-up is planned where the run makes one: not with landmarks, nor where all pairs of
// documents are joined.
func TestPlanOfRunnerUp(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,y,z,w\n")
	for i := range 200 {
		fmt.Fprintf(&b, "%d,%d,%d,%d\n", i%7, i%11, i%13, i%5)
	}
	file := write(t, t.TempDir(), "a.csv", b.String())
	for _, c := range []struct {
		pairs []string
		has   bool
	}{{nil, true}, {[]string{"landmarks", "50"}, false}, {[]string{"graph-kind", "complete"}, false}} {
		opt := options(t, "le", append([]string{"clusters", "3"}, c.pairs...)...)
		p := must.Get(eigenmap.MakePlan(t.Context(), file, opt))(t)
		planned := slices.ContainsFunc(p.Stages, func(s eigenmap.PlanStage) bool { return s.Name == "runner-up" })
		r, err := eigenmap.Cluster(t.Context(), file, opt)
		if err == nil {
			err = r.FindRunnerUp(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		if made := r.RunnerUp != nil; made != c.has || planned != c.has {
			t.Errorf("%v: a runner-up is planned: %v, made: %v", c.pairs, planned, made)
		}
	}
}

// Second looks take the memory of two where they run side by side; fits with hidden labels run one
// after the other, on any number of threads. With less than a gibibyte looks do so too.
func TestPlanOfLooksAtOnce(t *testing.T) {
	defer native.SetThreads(0)
	file := long(t, 100_000, 50_000, 4_000_000)
	times := func(method string, bound int64, pairs ...string) float64 {
		var bytes [2]float64
		for k, threads := range []int{1, 2} {
			native.SetThreads(threads)
			opt := options(t, method, append(pairs, "clusters", "20")...)
			opt.MaxBytes = bound
			p := must.Get(eigenmap.MakePlan(t.Context(), file, opt))(t)
			bytes[k] = float64(stageOf(t, p, "calibrate").Bytes)
		}
		return bytes[1] / bytes[0]
	}
	if got := times("le", 0); got < 1.4 || got > 2 {
		t.Errorf("two looks take %.2f times the memory of one", got)
	}
	if got := times("le", 900_000_000); got > 1.2 {
		t.Errorf("two looks in 900 MB take %.2f times the memory of one", got)
	}
	if got := times("semi-le", 0, "labeled-fraction", "0.01"); got > 1.2 {
		t.Errorf("fits with hidden labels take %.2f times the memory of one", got)
	}
}

// wideTable is a table of so many rows and columns of numbers.
func wideTable(rows, columns int) string {
	var b strings.Builder
	for i := range rows + 1 {
		for k := range columns {
			switch {
			case i == 0:
				fmt.Fprintf(&b, "c%d", k)
			default:
				fmt.Fprintf(&b, "%d.5", (i*(k+7))%(101+k))
			}
			b.WriteString(map[bool]string{true: "\n", false: ","}[k == columns-1])
		}
	}
	return b.String()
}

// The choice of a number of clusters has a stage, with the eigenpairs whose gaps are looked at in a
// table of few columns, and the search for weights of columns and for copies of texts have one.
func TestPlanOfSearches(t *testing.T) {
	var table, texts strings.Builder
	table.WriteString("x,y,z\n")
	texts.WriteString("text,color,size\n")
	for i := range 3000 {
		fmt.Fprintf(&table, "%d.5,%d.25,%d.125\n", i%701, i%113, i%13)
		fmt.Fprintf(&texts, "word%d word%d and word%d with word%d,%s,%d\n", i%701, i%113, i%13, i%57, []string{"red", "green", "blue"}[i%3], i%17)
	}
	dir := t.TempDir()
	plan := func(file string, opt ...string) *eigenmap.Plan {
		p := must.Get(eigenmap.DryRun(t.Context(), file, options(t, opt[0], opt[1:]...), "cluster"))(t)
		return p
	}
	numbers, words := write(t, dir, "a.csv", table.String()), write(t, dir, "b.csv", texts.String())
	wide := write(t, dir, "wide.csv", wideTable(3000, 70))
	gaps, none := stageOf(t, plan(numbers, "le", "clusters", "auto"), "choose k"), stageOf(t, plan(wide, "le", "clusters", "auto"), "choose k")
	if gaps.Bytes <= none.Bytes || gaps.Seconds <= none.Seconds || none.Bytes <= 0 || none.Seconds <= 0 {
		t.Errorf("the choice with gaps takes %+v, without %+v", gaps, none)
	}
	if short := stageOf(t, plan(words, "le", "clusters", "auto"), "choose k"); short.Seconds <= none.Seconds { // texts of few terms
		t.Errorf("the choice takes %+v of short texts, %+v of a table", short, none)
	}
	if s := stageOf(t, plan(words, "diffusion", "clusters", "3"), "duplicates"); s.Bytes <= 0 { // once by default, as in the run
		t.Errorf("leaving copies out takes %+v", s)
	}
	if s := stageOf(t, plan(words, "le", "clusters", "3", "views", "words,columns"), "weights of columns"); s.Bytes <= 0 || s.Seconds <= 0 {
		t.Errorf("the weights of columns take %+v", s)
	}
}

// The plan of a run whose labels choose the method is that of the committee only if there are as
// many clusters as classes: it makes no others.
func TestPlanOfLabelsAndNumber(t *testing.T) {
	var texts strings.Builder
	texts.WriteString("text,label\n")
	for i := range 300 {
		fmt.Fprintf(&texts, "word%d word%d and word%d,%s\n", i%71, i%13, i%57, []string{"red", "green", "blue"}[i%3])
	}
	file := write(t, t.TempDir(), "a.csv", texts.String())
	for clusters, want := range map[string]string{"": "committee", "3": "committee", "5": "diffusion", "auto": "committee", "2-6": "committee", "4-6": "diffusion"} {
		var opt eigenmap.Options
		set(t, &opt, "labeled-fraction", "0.2")
		if clusters != "" {
			set(t, &opt, "clusters", clusters)
		}
		p, err := eigenmap.DryRun(t.Context(), file, opt, "cluster")
		if err != nil || p.Method != want {
			t.Errorf("%q clusters: %+v, %v, want %s", clusters, p, err, want)
		}
	}
}
