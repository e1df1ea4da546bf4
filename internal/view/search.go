package view

import (
	"fmt"
	"math"
	"strings"

	"github.com/eigenmap/eigenmap/internal/choosing"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/choosek"
)

// others says what the runners-up would give, without a full stop; "" if that is not known.
func others(s *choosing.Search) string {
	var list []string
	for _, c := range s.Candidates {
		if c.K != s.Clusters {
			list = append(list, fmt.Sprintf("%d: %s to %s, modularity %.3f, NMI %.2f with %d", c.K, words.Thousands(c.Smallest), words.Counted(c.Largest, "document"), c.Modularity, c.Agreement, s.Clusters))
		}
	}
	return strings.Join(list, "; ")
}

// scoreWords are what the score of a rule is.
var scoreWords = map[choosek.Rule]string{choosek.Modularity: "modularity of the neighbour graph", choosek.Eigengap: "gap after eigenvalue k", choosek.BIC: "BIC", choosek.Silhouette: "mean silhouette",
	choosek.Stability: "agreement of clusters of parts (ARI)"}

// score returns the score of k clusters, NaN if there is none.
func score(s *choosing.Search, k int) float64 {
	for _, p := range s.Points {
		if p.K == k && p.Score != nil {
			return *p.Score
		}
	}
	return math.NaN()
}

// how says on what the scores rest, as a sentence; "" if there is nothing to say.
func how(s *choosing.Search) string {
	text := fmt.Sprintf("The evidence is %s: %s.", s.Evidence, s.Because)
	if others := others(s); others != "" {
		text += " Others would give: " + others + "."
	}
	if on := on(s); on != "" {
		text += " " + on
	}
	return text
}

// on says on what documents the scores rest, as a sentence; "" if it is all of them.
func on(s *choosing.Search) string {
	switch {
	case s.Sampled > 0:
		return fmt.Sprintf("Silhouettes are measured on %s drawn with seed %d.", words.Counted(s.Sampled, "document"), s.Seed)
	case s.Pairs > 0:
		return fmt.Sprintf("%d pairs of parts of %.0f %% of the documents are drawn with seed %d; the largest k within a standard error of the best is taken.", s.Pairs, 100*s.Share, s.Seed)
	}
	return ""
}

// sentence says how k was chosen, without a full stop.
func sentence(s *choosing.Search) string {
	by, with, next := "the "+scoreWords[s.By], ", %.4g", "next are "
	if s.By == choosek.Modularity { // the number is that of the communities, not the largest modularity
		by, with, next = "the communities of the neighbour graph", ", with the modularity %.4g", "near it are "
	}
	if s.ByGap {
		by, next = "the largest gap of the neighbour graph's eigenvalues", "others are "
	}
	text := fmt.Sprintf("of %d to %d by %s", s.From, s.To, by)
	if score := score(s, s.Clusters); !math.IsNaN(score) { // else there are fewer communities
		text += fmt.Sprintf(with, score)
	}
	if s.Sampled > 0 {
		text += fmt.Sprintf(" on %s drawn with seed %d", words.Counted(s.Sampled, "document"), s.Seed)
	}
	if s.Pairs > 0 {
		text += fmt.Sprintf(" over %d pairs of %.0f %% of the documents drawn with seed %d", s.Pairs, 100*s.Share, s.Seed)
	}
	if len(s.RunnersUp) > 0 {
		var others []string
		for _, k := range s.RunnersUp {
			others = append(others, fmt.Sprintf("%d (%.4g)", k, score(s, k)))
		}
		text += "; " + next + strings.Join(others, ", ")
	}
	return fmt.Sprintf("%s; evidence: %s", text, s.Evidence)
}
