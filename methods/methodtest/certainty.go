package methodtest

import (
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// sureness is how far a confidence of a training document, placed as a new one, may be from what
// the fit gave it.
const sureness = 1e-6

// checkCertainty: every document of a clustering has a confidence between 0 and 1 and, if there are
// rows, a distance of at least 0; both are the same on a second call; and a training document that
// is placed as a new one in its own cluster has the fit's confidence and distance.
func checkCertainty(s *suite) {
	if s.spec.Confidence() == "" {
		s.badf("the spec does not define the confidence of a cluster")
	}
	for _, sm := range s.samples(small) {
		out := s.plain(sm)
		if out == nil {
			continue
		}
		in := sm.input()
		c, at := s.clustersOf(sm, out, in)
		if c == nil {
			continue
		}
		fit := s.certain(sm.name, c.Certainty, c, at, in.X)
		s.inRange(sm.name, fit, small, at != nil)
		if again := s.certain(sm.name, c.Certainty, c, at, in.X); !slices.Equal(fit.Confidence, again.Confidence) || !slices.Equal(fit.Distance, again.Distance) {
			s.badf("%s: the certainties of two calls differ", sm.name)
		}
		if out.Placer != nil && in.X != nil {
			s.placedCertainty(sm, out, c, in, fit)
		}
	}
}

// clustersOf are the clusters of a fit, by k-means on the coordinates if the method finds none, and
// the coordinates of their centres; nil if there is nothing to cluster.
func (s *suite) clustersOf(sm sample, out *method.Fitted, in *method.Input) (*method.Clusters, mat.Matrix) {
	var at mat.Matrix
	switch {
	case out.Embedding != nil:
		at = out.Embedding
	case s.spec.Yields.Coordinates && out.Clusters != nil && out.Clusters.Posterior != nil:
		at = out.Clusters.Posterior
	case in.X != nil:
		at = stored(in.X)
	}
	if out.Clusters == nil {
		if out.Embedding == nil {
			return nil, nil
		}
		m, err := kmeans.Fit(background, out.Embedding, kmeans.Options{K: 3})
		if err != nil {
			s.badf("%s: k-means: %v", sm.name, err)
			return nil, nil
		}
		found := m.Found(1)
		if rows, ok := in.X.(sparse.Rows); ok && s.spec.Yields.Terms {
			if found, err = kmeans.ByTerms(background, found, out.Embedding, rows, nil); err != nil {
				s.badf("%s: by terms: %v", sm.name, err)
				return nil, nil
			}
		}
		return found, at
	}
	c := *out.Clusters
	if c.Centers == nil && at != nil {
		c.Centers = labels.Means(at, c.Labels, len(c.Sizes))
	}
	return &c, at
}

// stored are rows as methods keep them.
func stored(x mat.Matrix) mat.Matrix {
	out, err := sparse.Stored(x)
	if err != nil {
		return mat.DenseCopyOf(x)
	}
	return out
}

func (s *suite) certain(what string, own method.Certainty, c *method.Clusters, at, x mat.Matrix) method.Certainty {
	out, err := kmeans.Certain(background, own, c, at, x)
	if err != nil {
		s.badf("%s: certainty: %v", what, err)
	}
	return out
}

func (s *suite) inRange(what string, sure method.Certainty, n int, rows bool) {
	if len(sure.Confidence) != n || rows && len(sure.Distance) != n {
		s.badf("%s: %d confidences and %d distances of %d documents", what, len(sure.Confidence), len(sure.Distance), n)
	}
	for i, v := range sure.Confidence {
		if !(v >= 0 && v <= 1) {
			s.badf("%s: the confidence of document %d is %v", what, i, v)
			break
		}
	}
	for i, v := range sure.Distance {
		if !(v >= 0) || math.IsInf(v, 0) {
			s.badf("%s: the distance of document %d is %v", what, i, v)
			break
		}
	}
}

// placedCertainty compares training documents that are placed as new ones.
func (s *suite) placedCertainty(sm sample, out *method.Fitted, c *method.Clusters, in *method.Input, fit method.Certainty) {
	p := s.place(sm.name, out.Placer, in.X)
	if p == nil {
		return
	}
	var at mat.Matrix = p.Embedding
	if p.Embedding == nil {
		at = stored(in.X)
	}
	placed := &method.Clusters{Labels: p.Labels, Sizes: c.Sizes, Centers: c.Centers, Terms: c.Terms, Posterior: p.Posterior}
	if p.Labels == nil {
		placed.Labels = s.nearest(c, at, in.X)
	}
	got := s.certain(sm.name+", placed", p.Certainty, placed, at, in.X)
	s.inRange(sm.name+", placed", got, len(placed.Labels), true)
	if _, waived := s.waived["training rows"]; waived || len(got.Confidence) != len(fit.Confidence) {
		return
	}
	for i, v := range got.Confidence {
		if in.Given != nil && in.Given.Labels[i] >= 0 {
			continue // the fit may keep it in its class
		}
		if placed.Labels[i] == c.Labels[i] && !(math.Abs(v-fit.Confidence[i]) <= sureness) {
			s.badf("%s: the confidence of document %d is %v, and %v when it is placed as a new one", sm.name, i, fit.Confidence[i], v)
			break
		}
	}
}
