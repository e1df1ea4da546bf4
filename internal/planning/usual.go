package planning

import (
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

// usual plans a run that chooses its number of clusters: its memory by about the most clusters that
// are chosen, and its time by as many as are usual.
type usual struct {
	j    *job.Job
	in   *method.Input
	most int // 0 of a run whose number is given
	k    int
}

// newUsual is for a run that chooses from a range, zero for none, and notes what it plans by.
// Usual is the cube root of the documents: 12 corpora of 64 to 14,640 documents, of words and of
// numbers, were found to have .5 to 1.8 times as many clusters.
func newUsual(j *job.Job, in *method.Input, span option.Span) *usual {
	u := &usual{j: j, in: in}
	if span.IsZero() || j.Dry == "embed" {
		return u
	}
	u.most = j.Clusters
	u.k = min(max(int(math.Round(math.Cbrt(float64(in.Len())))), span.From, job.LeastRange), u.most)
	asked := "auto: the run finds how many there are"
	if !span.Auto {
		asked = fmt.Sprintf("%d-%d: the run chooses from the range", span.From, span.To)
	}
	j.Note(fmt.Sprintf("‹clusters› %s; memory is planned for %s, about the most that such runs choose, and time for %d, about as many as are usual", asked, words.Plural(u.most, "cluster", "clusters"), u.k))
	return u
}

// timed returns the stages of a run with the most clusters, with the times of one with as many as
// are usual; a stage that the latter alone has is there too.
func (u *usual) timed(stages func() ([]method.Stage, error)) ([]method.Stage, error) {
	list, err := stages()
	if err != nil || u.k == u.most {
		return list, err
	}
	u.j.Clusters, u.in.Clusters = u.k, u.k
	fewer, err := stages()
	u.j.Clusters, u.in.Clusters = u.most, u.most
	if err != nil {
		return nil, err
	}
	most := map[string][]method.Stage{}
	for _, s := range list {
		most[s.Name] = append(most[s.Name], s)
	}
	for i := range fewer {
		s := &fewer[i]
		if same := most[s.Name]; len(same) > 0 {
			s.Bytes, s.Keeps, s.Received = max(s.Bytes, same[0].Bytes), max(s.Keeps, same[0].Keeps), max(s.Received, same[0].Received)
			most[s.Name] = same[1:]
		}
	}
	for _, s := range list { // that the one with fewer clusters does not have
		if rest := most[s.Name]; len(rest) > 0 {
			rest[0].Seconds = 0
			fewer, most[s.Name] = append(fewer, rest[0]), rest[1:]
		}
	}
	return fewer, nil
}
