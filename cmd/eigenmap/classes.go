package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// classStream keeps the draw of classes apart from other uses of the seed.
const classStream = 0x636c6173736573

// selectClasses keeps the classes that --classes names or --random-classes draws. Drawn classes
// are written into the options as if they had been named, so that the run can be repeated.
func (j *job) selectClasses() error {
	o := j.opt
	if j.corpus.Labels == nil && (o.randomClasses > 0 || len(o.classes) > 0) {
		return requestf("%s: it has no labels to choose classes by: give --truth FILE, or leave --classes and --random-classes out", j.file)
	}
	if o.randomClasses > 0 {
		if len(o.classes) > 0 {
			return requestf("--classes and --random-classes exclude each other: give one of them")
		}
		n := len(j.corpus.ClassNames)
		if o.randomClasses > n {
			return requestf("%s: it has %d classes, fewer than --random-classes %d", j.file, n, o.randomClasses)
		}
		drawn := rand.New(rand.NewPCG(o.seed, classStream)).Perm(n)[:o.randomClasses]
		slices.Sort(drawn)
		for _, c := range drawn {
			o.classes = append(o.classes, j.corpus.ClassNames[c])
		}
		o.randomClasses = 0
		j.ui.note(fmt.Sprintf("classes drawn with seed %d: %s", o.seed, strings.Join(o.classes, ", ")))
	}
	if len(o.classes) == 0 {
		return nil
	}
	c, rows, err := j.corpus.SelectWithRows(o.classes)
	if err != nil {
		return inFile(j.file, err)
	}
	j.corpus, j.given.rows = c, rows
	return nil
}

// decideClusters settles -k and -d before the long work, and checks them against the documents.
func (j *job) decideClusters(m method) error {
	o := j.opt
	n := j.corpus.Len()
	if n < 2 {
		return requestf("%s: one document cannot be clustered: give a corpus of at least two", j.file)
	}
	if g := &j.given; o.clusters == 0 && g.labels != nil {
		o.clusters = len(g.names)
		j.ui.note(fmt.Sprintf("-k %d: as many clusters as the labels given have classes", o.clusters))
	} else if o.clusters == 0 {
		if j.corpus.Labels == nil {
			return requestf("%s: it has no labels, so the number of clusters is not known: give -k", j.file)
		}
		o.clusters = len(j.corpus.ClassNames)
		j.ui.note(fmt.Sprintf("-k %d: as many clusters as the file has classes", o.clusters))
	}
	if o.clusters > n {
		return requestf("%s: -k %d is more than its %s; give at most %d", j.file, o.clusters, plural(n, "document", "documents"), n)
	}
	switch names := len(j.given.names); {
	case m.classes == classesOnly && o.clusters != names:
		return requestf("the method %s gives documents the classes of the labels given, here %d: leave -k %d out", m.name, names, o.clusters)
	case m.classes == classesFirst && o.clusters < names:
		return requestf("the method %s makes a cluster of each of the %d classes given: leave -k %d out, or give a larger one", m.name, names, o.clusters)
	}
	return j.checkSeeds(m)
}

// checkSeeds refuses --init labels where labels do not make the starts of all clusters, and several starts where they do.
func (j *job) checkSeeds(m method) error {
	o, g := j.opt, &j.given
	switch {
	case m.classes == classesFirst && o.clusters == len(g.names) && j.set.Changed("restarts") && o.restarts != 1:
		return requestf("--restarts means nothing where the labels given start every cluster of %s: leave it out, or give a larger -k", m.name)
	case o.init != initLabels:
	case g.labels == nil:
		if m.needs == needsNothing {
			return requestf("--init labels starts k-means from labels that the method is given, and %s is given none: leave it out, or give a method that learns from labels (%s)", m.name, strings.Join(labelStarted(), ", "))
		}
		return requestf("--init labels starts k-means from labels that the method is given: give --labels FILE or --labeled-fraction 0.05, or leave it out")
	case o.clusters != len(g.names):
		return requestf("--init labels makes a cluster of each of the %d classes given: leave -k %d out", len(g.names), o.clusters)
	case j.set.Changed("restarts") && o.restarts != 1:
		return requestf("--restarts means nothing beside --init labels, which is one start: leave it out")
	}
	if o.init == initLabels {
		o.restarts = 1
	}
	return nil
}

// labelStarted are the methods that --init labels works with.
func labelStarted() []string {
	var names []string
	for _, m := range methods {
		if m.thenKMeans && m.needs != needsNothing {
			names = append(names, m.name)
		}
	}
	return names
}

func (j *job) decideDims(m method) error {
	o := j.opt
	n := j.corpus.Len()
	if n < 2 {
		return requestf("%s: one document cannot be embedded: give a corpus of at least two", j.file)
	}
	if o.dropFirst && o.dropZeros {
		return requestf("--drop-first and --drop-zeros exclude each other: give one of them")
	}
	if o.pca.share > 0 && m.name != nameSemiLDC { // whose dimensions come after the components
		if o.dims != 0 {
			return requestf("-d and --pca %s are two ways to choose the components: give one of them", numberOrShareValue{&o.pca})
		}
		return nil // as many as it takes
	}
	if m.dims != nil {
		if fixed, why := m.dims(j); fixed > 0 {
			if o.dims != 0 && o.dims != fixed {
				return requestf("the method %s makes %s, here %d: leave -d out", m.name, why, fixed)
			}
			o.dims = fixed
		}
	}
	if o.dims == 0 {
		o.dims = o.clusters
		if o.dims == 0 && j.given.labels != nil {
			o.dims = len(j.given.names)
			j.ui.note(fmt.Sprintf("-d %d: as many dimensions as the labels given have classes", o.dims))
		} else if o.dims == 0 {
			if j.corpus.Labels == nil {
				return requestf("%s: it has no labels, so the number of dimensions is not known: give -d", j.file)
			}
			o.dims = min(len(j.corpus.ClassNames), n)
			j.ui.note(fmt.Sprintf("-d %d: as many dimensions as the file has classes", o.dims))
		}
	}
	if slices.Contains(rankMethods, m.name) {
		flag := "-d"
		switch {
		case o.pca.number > 0:
			flag = "--pca"
		case m.name == "nmf" && o.clusters > 0:
			flag = "-k"
		}
		return j.checkRank(o.dims, flag)
	}
	if most := m.mostDims(o, n); o.dims > most && o.dims <= n {
		return j.tooManyDims("its "+plural(n, "document gives", "documents give"), most, "")
	}
	if o.dims > n {
		return requestf("%s: -d %d is more than its %s; give at most %d", j.file, o.dims, plural(n, "document", "documents"), n)
	}
	return nil
}

// rankMethods have no more dimensions than the matrix of documents and terms has rows or columns.
var rankMethods = []string{"lsi", "pca", "spca", "nmf"}

// checkRank refuses more of them, by the flag that says how many.
func (j *job) checkRank(dims int, flag string) error {
	n, terms := j.x.Dims()
	most := min(n, terms)
	if dims <= most {
		return nil
	}
	return requestf("%s: %s of %s have at most %s, not %d: give %s %d", j.file, counted(n, "document"), counted(terms, "term"), counted(most, "dimension"), dims, flag, most)
}

// mostDims is how many dimensions n documents give the method at most.
func (m method) mostDims(o *options, n int) int {
	if m.name == nameIsomap || m.name == nameLLE || o.dropFirst || o.dropZeros {
		return n - 1
	}
	return n
}

// tooManyDims refuses the dimensions where less are possible: what says "the 2 documents give", more what else would help, "" where nothing would.
func (j *job) tooManyDims(what string, most int, more string) error {
	if most < 1 {
		return requestf("%s: %s no dimension at all%s", j.file, what, strings.Replace(more, ", or", ": give", 1))
	}
	return requestf("%s: %s at most %s, not %d: give -d %d%s", j.file, what, counted(most, "dimension"), j.opt.dims, most, more)
}
