package comparing

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// latexScores are the scores of the table for LaTeX, by their names in JSON and in a heading.
var latexScores = [][2]string{{"accuracy", "Accuracy"}, {"nmi", "NMI"}, {"ari", "ARI"}}

// level is the probability below which a difference between two methods is marked.
const level = .05

// writeLaTeX writes a table for LaTeX with booktabs: for each method the means of the scores over
// the seeds with their standard deviations, the largest mean in bold, and a dagger at those that
// differ from it. Without true labels the columns say how well the clusters of two seeds agree.
func (c *Comparison) writeLaTeX(w io.Writer) error {
	b := bufio.NewWriter(w)
	scores := c.latexScores()
	fmt.Fprintf(b, "%% eigenmap %s, compare %s, %s. It needs \\usepackage{booktabs}.\n", c.Versions.Version, comment(c.File), words.Plural(len(c.Seeds), "seed", "seeds"))
	for _, s := range scores {
		for _, m := range c.Methods {
			if p, ok := s.adjusted[m.Method]; ok {
				fmt.Fprintf(b, "%% %s of %s and of %s: difference %.4f, p %.4f, by Holm %.4f\n", s.name, m.Method, s.best, s.difference[m.Method], s.p[m.Method], p)
			}
		}
	}
	columns, head := len(scores), make([]string, 0, 3)
	for _, s := range scores {
		head = append(head, s.name)
	}
	if columns == 0 {
		columns, head = 2, []string{"NMI of seeds", "ARI of seeds"}
	}
	fmt.Fprintf(b, "\\begin{table}\n\\centering\n\\caption{%s}\n\\begin{tabular}{l%s}\n\\toprule\nMethod & %s \\\\\n\\midrule\n", c.caption(scores), strings.Repeat("r", columns), strings.Join(head, " & "))
	for _, m := range c.Methods {
		fmt.Fprintf(b, "%s & %s \\\\\n", escapeLaTeX(m.Method), strings.Join(c.latexCells(m, scores), " & "))
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n\\end{table}\n")
	return b.Flush()
}

// latexCells are the cells of a method's line.
func (c *Comparison) latexCells(m Method, scores []latexScore) []string {
	var cells []string
	for _, s := range scores {
		values, ok := s.values[m.Method]
		if !ok {
			cells = append(cells, "--")
			continue
		}
		mean, deviation := spread(values)
		cell := fmt.Sprintf("%.3f", mean)
		if top, _ := spread(s.values[s.best]); mean >= top { // also of equal ones
			cell = `\mathbf{` + cell + `}`
		}
		if len(values) > 1 {
			cell += fmt.Sprintf(" \\pm %.3f", deviation)
		}
		if p, tested := s.adjusted[m.Method]; tested && p < level {
			cell += `^{\dagger}`
		}
		cells = append(cells, "$"+cell+"$")
	}
	if len(scores) > 0 {
		return cells
	}
	if m.Seeds == nil {
		return []string{"--", "--"}
	}
	return []string{fmt.Sprintf("$%.3f$", m.Seeds.NMI), fmt.Sprintf("$%.3f$", m.Seeds.ARI)}
}

// caption says what the table shows.
func (c *Comparison) caption(scores []latexScore) string {
	of := fmt.Sprintf("%s documents of %s", words.Thousands(c.Documents), escapeLaTeX(c.File))
	if len(scores) == 0 {
		return "Agreement of the clusters of two seeds, " + of + "."
	}
	if c.HasUnlabeled() {
		of += ", over those without a known label"
	}
	text := fmt.Sprintf("Mean and standard deviation over %s, %s; the largest mean is bold.", words.Plural(len(c.Seeds), "seed", "seeds"), of)
	for _, m := range c.Methods {
		if m.Runs < len(c.Seeds) {
			text += fmt.Sprintf(" Of %s there are %s.", escapeLaTeX(m.Method), words.Plural(m.Runs, "run", "runs"))
		}
	}
	least := math.Ldexp(1, 1-len(c.Seeds)) * float64(max(1, len(c.Methods)-1))
	switch {
	case len(c.Methods) < 2 || len(c.Seeds) < 2:
		return text
	case least >= level:
		return text + fmt.Sprintf(" So few seeds show no difference at the level %g.", level)
	}
	return text + fmt.Sprintf(" $\\dagger$: it differs from the largest ($p < %g$, sign-flip test of the differences of equal seeds, two-sided, by Holm). "+
		"The seeds vary the starts, and not the documents.", level)
}

// latexScore is a score of all methods: its values by seed, and how each method compares with the
// best.
type latexScore struct {
	name   string
	values map[string][]float64
	best   string // the method with the largest mean
	// difference, p and adjusted are of each other method: its mean minus that of the best over the
	// seeds of both, the probability of one at least as large, and that by Holm's rule.
	difference, p, adjusted map[string]float64
}

// latexScores are the scores of the runs; none without true labels.
func (c *Comparison) latexScores() []latexScore {
	var list []latexScore
	for _, name := range latexScores {
		of := make(map[string]map[uint64]float64)
		s := latexScore{name: name[1], values: make(map[string][]float64)}
		for _, r := range c.Runs {
			scores := r.Metrics
			if c.HasUnlabeled() {
				scores = r.Unlabeled
			}
			if value, ok := valueOf(scores, name[0]); ok && r.Failed == "" {
				if of[r.Method] == nil {
					of[r.Method] = make(map[uint64]float64)
				}
				of[r.Method][r.Seed] = value
				s.values[r.Method] = append(s.values[r.Method], value)
			}
		}
		if len(s.values) > 0 {
			s.compare(c.Methods, of)
			list = append(list, s)
		}
	}
	return list
}

// valueOf is a score by its name in JSON.
func valueOf(s *metrics.Scores, name string) (float64, bool) {
	for _, v := range scoreValues(s) {
		if v.name == name {
			return v.value, true
		}
	}
	return 0, false
}

// compare finds the best method and tests the others against it; of holds values by method and
// seed.
func (s *latexScore) compare(methods []Method, of map[string]map[uint64]float64) {
	top := math.Inf(-1)
	for _, m := range methods {
		if mean, _ := spread(s.values[m.Method]); len(s.values[m.Method]) > 0 && mean > top {
			s.best, top = m.Method, mean
		}
	}
	s.difference, s.p = make(map[string]float64), make(map[string]float64)
	for _, m := range methods {
		var differences []float64
		for seed, value := range of[m.Method] {
			if other, ok := of[s.best][seed]; ok && m.Method != s.best {
				differences = append(differences, value-other)
			}
		}
		if len(differences) > 1 {
			s.difference[m.Method], _ = spread(differences)
			s.p[m.Method] = signFlips(differences)
		}
	}
	s.adjusted = holm(s.p)
}
