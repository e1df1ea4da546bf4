package eigenmap

import (
	"github.com/eigenmap/eigenmap/internal/choosing"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/overtime"
	"github.com/eigenmap/eigenmap/internal/summary"
	"github.com/eigenmap/eigenmap/methods/graph"
)

// Choice is how the known labels chose the method of a run.
type Choice = choosing.Choice

// ChoiceRow is the verdict on one candidate.
type ChoiceRow = choosing.ChoiceRow

// Search is how the number of clusters was chosen.
type Search = choosing.Search

// SearchCandidate is what a number of clusters makes of the communities of the neighbour graph.
type SearchCandidate = choosing.SearchCandidate

// SearchPoint is the score of one number of clusters.
type SearchPoint = choosing.SearchPoint

// Lengths of a period of time, the shortest first. A week begins on Monday and is named by it.
const (
	PeriodDay     = overtime.PeriodDay
	PeriodWeek    = overtime.PeriodWeek
	PeriodMonth   = overtime.PeriodMonth
	PeriodQuarter = overtime.PeriodQuarter
	PeriodYear    = overtime.PeriodYear
)

// OverTime are the clusters of the documents by their times.
type OverTime = overtime.OverTime

// Period is the documents of one period.
type Period = overtime.Period

// Timings are seconds by stage, in the order of the stages.
type Timings = job.Timings

// Seconds is a time for a person: "31 ms", "1.2 s", "45 s".
func Seconds(s float64) string { return job.Seconds(s) }

// Warning is a note that the result is not all that was asked for.
type Warning = job.Warning

// LinksSummary counts constraints.
type LinksSummary = job.LinksSummary

// Numbers is a list of float64 that JSON can always hold: a value that is not finite becomes null.
type Numbers = summary.Numbers

// GraphSummary describes an affinity graph.
type GraphSummary = summary.Graph

// SummarizeGraph describes a graph.
func SummarizeGraph(g *graph.Graph) GraphSummary { return summary.OfGraph(g) }

// EigenSummary is how an eigenproblem was solved.
type EigenSummary = summary.Eigen
