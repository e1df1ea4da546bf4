package nmf

// eight is the number of rows that sweepEight minimises over together.
const eight = 8

// eights is the memory for the rows of a chunk side by side, as sweepEight takes them: entry j of
// row i at 8·j + i of eight rows.
type eights struct{ f, g []float64 }

func newEights(chunk, width int) eights {
	rows := (chunk + eight - 1) / eight * eight
	return eights{make([]float64, rows*width), make([]float64, rows*width)}
}

// fewest is the number of topics from which sweepEight is worth its memory.
const fewest = 3

// layEights makes the memory for the given number of goroutines, if the kernel is to be used.
func (w *workspace) layEights(workers int) {
	if !haveAVX || w.k < fewest {
		return
	}
	w.square = newBlock(w.width, w.width, w.width)
	for range workers {
		w.eights = append(w.eights, newEights(w.chunk, w.width))
	}
}

// widen copies the Gram matrix for the kernel, with zeros up to the width.
func (w *workspace) widen(gram block) {
	if w.eights == nil {
		return
	}
	for i := range gram.Rows {
		copy(w.square.Data[i*w.width:], gram.Data[i*gram.Stride:][:gram.Cols])
	}
}

// sweeps goes over the rows [lo, hi) as often as is worth it. The kernel has the bits of halsRow.
func (w *workspace) sweeps(worker int, s *side, lo, hi int, gram block) {
	sweep := func() float64 { return w.sweep(s, lo, hi, gram) }
	if w.eights != nil {
		e := w.eights[worker]
		layOut(e.f, values(s.f, lo, hi), w.width)
		layOut(e.g, values(s.g, lo, hi), w.width)
		sweep = func() float64 { return w.sweepEights(e, hi-lo) }
		defer func() {
			layBack(values(s.f, lo, hi), e.f, w.width)
			layBack(values(s.g, lo, hi), e.g, w.width)
		}()
	}
	first := 0.0
	for at := range s.repeats {
		change := sweep()
		if at == 0 {
			first = change
		}
		if change <= halsShare*halsShare*first {
			break
		}
	}
}

// sweepEights is one sweep over the first rows of e; it returns the squared change. Rows of zeros
// up to a multiple of eight change nothing.
func (w *workspace) sweepEights(e eights, rows int) float64 {
	change := 0.0
	for at := 0; at < rows; at += eight {
		var of [eight]float64
		sweepEight(&e.f[at*w.width], &e.g[at*w.width], &w.square.Data[0], w.width/kernelColumns, &of[0])
		for _, v := range of {
			change += v
		}
	}
	return change
}

// layOut copies rows side by side, and zeros up to a multiple of eight rows.
func layOut(to, rows []float64, width int) {
	for ; len(rows) >= eight*width; to, rows = to[eight*width:], rows[eight*width:] {
		for i := 0; i < eight; i += 4 {
			a, b := rows[i*width:][:width], rows[(i+1)*width:][:width]
			c, d := rows[(i+2)*width:][:width], rows[(i+3)*width:][:width]
			for j, v := range a {
				four := (*[4]float64)(to[eight*j+i:])
				four[0], four[1], four[2], four[3] = v, b[j], c[j], d[j]
			}
		}
	}
	if len(rows) > 0 {
		to = to[:eight*width]
		clear(to)
		for at, v := range rows {
			to[at%width*eight+at/width] = v
		}
	}
}

// layBack copies the rows that layOut has laid out.
func layBack(rows, from []float64, width int) {
	for ; len(rows) >= eight*width; from, rows = from[eight*width:], rows[eight*width:] {
		for i := 0; i < eight; i += 4 {
			a, b := rows[i*width:][:width], rows[(i+1)*width:][:width]
			c, d := rows[(i+2)*width:][:width], rows[(i+3)*width:][:width]
			for j := range a {
				four := (*[4]float64)(from[eight*j+i:])
				a[j], b[j], c[j], d[j] = four[0], four[1], four[2], four[3]
			}
		}
	}
	for at := range rows {
		rows[at] = from[at%width*eight+at/width]
	}
}
