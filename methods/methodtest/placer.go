package methodtest

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// near is how far, relative to the largest coordinate, a training row may be placed from where it
// was.
const near = 1e-8

// apart is how far a row may be placed from where it is placed among other rows: blocks of another
// size may round otherwise.
const apart = 1e-12

// placed are the samples whose fits have a placer.
func (s *suite) placed() (list []sample, fits []*method.Fitted) {
	for _, sm := range s.samples(small) {
		if out := s.plain(sm); out != nil && out.Placer != nil && sm.fresh != nil {
			list, fits = append(list, sm), append(fits, out)
		}
	}
	if s.spec.Placer != nil && list == nil {
		s.badf("no sample has a placer, though the method places new documents")
	}
	return list, fits
}

// place calls a placer; an error is a fault.
func (s *suite) place(what string, p method.Placer, x mat.Matrix) *method.Placement {
	var out *method.Placement
	err := s.guarded(func() (err error) {
		out, err = p.Place(background, x, nil)
		return err
	})
	if err != nil {
		s.badf("%s: placing fails: %v", what, err)
		return nil
	}
	return out
}

// modelOf is the model's file of a fit.
func (s *suite) modelOf(sm sample, out *method.Fitted) *model.Model {
	n, cols := sm.input().X.Dims()
	_, isSparse := sm.input().X.(*sparse.CSR)
	m := &model.Model{Method: s.spec.Name, Documents: n, Rows: model.Rows{Columns: cols, Sparse: isSparse}, Part: out.Placer, Seed: 7}
	if c := out.Clusters; c != nil {
		m.Clusters = &model.Clusters{Sizes: c.Sizes, Centers: c.Centers, Terms: c.Terms}
	}
	return m
}

// checkStored: a placer that was written to a file and read back places new rows at the same bits.
func checkStored(s *suite) {
	dir, err := os.MkdirTemp("", "methodtest")
	if err != nil {
		s.badf("%v", err)
		return
	}
	defer os.RemoveAll(dir)
	list, fits := s.placed()
	for i, sm := range list {
		path := filepath.Join(dir, "model.npz")
		if err := model.Write(path, s.modelOf(sm, fits[i])); err != nil {
			s.badf("%s: the model is not written: %v", sm.name, err)
			continue
		}
		read, err := model.Read(background, path, func(string) model.Part { return s.spec.Placer() })
		if err != nil {
			s.badf("%s: the model is not read: %v", sm.name, err)
			continue
		}
		want, got := s.place(sm.name, fits[i].Placer, sm.fresh), s.place(sm.name+", read", read.Part.(method.Placer), sm.fresh)
		if want == nil || got == nil {
			continue
		}
		if d := placementDifference(want, got); d != "" {
			s.badf("%s: the placer that was read places otherwise: %s", sm.name, d)
		}
		if other := s.place(sm.name+", of another type", fits[i].Placer, wrapped(sm.fresh)); other != nil {
			if d := placementDifference(want, other); d != "" {
				s.badf("%s: rows in a matrix of another type are placed otherwise: %s", sm.name, d)
			}
		}
		again := filepath.Join(dir, "again.npz")
		if err := model.Write(again, read); err != nil {
			s.badf("%s: the model that was read is not written: %v", sm.name, err)
		} else if !sameFiles(path, again) {
			s.badf("%s: the model that was read is written with other bytes", sm.name)
		}
	}
}

func sameFiles(a, b string) bool {
	x, err := os.ReadFile(a)
	y, other := os.ReadFile(b)
	return err == nil && other == nil && slices.Equal(x, y)
}

// checkTrainingRows: training rows get the coordinates and probabilities that the fit gave them.
func checkTrainingRows(s *suite) {
	list, fits := s.placed()
	for i, sm := range list {
		out := fits[i]
		p := s.place(sm.name, out.Placer, sm.input().X)
		if p == nil {
			continue
		}
		switch {
		case p.Embedding == nil:
		case out.Embedding == nil && p.Labels == nil:
			s.badf("%s: new rows get coordinates, and training rows have none", sm.name)
		case out.Embedding != nil:
			if gap := worst(out.Embedding, p.Embedding, nil); !(gap <= near*largest(out.Embedding)) {
				s.badf("%s: a training row is placed %g from where it was, with coordinates up to %g", sm.name, gap, largest(out.Embedding))
			}
		}
		if c := out.Clusters; c != nil && p.Posterior != nil && c.Posterior != nil {
			if gap := worst(c.Posterior, p.Posterior, nil); !(gap <= near) {
				s.badf("%s: a probability of a training document is off by %g", sm.name, gap)
			}
		}
	}
}

// checkTrainingClusters: training rows are placed in the clusters in which the fit put them, by the
// placer or by the nearest centre. Documents with a known label are left out: the fit may keep them
// in their class.
func checkTrainingClusters(s *suite) {
	list, fits := s.placed()
	for i, sm := range list {
		in, c := sm.input(), fits[i].Clusters
		p := s.place(sm.name, fits[i].Placer, in.X)
		if p == nil || c == nil {
			continue
		}
		labels := p.Labels
		if labels == nil && c.Centers != nil {
			labels = nearest(coordinates(p, in.X), c.Centers)
		}
		for d, k := range labels {
			if k != c.Labels[d] && (in.Given == nil || in.Given.Labels[d] < 0) {
				s.badf("%s: training document %d is placed in cluster %d and was in %d", sm.name, d, k, c.Labels[d])
				break
			}
		}
	}
}

// coordinates returns the coordinates of placed rows, or a copy of x if the method has none.
func coordinates(p *method.Placement, x mat.Matrix) *mat.Dense {
	if p.Embedding != nil {
		return p.Embedding
	}
	return mat.DenseCopyOf(x)
}

// nearest is the nearest centre of each point.
func nearest(points, centers *mat.Dense) []int {
	n, d := points.Dims()
	k, _ := centers.Dims()
	labels := make([]int, n)
	for i := range n {
		least := math.Inf(1)
		for c := range k {
			sum := 0.0
			for j := range d {
				gap := points.At(i, j) - centers.At(c, j)
				sum += gap * gap
			}
			if sum < least {
				least, labels[i] = sum, c
			}
		}
	}
	return labels
}

// nearest are the clusters of placed documents: the nearest centre's, or with terms what
// [kmeans.Nearest] says.
func (s *suite) nearest(c *method.Clusters, at, x mat.Matrix) []int {
	if c.Terms == nil {
		return nearest(mat.DenseCopyOf(at), c.Centers)
	}
	labels, err := kmeans.Nearest(background, c, at, x)
	if err != nil {
		s.badf("the nearest clusters: %v", err)
	}
	return labels
}

// checkRowsApart: a row is placed where it is placed among other rows.
func checkRowsApart(s *suite) {
	list, fits := s.placed()
	for i, sm := range list {
		all := s.place(sm.name, fits[i].Placer, sm.fresh)
		if all == nil {
			continue
		}
		n, _ := sm.fresh.Dims()
		for _, at := range [][]int{{n - 1, 3, 0}, {5}} {
			some := s.place(sm.name, fits[i].Placer, rows.Select(sm.fresh, at))
			if some == nil {
				continue
			}
			if p := some.Embedding; p != nil {
				if gap := worst(all.Embedding, p, at); !(gap <= apart*max(1, largest(all.Embedding))) {
					s.badf("%s: rows %v are placed %g from where they are among others", sm.name, at, gap)
				}
			}
			if p := some.Posterior; p != nil {
				if gap := worst(all.Posterior, p, at); !(gap <= apart) {
					s.badf("%s: the probabilities of rows %v are off by %g from those among others", sm.name, at, gap)
				}
			}
			for k, label := range some.Labels {
				if label != all.Labels[at[k]] {
					s.badf("%s: row %d is of cluster %d, and of %d among others", sm.name, at[k], label, all.Labels[at[k]])
				}
			}
		}
	}
}

// checkFrame: a placer says how many coordinates it gives, and refuses a model that it does not
// fit.
func checkFrame(s *suite) {
	list, fits := s.placed()
	for i, sm := range list {
		out := fits[i]
		frame := s.modelOf(sm, out).Frame()
		if err := out.Placer.Check(frame); err != nil {
			s.badf("%s: the placer refuses its own model: %v", sm.name, err)
		}
		p := s.place(sm.name, out.Placer, sm.fresh)
		if p == nil {
			continue
		}
		width := 0
		if p.Embedding != nil {
			_, width = p.Embedding.Dims()
		}
		if out.Placer.Width() != width {
			s.badf("%s: Width is %d, and rows get %d coordinates", sm.name, out.Placer.Width(), width)
		}
		n, _ := sm.fresh.Dims()
		if p.Embedding == nil && p.Labels == nil && (out.Clusters == nil || out.Clusters.Centers == nil) {
			s.badf("%s: new rows get neither coordinates nor clusters", sm.name)
		}
		if p.Labels != nil && len(p.Labels) != n {
			s.badf("%s: %d labels of %d new rows", sm.name, len(p.Labels), n)
		}
		other := frame
		if other.Columns++; width > 0 || p.Labels != nil {
			if err := s.guarded(func() error { return out.Placer.Check(other) }); !refusal(err) {
				s.badf("%s: a model of %d columns in place of %d is not refused with fs.ErrInvalid: %v", sm.name, other.Columns, frame.Columns, err)
			}
		}
		other = frame
		if other.Clusters++; p.Labels != nil {
			if err := s.guarded(func() error { return out.Placer.Check(other) }); !refusal(err) {
				s.badf("%s: a model of %d clusters in place of %d is not refused with fs.ErrInvalid: %v", sm.name, other.Clusters, frame.Clusters, err)
			}
		}
		for _, other := range []model.Frame{{}, {Documents: frame.Documents + 1, Columns: frame.Columns, Sparse: frame.Sparse, Clusters: frame.Clusters},
			{Documents: frame.Documents, Columns: frame.Columns, Sparse: !frame.Sparse, Clusters: frame.Clusters}} {
			if err := s.guarded(func() error { return out.Placer.Check(other) }); err != nil && !refusal(err) {
				s.badf("%s: a model of %+v: %v", sm.name, other, err)
			}
		}
		if err := s.guarded(func() error { return s.spec.Placer().Check(frame) }); err != nil && !refusal(err) {
			s.badf("an empty placer: %v", err)
		}
	}
}

// checkRefusedRows: rows that cannot be placed give fs.ErrInvalid, and a cancelled context its
// error. A placer that keeps the rows as they are does no work on them and may not look at them.
func checkRefusedRows(s *suite) {
	list, fits := s.placed()
	for i, sm := range list {
		p := fits[i].Placer
		if out := s.place(sm.name, p, sm.fresh); out == nil || out.Embedding == nil && out.Labels == nil {
			continue
		}
		_, cols := sm.fresh.Dims()
		for name, x := range map[string]mat.Matrix{
			"a column more": mat.NewDense(2, cols+1, slices.Repeat([]float64{1}, 2*cols+2)),
			"NaN":           with(sm.fresh, 2, math.NaN()),
			"Inf":           with(sm.fresh, 2, math.Inf(1)),
		} {
			err := s.guarded(func() error { _, err := p.Place(background, x, nil); return err })
			if !refusal(err) {
				s.badf("%s: %s: not refused with fs.ErrInvalid: %v", sm.name, name, err)
			}
		}
		ctx, cancel := context.WithCancel(background)
		cancel()
		err := s.guarded(func() error { _, err := p.Place(ctx, sm.fresh, nil); return err })
		if !errors.Is(err, context.Canceled) {
			s.badf("%s: placing goes on though it is cancelled: %v", sm.name, err)
		}
	}
}
