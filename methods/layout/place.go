package layout

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// placers is the number of documents that place a new one.
const placers = 10

// Place returns the places of new rows in a map, a row each: the mean of the places of the 10
// documents whose coordinates have the nearest directions, weighted by exp(-d²/m), m the mean of
// their d². A row with the direction of a document gets that document's place, of several the
// lowest one's. What becomes of a row depends on no other row.
//
// at are the places and coords the coordinates of the documents; x are the coordinates of the new
// rows. Cost: as [graph.NearestAmong]. Errors (fs.ErrInvalid): sizes that do not fit.
func Place(ctx context.Context, at, coords, x *mat.Dense, obs progress.Observer) (*mat.Dense, error) {
	n, _ := at.Dims()
	rows, d := coords.Dims()
	fresh, wide := x.Dims()
	if rows != n || d != wide {
		return nil, invalid.Errorf("a map of %d documents with %d × %d coordinates cannot place rows of %d", n, rows, d, wide)
	}
	list, err := graph.NearestAmong(ctx, Directions(x), Directions(coords), min(placers, n), obs)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(fresh, 2, nil)
	for i := range fresh {
		near, dist2, _ := list.Row(i)
		mean := 0.0
		for _, v := range dist2 {
			mean += v / float64(len(near))
		}
		if dist2[0] == 0 {
			near, mean = near[:1], 1
		}
		sum, row := 0.0, out.RawRowView(i)
		for k, j := range near {
			w, to := math.Exp(-dist2[k]/mean), at.RawRowView(int(j))
			sum, row[0], row[1] = sum+w, row[0]+w*to[0], row[1]+w*to[1]
		}
		row[0], row[1] = row[0]/sum, row[1]/sum
	}
	return out, nil
}

// Directions are the rows scaled to length 1; rows of zeros stay so.
func Directions(x *mat.Dense) *mat.Dense {
	out, r := mat.DenseCopyOf(x), newDirections(x)
	for i, length := range r.length {
		row := out.RawRowView(i)
		for k := range row {
			row[k] /= length
		}
	}
	return out
}
