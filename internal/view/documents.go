package view

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
func documentsPart(ctx context.Context, r *result.Run, fields []*report.Field, p *report.Page) error {
	at := planeOf(r)
	pictures, err := draw(ctx, r, at)
	if err != nil {
		return err
	}
	p.Pictures = *pictures
	n := len(r.Labels)
	if err := memory.Need(memory.Bound(ctx, r.J.MaxBytes), report.Bytes(n, len(fields)), "", "The list of documents on the page"); err != nil {
		// The result is complete without it.
		p.Notes = append(p.Notes, words.Rename(fmt.Sprintf("The page shows the clusters and no documents. %s.", err), FlagName))
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
	if len(r.Isolated) > 0 {
		d.Isolated = slices.Repeat([]int{-1}, n)
		for _, i := range r.Isolated {
			d.Isolated[i] = 0
		}
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
	d.Fields = fields
	p.Documents = d
	if left := d.LeftOut(); left > 0 {
		p.Notes = append(p.Notes, words.Rename(fmt.Sprintf("The page has no room for %s beside the texts; ‹page-columns› names the ones that it is to have.", words.Counted(left, "column")), FlagName))
	}
	return besidePart(ctx, r, p)
}

// fieldsOf reads the columns of the corpus beside its texts, by which the page colours and filters
// the documents. The result is complete without them, so what keeps them from being read is a note.
func fieldsOf(ctx context.Context, r *result.Run) (fields []*report.Field, err error) {
	dates := r.Dates()
	if len(dates) == len(r.Labels) && dates != nil {
		fields = append(fields, report.TimesField(r.J.TimeColumn, dates))
	}
	names := r.J.PageColumns
	if r.J.InMemory || r.J.Texts != nil || len(r.Labels) != r.Corpus.Len() || len(names) == 1 && names[0] == "none" {
		return fields, nil
	}
	within := memory.Bound(ctx, r.J.MaxBytes)
	list, notes, err := r.Corpus.ReadColumns(ctx, r.J.File, r.J.ReadOptions(), names, memory.UpTo(within, 2*report.ColumnsBytes)/2)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		notes = []string{fmt.Sprintf("the page has no columns beside the texts: %s", err)}
	}
	if names != nil && list == nil && notes == nil {
		notes = []string{"these documents have no columns beside their texts"}
	}
	for _, n := range notes {
		r.J.Note("‹page-columns›: " + strings.TrimSuffix(n, "."))
	}
	for _, c := range list {
		if strings.EqualFold(c.Name, r.J.TimeColumn) && fields != nil {
			continue
		}
		f := report.NewField(c.Name, c.Words, c.Of)
		if c.Values != nil {
			f = report.NewNumbers(c.Name, c.Values)
		}
		if f != nil {
			fields = append(fields, f)
		}
	}
	return fields, nil
}

// besidePart adds the nearest clusters of each cluster, as far as their centres say which these
// are. It returns the context's error.
func besidePart(ctx context.Context, r *result.Run, p *report.Page) error {
	c := r.Found
	if c == nil || c.Centers == nil || len(c.Sizes) > pageCenters {
		return nil
	}
	list, err := report.Nearest(ctx, c.Centers, c.Sizes, nearestShown)
	for i, near := range list {
		p.Clusters[i].Nearest = near
	}
	return err
}
