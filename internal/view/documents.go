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

const (
	// pageCoordinates is the largest number of coordinates that the report colours documents by.
	pageCoordinates = 12
	// pageCenters is the largest number of clusters whose centres the report compares with each
	// other: the time grows with its square.
	pageCenters = 512
	// nearestShown is how many of the nearest clusters a cluster has.
	nearestShown = 5
)

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
