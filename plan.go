package eigenmap

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
)

// What the estimates of [MakePlan] add to the arrays of the stages.
const (
	// programBytes is what the program takes with its libraries and threads before any work.
	programBytes = 45e6
	// garbage is the resident memory per byte of arrays in use: freed arrays are collected only when
	// the heap has grown.
	garbage = 1.35
)

// PlanStage is what a stage of a run will take.
type PlanStage struct {
	Name string `json:"stage"`
	// Bytes are what its own arrays take at most, and Peak what the process takes during it.
	Bytes   int64    `json:"bytes"`
	Peak    int64    `json:"peak_bytes"`
	Seconds float64  `json:"seconds"` // roughly; 0: not known
	Helps   []string `json:"helps"`   // options that make it smaller
}

// Plan is what a run will take, before it is run.
type Plan struct {
	File      string      `json:"file"`
	Method    string      `json:"method"`
	Documents int         `json:"documents"`
	Terms     int         `json:"terms"`
	Entries   int         `json:"entries"`
	Sparse    bool        `json:"sparse"`
	Share     float64     `json:"share_read"` // of the file: 1 all, 0 the header alone
	Clusters  int         `json:"clusters"`
	Stages    []PlanStage `json:"stages"`
	Peak      int64       `json:"peak_bytes"`    // of the process
	Allowed   int64       `json:"allowed_bytes"` // to the process, by the machine and ‹max-memory›
	Fits      bool        `json:"fits"`
	Seconds   float64     `json:"seconds"` // of the stages whose time is known, roughly
	// Complete says whether the method's own stages are among Stages.
	Complete bool     `json:"complete"`
	Notes    []string `json:"notes"`
}

// MakePlan says what memory and time a clustering of a file will take, by stages, and does none of
// the work: it looks at the sizes alone ([corpus.Measure]). A request that [Cluster] refuses
// without the entries of the documents is refused here too.
//
// The bytes are those by which the stages ask for memory. Times are rough: they may be wrong by a
// factor of five, and more on other machines.
func MakePlan(ctx context.Context, file string, opt Options) (*Plan, error) {
	r, err := newRequest(opt, "cluster")
	if err != nil {
		return nil, wrapped(err)
	}
	j := &job{request: r, file: file}
	p, err := j.plan(ctx)
	return p, wrapped(j.inDocuments(err))
}

func (j *job) plan(ctx context.Context) (*Plan, error) {
	switch {
	case j.Source.Precomputed:
		return nil, invalid.Errorf("‹precomputed›: a plan is made from documents: leave it out")
	case j.Graph != "":
		return nil, invalid.Errorf("‹graph›: a plan counts the graph that the run makes itself: leave it out")
	case !j.ClusterRange.IsZero():
		return nil, invalid.Errorf("‹clusters›: a plan takes one number of clusters: give the largest of the range")
	}
	if err := j.settleText(ctx); err != nil {
		return nil, err
	}
	if err := checkFiles(ctx, j.file, j.Source.Truth, j.Labels, j.Constraints); err != nil {
		return nil, err
	}
	opt := j.readOptions()
	opt.Observer = nil
	size, err := corpus.Measure(ctx, j.file, opt)
	if err != nil {
		return nil, err
	}
	in, err := j.planned(size)
	if err != nil {
		return nil, err
	}
	at := method.Rates{Threads: native.Threads(), Entries: size.Entries, Dense: !size.Sparse}
	stages := j.reading(size, at)
	own, complete := j.config.(method.Planner)
	if complete {
		list, err := own.Plan(in, at)
		if err != nil {
			return nil, err
		}
		stages = append(stages, list...)
	}
	if j.spec.ThenKMeans() {
		dims := j.dimsGiven(in)
		at.Entries = size.Documents * dims
		stages = append(stages, kmeans.Planned(method.Shape(size.Documents, dims), at, j.KMeans.options(j.Clusters, j.Seed, nil)))
	}
	v := &Plan{File: j.file, Method: j.spec.Name, Documents: size.Documents, Terms: size.Terms, Entries: size.Entries, Sparse: size.Sparse,
		Share: size.Share, Clusters: j.Clusters, Complete: complete}
	if !complete {
		j.note(fmt.Sprintf("The method %s cannot say what its fit takes, so this is the least: its time grows with %s", j.spec.Name, j.spec.Grows))
	}
	v.sum(ctx, stages)
	v.Notes = nonNil(j.notes.all(true))
	return v, nil
}

// planned is the method's input with rows that hold their sizes alone, once the request was checked
// as far as sizes decide.
func (j *job) planned(size *corpus.Size) (*method.Input, error) {
	j.corpus = &corpus.Corpus{Name: j.file, Format: size.Format, X: method.Shape(size.Documents, size.Terms), ClassNames: size.Classes}
	if size.Sparse {
		x := &sparse.CSR{NumRows: size.Documents, NumCols: size.Terms, RowPtr: make([]int, size.Documents+1)}
		x.RowPtr[size.Documents] = size.Entries
		j.corpus.X = x
	}
	if size.Classes != nil {
		j.corpus.Labels = []int{}
	}
	if err := j.checkFormats(size.Format); err != nil {
		return nil, err
	}
	j.x = j.corpus.X
	if err := j.takePaper(); err != nil {
		return nil, err
	}
	if err := j.checkRelevant(j.fields(), j.data()); err != nil {
		return nil, err
	}
	j.noteDefault()
	if s := &j.Source; len(s.Classes) > 0 || s.RandomClasses > 0 {
		j.note("‹classes›: the plan counts all documents of the file, so the run takes less")
		if len(s.Classes) > 0 {
			size.Classes = s.Classes
		} else if s.RandomClasses <= len(size.Classes) {
			size.Classes = size.Classes[:s.RandomClasses]
		}
		j.corpus.ClassNames = size.Classes
	}
	if size.Share < 1 && size.Classes == nil && j.Clusters == 0 {
		return nil, invalid.Errorf("%s: a plan does not read the labels of a file as long as this, so the number of clusters is not known: give ‹clusters›", j.file)
	}
	learns := j.Labels != "" || j.LabeledFraction > 0
	if learns && size.Classes != nil {
		j.known.labels, j.known.names = []int{}, size.Classes
	} else if learns && j.Clusters == 0 {
		return nil, invalid.Errorf("%s: the classes of the labels are not known before they are read: give ‹clusters›", j.file)
	}
	if err := j.decideClusters(); err != nil {
		return nil, err
	}
	if learns && size.Classes == nil {
		j.known.labels = []int{}
		for k := range j.Clusters {
			j.known.names = append(j.known.names, strconv.Itoa(k+1))
		}
	}
	in := j.input()
	in.Clusters, in.Observer, in.Stages = j.Clusters, nil, nil
	if j.Constraints != "" {
		in.Links = new(links.Groups)
	}
	return in, nil
}

// reading are the stages before the method's.
func (j *job) reading(size *corpus.Size, at method.Rates) []method.Stage {
	const textBytes = 64 // of an id or a term
	rows := memory.Bytes(8, size.Entries)
	if size.Sparse {
		rows = memory.Bytes(12, size.Entries)
	}
	kept, weights := rows, rows
	if j.inSingle() {
		kept = memory.Bytes(4, size.Entries)
		weights = kept
		if size.Sparse {
			kept, weights = memory.Bytes(8, size.Entries), memory.Sum(memory.Bytes(8, size.Documents), memory.Bytes(8, size.Terms))
		}
	}
	names := memory.Bytes(textBytes, size.Documents)
	peak := memory.Sum(rows, rows, names)
	if j.inSingle() && !size.Sparse && !j.Source.Transpose { // which is done in double precision
		peak = memory.Sum(rows, kept, names)
		if corpus.ReadsSingle(size.Format) {
			peak = memory.Sum(kept, kept, names)
		}
	}
	if slices.Contains(corpus.TextFormats(), size.Format) {
		names = memory.Sum(names, memory.Bytes(textBytes, size.Terms))
		peak = memory.Sum(rows, rows, rows, names)
	}
	return []method.Stage{
		{Name: "read", Bytes: peak, Keeps: memory.Sum(kept, names), Seconds: 200e-9 * float64(size.Entries)},
		{Name: "weights", Bytes: weights, Keeps: weights, Seconds: at.Passes(float64(size.Entries), 10)},
	}
}

// dimsGiven is the number of coordinates in which k-means finds the clusters.
func (j *job) dimsGiven(in *method.Input) int {
	if f := option.Find(j.fields(), "dims"); f != nil {
		if n, err := strconv.Atoi(f.String()); err == nil && n > 0 {
			return n
		}
	}
	k := max(1, in.Clusters)
	if by := j.spec.Yields.Dims; by != nil {
		return min(by(k), in.Len())
	}
	return k
}

// sum adds the stages up: what each takes on top of what those before it keep.
func (v *Plan) sum(ctx context.Context, stages []method.Stage) {
	kept := int64(0)
	for _, s := range stages {
		p := PlanStage{Name: s.Name, Bytes: s.Bytes, Seconds: s.Seconds, Helps: nonNil(s.Helps),
			Peak: memory.Whole(programBytes + garbage*float64(memory.Sum(kept, s.Bytes)))}
		v.Stages = append(v.Stages, p)
		v.Peak, v.Seconds = max(v.Peak, p.Peak), v.Seconds+p.Seconds
		kept = memory.Sum(kept, s.Keeps)
	}
	v.Allowed = memory.Unknown
	if left := memory.Left(ctx); left != memory.Unknown {
		v.Allowed = memory.Sum(left, programBytes)
	}
	v.Fits = v.Peak <= v.Allowed
}

// Rows are the lines about the file and the sums, with the names of options as the function writes
// them.
func (v *Plan) Rows(name func(string) string) [][]string {
	read := "all of it was read"
	switch {
	case v.Share == 0:
		read = "by its header"
	case v.Share < 1:
		read = fmt.Sprintf("estimated from %.2g %% of it", 100*v.Share)
	}
	verdict := "it fits: " + words.Bytes(v.Allowed) + " are allowed"
	if !v.Fits {
		verdict = "it does not fit: " + words.Bytes(v.Allowed) + " are allowed by the machine or " + name(memory.OptionName)
	} else if v.Allowed == memory.Unknown {
		verdict = "no limit is known"
	}
	least := ""
	if !v.Complete {
		least = "at least "
	}
	rows := [][]string{
		{"file", fmt.Sprintf("%s: %s, %s, %s entries (%s)", v.File, words.Counted(v.Documents, "document"), words.Counted(v.Terms, "term"), words.Thousands(v.Entries), read)},
		{"method", fmt.Sprintf("%s, %s", v.Method, words.Counted(v.Clusters, "cluster"))},
		{"memory", least + words.Bytes(v.Peak) + " at the peak; " + verdict},
		{"time", least + "about " + roughly(v.Seconds) + " (rough)"},
	}
	if helps := v.Helps(); len(helps) > 0 {
		rows = append(rows, []string{"smaller by", strings.Join(helps, ", ")})
	}
	return rows
}

// As is the plan with the names of options as the function writes them.
func (v *Plan) As(name func(string) string) *Plan {
	out := *v
	out.Notes = make([]string, len(v.Notes))
	for i, n := range v.Notes {
		out.Notes[i] = words.Rename(n, name)
	}
	out.Stages = slices.Clone(v.Stages)
	for i, s := range v.Stages {
		out.Stages[i].Helps = make([]string, len(s.Helps))
		for k, h := range s.Helps {
			out.Stages[i].Helps[k] = words.Rename(h, name)
		}
	}
	return &out
}

// Helps are the options that make the stage of the peak smaller.
func (v *Plan) Helps() []string {
	for _, s := range v.Stages {
		if s.Peak == v.Peak {
			return s.Helps
		}
	}
	return nil
}

// StageRows are a table of the stages.
func (v *Plan) StageRows() [][]string {
	rows := [][]string{{"stage", "its arrays", "process", "time"}}
	for _, s := range v.Stages {
		rows = append(rows, []string{s.Name, words.Bytes(s.Bytes), words.Bytes(s.Peak), roughly(s.Seconds)})
	}
	return rows
}

// roughly writes a rough time with one or two digits.
func roughly(seconds float64) string {
	switch {
	case seconds < 1:
		return "below 1 s"
	case seconds < 100:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 6000:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.0f h", seconds/3600)
}
