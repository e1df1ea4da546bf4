package view

import (
	"fmt"

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

// plane has a place for each document, and says what it is.
type plane struct {
	x, y []float64
	note string
}

// planeOf is the neighbour layout of the run if it has one, else a projection of its coordinates;
// nil if there is none, as of a given kernel, or if no rank has all documents.
func planeOf(r *result.Run) *plane {
	if r.J.Share.Divided() && !r.Whole && r.Map == nil {
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
