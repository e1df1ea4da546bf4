package job

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// classStream keeps the draw of classes apart from other uses of the seed.
const classStream = 0x636c6173736573

// SelectClasses keeps the classes that were named or are drawn. Drawn classes are written into the
// options as if they had been named, so that the run can be repeated.
func (j *Job) SelectClasses() error {
	s := &j.Source
	if j.Corpus.Labels == nil && (s.RandomClasses > 0 || len(s.Classes) > 0) {
		return invalid.Errorf("%s: it has no labels to choose classes by: give ‹truth› FILE, or leave ‹classes› and ‹random-classes› out", j.File)
	}
	if s.RandomClasses > 0 {
		if len(s.Classes) > 0 {
			return invalid.Errorf("‹classes› and ‹random-classes› exclude each other: give one of them")
		}
		n := len(j.Corpus.ClassNames)
		if s.RandomClasses > n {
			return invalid.Errorf("%s: it has %d classes, fewer than ‹random-classes› %d", j.File, n, s.RandomClasses)
		}
		drawn := rand.New(rand.NewPCG(j.Seed, classStream)).Perm(n)[:s.RandomClasses]
		slices.Sort(drawn)
		for _, c := range drawn {
			s.Classes = append(s.Classes, j.Corpus.ClassNames[c])
		}
		s.RandomClasses = 0
		j.Note(fmt.Sprintf("classes drawn with seed %d: %s", j.Seed, strings.Join(s.Classes, ", ")))
	}
	if len(s.Classes) == 0 {
		return nil
	}
	c, rows, err := j.Corpus.SelectWithRows(s.Classes)
	if err != nil {
		return j.InFile(err)
	}
	j.Corpus, j.Prior.rows = c, rows
	if j.Dates != nil {
		j.Dates = labels.Pick(j.Dates, rows)
	}
	if j.VectorsRead != nil {
		j.VectorsRead.X, j.VectorsRead.IDs = sparse.SelectRows(j.VectorsRead.X, rows), nil
	}
	if j.ColumnsRead != nil {
		j.ColumnsRead.X = sparse.SelectRows(j.ColumnsRead.X, rows).(*mat.Dense)
	}
	return nil
}

// DecideClusters settles the number of clusters before the long work, and checks it against the
// documents.
func (j *Job) DecideClusters() error {
	n := j.Corpus.Len()
	if n < 2 {
		return invalid.Errorf("%s: one document cannot be clustered: give a corpus of at least two", j.File)
	}
	if !j.ClusterRange.IsZero() {
		return j.settleRange()
	}
	switch g := &j.Prior; {
	case j.Clusters > 0:
	case j.Spec.Yields.Number: // it finds how many there are
		return nil
	case g.Labels != nil:
		j.Clusters = len(g.Names)
		j.Note(fmt.Sprintf("‹clusters› %d: as many clusters as the known labels have classes", j.Clusters))
	case j.Corpus.Labels == nil:
		return invalid.Errorf("%s: it has no labels, so the number of clusters is not known: give ‹clusters›, a number or auto", j.File)
	default:
		j.Clusters = len(j.Corpus.ClassNames)
		j.Note(fmt.Sprintf("‹clusters› %d: as many clusters as the file has classes", j.Clusters))
	}
	if j.Clusters > n {
		return invalid.Errorf("%s: ‹clusters› %d is more than its %s; give at most %d", j.File, j.Clusters, words.Plural(n, "document", "documents"), n)
	}
	switch names, naming := len(j.Prior.Names), j.Spec.Yields.Naming; {
	case naming == method.ClassesOnly && j.Clusters != names:
		return invalid.Errorf("the method %s gives documents the classes of the known labels, here %d: leave ‹clusters› %d out", j.Spec.Name, names, j.Clusters)
	case naming == method.ClassesFirst && j.Clusters < names:
		return invalid.Errorf("the method %s makes a cluster of each of the %d classes given: leave ‹clusters› %d out, or give a larger one", j.Spec.Name, names, j.Clusters)
	}
	return j.CheckStarts()
}

// CheckStarts refuses k-means that starts at labels if labels do not make the starts of all
// clusters, and several starts if they do.
func (j *Job) CheckStarts() error {
	g := &j.Prior
	if j.KMeans.Init == "" && j.Spec.Yields.FromLabels && g.Labels != nil && j.Clusters == len(g.Names) && (!j.Was("restarts") || j.Single("restarts")) {
		j.KMeans.Init = request.InitLabels
		j.Note("‹init› labels: k-means starts at the means of the known labels")
	}
	switch {
	case j.Spec.Yields.Naming == method.ClassesFirst && j.Clusters == len(g.Names) && j.Was("restarts") && !j.Single("restarts"):
		return invalid.Errorf("‹restarts› has no effect if the known labels start every cluster of %s: leave it out, or give larger ‹clusters›", j.Spec.Name)
	case j.KMeans.Init != request.InitLabels:
		return nil
	case g.Labels == nil && j.Spec.Needs.Labels == method.None:
		return invalid.Errorf("‹init› labels starts k-means from labels that the method is given, and %s takes none: leave it out, or give a method that learns from labels (%s)", j.Spec.Name, strings.Join(request.LabelStarted(), ", "))
	case g.Labels == nil:
		return invalid.Errorf("‹init› labels starts k-means from labels that the method is given: give ‹labels› FILE or ‹labeled-fraction› 0.05, or leave it out")
	case j.Clusters != len(g.Names):
		return invalid.Errorf("‹init› labels makes a cluster of each of the %d classes given: leave ‹clusters› %d out", len(g.Names), j.Clusters)
	case j.Was("restarts") && !j.Single("restarts"):
		return invalid.Errorf("‹restarts› has no effect beside ‹init› labels, which is one start: leave it out")
	}
	j.KMeans.Restarts = 1
	return nil
}

// CountOpen says that the number of clusters is as many as there are classes.
func (j *Job) CountOpen() bool {
	return j.Clusters == 0 && j.ClusterRange.IsZero() && !j.Spec.Yields.Number
}

// LeastRange is the least end of the range of `auto`.
const LeastRange = 10

// settleRange fills in the range of numbers of clusters and checks it against the documents.
func (j *Job) settleRange() error {
	n, names := j.Corpus.Len(), len(j.Prior.Names)
	s := &j.ClusterRange
	switch naming := j.Spec.Yields.Naming; {
	case naming == method.ClassesOnly:
		return invalid.Errorf("the method %s gives documents the classes of the known labels, here %d: leave ‹clusters› %v out", j.Spec.Name, names, *s)
	case naming == method.ClassesFirst && names > 0 && !s.Auto && s.From < names:
		return invalid.Errorf("the method %s makes a cluster of each of the %d classes given: give ‹clusters› from %d on", j.Spec.Name, names, names)
	case j.KMeans.Init == request.InitLabels:
		return invalid.Errorf("‹init› labels makes a cluster of each of the %d classes given: leave ‹clusters› %v out", names, *s)
	}
	if s.Auto {
		*s = option.Span{Auto: true, From: 2, To: min(max(LeastRange, int(math.Round(math.Sqrt(float64(n))))), n-1)}
		if j.Spec.Yields.Naming == method.ClassesFirst {
			s.From, s.To = max(s.From, names), min(max(s.To, names+LeastRange), n-1)
		}
		if s.To < s.From {
			return invalid.Errorf("%s: %s are too few to choose a number of clusters: give ‹clusters›", j.File, words.Counted(n, "document"))
		}
	}
	if s.To > n {
		return invalid.Errorf("%s: ‹clusters› %v ends above its %s; let it end at %d at most", j.File, *s, words.Plural(n, "document", "documents"), n)
	}
	return nil
}
