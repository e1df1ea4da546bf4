package scaling

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/words"
)

// line is a row of the table and a curve of the picture: a stage of one contestant.
type line struct {
	by, stage string
	points    []Point // by size
	all, late float64 // exponents over all sizes, and over three or more from lateDocs on
}

// measured is the number of points with figures. One alone is no curve.
func (l line) measured() int {
	count := 0
	for _, p := range l.points {
		if p.LeftOut == "" {
			count++
		}
	}
	return count
}

// lateDocs is the number of documents from which the second exponent counts: fewer fit into one
// cell of the approximate search, and into caches.
const lateDocs = 10_000

// lines are the stages in their order, and of each the contestants.
func (r *Report) lines() []line {
	var all []line
	for _, stage := range []string{stageRead, stageExact, stageApprox, stageEigen, stageComplete, stageKMeans} {
		for _, by := range []string{byNative, byGo, byPeer} {
			l := line{by: by, stage: stage, late: math.NaN()}
			for _, p := range r.Points {
				if p.By == by && p.Stage == stage {
					l.points = append(l.points, p)
				}
			}
			if len(l.points) > 0 {
				l.all, _ = exponent(l.points, 0)
				if slope, used := exponent(l.points, lateDocs); used >= 3 {
					l.late = slope
				}
				all = append(all, l)
			}
		}
	}
	return all
}

// sizes are all numbers of documents, ascending.
func (r *Report) sizes() []int {
	var sizes []int
	for _, p := range r.Points {
		sizes = append(sizes, p.Docs)
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// WriteTable writes the table in Markdown: processor seconds by stage and size with exponents, then
// peak memory, what was left out and why, and the machine.
func (r *Report) WriteTable(w io.Writer) error {
	var b strings.Builder
	sizes := r.sizes()
	head := func(first string) {
		fmt.Fprintf(&b, "| %s | by |", first)
		for _, n := range sizes {
			fmt.Fprintf(&b, " %s |", thousands(n))
		}
	}
	head("CPU seconds")
	fmt.Fprintf(&b, " n^ | n^ from %s |\n|---|---|%s\n", thousands(lateDocs), strings.Repeat("---:|", len(sizes)+2))
	var leftOut []string
	for _, l := range r.lines() {
		fmt.Fprintf(&b, "| %s | %s |", l.stage, l.by)
		for _, n := range sizes {
			cell := ""
			for _, p := range l.points {
				if p.Docs == n && p.LeftOut == "" {
					cell = figure(p.CPU)
				}
			}
			fmt.Fprintf(&b, " %s |", cell)
		}
		fmt.Fprintf(&b, " %s | %s |\n", power(l.all), power(l.late))
		for _, p := range l.points {
			if p.LeftOut != "" {
				leftOut = append(leftOut, fmt.Sprintf("%s, %s, %s documents: %s", l.stage, l.by, thousands(p.Docs), p.LeftOut))
				break
			}
		}
	}
	b.WriteString("\n")
	head("peak memory, MB")
	fmt.Fprintf(&b, "\n|---|---|%s\n", strings.Repeat("---:|", len(sizes)))
	for _, kind := range kinds {
		for _, by := range []string{byNative, byGo, byPeer} {
			any := false
			row := fmt.Sprintf("| %s | %s |", kind.name, by)
			for _, n := range sizes {
				cell := ""
				for _, p := range r.Peaks {
					if p.Docs == n && p.By == by && p.Kind == kind.kind && p.MB > 0 {
						cell, any = fmt.Sprintf("%.0f", p.MB), true
					}
				}
				row += fmt.Sprintf(" %s |", cell)
			}
			if any {
				b.WriteString(row + "\n")
			}
		}
	}
	if leftOut != nil {
		b.WriteString("\nLeft out, from the size on:\n\n")
		for _, why := range leftOut {
			fmt.Fprintf(&b, "- %s\n", why)
		}
	}
	fmt.Fprintf(&b, "\n%s; %s in the runs; load %.1f to %.1f; peers: %s; %.0f s altogether\n", strings.Join(r.Machine.Lines(), "; "), words.Counted(r.Threads, "thread"), r.Load[0], r.Load[1], r.Peers, r.Took)
	_, err := io.WriteString(w, b.String())
	return err
}

// kinds are the runs in the order of the table of peak memory.
var kinds = []struct{ kind, name string }{
	{kindExact, "run with the exact graph"},
	{kindPeer, "run with brute force"},
	{kindLarge, "run with the approximate graph"},
	{kindApprox, "run of the approximate search"},
	{kindComplete, "run with the complete graph"},
}

// power writes an exponent, nothing if there is none.
func power(slope float64) string {
	if math.IsNaN(slope) {
		return ""
	}
	return fmt.Sprintf("%.2f", slope)
}

// thousands writes 100000 as 100,000.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// figure writes seconds with about two digits.
func figure(s float64) string {
	switch {
	case s >= 9.95:
		return fmt.Sprintf("%.0f", s)
	case s >= 0.995:
		return fmt.Sprintf("%.1f", s)
	}
	return fmt.Sprintf("%.2g", s)
}
