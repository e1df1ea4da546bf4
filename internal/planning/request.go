package planning

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/choosing"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
)

// planned is the method's input with rows that hold their sizes alone, once the request was checked
// as far as sizes decide. weighed: it is settled how the rows are weighed.
func planned(j *job.Job, size *corpus.Size, weighed bool) (*method.Input, error) {
	j.Corpus = &corpus.Corpus{Name: j.File, Format: size.Format, X: method.Shape(size.Documents, size.Terms), ClassNames: size.Classes}
	if size.Sparse {
		j.Corpus.X = sparseShape(size.Documents, size.Terms, size.Entries)
	}
	if size.Classes != nil {
		j.Corpus.Labels = []int{}
	}
	if err := j.CheckFormats(size.Format); err != nil {
		return nil, err
	}
	j.X = j.Corpus.X
	if !weighed {
		guessWeights(j)
	}
	if j.VectorsRead != nil {
		j.X = j.VectorsRead.X
	}
	if err := j.SettleOptions(); err != nil {
		return nil, err
	}
	j.NoteDefault()
	j.NoteKernels()
	if s := &j.Source; len(s.Classes) > 0 || s.RandomClasses > 0 {
		j.Note("‹classes›: the plan counts all documents of the file, so the run takes less")
		if len(s.Classes) > 0 {
			size.Classes = s.Classes
		} else if s.RandomClasses <= len(size.Classes) {
			size.Classes = size.Classes[:s.RandomClasses]
		}
		j.Corpus.ClassNames = size.Classes
	}
	open := j.CountOpen()
	if size.Share < 1 && size.Classes == nil && open && j.Dry != "embed" {
		return nil, invalid.Errorf("%s: a plan does not read the labels of a file as long as this, so the number of clusters is not known: give ‹clusters›", j.File)
	}
	if err := plannedLabels(j, size.Classes, open); err != nil {
		return nil, err
	}
	if err := plannedClusters(j); err != nil {
		return nil, err
	}
	in := j.Input()
	in.Clusters, in.Observer, in.Stages = j.Clusters, nil, nil
	expectLabels(j, in, size.Documents)
	if j.Constraints != "" {
		in.Links = new(links.Groups)
	}
	return in, nil
}

// plannedLabels settles the classes of the known labels that the run learns from, which a plan does
// not read: those of the file, or, of a file of labels, as many as the number of clusters that is
// given. open says that the number of clusters is that of the classes.
func plannedLabels(j *job.Job, classes []string, open bool) error {
	if j.Labels != "" && j.Clusters > 0 {
		classes = nil
	}
	switch {
	case j.Labels == "" && j.LabeledFraction == 0:
		return nil
	case classes != nil:
		j.Prior.Names = classes
	case open:
		return invalid.Errorf("%s: the classes of the labels are not known before they are read: give ‹clusters›", j.File)
	default: // the most of a range
		for k := range max(j.Clusters, j.ClusterRange.To) {
			j.Prior.Names = append(j.Prior.Names, strconv.Itoa(k+1))
		}
	}
	j.Prior.Labels = []int{}
	return nil
}

// guessWeights settles the weights of rows that were not read. Of a table it takes the weighting
// that takes more memory and time.
func guessWeights(j *job.Job) {
	if j.HasUnits(j.IsText()) {
		j.Weighting = corpus.WeightStandard
	}
	j.SettleWeights(j.IsText())
}

// foreseeWeights settles, as the run does, how it weighs the rows read and whether they become
// sparse, which file then says. false: they were not read, or the run has none of them.
func foreseeWeights(ctx context.Context, j *job.Job, read *corpus.Corpus, file *corpus.Size) (bool, error) {
	if j.VectorsRead != nil && !j.JoinsWords() {
		return false, nil
	}
	if read == nil {
		if j.Weighting == "" && !j.Paper && !j.Spec.Needs.Counts && file.Sparse && !slices.Contains(corpus.TextFormats(), file.Format) {
			j.Note("A plan does not look at the entries of a file as long as this: if they look like counts of terms, the run weighs them as such")
		}
		return false, nil
	}
	j.Corpus = read
	if err := j.DecideWeights(ctx); err != nil {
		return false, err
	}
	if x, ok := j.Corpus.X.(sparse.Rows); ok && !file.Sparse {
		file.Entries, file.Sparse, file.Single = int(float64(x.Pattern().NNZ())/file.Share), true, false
	}
	return true, nil
}

// votes makes the plan of a run whose method known labels choose one of the committee, if it takes
// the run's options: most such runs take it, and its members are most of what is compared. Where
// the number of clusters is chosen too it is planned as that of the classes, if these are known and
// the range holds their number, else the plan is of the method that learns from none, as it is for
// another number than that of the classes, which the committee does not make.
func votes(j *job.Job, classes []string) {
	list, at := j.Entrants, request.PlaceOfCommittee
	switch s := j.ClusterRange; {
	case list == nil:
		return
	case !s.IsZero() && classes != nil && (s.Auto || len(classes) >= s.From && len(classes) <= s.To):
		j.Note(fmt.Sprintf("‹clusters› %v: as many clusters as the labels have classes, unless the data show more; the plan is of the classes of the file", s))
		j.Clusters, j.ClusterRange, j.KBy = 0, option.Span{}, ""
	case !s.IsZero() || j.Clusters > 0 && classes != nil && j.Clusters != len(classes):
		at = request.PlaceOf(request.DefaultMethod)
	}
	if list[at].Request != nil {
		j.Become(list[at].Request)
		j.Entrants = list
	}
}

// expectLabels says how many of n documents will have a known label.
func expectLabels(j *job.Job, in *method.Input, n int) {
	if in.Given == nil {
		return
	}
	if in.Given.Expected = int(math.Ceil(j.LabeledFraction * float64(n))); in.Given.Expected == 0 {
		j.Note(fmt.Sprintf("‹labels›: a plan does not read them, and takes %s as labelled", words.Counted(in.Labelled(), "document")))
	}
}

// plannedClusters settles the number of clusters, of a range about the largest that is chosen; an
// embedding has none.
func plannedClusters(j *job.Job) error {
	if j.Dry == "embed" {
		return nil
	}
	if err := j.DecideClusters(); err != nil {
		return err
	}
	if s := j.ClusterRange; !s.IsZero() {
		j.Clusters, j.ClusterRange = choosing.MostPlanned(j, j.Corpus.X), option.Span{}
	}
	return nil
}
