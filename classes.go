package eigenmap

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/registry"
	"github.com/eigenmap/eigenmap/sparse"
)

// classStream keeps the draw of classes apart from other uses of the seed.
const classStream = 0x636c6173736573

// selectClasses keeps the classes that were named or are drawn. Drawn classes are written into the
// options as if they had been named, so that the run can be repeated.
func (j *job) selectClasses() error {
	s := &j.Source
	if j.corpus.Labels == nil && (s.RandomClasses > 0 || len(s.Classes) > 0) {
		return invalid.Errorf("%s: it has no labels to choose classes by: give ‹truth› FILE, or leave ‹classes› and ‹random-classes› out", j.file)
	}
	if s.RandomClasses > 0 {
		if len(s.Classes) > 0 {
			return invalid.Errorf("‹classes› and ‹random-classes› exclude each other: give one of them")
		}
		n := len(j.corpus.ClassNames)
		if s.RandomClasses > n {
			return invalid.Errorf("%s: it has %d classes, fewer than ‹random-classes› %d", j.file, n, s.RandomClasses)
		}
		drawn := rand.New(rand.NewPCG(j.Seed, classStream)).Perm(n)[:s.RandomClasses]
		slices.Sort(drawn)
		for _, c := range drawn {
			s.Classes = append(s.Classes, j.corpus.ClassNames[c])
		}
		s.RandomClasses = 0
		j.note(fmt.Sprintf("classes drawn with seed %d: %s", j.Seed, strings.Join(s.Classes, ", ")))
	}
	if len(s.Classes) == 0 {
		return nil
	}
	c, rows, err := j.corpus.SelectWithRows(s.Classes)
	if err != nil {
		return j.inFile(err)
	}
	j.corpus, j.known.rows = c, rows
	if j.dates != nil {
		j.dates = pick(j.dates, rows)
	}
	if j.vectors != nil {
		j.vectors.X, j.vectors.IDs = sparse.SelectRows(j.vectors.X, rows), nil
	}
	return nil
}

// decideClusters settles the number of clusters before the long work, and checks it against the
// documents.
func (j *job) decideClusters() error {
	n := j.corpus.Len()
	if n < 2 {
		return invalid.Errorf("%s: one document cannot be clustered: give a corpus of at least two", j.file)
	}
	if !j.ClusterRange.IsZero() {
		return j.settleRange()
	}
	switch g := &j.known; {
	case j.Clusters > 0:
	case j.spec.Yields.Number: // it finds how many there are
		return nil
	case g.labels != nil:
		j.Clusters = len(g.names)
		j.note(fmt.Sprintf("‹clusters› %d: as many clusters as the known labels have classes", j.Clusters))
	case j.corpus.Labels == nil:
		return invalid.Errorf("%s: it has no labels, so the number of clusters is not known: give ‹clusters›, a number or auto", j.file)
	default:
		j.Clusters = len(j.corpus.ClassNames)
		j.note(fmt.Sprintf("‹clusters› %d: as many clusters as the file has classes", j.Clusters))
	}
	if j.Clusters > n {
		return invalid.Errorf("%s: ‹clusters› %d is more than its %s; give at most %d", j.file, j.Clusters, words.Plural(n, "document", "documents"), n)
	}
	switch names, naming := len(j.known.names), j.spec.Yields.Naming; {
	case naming == method.ClassesOnly && j.Clusters != names:
		return invalid.Errorf("the method %s gives documents the classes of the known labels, here %d: leave ‹clusters› %d out", j.spec.Name, names, j.Clusters)
	case naming == method.ClassesFirst && j.Clusters < names:
		return invalid.Errorf("the method %s makes a cluster of each of the %d classes given: leave ‹clusters› %d out, or give a larger one", j.spec.Name, names, j.Clusters)
	}
	return j.checkStarts()
}

// checkStarts refuses k-means that starts at labels if labels do not make the starts of all
// clusters, and several starts if they do.
func (j *job) checkStarts() error {
	g := &j.known
	if j.KMeans.Init == "" && j.spec.Yields.FromLabels && g.labels != nil && j.Clusters == len(g.names) && (!j.was("restarts") || j.single("restarts")) {
		j.KMeans.Init = initLabels
		j.note("‹init› labels: k-means starts at the means of the known labels")
	}
	switch {
	case j.spec.Yields.Naming == method.ClassesFirst && j.Clusters == len(g.names) && j.was("restarts") && !j.single("restarts"):
		return invalid.Errorf("‹restarts› has no effect if the known labels start every cluster of %s: leave it out, or give larger ‹clusters›", j.spec.Name)
	case j.KMeans.Init != initLabels:
		return nil
	case g.labels == nil && j.spec.Needs.Labels == method.None:
		return invalid.Errorf("‹init› labels starts k-means from labels that the method is given, and %s takes none: leave it out, or give a method that learns from labels (%s)", j.spec.Name, strings.Join(labelStarted(), ", "))
	case g.labels == nil:
		return invalid.Errorf("‹init› labels starts k-means from labels that the method is given: give ‹labels› FILE or ‹labeled-fraction› 0.05, or leave it out")
	case j.Clusters != len(g.names):
		return invalid.Errorf("‹init› labels makes a cluster of each of the %d classes given: leave ‹clusters› %d out", len(g.names), j.Clusters)
	case j.was("restarts") && !j.single("restarts"):
		return invalid.Errorf("‹restarts› has no effect beside ‹init› labels, which is one start: leave it out")
	}
	j.KMeans.Restarts = 1
	return nil
}

// single says whether an option was set to 1.
func (r *request) single(name string) bool {
	for _, f := range r.fields() {
		if f.Name == name {
			return f.String() == "1"
		}
	}
	return false
}

// labelStarted are the methods whose k-means can start at labels.
func labelStarted() []string {
	var names []string
	for _, s := range registry.Specs {
		if s.ThenKMeans() && s.Needs.Labels != method.None {
			names = append(names, s.Name)
		}
	}
	return names
}
