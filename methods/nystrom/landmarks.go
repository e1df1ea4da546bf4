package nystrom

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
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
// what was found, an *Extension. With count 0, or as many landmarks as documents, it is fit(in).
//
// The landmarks are all documents with a label or a link, and others drawn at random by the seed.
// Documents without entries are not drawn. dims is the number of dimensions, to which the number of
// landmarks must be suited.
//
// Time: fit of the landmarks, and (documents − landmarks)·landmarks pairs of rows. Memory: 8 bytes
// per document and dimension, and graph.Bytes of a block of documents. Errors: those of fit and of
// graph.Attach, and a count that does not fit the documents, their labels or links
// (errors.Is(err, fs.ErrInvalid)).
func OnLandmarks(ctx context.Context, in *method.Input, count, dims int, fit func(*method.Input) (*method.Fitted, error)) (*method.Fitted, error) {
	if count == 0 || count == in.Len() {
		return fit(in)
	}
	list, err := landmarks(in, count, dims)
	if err != nil {
		return nil, err
	}
	if err := memory.Check(PlacingBytes(in.Len(), dims), memory.Left(ctx), "give fewer ‹dims›", "the coordinates of %s", words.Counted(in.Len(), "document")); err != nil {
		return nil, err
	}
	sub, err := among(in, list)
	if err != nil {
		return nil, err
	}
	out, err := fit(sub)
	if out == nil || out.Embedding == nil || ctx.Err() != nil {
		return out, err
	}
	if late := place(ctx, in, list, out); late != nil {
		out.Embedding = nil // it is of the landmarks alone
		return out, late
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
// for their neighbours, in bytes: their coordinates and those of a block.
func PlacingBytes(n, dims int) int64 {
	return memory.Sum(memory.Bytes(8, n, dims), memory.Bytes(3*8, min(n, blockRows), dims))
}

// landmarks draws the landmarks, ascending.
func landmarks(in *method.Input, count, dims int) ([]int, error) {
	n := in.Len()
	if in.X == nil || in.Graph != nil {
		return nil, invalid.Errorf("‹landmarks› makes a graph of a part of the documents, and an affinity matrix is given: leave one of them out")
	}
	if err := manifold.CheckLandmarks(in, count, dims); err != nil {
		return nil, err
	}
	taken := make([]bool, n)
	known := 0
	for i := range n {
		if in.Given != nil && in.Given.Labels[i] >= 0 || in.Links != nil && in.Links.Group[i] >= 0 {
			taken[i] = true
			known++
		}
	}
	if known > count {
		what := "documents with labels"
		if in.Links != nil {
			what = "documents in constraints"
		}
		return nil, invalid.Errorf("‹landmarks› %d is fewer than the %s %s, each of which is a landmark: give at least ‹landmarks› %d, better twice as many, or leave ‹landmarks› out",
			count, words.Thousands(known), what, known)
	}
	left := make([]int, 0, n-known)
	empty := rows.WithoutEntries(in.X)
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
	list := make([]int, 0, known+draw)
	for i, t := range taken {
		if t {
			list = append(list, i)
		}
	}
	return list, nil
}

// among is the input of the documents in a list alone.
func among(in *method.Input, list []int) (*method.Input, error) {
	sub := *in
	var err error
	sub.X, err = method.Common(in, "landmarks", in.X, list, func() (mat.Matrix, error) { return rows.Select(in.X, list), nil })
	sub.Counts = nil
	sub.Document = func(i int) string { return in.ID(list[i]) }
	if in.Given != nil {
		given := &method.Given{Labels: make([]int, len(list)), Names: in.Given.Names}
		for at, i := range list {
			given.Labels[at] = in.Given.Labels[i]
		}
		sub.Given = given
	}
	if in.Links != nil {
		sub.Links = in.Links.Select(list)
	}
	return &sub, err
}

// place places the documents that are no landmarks, and completes what was found of the landmarks.
func place(ctx context.Context, in *method.Input, list []int, out *method.Fitted) error {
	p, ok := out.Placer.(*Extension)
	if !ok {
		return fmt.Errorf("nystrom: a fit of landmarks has a %T in place of a placer by eigenvectors", out.Placer)
	}
	defer in.Stage("placing")()
	n, placed := in.Len(), 0
	_, d := out.Embedding.Dims()
	all := mat.NewDense(n, d, nil)
	for at, i := range list {
		all.SetRow(i, out.Embedding.RawRowView(at))
	}
	alone := make([]int, 0, len(out.Graph.Isolated))
	for _, at := range out.Graph.Isolated {
		alone = append(alone, list[at])
	}
	for block := range slices.Chunk(others(n, list), blockRows) {
		if err := ctx.Err(); err != nil {
			return err
		}
		y, err := p.Place(ctx, rows.Select(in.X, block), partOf(in.Observer, placed, n-len(list)))
		if err != nil {
			return err
		}
		for at, i := range block {
			all.SetRow(i, y.Embedding.RawRowView(at))
		}
		for _, at := range y.Isolated {
			alone = append(alone, block[at])
		}
		placed += len(block)
	}
	slices.Sort(alone)
	p.Landmarks, out.Landmarks, out.Isolated, out.Embedding = list, list, alone, all
	text := fmt.Sprintf("%s of %s, drawn with seed %d; %s placed by them", words.Thousands(len(list)), words.Counted(n, "document"), in.Seed, words.Thousands(placed))
	if far := len(alone) - len(out.Graph.Isolated); far > 0 {
		text += fmt.Sprintf(", of these %s without an affinity to any, at the origin", words.Thousands(far))
	}
	out.Facts = append(out.Facts, method.Line("landmarks", text), method.Found("landmarks", len(list)))
	return nil
}

// others are the documents below n that are not in an ascending list, ascending.
func others(n int, list []int) []int {
	rest := make([]int, 0, n-len(list))
	for i := range n {
		if len(list) > 0 && list[0] == i {
			list = list[1:]
			continue
		}
		rest = append(rest, i)
	}
	return rest
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
