package result

import (
	"errors"
	"fmt"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
)

// WayOut says in terms of options what can be done about an error of the engine in a job; nil:
// nothing is known of it.
func WayOut(err error, j *job.Job) error {
	if errors.Is(err, graph.ErrNoEdges) {
		return fault.Reword(err, noNeighbours(j))
	}
	var nc *eigen.NotConvergedError
	if !errors.As(err, &nc) || nc.Result == nil {
		return err
	}
	way := "give a larger ‹max-iter› or ‹tol›, or another ‹solver›"
	if nc.Unsearched && nc.Result.Converged == nc.Wanted {
		way = "give a larger ‹max-iter›"
		if nc.Missing > 0 {
			way = "give another ‹solver›"
		}
	}
	return fault.Reword(err, nc.State()+": "+way)
}

// noNeighbours says that no two documents have anything in common, and what helps.
func noNeighbours(j *job.Job) string {
	why, ways := "no two documents have a term or a value in common that counts", "give more documents, "
	if j != nil && j.Whole != nil {
		why = fmt.Sprintf("equal documents count once, and the %s have %s, no two of which have a term in common that counts",
			words.Counted(j.Whole.Corpus.Len(), "document"), words.Plural(len(j.Whole.Groups.First), "different text", "different texts"))
		ways = "check that this is the text (‹text-column›), give ‹duplicates› keep, "
	}
	if j == nil || j.IsText() && j.Text.MinDF.Count != 1 {
		ways += "‹min-df› 1 to keep terms of single documents, "
	}
	return why + ", so there are no neighbours to cluster by: " + ways + "or a ‹method› without neighbours such as kmeans"
}
