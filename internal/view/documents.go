package view

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/words"
	"gonum.org/v1/gonum/mat"
)

// mapCaption says what the pictures of a map show.
func mapCaption(r *result.Run) string {
	by := "its graph of neighbours"
	if g := r.Fitted.Graph; g == nil || g.W == nil || r.Fitted.Landmarks != nil {
		by = "the graph of the nearest neighbours in its coordinates"
		if r.Embedding == nil {
			by = "the graph of the nearest neighbours among its weighted rows"
		}
	}
	return fmt.Sprintf("Each dot is a document, in a map that %s draws: the nearer two documents are in the graph, the nearer they lie. Distances between groups that lie far apart mean little.", by)
}

const (
	// pageCoordinates is the largest number of coordinates that the report colours documents by.
	pageCoordinates = 12
	// pageCenters is the largest number of clusters whose centres the report compares with each
	// other: the time grows with its square.
	pageCenters = 512
	// nearestShown is how many of the nearest clusters a cluster has.
	nearestShown = 5
)

// plane has a place for each document, and says what it is.
type plane struct {
	x, y []float64
	note string
}

// documentsPart adds what the page shows of each document, and the pictures.
func documentsPart(ctx context.Context, r *result.Run, p *report.Page) error {
	at := planeOf(r)
	pictures, err := draw(ctx, r, at)
	if err != nil {
		return err
	}
	p.Pictures = *pictures
	n := len(r.Labels)
	if err := memory.Need(memory.Bound(ctx, r.J.MaxBytes), report.Bytes(n), "", "The list of documents on the page"); err != nil {
		// The result is complete without it.
		p.Notes = append(p.Notes, words.Rename(fmt.Sprintf("The page shows the clusters and no documents. %s.", err), flagName))
		return nil
	}
	d := &report.Documents{Cluster: r.Labels, Second: r.Second, Confidence: r.Confidence, Novelty: r.Novelty, Distance: r.Distance, Typicality: r.Typicality(ctx)}
	if at != nil {
		d.X, d.Y = at.x, at.y
	}
	if r.Corpus.IDs != nil {
		d.IDs = make([]string, n)
		for i := range d.IDs {
			d.IDs[i] = r.Corpus.ID(i)
		}
	}
	if len(r.Corpus.Snippets) == n { // else they are one rank's
		d.Snippets = r.Corpus.Snippets
	}
	if r.Table != nil {
		d.Class, d.ClassNames, d.ClassColors = r.Corpus.Labels, r.Corpus.ClassNames, classColors(r)
	}
	if r.Levels != nil {
		d.Leaf = make([]int, n)
		for i := range d.Leaf {
			if d.Leaf[i] = result.Rejected; r.Labels[i] != result.Rejected {
				d.Leaf[i] = r.LeafOf(i)
			}
		}
	}
	if k := r.J.Prior; len(k.Labels) == n {
		d.Known, d.KnownNames = k.Labels, k.Names
	}
	if r.Confidence != nil {
		d.ConfidenceIs = r.J.Spec.Confidence()
	}
	if r.HasEmbedding() && n <= report.MaxCoordinates {
		_, dims := r.Embedding.Dims()
		for j := range min(dims, pageCoordinates) {
			d.Coordinates = append(d.Coordinates, mat.Col(nil, j, r.Embedding))
		}
	}
	p.Documents = d
	besidePart(r, p)
	return nil
}

// besidePart adds the nearest clusters of each cluster, as far as their centres say which these
// are.
func besidePart(r *result.Run, p *report.Page) {
	c := r.Found
	if c == nil || c.Centers == nil || len(c.Sizes) > pageCenters {
		return
	}
	for i, near := range report.Nearest(c.Centers, c.Sizes, nearestShown) {
		p.Clusters[i].Nearest = near
	}
}

// planeOf is the neighbour layout of the run if it has one, else a projection of its coordinates;
// nil if there is none, as of a given kernel, or if no rank has all documents.
func planeOf(r *result.Run) *plane {
	if r.J.Share.Divided() && !r.Whole {
		return nil
	}
	p := &plane{}
	if r.Map != nil {
		p.x, p.y = mat.Col(nil, 0, r.Map), mat.Col(nil, 1, r.Map)
		p.note = mapCaption(r)
		return p
	}
	if !project(r, p) {
		return nil
	}
	if moved := report.Clamp(p.x, 0.995) + report.Clamp(p.y, 0.995); moved > 0 {
		p.note += fmt.Sprintf(" %s far outside, drawn at the edge.", words.Plural(moved, "document lies", "documents lie"))
	}
	return p
}

// project makes the plane in which the cluster centres lie farthest apart.
func project(r *result.Run, p *plane) (ok bool) {
	var x mat.Matrix = r.J.X
	p.note = "Each dot is a document, in the plane of the weighted terms in which the cluster centres lie farthest apart."
	if r.Embedding != nil {
		x = r.Embedding
		_, dims := r.Embedding.Dims()
		p.note = fmt.Sprintf("Each dot is a document, in the plane of the %d-dimensional embedding (rows scaled to length 1) in which the cluster centres lie farthest apart; clusters that overlap here may be apart in other directions.", dims)
	} else if r.J.X == nil {
		return false // a given kernel has no plane to draw
	}
	found := r.Labels
	if r.Found != nil {
		found = r.Found.Labels // rejected documents are in theirs
	}
	p.x, p.y, ok = report.View(x, found, len(r.Clusters), r.Embedding != nil)
	return ok
}
