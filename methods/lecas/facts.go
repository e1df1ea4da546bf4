package lecas

import (
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

// facts describe the first clustering and what it did to the graph.
func (o Options) facts(m *Model) []method.Fact {
	k := 0
	if m.Centroids.Means != nil {
		k, _ = m.Centroids.Means.Dims()
	}
	first := words.Counted(k, "cluster") + " of known labels"
	list := []method.Fact{
		method.Found("first_clusters", k), method.Found("first_clustering", string(o.Search.Clustering)),
		method.Found("sigma", m.Sigma), method.Found("adjusted_edges", m.Between), method.Found("lost_edges", m.Lost),
	}
	if c := m.Choice; c != nil {
		first = c.words()
		if len(c.Best) > 0 {
			list = append(list, method.Found("silhouette", slices.Max(c.Best)), method.Found("tried", c.Tried), method.Found("silhouettes", c.Best))
		}
	}
	adjusted := fmt.Sprintf("σ %.4g, %.3g %% of the edges join different clusters", m.Sigma, 100*m.Between)
	if kept, least := m.kept(); m.Between > 0 {
		adjusted += fmt.Sprintf(" and keep %.3g of their weight on average, at least %.3g", kept, least)
		list = append(list, method.Found("kept_weight", kept))
	}
	if m.Lost > 0 {
		adjusted += fmt.Sprintf("; %s of them are gone", words.Thousands(m.Lost))
	}
	return append([]method.Fact{method.Line("first", first), method.Line("adjusted", adjusted)}, list...)
}

// words describe a clustering that was found.
func (c *Choice) words() string {
	text := words.Counted(c.Clusters, "cluster") + " by "
	if c.Kernel == nil {
		text += "k-means"
	} else {
		text += "kernel k-means, " + c.Kernel.Predictor().Rule.String()
	}
	if len(c.Best) == 0 {
		return text
	}
	if from, to := c.Tried[0], c.Tried[len(c.Tried)-1]; c.Clusters < from {
		text += fmt.Sprintf(", where %d to %d were tried: the documents are too alike for more", from, to)
	} else {
		text += fmt.Sprintf(", silhouette %.3f, the best of %d to %d clusters", slices.Max(c.Best), from, to)
	}
	return text
}

// noteChoice reports a search that ended at its upper bound.
func (o Options) noteChoice(in *method.Input, c *Choice) {
	if c == nil {
		return
	}
	if q := len(c.Best) - 1; q > 0 && slices.Index(c.Best, slices.Max(c.Best)) == q {
		in.Notef("The silhouette is best at the largest number of first clusters tried, %d; ‹first-clusters› takes another.", c.Tried[q])
	}
}

// kept is the mean and the least share of their weight that edges between clusters keep.
func (m *Model) kept() (mean, least float64) {
	c, count := m.Centroids, 0
	least = 1
	for i := range m.Graph.W.NumRows {
		cols, _ := m.Graph.W.Row(i)
		for _, j := range cols {
			if a, b := c.Labels[i], c.Labels[j]; a >= 0 && b >= 0 && a != b {
				s := c.Similarity.At(a, b)
				count++
				mean += (s - mean) / float64(count)
				least = min(least, s)
			}
		}
	}
	return mean, least
}
