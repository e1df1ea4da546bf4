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

// calibrate replaces the scores of the documents by calibrated confidences. config are the options
// of the method before the fit. All ranks call it, and each makes the same curve.
func (r *Run) calibrate(ctx context.Context, config method.Options) error {
	j := r.j
	if r.orders == nil || j.Confidence == confidenceRaw {
		return nil
	}
	defer j.stage("calibrate")()
	why, err := r.unfitForLooks(), error(nil)
	if why == "" {
		err = r.look(store.With(ranks.With(ctx, ranks.Alone{}), nil), config)
		if stop := ranks.Stopped(ctx); stop != nil {
			return stop
		}
		if err = ranks.Agree(ranks.From(ctx), err); err != nil {
			why = plainNames(strings.TrimSuffix(err.Error(), "."))
		}
	}
	if why != "" {
		r.calibration = nil
		j.note("The confidence is the method's own score and not calibrated: " + why)
		return nil
	}
	r.Confidence = r.calibration.Of(r.orders)
	for _, i := range r.isolated {
		r.Confidence[i] = 0
	}
	return nil
}

// unfitForLooks says why there can be no second look at the corpus, "" if there can.
func (r *Run) unfitForLooks() string {
	j := r.j
	switch n := j.corpus.Len() / 2; {
	case j.x == nil:
		return "the affinity alone was given"
	case j.graph != nil && j.joined == nil:
		return "the graph was made elsewhere"
	case j.known.groups != nil:
		return "links join documents of all of the corpus"
	case n < leastLook || n < 2*len(r.Sizes):
		return fmt.Sprintf("%s are too few for %s", words.Counted(j.corpus.Len(), "document"), words.Counted(len(r.Sizes), "cluster"))
	}
	return ""
}

// look takes the second looks and makes the curve.
func (r *Run) look(ctx context.Context, config method.Options) error {
	var score []float64
	var same []bool
	for number, share := range lookTerms[r.j.data()] {
		rng := rand.New(rand.NewPCG(r.j.Seed, uint64(number)+1))
		fitted, held := r.parts(rng)
		if len(held) == 0 {
			return invalid.Errorf("every document has a known label, and none is left to be placed")
		}
		terms := someTerms(rng, r.j.columns(), share)
		found, rows, err := r.second(ctx, config, uint64(number)+1, fitted, held, terms)
		if err != nil {
			return err
		}
		own := pick(r.Labels, rows)
		table, err := metrics.NewTable(own, found)
		if err != nil {
			return err
		}
		as := table.Assignment()
		for q, i := range rows {
			score = append(score, r.orders[i])
			same = append(same, as[slices.Index(table.Clusters, found[q])] == slices.Index(table.Classes, own[q]))
		}
	}
	r.calibration = model.NewCalibration(score, same)
	return nil
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
func (r *Run) parts(rng *rand.Rand) (fitted, held []int) {
	n := r.j.corpus.Len()
	most := min(n/2, lookDocuments)
	for _, i := range rng.Perm(n) {
		known := r.j.known.labels != nil && r.j.known.labels[i] >= 0
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
func (r *Run) second(ctx context.Context, config method.Options, more uint64, fitted, held, terms []int) (found, rows []int, err error) {
	j := r.j
	known := j.known.labels
	trial := &Run{command: "cluster", j: j.trial(j.request, known)}
	t := trial.j
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
	placer, err := trial.fitLook(ctx, j)
	if err == nil && placer == nil {
		found, rows = trial.Labels, fitted
	} else if err == nil {
		rows = held
		found, err = trial.placeLook(ctx, placer, x)
	}
	return found, rows, ranks.Agree(j.share, err)
}

// fitLook clusters the part of j's documents that the look takes.
func (r *Run) fitLook(ctx context.Context, j *job) (placer method.Placer, err error) {
	t := r.j
	if j.graph != nil {
		if t.graph, err = graph.Build(ctx, t.x, *j.joined); err != nil {
			return nil, err
		}
	}
	in := t.input()
	in.Together = j.countsOnce()
	f, err := t.spec.Fit(ctx, t.config, in)
	if err != nil {
		return nil, err
	}
	if r.take(f); r.clusters == nil {
		err = r.clusterCoordinates(ctx)
	}
	return f.Placer, err
}

// placeLook finds the clusters of further documents.
func (r *Run) placeLook(ctx context.Context, placer method.Placer, x mat.Matrix) ([]int, error) {
	at, err := placer.Place(ctx, x, nil)
	if err != nil {
		return nil, err
	}
	if at.Labels == nil {
		if at.Embedding != nil {
			x = at.Embedding
		}
		at.Labels, err = (&kmeans.Model{Centers: r.clusters.Centers}).Predict(ctx, x)
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
