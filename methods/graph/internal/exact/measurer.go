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
}

type sparseMeasure struct{ *sparseRows }

func (m sparseMeasure) Dist2(i, j int, row []float64) float64 {
	return m.sparseRows.Dist2(i, j, m.product(j, row))
}

func (m sparseMeasure) Inner(_, j int, row []float64) float64 { return m.product(j, row) }

type denseMeasure struct{ *denseRows }

func (m denseMeasure) Scratch() []float64 { return nil }

func (m denseMeasure) Open(int, []float64) {}

func (m denseMeasure) Close(int, []float64) {}

func (m denseMeasure) Dist2(i, j int, _ []float64) float64 { return m.direct(i, j) }

func (m denseMeasure) Inner(i, j int, _ []float64) float64 { return m.dot(i, j) }
