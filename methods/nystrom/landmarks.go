package nystrom

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/manifold"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// landmarkStream is the stream of random numbers that landmarks are drawn from.
const landmarkStream = 0x6e797374

// blockRows is how many documents are placed at a time. Results do not depend on it but for
// rounding.
const blockRows = 1 << 14

// OnLandmarks fits count landmarks alone by fit and places all other documents by the placer of
// what was found, an *Extension. With count 0, or as many landmarks as documents, it is fit(ctx,
// in).
//
// The landmarks are all documents with a label or a link, and others drawn at random by the seed.
// Documents without entries are not drawn. dims is the number of dimensions, to which the number of
// landmarks must be suited.
//
// Time: fit of the landmarks, and (documents − landmarks)·landmarks pairs of rows. Memory: 8 bytes
// per document and dimension, and graph.Bytes of a block of documents. It returns the errors of fit
// and of graph.Attach, and an error for a count that does not fit the documents, their labels or
// links (errors.Is(err, fs.ErrInvalid)).
//
// Where ranks divide the documents, every rank has the rows of all landmarks and fits them, and
// places its own documents by them.
func OnLandmarks(ctx context.Context, in *method.Input, count, dims int, fit func(context.Context, *method.Input) (*method.Fitted, error)) (*method.Fitted, error) {
	if count == 0 || count == in.Len() {
		return fit(ctx, in)
	}
	list, err := landmarks(in, count, dims)
	if err != nil {
		return nil, err
	}
	here, _ := in.X.Dims()
	err = memory.Need(ctx, PlacingBytes(here, dims), "give fewer ‹dims›", "the coordinates of %s", words.Counted(in.Len(), "document"))
	if err = ranks.Agree(in.Share, err); err != nil {
		return nil, err
	}
	sub, err := among(in, list)
	if err != nil {
		return nil, err
	}
	out, err := fitAlone(ctx, in, sub, fit)
	if out == nil || out.Embedding == nil || err != nil && in.Share.Divided() || ctx.Err() != nil && !in.Share.Divided() {
		return out, err
	}
	if late := place(ctx, in, list, out); late != nil {
		out.Embedding = nil // it is of the landmarks alone
		return out, late
	}
	return out, err
}

// fitAlone fits the landmarks on every rank by itself, and makes what was found the same numbers on
// all of them: other processors may round differently.
func fitAlone(ctx context.Context, in, sub *method.Input, fit func(context.Context, *method.Input) (*method.Fitted, error)) (*method.Fitted, error) {
	out, err := fit(ranks.With(ctx, nil), sub)
	if err = ranks.Agree(in.Share, err); err != nil && in.Share.Divided() || out == nil || out.Embedding == nil {
		return out, err
	}
	in.Share.Share(out.Embedding.RawMatrix().Data)
	if p, ok := out.Placer.(*Extension); ok {
		in.Share.Share(p.Coordinates.RawMatrix().Data)
		in.Share.Share(p.Values)
	}
	return out, err
}

// NoLandmarks refuses landmarks where rows are embedded without the contract of package method,
// whose fits place the other documents.
func NoLandmarks(count int) error {
	if count == 0 {
		return nil
	}
	return invalid.Errorf("‹landmarks› %d has an effect in a fit by method.Spec.Fit alone: leave it out", count)
}

// PlacingBytes is the memory that placing n documents in dims dimensions takes beside the search
// for their neighbours, in bytes: their coordinates and the coordinates of a block.
func PlacingBytes(n, dims int) int64 {
	return memory.Sum(memory.Bytes(8, n, dims), memory.Bytes(3*8, min(n, blockRows), dims))
}

// landmarks draws the landmarks, numbered among the documents of all ranks, ascending. The draw
// does not depend on the number of ranks.
func landmarks(in *method.Input, count, dims int) ([]int, error) {
	n, first := in.Len(), in.Share.First()
	if in.X == nil || in.Graph != nil {
		return nil, invalid.Errorf("‹landmarks› makes a graph of a part of the documents, and an affinity matrix is given: leave one of them out")
	}
	if err := manifold.CheckLandmarks(in, count, dims); err != nil {
		return nil, err
	}
	here, _ := in.X.Dims()
	var own []int
	for i := range here {
		if in.Given != nil && in.Given.Labels[i] >= 0 || in.Links != nil && in.Links.Group[i] >= 0 {
			own = append(own, first+i)
		}
	}
	taken := make([]bool, n)
	all := ranks.GatherInts(in.Share, own)
	for _, i := range all {
		taken[i] = true
	}
	known := len(all)
	if known > count {
		what := "documents with labels"
		if in.Links != nil {
			what = "documents in constraints"
		}
		return nil, invalid.Errorf("‹landmarks› %d is fewer than the %s %s, each of which is a landmark: give at least ‹landmarks› %d, better twice as many, or leave ‹landmarks› out",
			count, words.Thousands(known), what, known)
	}
	left := make([]int, 0, n-known)
	empty := slices.Clone(rows.WithoutEntries(in.X))
	for at := range empty {
		empty[at] += first
	}
	empty = ranks.GatherInts(in.Share, empty)
	for i := range n {
		if _, none := slices.BinarySearch(empty, i); !none && !taken[i] {
			left = append(left, i)
		}
	}
	draw := min(count-known, len(left))
	rng := rand.New(rand.NewPCG(in.Seed, landmarkStream))
	for i := range draw {
		j := i + rng.IntN(len(left)-i)
		left[i], left[j] = left[j], left[i]
		taken[left[i]] = true
	}
	if known+draw == 0 {
		return nil, invalid.Errorf("no document has entries that are not zero, so none can be a landmark: look at how the input was read")
	}
	list := make([]int, 0, known+draw)
	for i, t := range taken {
		if t {
			list = append(list, i)
		}
	}
	return list, nil
}

// among is the input of the landmarks alone, which every rank has.
func among(in *method.Input, list []int) (*method.Input, error) {
	sub := *in
	own := within(list, in)
	var err error
	sub.X, err = method.Common(in, "landmarks", in.X, list, func() (mat.Matrix, error) { return rows.Gather(in.Share, in.X, own), nil })
	sub.Counts, sub.Share = nil, nil
	sub.Document = func(i int) string { return in.ID(list[i] - in.Share.First()) }
	if in.Given != nil {
		known := make([]int, len(own))
		for at, i := range own {
			known[at] = in.Given.Labels[i]
		}
		sub.Given = &method.Given{Labels: ranks.GatherInts(in.Share, known), Names: in.Given.Names}
	}
	if in.Links != nil {
		sub.Links = in.Links.Select(list)
	}
	return &sub, err
}

// within returns those landmarks that are this rank's documents, counted from its first.
func within(list []int, in *method.Input) []int {
	here, _ := in.X.Dims()
	first := in.Share.First()
	lo, _ := slices.BinarySearch(list, first)
	hi, _ := slices.BinarySearch(list, first+here)
	own := slices.Clone(list[lo:hi])
	for at := range own {
		own[at] -= first
	}
	return own
}

// place places this rank's documents that are no landmarks, and completes what was found of the
// landmarks.
func place(ctx context.Context, in *method.Input, list []int, out *method.Fitted) error {
	p, ok := out.Placer.(*Extension)
	if !ok {
		return fmt.Errorf("nystrom: a fit of landmarks has a %T in place of a placer by eigenvectors", out.Placer)
	}
	defer in.Stage("placing")()
	n, _ := in.X.Dims()
	own, first := within(list, in), in.Share.First()
	_, d := out.Embedding.Dims()
	all := mat.NewDense(n, d, nil)
	before, _ := slices.BinarySearch(list, first)
	for at, i := range own {
		all.SetRow(i, out.Embedding.RawRowView(before+at))
	}
	alone := make([]int, 0, len(out.Graph.Isolated))
	for _, at := range out.Graph.Isolated {
		if i := list[at] - first; i >= 0 && i < n {
			alone = append(alone, i)
		}
	}
	drawn := len(alone)
	err := placeRows(ctx, in, p, rows.Others(n, own), func(block []int, y *method.Placement) {
		for at, i := range block {
			all.SetRow(i, y.Embedding.RawRowView(at))
		}
		for _, at := range y.Isolated {
			alone = append(alone, block[at])
		}
	})
	if err = ranks.Agree(in.Share, err); err != nil {
		return err
	}
	slices.Sort(alone)
	p.Landmarks, out.Landmarks, out.Isolated, out.Embedding = list, list, alone, all
	far := ranks.Count(in.Share, len(alone)-drawn)
	text := fmt.Sprintf("%s of %s, drawn with seed %d; %s placed by them", words.Thousands(len(list)), words.Counted(in.Len(), "document"), in.Seed, words.Thousands(in.Len()-len(list)))
	if far > 0 {
		text += fmt.Sprintf(", of these %s without an affinity to any, at the origin", words.Thousands(far))
	}
	out.Facts = append(out.Facts, method.Line("landmarks", text), method.Found("landmarks", len(list)))
	return nil
}

// placeRows places the documents in a list, some at a time, and hands each block to take.
func placeRows(ctx context.Context, in *method.Input, p *Extension, list []int, take func(block []int, y *method.Placement)) error {
	placed := 0
	for block := range slices.Chunk(list, blockRows) {
		if err := ctx.Err(); err != nil {
			return err
		}
		y, err := p.Place(ctx, rows.Select(in.X, block), partOf(in.Observer, placed, len(list)))
		if err != nil {
			return err
		}
		take(block, y)
		placed += len(block)
	}
	return nil
}

// partOf reports the progress of a block as progress of all documents that are placed: done of them
// were placed before it.
func partOf(o progress.Observer, done, total int) progress.Observer {
	if o == nil {
		return nil
	}
	return func(e progress.Event) {
		if e.Message == "" {
			e.Done, e.Total, e.Left = e.Done+int64(done), int64(total), 0
			e.Stage = "placing"
		}
		o(e)
	}
}
