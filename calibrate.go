package eigenmap

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Each method has a score of its own for how sure a cluster is: a probability, a ratio of
// distances, a margin. A calibration turns it into the share of documents like this one that get
// the same cluster again from a second look at the corpus: the method on one half of the documents
// and a part of the terms, which then places the other half. So a confidence means the same in
// every method. See docs/confidence.md.

// The values of Options.Confidence.
const (
	confidenceCalibrated = "calibrated"
	confidenceRaw        = "raw"
)

const (
	// lookDocuments is the most documents of a second look that are clustered, and the most that
	// are placed.
	lookDocuments = 2000
	// leastLook is the least number of documents that are clustered; there must be two per cluster.
	leastLook = 20
	// leastTerms is the least number of columns of a look, if there are so many.
	leastTerms = 16
)

// lookTerms are the shares of the columns that the second looks have: of texts all and half of the
// terms; of dense data, whose columns say the same several times, half and a quarter. Shares and
// looks were chosen so that the mean confidence comes near the accuracy (docs/confidence.md).
var lookTerms = map[option.Data][]float64{option.SparseData: {1, 0.5}, option.DenseData: {0.5, 0.25}}

// looks are second looks at the documents of a job.
type looks struct {
	j        *job
	labels   []int // the cluster of each document
	clusters int
	scores   []float64 // by which the method orders the documents
}

// calibrate returns the curve from the scores of the documents to calibrated confidences; nil, with
// a note, where there can be none. labels are the clusters of the documents, and config the options
// of the method before the fit. All ranks call it, and each makes the same curve.
func calibrate(ctx context.Context, j *job, config method.Options, labels []int, clusters int, scores []float64) (*model.Calibration, error) {
	defer j.stage("calibrate")()
	l := &looks{j, labels, clusters, scores}
	why, curve := l.unfit(), (*model.Calibration)(nil)
	if why == "" {
		var err error
		curve, err = l.look(store.With(ranks.With(ctx, ranks.Alone{}), nil), config)
		if stop := ranks.Stopped(ctx); stop != nil {
			return nil, stop
		}
		if err = ranks.Agree(ranks.From(ctx), err); err != nil {
			why = plainNames(strings.TrimSuffix(err.Error(), "."))
		}
	}
	if why != "" {
		j.note("The confidence is the method's own score and not calibrated: " + why)
		return nil, nil
	}
	return curve, nil
}

// unfit says why there can be no second look at the corpus, "" if there can.
func (l *looks) unfit() string {
	j := l.j
	switch n := j.corpus.Len() / 2; {
	case j.x == nil:
		return "the affinity alone was given"
	case j.graph != nil && j.joined == nil:
		return "the graph was made elsewhere"
	case j.known.groups != nil:
		return "links join documents of all of the corpus"
	case n < leastLook || n < 2*l.clusters:
		return fmt.Sprintf("%s are too few for %s", words.Counted(j.corpus.Len(), "document"), words.Counted(l.clusters, "cluster"))
	}
	return ""
}

// look takes the second looks and makes the curve.
func (l *looks) look(ctx context.Context, config method.Options) (*model.Calibration, error) {
	var score []float64
	var same []bool
	for number, share := range lookTerms[l.j.data()] {
		rng := rand.New(rand.NewPCG(l.j.Seed, uint64(number)+1))
		fitted, held := l.parts(rng)
		if len(held) == 0 {
			return nil, invalid.Errorf("every document has a known label, and none is left to be placed")
		}
		terms := someTerms(rng, l.j.columns(), share)
		found, rows, err := l.second(ctx, config, uint64(number)+1, fitted, held, terms)
		if err != nil {
			return nil, err
		}
		own := pick(l.labels, rows)
		table, err := metrics.NewTable(own, found)
		if err != nil {
			return nil, err
		}
		as := table.Assignment()
		for q, i := range rows {
			score = append(score, l.scores[i])
			same = append(same, as[slices.Index(table.Clusters, found[q])] == slices.Index(table.Classes, own[q]))
		}
	}
	return model.NewCalibration(score, same), nil
}

// plannedLooks are the second looks as a stage of a plan, by what the method says of parts: none if
// there can be no looks. Every rank takes them alone, on its own threads.
func (j *job) plannedLooks(in *method.Input, at method.Rates) ([]method.Stage, error) {
	n := in.Len()
	part := min(n/2, lookDocuments)
	if j.dry == "embed" || j.Confidence == confidenceRaw || in.Links != nil || n/2 < max(leastLook, 2*j.Clusters) {
		return nil, nil
	}
	at = at.Of(part, n)
	at.Threads = native.Threads()
	look := *in
	look.Share = nil
	_, columns := in.X.Dims()
	bytes := memory.Bytes(8, part, columns)
	if look.X = method.Shape(part, columns); !at.Dense {
		x := &sparse.CSR{NumRows: part, NumCols: columns, RowPtr: make([]int, part+1)}
		x.RowPtr[part] = at.Entries
		look.X, bytes = x, memory.Sum(memory.Bytes(12, at.Entries), memory.Bytes(8, part))
	}
	stages, err := j.ofPart(j.config, part).(method.Planner).Plan(&look, at)
	if err != nil {
		return nil, err
	}
	one := method.AsOne("calibrate", 0, stages...)
	one.Helps = []string{"‹confidence› raw"}
	one.Bytes = memory.Sum(one.Bytes, memory.Bytes(bytes, 4)) // rows of two parts, and the copies they are made of
	one.Seconds *= float64(len(lookTerms[j.data()]))
	return []method.Stage{one}, nil
}

// ofPart are the options of a method for a part of the documents: with the decisions of all of
// them, and no more landmarks or neighbours than the part has documents.
func (j *job) ofPart(config method.Options, documents int) method.Options {
	own := option.Clone(config).(method.Options)
	if d, ok := own.(method.Deciding); ok {
		own = d.Decided(j.corpus.Len(), j.columns())
	}
	for name, most := range map[string]int{"landmarks": documents, "neighbors": documents - 1} {
		f := option.Find(option.Of(own), name)
		if f == nil || !f.IsSet() {
			continue
		}
		if n, err := strconv.Atoi(f.String()); err == nil && n > most {
			if err := f.Set(strconv.Itoa(most)); err != nil {
				panic(err) // a number of at least 1
			}
		}
	}
	return own
}

// parts are the documents of a look that are clustered and that are placed, ascending: halves, or
// lookDocuments each. Documents with a known label are never placed: they are clustered, up to
// twice lookDocuments in all.
func (l *looks) parts(rng *rand.Rand) (fitted, held []int) {
	n := l.j.corpus.Len()
	most := min(n/2, lookDocuments)
	for _, i := range rng.Perm(n) {
		known := l.j.known.labels != nil && l.j.known.labels[i] >= 0
		switch {
		case known && len(fitted) < 2*lookDocuments || !known && len(fitted) < most:
			fitted = append(fitted, i)
		case !known && len(held) < most:
			held = append(held, i)
		}
	}
	slices.Sort(fitted)
	slices.Sort(held)
	return fitted, held
}

// someTerms are the columns of a look, ascending.
func someTerms(rng *rand.Rand, columns int, share float64) []int {
	terms := rng.Perm(columns)[:max(int(share*float64(columns)), min(columns, leastTerms))]
	slices.Sort(terms)
	return terms
}

// second clusters a part of the documents by a part of the terms and places others: it returns the
// clusters of these, and which documents they are. Of a method that places no new documents it
// returns the clusters of the first part.
func (l *looks) second(ctx context.Context, config method.Options, more uint64, fitted, held, terms []int) (found, rows []int, err error) {
	j := l.j
	known := j.known.labels
	t := j.trial(j.request, known)
	t.Seed, t.graph, t.inMemory, t.Confidence = j.Seed+more, nil, true, confidenceRaw
	// The ranks gather the rows together, and each then works on all of them alone.
	if t.x, fitted, err = j.view(j.x, fitted, terms, true); err != nil {
		return nil, nil, err
	}
	t.config = j.ofPart(config, len(fitted))
	counts := t.x
	// The columns of vectors are others, and no method sees counts then.
	given, ok := j.rowsHere().X.(*sparse.CSR)
	if raw := ok && j.x == mat.Matrix(given) && j.Normalize != corpus.NormL2; j.vectors == nil && !raw {
		if counts, _, err = j.view(j.rowsHere().X, fitted, terms, false); err != nil {
			return nil, nil, err
		}
	}
	x, held, err := j.view(j.x, held, terms, true)
	if err != nil {
		return nil, nil, err
	}
	t.corpus = &corpus.Corpus{Name: j.corpus.Name, X: counts}
	if known != nil {
		t.known.labels = pick(known, fitted)
	}
	placer, clusters, err := l.fit(ctx, t)
	if err == nil && placer == nil {
		found, rows = clusters.Labels, fitted
	} else if err == nil {
		rows = held
		found, err = place(ctx, placer, clusters.Centers, x)
	}
	return found, rows, ranks.Agree(j.share, err)
}

// fit clusters the part of the documents that the look takes, the documents of t.
func (l *looks) fit(ctx context.Context, t *job) (placer method.Placer, found *method.Clusters, err error) {
	if l.j.graph != nil {
		if t.graph, err = graph.Build(ctx, t.x, *l.j.joined); err != nil {
			return nil, nil, err
		}
	}
	in := t.input()
	in.Together = l.j.countsOnce()
	f, found, err := t.fitOnce(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	return f.Placer, found, nil
}

// place finds the clusters of further documents.
func place(ctx context.Context, placer method.Placer, centers *mat.Dense, x mat.Matrix) ([]int, error) {
	at, err := placer.Place(ctx, x, nil)
	if err != nil {
		return nil, err
	}
	if at.Labels == nil {
		if at.Embedding != nil {
			x = at.Embedding
		}
		at.Labels, err = (&kmeans.Model{Centers: centers}).Predict(ctx, x)
	}
	return at.Labels, err
}

// view are rows of x, numbered among the documents of all ranks, with some of its columns: in
// double precision, of unit length if the documents are. If full, rows left without entries are
// left out, and kept are the others.
func (j *job) view(x mat.Matrix, rows, terms []int, full bool) (part mat.Matrix, kept []int, err error) {
	first := j.share.First()
	own := rows
	if j.share.Divided() {
		lo, _ := slices.BinarySearch(rows, first)
		hi, _ := slices.BinarySearch(rows, first+j.share.Own())
		own = slices.Clone(rows[lo:hi])
		for q := range own {
			own[q] -= first
		}
	}
	kept = rows
	if sparse.Is(x) {
		x, err = sparse.Stored(sparse.SelectRows(x, own)) // a rank may have none of the rows
		if err = ranks.Agree(j.share, err); err != nil {
			return nil, nil, err
		}
		s := x.(*sparse.CSR)
		if len(terms) < s.NumCols {
			s = s.SelectCols(terms)
		}
		s = gatherRows(j.share, s)
		if full {
			filled := []int{}
			kept = nil
			for q := range s.NumRows {
				if s.RowPtr[q+1] > s.RowPtr[q] {
					filled, kept = append(filled, q), append(kept, rows[q])
				}
			}
			if len(filled) < s.NumRows {
				s = s.SelectRows(filled)
			}
		}
		part = s
	} else {
		data := make([]float64, 0, len(own)*len(terms))
		for _, i := range own {
			for _, c := range terms {
				data = append(data, x.At(i, c))
			}
		}
		part = mat.NewDense(len(rows), len(terms), ranks.GatherFloats(j.share, data))
	}
	if full && j.Normalize == corpus.NormL2 {
		part, err = (&corpus.Corpus{X: part}).Weighted(corpus.WeightTF, corpus.NormL2)
	}
	return part, kept, err
}

// gatherRows are the rows of all ranks, in their order.
func gatherRows(share *ranks.Share, own *sparse.CSR) *sparse.CSR {
	if !share.Divided() {
		return own
	}
	lengths, cols := make([]int, own.NumRows), make([]int, len(own.Col))
	for i := range lengths {
		lengths[i] = own.RowPtr[i+1] - own.RowPtr[i]
	}
	for e, c := range own.Col {
		cols[e] = int(c)
	}
	lengths, cols = ranks.GatherInts(share, lengths), ranks.GatherInts(share, cols)
	all := &sparse.CSR{NumRows: len(lengths), NumCols: own.NumCols, RowPtr: make([]int, len(lengths)+1), Col: make([]int32, len(cols)), Val: ranks.GatherFloats(share, own.Val)}
	for i, n := range lengths {
		all.RowPtr[i+1] = all.RowPtr[i] + n
	}
	for e, c := range cols {
		all.Col[e] = int32(c)
	}
	return all
}
