package logistic

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Bytes estimates the peak memory of [Fit] in bytes: n rows of p columns, of which m rows with so
// many entries in q columns have a label, and K classes. L-BFGS keeps two lists of variables for
// each of its steps.
func Bytes(n, m, p, q, entries, classes int, sparse bool) int64 {
	data := memory.Bytes(8, entries) // the labelled rows
	if sparse {
		data = memory.Bytes(24, entries) // and their transpose
	}
	search := memory.Sum(memory.Bytes(8*(2*history+14), q+1, classes), memory.Bytes(8, m, classes+1))
	search = max(search, strengthBytes(m, q, entries, sparse))
	end := memory.Sum(memory.Bytes(8*2, p, classes), memory.Bytes(8, n, classes))
	if !sparse {
		end = memory.Sum(end, svd.PanelBytes(n, p))
	}
	return memory.Sum(data, search, end)
}

// strengthBytes is the memory of [strength]: the Gram matrix, and a copy of the rows that it looks
// at if these are a part.
func strengthBytes(m, q, entries int, sparse bool) int64 {
	n := looked(m, q)
	if n == m {
		return panel.GramBytes(min(m, q), max(m, q))
	}
	part := memory.Bytes(8, n, q)
	if sparse {
		part = memory.Bytes(36, entries/m+1, n) // with their transpose
	}
	return memory.Sum(part, panel.GramBytes(n, q))
}

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	const products = 2 * 60 // of a search, with rows and with columns
	const variables = 900   // looks at each variable: L-BFGS has 20 vectors, in each of 60 steps
	n, p := in.X.Dims()
	classes, m := len(in.Given.Names), in.Labelled()
	labelled := at.Of(m, n)
	q := p
	if in.Sparse() {
		q = min(p, labelled.Entries)
	}
	keeps := memory.Sum(memory.Bytes(8, n, classes), memory.Bytes(8, p, classes))
	search, share := float64(products*classes), 2 // sparse rows times many columns take half as long
	if !in.Sparse() {                             // products of dense matrices are faster
		search, share = search/10, 1
	}
	seconds := labelled.Passes(float64(labelled.Entries), search) + at.Passes(float64(q*classes), variables) +
		at.Passes(float64(at.Entries), float64(classes))
	if o.C == 0 {
		seconds += svd.GramSeconds(labelled.Of(looked(m, q), m), min(looked(m, q), q)/share)
	}
	return []method.Stage{{Name: stage, Bytes: Bytes(n, m, p, q, labelled.Entries, classes, in.Sparse()), Keeps: keeps, Seconds: seconds}}, nil
}
