package eigenmap

import (
	"github.com/eigenmap/eigenmap/internal/choosing"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/overtime"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/summary"
	"github.com/eigenmap/eigenmap/methods/graph"
)

// View is one of several things by which documents are compared: words, vectors, or a column beside
// the texts.
type View = job.View

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

// How a document came to its cluster: the column placed of clusters.csv.
const (
	PlacedYes      = result.PlacedYes      // by what it has in common with the others
	PlacedIsolated = result.PlacedIsolated // it has nothing in common with any: its cluster is arbitrary
	PlacedKnown    = result.PlacedKnown    // it is a document of the model, and is where it was
)

// PlacedCounts counts the documents by how they came to their clusters.
type PlacedCounts = result.PlacedCounts

// Group describes one cluster of a result.
type Group = result.Group

// Difference is a column of measurements in which a cluster differs from all other documents.
type Difference = result.Difference

// Level is the clustering of a run with another number of clusters: fewer by mergers of its
// clusters, or more by divisions of them.
type Level = result.Level

// LevelCluster is a cluster of a level. Clusters are numbered by falling size, where equal
// documents count once; the level of the run's own number of clusters has the run's clusters under
// their own numbers.
type LevelCluster = result.LevelCluster

// RunnerUp is a second answer to the question of a run: as many clusters of the same coordinates,
// merged from twice as many along the edges of the graph.
type RunnerUp = result.RunnerUp

// RunnerUpCluster is a cluster of a runner-up.
type RunnerUpCluster = result.RunnerUpCluster

// RunnerUpPart is how many documents of a cluster of a runner-up are in a cluster of the run.
type RunnerUpPart = result.RunnerUpPart

// TermCoherence is how well the terms of a cluster belong together, by the documents of the corpus
// that hold two of them; to six decimals.
type TermCoherence = result.TermCoherence

// Coherence is how well the ten terms of each cluster belong together: means over the clusters
// with two terms or more.
type Coherence = result.Coherence

// Uncertain counts the uncertain documents and lists the least certain.
type Uncertain = result.Uncertain

// DuplicatesJSON counts the documents that equal earlier ones.
type DuplicatesJSON = result.DuplicatesJSON

// DuplicateGroup is a group of equal documents.
type DuplicateGroup = result.DuplicateGroup
