package exact

// Measurer computes distances and dot products of pairs of rows, with the bits of [Nearest].
type Measurer interface {
	// Scratch is memory for the calls of one worker.
	Scratch() []float64
	// Open prepares row i for calls of dist2 and inner, and close ends them.
	Open(i int, scratch []float64)
	Close(i int, scratch []float64)
	Dist2(i, j int, scratch []float64) float64
	Inner(i, j int, scratch []float64) float64
	// Dist2s and Inners are Dist2 and Inner of row i and each of js.
	Dist2s(i int, js []int32, out, scratch []float64)
	Inners(i int, js []int32, out, scratch []float64)
}

type sparseMeasure struct{ *sparseRows }

func (m sparseMeasure) Dist2(i, j int, row []float64) float64 {
	return m.sparseRows.Dist2(i, j, m.product(j, row))
}

func (m sparseMeasure) Inner(_, j int, row []float64) float64 { return m.product(j, row) }

func (m sparseMeasure) Dist2s(i int, js []int32, out, row []float64) {
	for c, j := range js {
		out[c] = m.Dist2(i, int(j), row)
	}
}

func (m sparseMeasure) Inners(i int, js []int32, out, row []float64) {
	for c, j := range js {
		out[c] = m.Inner(i, int(j), row)
	}
}

type denseMeasure struct{ *denseRows }

func (m denseMeasure) Scratch() []float64 { return nil }

func (m denseMeasure) Open(int, []float64) {}

func (m denseMeasure) Close(int, []float64) {}

func (m denseMeasure) Dist2(i, j int, _ []float64) float64 { return m.direct(i, j) }

func (m denseMeasure) Inner(i, j int, _ []float64) float64 { return m.dot(i, j) }

func (m denseMeasure) Dist2s(i int, js []int32, out, _ []float64) { m.directs(i, js, out) }

func (m denseMeasure) Inners(i int, js []int32, out, _ []float64) { m.dots(i, js, out) }
