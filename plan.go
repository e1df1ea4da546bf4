package eigenmap

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/layout"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
)

// What the estimates of [MakePlan] add to the arrays of the stages.
const (
	// garbage is the resident memory per byte of arrays in use: freed arrays are collected only
	// when the heap has grown.
	garbage = 1.35
)

// PlanStage is what a stage of a run will take.
type PlanStage struct {
	Name string `json:"stage"`
	// Bytes are what its own arrays take at most, and Peak what the process takes during it.
	Bytes int64 `json:"bytes"`
	Peak  int64 `json:"peak_bytes"`
	// Received are the bytes that a rank receives from the others, roughly; 0: none, or not known.
	Received int64    `json:"received_bytes"`
	Seconds  float64  `json:"seconds"` // roughly; 0: not known
	Helps    []string `json:"helps"`   // options that make it smaller
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
	Ranks     int         `json:"ranks"`   // 0: one process without MPI
	Divided   bool        `json:"divided"` // each rank has a part of the documents
	Stages    []PlanStage `json:"stages"`
	Peak      int64       `json:"peak_bytes"`    // of the process: of the rank that takes the most
	Allowed   int64       `json:"allowed_bytes"` // to the process, by the machine and ‹max-memory›
	Fits      bool        `json:"fits"`
	Seconds   float64     `json:"seconds"` // of the stages whose time is known, roughly
	// Complete says whether the method's own stages are among Stages.
	Complete bool     `json:"complete"`
	Notes    []string `json:"notes"`

	settings []Setting
}

// Settings lists the options as a run would use them, as far as they are settled before it.
func (v *Plan) Settings() []Setting { return v.settings }

// DryRun is [MakePlan] of the command "cluster" or "embed" with all checks of the request that come
// before any reading. The number of clusters may be a range: the plan is of one run with the
// largest, and a note says so. Nothing is written.
func DryRun(ctx context.Context, file string, opt Options, command string) (*Plan, error) {
	if _, err := Prepare(opt, command); err != nil {
		return nil, err
	}
	opt.Work = ""
	r, err := requestOrCandidates(opt, "plan")
	if err != nil {
		return nil, wrapped(err)
	}
	j := &job{request: r, file: file, dry: command}
	p, err := j.plan(ctx, 0)
	return p, wrapped(j.inDocuments(err))
}

// MakePlan says what memory and time a clustering of a file will take, by stages, and does none of
// the work: it looks at the sizes alone ([corpus.Measure]). A request that [Cluster] refuses
// without the entries of the documents is refused here too.
//
// The bytes are those by which the stages ask for memory. Times are rough: they may be wrong by a
// factor of five, and more on other machines.
func MakePlan(ctx context.Context, file string, opt Options) (*Plan, error) {
	return PlanRanks(ctx, file, opt, 0)
}

// PlanRanks is [MakePlan] of a run that so many ranks under mpirun share, each with the threads of
// this process: what one of them takes, the one that takes the most. 0 ranks are one process
// without MPI, 1 is one with it. A rank may take the memory that this process may take. The bytes
// that a rank receives are an upper estimate for its largest exchanges.
func PlanRanks(ctx context.Context, file string, opt Options, ranks int) (*Plan, error) {
	r, err := requestOrCandidates(opt, "plan")
	if err != nil {
		return nil, wrapped(err)
	}
	if ranks < 0 {
		return nil, wrapped(invalid.Errorf("‹ranks› %d: give 1 or more", ranks))
	}
	j := &job{request: r, file: file}
	p, err := j.plan(ctx, ranks)
	return p, wrapped(j.inDocuments(err))
}

func (j *job) plan(ctx context.Context, size int) (*Plan, error) {
	team := ranks.With(ctx, ranks.Planned(size))
	if err := j.checkRanks(team); err != nil {
		return nil, err
	}
	switch {
	case j.Source.Precomputed:
		return nil, invalid.Errorf("‹precomputed›: a plan is made from documents: leave it out")
	case j.Graph != "":
		return nil, invalid.Errorf("‹graph›: a plan counts the graph that the run makes itself: leave it out")
	case !j.ClusterRange.IsZero() && j.dry == "":
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
	if j.sized == nil {
		var err error
		if j.sized, err = corpus.Measure(ctx, j.file, opt); err != nil {
			return nil, err
		}
	}
	file := j.sized
	vectors, err := j.plannedVectors(ctx, file)
	if err != nil {
		return nil, err
	}
	in, err := j.planned(file)
	if err != nil {
		return nil, err
	}
	at := method.Rates{Threads: native.Threads(), Entries: file.Entries, Dense: !file.Sparse}
	if vectors != nil {
		n, width := in.X.Dims()
		at.Entries, at.Dense = n*width, true
	}
	if size > 1 {
		if err := j.divide(team, in, &at); err != nil {
			return nil, err
		}
	}
	stages := append(j.reading(file, in, at), vectors...)
	var looks []method.Stage
	own, complete := j.config.(method.Planner)
	if complete {
		list, err := own.Plan(in, at)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			s.Helps = slices.DeleteFunc(slices.Clone(s.Helps), func(help string) bool { return !j.offers(help) })
			stages = append(stages, s)
		}
		if looks, err = j.plannedLooks(in, at); err != nil {
			return nil, err
		}
	}
	dims := j.dimsGiven(in)
	if j.spec.ThenKMeans() && j.dry != "embed" {
		at.Entries = file.Documents * dims
		rows, _ := in.X.Dims()
		opt := j.KMeans.options(j.Clusters, j.Seed, nil)
		opt.Share = in.Share
		stages = append(stages, kmeans.Planned(method.Shape(rows, dims), at, opt))
	}
	stages = append(stages, looks...)
	if in.Share.Divided() {
		stages = append(stages, j.ending(in, file, dims)...)
	}
	if j.dry != "embed" && j.wantsMap(true) {
		stages = append(stages, layout.Planned(file.Documents, at))
	}
	v := &Plan{File: j.file, Method: j.spec.Name, Documents: file.Documents, Terms: file.Terms, Entries: file.Entries, Sparse: file.Sparse,
		Share: file.Share, Clusters: j.Clusters, Ranks: size, Divided: in.Share.Divided(), Complete: complete}
	if !complete {
		j.note(fmt.Sprintf("The method %s cannot say what its fit takes, so this is the least: its time grows with %s", j.spec.Name, j.spec.Grows))
	}
	v.sum(ctx, stages, j.program(size))
	v.settings = j.settings()
	v.Notes = nonNil(j.notes.all(true))
	return v, nil
}

// offers says whether a run has the option that helps a stage, as ‹name› or ‹name› value: stages
// are planned by packages that methods share, some of which leave options out.
func (j *job) offers(help string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(help, "‹"), "›")
	switch name {
	case "ranks":
		return j.spec.Divided
	case "threads":
		return true
	}
	return option.Find(j.fields(), name) != nil
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
	j.settleWeights(j.isText())
	if j.vectors != nil {
		j.x = j.vectors.X
	}
	if err := j.settleOptions(); err != nil {
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
	open := j.countOpen()
	if size.Share < 1 && size.Classes == nil && open && j.dry != "embed" {
		return nil, invalid.Errorf("%s: a plan does not read the labels of a file as long as this, so the number of clusters is not known: give ‹clusters›", j.file)
	}
	learns := j.Labels != "" || j.LabeledFraction > 0
	if learns && size.Classes != nil {
		j.known.labels, j.known.names = []int{}, size.Classes
	} else if learns && open {
		return nil, invalid.Errorf("%s: the classes of the labels are not known before they are read: give ‹clusters›", j.file)
	}
	if learns && size.Classes == nil { // as many classes as ‹clusters› says, the most of a range
		j.known.labels = []int{}
		for k := range max(j.Clusters, j.ClusterRange.To) {
			j.known.names = append(j.known.names, strconv.Itoa(k+1))
		}
	}
	if err := j.plannedClusters(); err != nil {
		return nil, err
	}
	in := j.input()
	in.Clusters, in.Observer, in.Stages = j.Clusters, nil, nil
	j.expectLabels(in, size.Documents)
	if j.Constraints != "" {
		in.Links = new(links.Groups)
	}
	return in, nil
}

// expectLabels says how many of n documents will have a known label.
func (j *job) expectLabels(in *method.Input, n int) {
	if in.Given == nil {
		return
	}
	if in.Given.Expected = int(math.Ceil(j.LabeledFraction * float64(n))); in.Given.Expected == 0 {
		j.note(fmt.Sprintf("‹labels›: a plan does not read them, and takes %s as labelled", words.Counted(in.Labelled(), "document")))
	}
}

// countOpen says that the number of clusters is as many as there are classes.
func (j *job) countOpen() bool {
	return j.Clusters == 0 && j.ClusterRange.IsZero() && !j.spec.Yields.Number
}

// plannedClusters settles the number of clusters, the largest of a range; an embedding has none.
func (j *job) plannedClusters() error {
	if j.dry == "embed" {
		return nil
	}
	if err := j.decideClusters(); err != nil {
		return err
	}
	if s := j.ClusterRange; !s.IsZero() {
		asked := "auto: the run finds how many there are"
		if !s.Auto {
			asked = fmt.Sprintf("%d-%d: the run chooses from the range", s.From, s.To)
		}
		j.note(fmt.Sprintf("‹clusters› %s; the plan is of one run with %d clusters", asked, s.To))
		j.Clusters, j.ClusterRange = s.To, KRange{}
	}
	return nil
}

// reading are the stages before the method's. Entries as they were read take 8 bytes in double
// precision and 4 of a column; their weights 8 more, unless they are the entries themselves.
func (j *job) reading(size *corpus.Size, in *method.Input, at method.Rates) []method.Stage {
	const textBytes = 64 // of an id or a term
	own := size.Entries
	if in.Share.Divided() {
		own = int(float64(own) / float64(in.Len()) * float64(in.Share.Own()))
	}
	isText := slices.Contains(corpus.TextFormats(), size.Format)
	rows := func(entries int) int64 {
		if size.Sparse {
			return memory.Bytes(12, entries)
		}
		return memory.Bytes(8, entries)
	}
	here := size.Entries // while the file is read
	if in.Share.Divided() && corpus.ReadsInParts(j.file, size.Format) {
		here = own
	}
	whole, kept, weights := rows(here), rows(own), memory.Bytes(8, own)
	if j.inSingle() {
		kept = memory.Bytes(4, size.Entries)
		weights = kept
		if size.Sparse {
			kept, weights = memory.Bytes(8, size.Entries), memory.Sum(memory.Bytes(8, size.Documents), memory.Bytes(8, size.Terms))
		}
	}
	if j.Weighting == corpus.WeightTF && j.Normalize == corpus.NormNone {
		weights = 0
	}
	names := memory.Bytes(textBytes, size.Documents)
	peak := memory.Sum(whole, whole, names)
	if j.inSingle() && !size.Sparse && !j.Source.Transpose { // which is done in double precision
		peak = memory.Sum(whole, kept, names)
		if corpus.ReadsSingle(size.Format) {
			peak = memory.Sum(kept, kept, names)
		}
	}
	if isText {
		names = memory.Sum(names, memory.Bytes(textBytes, size.Terms), memory.Bytes(int64(j.readOptions().Snippets), size.Documents))
		peak = memory.Sum(whole, whole, whole, names)
	}
	read := method.Stage{Name: "read", Bytes: peak, Keeps: memory.Sum(kept, names), Seconds: 200e-9 * float64(here)}
	if in.Share.Divided() { // half of the bytes of a name are the string's own
		read.Received = memory.Bytes(textBytes/2, size.Documents-in.Share.Own())
	}
	return []method.Stage{read,
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
// The program itself takes some bytes.
func (v *Plan) sum(ctx context.Context, stages []method.Stage, program float64) {
	kept := int64(0)
	for _, s := range stages {
		p := PlanStage{Name: s.Name, Bytes: s.Bytes, Seconds: s.Seconds, Helps: nonNil(s.Helps),
			Received: s.Received, Peak: memory.Whole(program + garbage*float64(memory.Sum(kept, s.Bytes)))}
		v.Stages = append(v.Stages, p)
		v.Peak, v.Seconds = max(v.Peak, p.Peak), v.Seconds+p.Seconds
		kept = memory.Sum(kept, s.Keeps)
	}
	v.Allowed = memory.Unknown
	if left := memory.Left(ctx); left != memory.Unknown {
		v.Allowed = memory.Sum(left, int64(program))
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
	of, each := "", ""
	if v.Ranks > 1 {
		of = fmt.Sprintf(" of the largest rank, at most %s of all %d", words.Bytes(memory.Bytes(v.Peak, v.Ranks)), v.Ranks)
		each = " to each rank"
	}
	verdict := "it fits: " + words.Bytes(v.Allowed) + " are allowed" + each
	if !v.Fits {
		verdict = "it does not fit: " + words.Bytes(v.Allowed) + " are allowed" + each + " by the machine or " + name(memory.OptionName)
	} else if v.Allowed == memory.Unknown {
		verdict = "no limit is known"
	}
	least := ""
	if !v.Complete {
		least = "at least "
	}
	time := roughly(v.Seconds)
	if v.Seconds >= 1 {
		time = least + "about " + time
	}
	method := v.Method
	if v.Clusters > 0 {
		method = fmt.Sprintf("%s, %s", v.Method, words.Counted(v.Clusters, "cluster"))
	}
	rows := [][]string{
		{"file", fmt.Sprintf("%s: %s, %s, %s entries (%s)", v.File, words.Counted(v.Documents, "document"), words.Counted(v.Terms, "term"), words.Thousands(v.Entries), read)},
		{"method", method},
		{"memory", least + words.Bytes(v.Peak) + " at the peak" + of + "; " + verdict},
		{"time", time + " (rough)"},
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

// StageRows are a table of the stages: of one rank, where ranks divide the documents.
func (v *Plan) StageRows() [][]string {
	rows := [][]string{{"stage", "its arrays", "process", "time"}}
	if v.Divided {
		rows[0] = append(rows[0], "received")
	}
	for _, s := range v.Stages {
		row := []string{s.Name, words.Bytes(s.Bytes), words.Bytes(s.Peak), roughly(s.Seconds)}
		if v.Divided {
			row = append(row, words.Bytes(s.Received))
		}
		rows = append(rows, row)
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
