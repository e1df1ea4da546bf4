package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/progress"
)

// Trained is what a model says of the classes of its clusters, for documents that it places.
type Trained struct {
	Of    []string // class of each cluster: its name, or as the model's labels matched it; "" for none
	Known []string // the classes of the model's labels; those of Of are among them or not
	Named bool     // clusters have names
}

// Knows reports whether a class is one of the model's.
func (m *Trained) Knows(class string) bool {
	return class != "" && (slices.Contains(m.Of, class) || slices.Contains(m.Known, class))
}

// scores are the scores of a table of classes against clusters by the classes of the model's
// clusters; nil if no class of the table is one of the model's.
func (m *Trained) scores(t *metrics.Table, classes []string) *metrics.Scores {
	shared := false
	for _, class := range t.Classes {
		shared = shared || m.Knows(classes[class])
	}
	if !shared {
		return nil
	}
	to := make([]int, len(t.Clusters))
	for j, cluster := range t.Clusters {
		to[j] = slices.IndexFunc(t.Classes, func(class int) bool { return m.Of[cluster] != "" && classes[class] == m.Of[cluster] })
	}
	s := t.ScoresAs(to)
	return &s
}

// TakeTrained makes the scores go by what the model that placed the documents says of its clusters.
func (r *Run) TakeTrained(m *Trained) { r.trained = m }

// scoresOf returns the scores of a table of the corpus's classes against the clusters.
func (r *Run) scoresOf(t *metrics.Table) *metrics.Scores {
	if r.trained != nil {
		if s := r.trained.scores(t, r.Corpus.ClassNames); s != nil {
			return s
		}
	}
	return ScoresAs(t, r.Classes, r.Corpus.ClassNames, r.J.Prior.Names)
}

// MatchedClasses are the classes of the clusters by the scores: their names, else as they were
// matched; "" for none, nil without scores.
func (r *Run) MatchedClasses() []string {
	if r.Table == nil {
		return nil
	}
	to, _ := assigned(r.Table, r.Classes, r.Corpus.ClassNames, r.J.Prior.Names)
	of := make([]string, len(r.Sizes))
	copy(of, r.Classes)
	for j, row := range to {
		if cluster := r.Table.Clusters[j]; row >= 0 {
			of[cluster] = r.Corpus.ClassNames[r.Table.Classes[row]]
		}
	}
	return of
}

// How accuracy and macro-F1 take clusters for classes.
const (
	ByNames = "names" // clusters have names
	ByModel = "model" // as the labels of the model matched them
	ByMatch = "match" // by the best match of clusters with the classes of the scored documents
)

// FewEach is for how many documents of each cluster a match of clusters with classes is hardly
// right by chance.
const FewEach = 5

// noteMatch notes by what the scores go, of a few documents and of those that a model placed.
func (r *Run) noteMatch(t *metrics.Table) {
	if r.ScoresBy = ByMatch; isNamed(r.Classes, r.Corpus.ClassNames) {
		r.ScoresBy = ByNames
	}
	if m := r.trained; m != nil && slices.ContainsFunc(t.Classes, func(class int) bool { return m.Knows(r.Corpus.ClassNames[class]) }) {
		if r.ScoresBy = ByModel; m.Named {
			r.ScoresBy = ByNames
		}
		r.J.Note("Accuracy and macro-F1 go by the classes of the model's clusters.")
		return
	}
	if r.ScoresBy != ByMatch {
		return
	}
	documents, these, why := words.Counted(r.Scored, "document"), "these ", ""
	if r.Scored == 1 {
		these = "this "
		documents = strings.TrimPrefix(documents, "1 ")
	}
	switch {
	case r.trained != nil:
		why = "None of these classes is one of the model's"
	case r.Command == "predict":
		why = "The model's clusters have no classes"
	case r.Scored < FewEach*len(t.Clusters):
		r.J.Note("Accuracy and macro-F1 match the clusters with the classes of " + words.Counted(r.Scored, "document") + ", and of so few a match is right by chance.")
		return
	default:
		return
	}
	text := why + ": accuracy and macro-F1 match the clusters with the classes of " + these + documents + " anew"
	if r.Scored < FewEach*len(t.Clusters) {
		text += ", and of so few a match is right by chance"
	}
	r.J.Note(text + ".")
}

// unrelated is the adjusted Rand index below which clusters and classes agree by chance.
const unrelated = 0.02

// noteUnrelated warns that the clusters agree with the classes of the file no better than chance,
// as with folders that say when or where a file was kept, if they are not asked for.
func (r *Run) noteUnrelated() {
	t, j := r.Table, r.J
	asked := slices.ContainsFunc([]string{"truth", "label-column", "class-folder", "classes"}, j.Was)
	if t == nil || asked || r.Command != "cluster" || j.Prior.Labels != nil || len(t.Classes) < 2 || len(t.Clusters) < 2 {
		return
	}
	if r.Scored < FewEach*max(len(t.Classes), len(t.Clusters)) || r.Scores.ARI >= unrelated {
		return
	}
	text, retry := fmt.Sprintf("The clusters agree with the %d classes of the file no better than chance (ARI %.2f)", len(t.Classes), r.Scores.ARI), ""
	if !j.Was("clusters") && j.ClusterRange.IsZero() && !j.Spec.Yields.Number {
		text, retry = text+", which gave their number: ‹clusters› auto takes it from the documents", "clusters=auto"
	}
	for _, option := range []string{"class-folder", "label-column"} {
		if f := j.Field(option); f != nil && request.TakesFormat(f, r.Corpus.Format) {
			text += fmt.Sprintf(". ‹%s› none leaves these classes out (%s)", option, words.Few(r.Corpus.ClassNames, 3))
		}
	}
	j.Advise(progress.Warning, retry, text+".")
}

// ScoresAs are the scores of a table of classes against clusters. If clusters are named, all after
// classes of the table's, accuracy and macro-F1 go by these names. A cluster without a name is
// matched with a class of which no label was known; of any other class its documents are wrong. of
// are the names of the clusters, "" for one without, nil for none; known are the classes with known
// labels.
func ScoresAs(t *metrics.Table, of, classes, known []string) *metrics.Scores {
	to, named := assigned(t, of, classes, known)
	s := t.ScoresAs(to)
	if !named {
		s = t.Scores()
	}
	return &s
}

// isNamed reports whether clusters have names that are all classes.
func isNamed(of, classes []string) bool {
	return slices.ContainsFunc(of, func(name string) bool { return name != "" }) &&
		!slices.ContainsFunc(of, func(name string) bool { return name != "" && !slices.Contains(classes, name) })
}

// assigned is the class of each cluster of a table, as its row, -1 for none; and whether the
// clusters are named.
func assigned(t *metrics.Table, of, classes, known []string) (to []int, named bool) {
	if !isNamed(of, classes) {
		return t.Assignment(), false
	}
	free := &metrics.Table{} // the classes without a known label against the clusters without a name
	var rows, cols []int     // of free, in t
	for j, cluster := range t.Clusters {
		if of[cluster] == "" {
			free.Clusters, cols = append(free.Clusters, cluster), append(cols, j)
		}
	}
	for i, class := range t.Classes {
		if slices.Contains(known, classes[class]) {
			continue
		}
		free.Classes, rows = append(free.Classes, class), append(rows, i)
		free.Counts = append(free.Counts, labels.Pick(t.Counts[i], cols))
	}
	to = make([]int, len(t.Clusters))
	for j, cluster := range t.Clusters {
		to[j] = slices.IndexFunc(t.Classes, func(class int) bool { return classes[class] == of[cluster] })
	}
	if len(cols) > 0 {
		for k, row := range free.Assignment() {
			if row >= 0 {
				to[cols[k]] = rows[row]
			}
		}
	}
	return to, true
}
