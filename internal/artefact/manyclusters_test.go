package artefact

import (
	"io"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/methods/method"
)

// TestTableOfManyClusters: clusters.csv takes time in proportion to the documents, also of as many
// clusters without terms. Looking for terms in all clusters for each document took minutes.
func TestTableOfManyClusters(t *testing.T) {
	const n, most = 300000, 30 * time.Second
	r := &result.Run{J: &job.Job{Request: &request.Request{}}, Found: &method.Clusters{}}
	r.Corpus, r.Labels, r.Clusters = &corpus.Corpus{}, make([]int, n), make([]result.Group, n)
	for i := range r.Labels {
		r.Labels[i] = i
	}
	start := time.Now()
	head, row := ClusterTable(r, false)
	must.Do(t, WriteTable(io.Discard, head, n, row))
	if took := time.Since(start); took > most {
		t.Errorf("%v, want less than %v", took, most)
	}
}
