package methodtest

import (
	"bytes"
	"math"

	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// checkPrecision: rows in single precision give the result, and the model's file, of the same
// values in double precision. A method whose Spec says Single gets the rows as they are, others a
// copy.
func checkPrecision(s *suite) {
	for _, sm := range s.samples(small) {
		in := sm.input()
		if in.X == nil {
			continue
		}
		s.samePrecision(sm, in, false)
		if sparse.Is(in.X) {
			s.samePrecision(sm, in, true)
		}
	}
}

// samePrecision compares the two precisions on a sample; unit scales the rows to length 1, which of
// single precision happens when they are read.
func (s *suite) samePrecision(sm sample, in *method.Input, unit bool) {
	single, double := sm.input(), sm.input()
	for _, m := range []struct{ from, single, double *mat.Matrix }{{&in.X, &single.X, &double.X}, {&in.Counts, &single.Counts, &double.Counts}} {
		if *m.from == nil {
			continue
		}
		x, err := sparse.ToSingle(*m.from)
		if err != nil {
			s.badf("%s: the rows are not stored in single precision: %v", sm.name, err)
			return
		}
		if rows, ok := x.(*sparse.Single); ok && unit && m.from == &in.X {
			x = ofLengthOne(rows)
		}
		*m.single = x
		if *m.double, err = sparse.Stored(x); err != nil {
			s.badf("%s: %v", sm.name, err)
			return
		}
	}
	want, refused := s.fit(background, s.options(), double)
	got, err := s.fit(background, s.options(), single)
	if refused != nil || err != nil {
		if refused == nil || err == nil || refused.Error() != err.Error() {
			s.badf("%s: rows in single precision: %v, and in double precision: %v", sm.name, err, refused)
		}
		return
	}
	if d := difference(want, got); d != "" {
		s.badf("%s: rows in single precision give another result: %s", sm.name, d)
	}
	if !bytes.Equal(s.fileOf(sm, want), s.fileOf(sm, got)) {
		s.badf("%s: rows in single precision give another model file", sm.name)
	}
}

// ofLengthOne scales the rows to length 1; rows without entries stay.
func ofLengthOne(x *sparse.Single) *sparse.Single {
	n, _ := x.Dims()
	lengths := make([]float64, n)
	for i := range lengths {
		sum := 0.0
		for _, v := range x.Values(i, nil) {
			sum += v * v
		}
		if lengths[i] = math.Sqrt(sum); sum == 0 {
			lengths[i] = 1
		}
	}
	return x.Weighted(sparse.TakeValue, nil, lengths)
}

// fileOf is the model's file of a fit; nil if it has none.
func (s *suite) fileOf(sm sample, fitted *method.Fitted) []byte {
	if fitted.Placer == nil {
		return nil
	}
	var b bytes.Buffer
	if err := s.modelOf(sm, fitted).Encode(&b); err != nil {
		s.badf("%s: the model is not written: %v", sm.name, err)
	}
	return b.Bytes()
}
