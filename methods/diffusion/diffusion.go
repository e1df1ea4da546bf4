// Package diffusion embeds documents by diffusion coordinates of their neighbour graph: the
// eigenvectors of Laplacian Eigenmaps, each weighted by how much of it a diffusion over the graph
// keeps after a time that the spectrum sets. Rows of unit length are clustered by k-means.
//
// Source: Coifman and Lafon 2006, "Diffusion maps", Applied and Computational Harmonic Analysis
// 21, section 2 (coordinates, distances); the time is continuous here, as in the heat semigroup of
// Belkin and Niyogi 2003, section 3. Scaling the rows to unit length follows Ng, Jordan and Weiss
// 2002.
//
// With L y = λ D y, heat that starts in a document and spreads over the graph for the time t has
// the coordinates exp(−tλ_j)·y_j: distances between them are those between the two distributions
// of heat. Spectral clustering into K clusters takes K eigenvectors with equal weights, and so
// cuts a spectrum that has no gap there at an arbitrary place. Here 2r of them take part beside
// the constant, and their weights fall smoothly, from 1 through 1/e at the eigenvalue r+1, which
// sets the time:
//
//	t = 1/λ_{r+1},  r = √(10 K), and at least K/2
//
// and is at most 5/λ_{K−1}, without the constant's eigenvalue: where many groups lie in few
// dimensions, the first K−1 differ by orders of magnitude, and all of them are needed.
//
// r is the geometric mean of K and 10: few clusters need more eigenvectors than one each, because
// classes have parts, and many need fewer, because the last of them are small groups on the fringe
// of the graph. docs/studies/default.md has the figures on which the 10 rests.
//
// The constant eigenvector takes no part: without it the coordinates of a document are those of
// its heat less the heat at equilibrium, and a row of unit length is the direction in which it
// differs from the whole. With it, documents whose heat is soon spread evenly, such as short texts
// of common words, all lie at the one place of the constant, and make one large cluster whatever
// they are about. Where a gap of the spectrum shows that the graph falls into K groups of some
// size ([plain]), the first K eigenvectors alone take part, with the constant, and none of them
// fades: the others would divide the largest group and not part it from small ones.
//
// A neighbour graph of dense data may fall into more than K parts where no number of neighbours was
// given: k-means would then put whole parts together by chance. Twice as many neighbours are taken
// where these leave at most K parts.
//
// For a clustering, eigenvectors beyond the first K take part only up to the eigenvalue 3/4. In
// few documents, or in a graph nearly complete, the 2r reach further, to vectors that are noise,
// and by which new documents cannot be placed: the extension divides by 1 − λ.
package diffusion

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/methods/spectral"
	"gonum.org/v1/gonum/mat"
)

// Spec is clustering in diffusion coordinates as a method.
var Spec = method.Spec{
	Name:    "diffusion",
	Grows:   "n²",
	Summary: "diffusion coordinates: eigenvectors of the neighbour graph, weighted by their decay, then k-means",
	About: "Takes the eigenvectors y_j of L y = λ D y with the smallest eigenvalues, as le does, multiplies each\n" +
		"by exp(−tλ_j), which is what is left of it when heat has spread over the neighbour graph for the time\n" +
		"t, leaves out the constant, scales each document's row to unit length, and clusters the rows by\n" +
		"k-means. Twice as many eigenvectors take part as have weights above 1/e; of those beyond the first k\n" +
		"for k clusters, only those with eigenvalues up to 3/4. Where a gap of the eigenvalues shows k plain\n" +
		"groups, the eigenvectors before it alone take part, with the constant.",
	Reference: "Coifman and Lafon 2006, Diffusion maps; rows of unit length as in Ng, Jordan and Weiss 2002",
	Cost:      "as le with 2√(10k) dimensions for k clusters",
	Needs:     method.Needs{Affinity: true, Roots: true},
	Yields:    method.Yields{Coordinates: true, Spectrum: true, UnitRows: true, Terms: true, Dims: DimsFor},
	Divided:   true,
	Single:    true,
	New:       func() method.Options { return new(Options) },
	Placer:    func() method.Placer { return new(nystrom.Extension) },
}

// Options of the method. The zero value of every field is its default.
type Options struct {
	// Dims is the number of eigenvectors beside the constant. 0 is [DimsFor] of the number of
	// clusters, at most as many as there are of the documents with neighbours; without clusters it is
	// the number of classes. A clustering leaves those out that are beyond the first K and have
	// eigenvalues above 3/4, and takes the first K alone, with the constant, of K plain groups.
	Dims int `json:"dims" flag:"dims" short:"d" range:">=1" unset:"2√(10k) for k clusters, and at least k" help:"eigenvectors beside the constant, which are the dimensions of the embedding; a clustering leaves out those beyond the first k with eigenvalues above 0.75" group:"method"`
	// Time is t. 0 is the reciprocal of the eigenvalue Dims/2 + 1, counted from 1, or of the first
	// one above it that is not zero; for K clusters at most 5 over eigenvalue K−1, and 1 over the
	// eigenvalue after plain groups. The constant's is not counted.
	Time float64 `json:"diffusion_time,omitempty" flag:"diffusion-time" range:">0" unset:"1/λ of the eigenvector in the middle, number dims/2 + 1, or of the first above it whose λ is not 0; at most 5/λ of eigenvector k-1 for k clusters" help:"time t of the diffusion: eigenvectors are weighted by exp(-tλ)" group:"method"`
	// Problem is the graph and how its eigenpairs are found. The neighbour graph of dense data has
	// [spectral.DenseNeighbors] neighbours unless others are given, and twice as many where these join
	// the parts that would be more than the clusters ([method.Input.Wider]).
	nystrom.Problem `flags:"*" defaults:"neighbors=(15 of sparse data, 7 of dense data, 14 if these alone leave no more parts than clusters, or all others if there are fewer)"`
}

// Validate implements method.Options.
func (o *Options) Validate() error {
	return invalid.Join(option.Check(o), o.Graph.Validate())
}

// DimsFor is the default number of eigenvectors beside the constant for k clusters: 2r, where r is
// √(10k) rounded, and at least half of k.
func DimsFor(k int) int {
	r := int(math.Round(math.Sqrt(10 * float64(k))))
	return 2 * max(1, r, (k+1)/2)
}

// laplacian are the options of Laplacian Eigenmaps that have the eigenvectors without the
// constant, with their number.
func (o *Options) laplacian(in *method.Input) (*le.Options, error) {
	same := &le.Options{Dims: o.Dims, Problem: o.Problem}
	same.Graph = spectral.Neighbors(in, o.Problem)
	same.Skip = le.SkipConstant
	if in.Clusters > 0 && same.Dims == 0 {
		same.Dims = max(1, min(DimsFor(in.Clusters), in.Len()-1))
		if o.Landmarks > 0 { // they give one dimension fewer
			same.Dims = min(same.Dims, max(in.Clusters, o.Landmarks-1))
		}
	}
	var err error
	same.Dims, err = same.DimsFor(in)
	return same, err
}

// Fit implements method.Options.
func (o *Options) Fit(ctx context.Context, in *method.Input) (*method.Fitted, error) {
	used := *o
	same, err := o.laplacian(in)
	if err != nil {
		return nil, err
	}
	return same.OnGraph(ctx, in, same.Dims, &used, func(ctx context.Context, in *method.Input, g *graph.Graph) (*method.Fitted, error) {
		if o.Graph.Neighbors == 0 {
			var err error
			if g, same.Graph, err = o.joined(ctx, in, g, same.Graph); err != nil {
				return nil, err
			}
		}
		if o.Dims == 0 && in.Clusters > 0 { // as many as the graph has
			same.Dims = max(1, min(same.Dims, g.Total()-g.AllIsolated()-1))
		}
		used.Dims, used.Problem = same.Dims, same.Problem
		return used.embed(ctx, in, g, same)
	})
}

// joined is the graph g of the options used, or one of more neighbours that joins its parts
// ([method.Input.Wider]), with its options.
func (o *Options) joined(ctx context.Context, in *method.Input, g *graph.Graph, used graph.Options) (*graph.Graph, graph.Options, error) {
	opt := used
	opt.HeatWidth = o.Graph.HeatWidth
	out, opt, err := in.Wider(ctx, g, opt)
	if out == g {
		opt = used
	}
	return out, opt, err
}

// embed embeds the graph g by the options same. A time that was not given is a fact and becomes no
// option: a fit to a part of the documents, or into more clusters, finds its own.
func (o *Options) embed(ctx context.Context, in *method.Input, g *graph.Graph, same *le.Options) (*method.Fitted, error) {
	var line string
	found := o.Time
	out, err := same.EmbedAll(in, g, func(opt le.Options) (*le.Model, error) {
		m, err := le.FitGraph(ctx, g, opt)
		if m == nil {
			return nil, err
		}
		t, from, over := o.Time, -1, 1
		if t == 0 {
			t, from = timeOf(m.Values, same.Dims/2)
		}
		first := plain(m, in.Clusters)
		m.Groups = first > 0
		if from >= 0 {
			t, from, over = shortened(m.Values, t, from, first, in.Clusters)
		}
		if err == nil { // of a part of the eigenvalues, the time would be another
			found = t
		}
		switch {
		case m.Groups:
			keep(m, first)
			addConstant(m)
			from++
			same.Skip = le.SkipNone // of what was found
		case in.Clusters > 0:
			keep(m, kept(m.Values, in.Clusters))
		}
		weigh(m, t, in.Clusters > 0)
		line = words(t, from, over, len(m.Values), same.Dims, m.Groups)
		return m, err
	})
	if found > 0 {
		out.Facts = append(out.Facts, method.Found("diffusion_time", found), method.Line("diffusion", line))
	}
	return out, err
}

const (
	// leastGap is the least ratio of eigenvalue K+1 to eigenvalue K, the constant's among them, that
	// shows K groups. Of corpora with K classes the largest was 1.52 (docs/studies/default.md).
	leastGap = 2
	// leastShare is the least share of the documents that a group has, about.
	leastShare = 0.01
)

// plain is the number of eigenvectors of a model without the constant that tell k groups of some
// size, into which its graph falls, and 0 if it does not: k−1 of them, and any before these that
// are large on less than a hundredth of the documents, such as a few that nothing joins to the
// others. A gap is after them, or they tell all parts of the graph, which are groups however long
// and thin: the next eigenvalue is next to 0 then, too. After eigenvalues of 0 any other is a gap,
// and one counts whose eigenvector is not of a few documents. O(n·eigenvectors).
func plain(m *le.Model, k int) int {
	if k < 2 || k > len(m.Values) {
		return 0
	}
	share := shares(m)
	groups, first := 1, 0 // the eigenvectors up to first tell so many
	for j, v := range m.Values {
		wide := share[j] >= leastShare
		switch {
		case groups < k:
			if wide {
				groups, first = groups+1, j+1
			}
		case m.Values[first-1] > tiny && v >= leastGap*m.Values[first-1]:
			return first
		case wide && (first == m.Stats.Deflated-1 || v >= leastGap*tiny && m.Values[first-1] <= tiny):
			return first
		case wide:
			return 0
		}
	}
	return 0
}

// shares are the shares of the documents on which the eigenvectors of a model are large, over all
// ranks: (Σy²)²/(n·Σy⁴), which is s of a vector that is constant on the share s and 0 elsewhere. 0
// of a vector of zeros.
func shares(m *le.Model) []float64 {
	n, k := m.Coordinates.Dims()
	sums := make([]float64, 2*k+1) // of squares, of fourth powers, and the documents
	for i := range n {
		for j, v := range m.Coordinates.RawRowView(i) {
			sums[j] += v * v
			sums[k+j] += v * v * v * v
		}
	}
	sums[2*k] = float64(n)
	m.Graph.Share.Sum(sums)
	for j := range k {
		if sums[j] > 0 {
			sums[j] *= sums[j] / (sums[2*k] * sums[k+j])
		}
	}
	return sums[:k]
}

// addConstant puts the constant eigenvector before the coordinates of a model from which it was
// left out. O(n·k).
func addConstant(m *le.Model) {
	n, k := m.Coordinates.Dims()
	all, alone := mat.NewDense(n, k+1, nil), 0
	for i := range n {
		if alone < len(m.Isolated) && m.Isolated[alone] == i {
			alone++
			continue
		}
		row := all.RawRowView(i)
		row[0] = m.Constant
		copy(row[1:], m.Coordinates.RawRowView(i))
	}
	m.Coordinates = all
	m.Values, m.Residuals = slices.Insert(m.Values, 0, 0), slices.Insert(m.Residuals, 0, 0)
}

// tiny is what smaller eigenvalues count as: they are found to such an error.
const tiny = 1e-6

// most is the largest eigenvalue of an eigenvector beyond the first K.
const most = 0.75

// kept is the number of eigenvectors that take part in a clustering into k clusters, of the given
// eigenvalues, which ascend.
func kept(values []float64, k int) int {
	n := len(values)
	for n > k && values[n-1] > most {
		n--
	}
	return n
}

// keep leaves the first k coordinates of a model. O(n·k).
func keep(m *le.Model, k int) {
	if n, all := m.Coordinates.Dims(); k < all {
		m.Coordinates = mat.DenseCopyOf(m.Coordinates.Slice(0, n, 0, k))
		m.Values, m.Residuals = m.Values[:k], m.Residuals[:k]
	}
}

// weigh multiplies the coordinates of a model by their weights at the time t, and scales rows to
// unit length for a clustering. Cost: two passes over the coordinates.
func weigh(m *le.Model, t float64, unit bool) {
	n, k := m.Coordinates.Dims()
	weights := make([]float64, k)
	for j := range weights {
		weights[j] = math.Exp(-t * max(0, m.Values[j]))
	}
	for i := range n {
		row := m.Coordinates.RawRowView(i)
		for j, w := range weights {
			row[j] *= w
		}
	}
	m.Embedding = m.Coordinates
	if unit {
		m.Embedding = rows.Normalized(m.Coordinates)
	}
}

// timeOf is the reciprocal of the eigenvalue number r, from 0, or of the first one above it that
// is not zero, and the number of that one; 0 and −1 if there is none: then all weights are 1
// whatever the time.
func timeOf(values []float64, r int) (t float64, from int) {
	for i := min(r, len(values)); i < len(values); i++ {
		if values[i] > 0 {
			return 1 / values[i], i
		}
	}
	return 0, -1
}

// fading is tλ_{K−1} of the longest time: exp(−5) is .007.
const fading = 5

// shortened returns a time t, of eigenvalue number from, that is short enough for k clusters, the
// number of its eigenvalue, and what it is over that value. Of eigenvectors that show plain groups,
// the first so many, none fades: the time is that of the next one. Otherwise eigenvector k, the
// constant counted, keeps exp(−5) of its weight. Where many groups lie in few dimensions the
// eigenvalues up to k differ by orders of magnitude, and a time set by one of the first would leave
// nothing of the others.
func shortened(values []float64, t float64, from, first, k int) (time float64, of, over int) {
	switch last := k - 2; {
	case first > from:
		time, of = timeOf(values, first)
		return time, of, 1
	case first == 0 && last > from && last < len(values) && t*values[last] > fading:
		return fading / values[last], last, fading
	}
	return t, from, 1
}

// words returns the sentence about the time t, which is a number over eigenvalue number from or was
// given, and about how many of all eigenvectors take part, or about the gap after the first ones.
func words(t float64, from, over, some, all int, groups bool) string {
	text := "time " + strconv.FormatFloat(t, 'g', 4, 64)
	if from < 0 {
		text += ", as given"
	} else {
		text += fmt.Sprintf(" = %d/λ of eigenvector %d", over, from+1)
	}
	text += "; eigenvectors weighted by exp(-tλ)"
	if groups {
		return text + fmt.Sprintf("; the first %d alone, after which a gap shows groups", some)
	}
	if some < all {
		text += fmt.Sprintf("; %d of %d take part, the others have λ above %v", some, all, most)
	}
	return text
}

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	same, err := o.laplacian(in)
	if err != nil {
		return nil, err
	}
	return same.Planned(same.Dims).Stages(in, at)
}
