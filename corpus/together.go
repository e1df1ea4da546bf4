package corpus

import (
	"slices"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"
)

// Together counts documents by the terms that they hold: for each list of columns the number of
// documents that hold terms i and j of the list, and on the diagonal those that hold term i. From
// such numbers metrics.NPMI says how well the terms of a list belong together.
//
// A document holds a term if its entry is above 0. A column may be in several lists but once in
// each. If documents are divided among ranks the numbers are of all, and the call is collective.
// Together panics if a column is out of range or twice in a list. O(entries + pairs of terms of one
// list that documents hold), memory O(terms + Σ n²) for lists of n columns.
//
// The result is nil of measurements ([Corpus.Measured]), and if more than half of all entries are
// above 0: documents then hold no terms.
func (c *Corpus) Together(lists [][]int) []*mat.SymDense {
	if negative, dense := c.signs(); negative || dense || c.Categories != nil {
		return nil
	}
	rows, _ := c.X.Dims()
	return c.together(lists, rows, func(i int) int { return i })
}

// together is [Corpus.Together] of the documents row(0), ..., row(n-1).
func (c *Corpus) together(lists [][]int, n int, row func(int) int) []*mat.SymDense {
	type place struct{ list, at int }
	_, terms := c.X.Dims()
	of, places := make([]int32, terms), [][]place{nil} // of a column: where its places are; 0: it has none
	counts := make([][]float64, len(lists))
	for l, columns := range lists {
		counts[l] = make([]float64, len(columns)*len(columns))
		for at, j := range columns {
			if of[j] == 0 {
				of[j] = int32(len(places))
				places = append(places, nil)
			}
			if slices.ContainsFunc(places[of[j]], func(p place) bool { return p.list == l }) {
				panic("corpus: Together has a column twice in a list")
			}
			places[of[j]] = append(places[of[j]], place{l, at})
		}
	}
	holds := make([][]int, len(lists)) // places in each list that a document has
	var touched []int
	read := &rowReader{x: c.X}
	for i := range n {
		cols, vals := read.entries(row(i))
		for k, v := range vals {
			if v <= 0 {
				continue
			}
			for _, p := range places[of[column(cols, k)]] {
				if len(holds[p.list]) == 0 {
					touched = append(touched, p.list)
				}
				holds[p.list] = append(holds[p.list], p.at)
			}
		}
		for _, l := range touched {
			size := len(lists[l])
			for _, a := range holds[l] {
				for _, b := range holds[l] {
					counts[l][a*size+b]++
				}
			}
			holds[l] = holds[l][:0]
		}
		touched = touched[:0]
	}
	out := make([]*mat.SymDense, len(lists))
	for l, columns := range lists {
		if len(columns) == 0 {
			out[l] = &mat.SymDense{}
			continue
		}
		c.sum(counts[l])
		out[l] = mat.NewSymDense(len(columns), counts[l])
	}
	return out
}

// Terms repeat each other in a cluster if so much of the documents with one of them have both; less
// is enough for forms of one word.
const (
	sameHolders = 0.9
	sameWord    = 0.2
	// mostWithRun is the least share of the documents with a word that have a run of words with it,
	// for the run to stand for the word.
	mostWithRun = 0.5
	// yields is the least weight, as a share of a repeating term's, of a term that comes before it
	// though it is lighter.
	yields = 0.25
)

// distinct lists n of the candidates: those that repeat a better one after all others of at least
// a quarter of their weight. rows are the documents of the cluster.
func (h *holdings) distinct(candidates []TermWeight, rows []int, n int) []TermWeight {
	if len(candidates) < 2 || h.values {
		return candidates[:min(n, len(candidates))]
	}
	columns := make([]int, len(candidates))
	for i, t := range candidates {
		columns[i] = t.Column
	}
	both := h.c.together([][]int{columns}, len(rows), func(i int) int { return rows[i] })[0]
	var kept, repeats []int
	for i, t := range candidates {
		if len(kept) == n {
			break
		}
		var replaced []int // places of the words that i stands for
		repeated := slices.ContainsFunc(kept, func(k int) bool {
			b, better := both.At(i, k), candidates[k].Term
			if holdsRun(t.Term, better) && b >= mostWithRun*both.At(k, k) {
				replaced = append(replaced, slices.Index(kept, k))
				return false
			}
			either := both.At(i, i) + both.At(k, k) - b
			return b >= sameHolders*either || holdsRun(t.Term, better) || holdsRun(better, t.Term) || oneWord(t.Term, better) && b >= sameWord*either
		})
		switch {
		case repeated:
			repeats = append(repeats, i)
		case replaced != nil:
			repeats = append(repeats, kept[replaced[0]])
			kept[replaced[0]] = i
			for _, at := range slices.Backward(replaced[1:]) {
				repeats = append(repeats, kept[at])
				kept = slices.Delete(kept, at, at+1)
			}
		default:
			kept = append(kept, i)
		}
	}
	slices.Sort(repeats)
	list := make([]TermWeight, 0, n)
	for _, i := range kept {
		for len(repeats) > 0 && yields*candidates[repeats[0]].Weight > candidates[i].Weight {
			list, repeats = append(list, candidates[repeats[0]]), repeats[1:]
		}
		list = append(list, candidates[i])
	}
	for _, i := range repeats {
		list = append(list, candidates[i])
	}
	return list[:min(n, len(list))]
}

// holdsRun reports whether a is several words and b is some of them.
func holdsRun(a, b string) bool {
	return len(a) > len(b) && strings.Contains(" "+a+" ", " "+b+" ")
}

// oneWord reports whether two words look like forms of one: four letters or more in common at their
// beginning, and at most three more in each.
func oneWord(a, b string) bool {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	for same > 0 && same < len(a) && !utf8.RuneStart(a[same]) { // the same first bytes of two letters
		same--
	}
	left := max(utf8.RuneCountInString(a[same:]), utf8.RuneCountInString(b[same:]))
	return utf8.RuneCountInString(a[:same]) >= 4 && left <= 3
}
