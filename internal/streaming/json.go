package streaming

import (
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/view"
)

// StreamJSON is a clustering by a sample as one JSON object: numbers of documents, sizes of
// clusters and scores are of all documents, the rest of the sample.
type StreamJSON struct {
	view.ClusterJSON
	FittedOn int  `json:"fitted_on"`       // documents of the sample
	Novel    *int `json:"novel,omitempty"` // documents of a novelty of at least 0.95 that equal none of the sample; left out if the model does not measure it
}

// JSON is the clustering as an object for JSON, after [Streamed.PlaceIn].
func (s *Streamed) JSON(name func(string) string, files []string) StreamJSON {
	t := &s.Total
	v := StreamJSON{ClusterJSON: view.OfClustering(s.Run, name, files), FittedOn: s.Run.Corpus.Len()}
	v.Documents, v.Sizes, v.Metrics, v.Scored, v.Rejected = t.Documents, t.Sizes, t.Scores, t.Scored, t.Rejected
	v.Placed = result.PlacedCounts{Yes: t.Documents - t.Isolated - t.Known, Isolated: t.Isolated, Known: t.Known}
	if s.measured {
		v.Novel = &t.Novel
	}
	return v
}
