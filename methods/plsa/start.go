package plsa

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/ranks"
)

// rounds is the number of rounds of spherical k-means in a start.
const rounds = 5

// start sets Θ and the weights of s. A class with labels starts from the mean of its documents,
// each divided by its length (lines 2 to 4 of algorithm 1). The other classes have the documents
// that [problem.partition] gives them. Against the prior a mean counts as many words as its
// documents have.
func (pr *problem) start(ctx context.Context, s *state, rng *rand.Rand) error {
	for c := range s.weights {
		s.weights[c] = 1 / float64(pr.k)
	}
	member := pr.class
	if pr.drawn() {
		var err error
		if member, err = pr.partition(ctx, s, rng); err != nil {
			return err
		}
	}
	clear(s.q.Data)
	docs, words := make([]float64, pr.k), make([]float64, pr.k)
	for i, c := range member {
		if c < 0 || pr.length[i] == 0 || pr.seeds[c] > 0 && pr.class[i] < 0 {
			continue
		}
		s.q.Data[i*s.q.Stride+int(c)] = 1 / pr.length[i]
		docs[c]++
		words[c] += pr.length[i]
	}
	pr.share.Sum(docs)
	pr.share.Sum(words)
	if err := pr.overDocuments(ctx, pr.cols, s.theta, s.q); err != nil {
		return err
	}
	inverse := words // of the mean length of a class's documents
	for c, w := range words {
		if inverse[c] = 1; w > 0 {
			inverse[c] = docs[c] / w
		}
	}
	if err := scaleColumns(ctx, s.theta, inverse); err != nil {
		return err
	}
	return pr.distributions(ctx, s.theta)
}

// drawn says whether a start is random: a class has no label.
func (pr *problem) drawn() bool { return slices.Contains(pr.seeds, 0) }

// partition returns the cluster of each document by a few rounds of spherical k-means (Dhillon and
// Modha 2001) from documents drawn as k-means++ draws them, with labelled documents clamped; -1 for
// empty documents without a label. It overwrites the blocks of s: Θ holds the centres, columns of
// unit length, and the posterior their products with the documents. Each round takes one product,
// the start K sparse ones of one column.
func (pr *problem) partition(ctx context.Context, s *state, rng *rand.Rand) ([]int32, error) {
	member := slices.Clone(pr.class)
	from := make([]int, pr.k) // the document of all ranks that a class starts from, -1 for none
	for c := range from {
		from[c] = -1
	}
	if err := pr.centres(ctx, s, member, from); err != nil {
		return nil, err
	}
	if err := pr.draw(ctx, s, from, rng); err != nil {
		return nil, err
	}
	for range rounds {
		if err := pr.rows.mul(ctx, s.q, s.theta); err != nil {
			return nil, err
		}
		changed := 0
		for i, c := range pr.class {
			if c >= 0 || pr.length[i] == 0 {
				continue
			}
			if to := int32(largest(s.q.Data[i*s.q.Stride:][:pr.k])); to != member[i] {
				member[i] = to
				changed++
			}
		}
		if ranks.Count(pr.share, changed) == 0 {
			break
		}
		if err := pr.centres(ctx, s, member, from); err != nil {
			return nil, err
		}
	}
	return member, nil
}

// centres sets the columns of Θ to the mean directions of the clusters. A cluster without documents
// has the document that it starts from as its centre, or 0.
func (pr *problem) centres(ctx context.Context, s *state, member []int32, from []int) error {
	clear(s.q.Data)
	for i, c := range member {
		if c >= 0 && pr.norms[i] > 0 {
			s.q.Data[i*s.q.Stride+int(c)] = 1 / pr.norms[i]
		}
	}
	if err := pr.overDocuments(ctx, pr.cols, s.theta, s.q); err != nil {
		return err
	}
	norms := make([]float64, pr.k)
	for j := range pr.p {
		for c, v := range s.theta.Data[j*s.theta.Stride:][:pr.k] {
			norms[c] += v * v
		}
	}
	for c, v := range norms {
		if norms[c] = math.Sqrt(v); v == 0 {
			if norms[c] = 1; from[c] >= 0 {
				place(s.theta, c, pr.direction(from[c]))
			}
		}
	}
	return scaleColumns(ctx, s.theta, norms)
}

// direction is document i of all ranks, of length 1, on every rank, until the next call.
func (pr *problem) direction(i int) []float64 {
	if pr.one == nil {
		pr.one = make([]float64, pr.p)
	}
	terms := pr.one
	clear(terms)
	if at := i - pr.share.First(); at >= 0 && at < pr.n {
		cols, vals := pr.x.Row(at)
		for e, j := range cols {
			terms[j] = vals[e] / pr.norms[at]
		}
	}
	pr.share.Sum(terms)
	return terms
}

// place puts centre c at a direction.
func place(theta block, c int, terms []float64) {
	for j, v := range terms {
		theta.Data[j*theta.Stride+c] = v
	}
}

// draw chooses a document without a label for each class without labels, with probability
// proportional to the squared distance of its direction to the direction of the nearest centre so
// far, and makes it the centre of the class. If all documents equal centres, any is taken.
func (pr *problem) draw(ctx context.Context, s *state, from []int, rng *rand.Rand) error {
	if err := pr.rows.mul(ctx, s.q, s.theta); err != nil {
		return err
	}
	near := make([]float64, pr.n)
	var free []int
	for i, c := range pr.class {
		if c < 0 && pr.length[i] > 0 {
			row := s.q.Data[i*s.q.Stride:][:pr.k]
			near[i] = apart(row[largest(row)], pr.norms[i])
			free = append(free, i)
		}
	}
	if ranks.Count(pr.share, len(free)) == 0 {
		return nil
	}
	product := make([]float64, pr.n)
	for c, labelled := range pr.seeds {
		if labelled > 0 {
			continue
		}
		from[c] = pr.drawOf(near, free, rng)
		centre := pr.direction(from[c])
		place(s.theta, c, centre)
		if err := pr.x.MulVecCtx(ctx, product, centre); err != nil {
			return err
		}
		for _, d := range free {
			near[d] = min(near[d], apart(product[d], pr.norms[d]))
		}
	}
	return nil
}

// apart is the squared distance of a document's direction to a unit vector, 0 within rounding.
func apart(product, norm float64) float64 {
	if d := 2 - 2*product/norm; d > 1e-12 {
		return d
	}
	return 0
}

// drawOf returns the number among the documents of all ranks of one of the documents free, with
// probability proportional to its weight, or of any if all weights are 0. There is one.
func (pr *problem) drawOf(weight []float64, free []int, rng *rand.Rand) int {
	own := []float64{0, float64(len(free))}
	for _, i := range free {
		own[0] += weight[i]
	}
	parts := ranks.GatherFloats(pr.share, own)
	total, count := 0.0, 0
	for at := 0; at < len(parts); at += 2 {
		total, count = total+parts[at], count+int(parts[at+1])
	}
	// The rank that has the document, and what is left of the target there.
	target, which := 0.0, 0
	if total == 0 {
		which, target = 1, float64(rng.IntN(count))
	} else {
		target = rng.Float64() * total
	}
	chosen, left := 0, target
	for r := range len(parts) / 2 {
		part := parts[2*r+which]
		if part > 0 {
			if chosen, left = r, target; target < part {
				break
			}
		}
		target -= part
	}
	row := []float64{0}
	if chosen == pr.share.Rank() {
		row[0] = float64(pr.share.First())
		if total == 0 {
			row[0] += float64(free[int(left)])
		} else {
			row[0] += float64(drawn(weight, free, left))
		}
	}
	pr.share.Sum(row)
	return int(row[0])
}

// drawn returns the document at which the sum of the weights of free exceeds target, or the last
// one of positive weight.
func drawn(weight []float64, free []int, target float64) int {
	last := free[0]
	for _, i := range free {
		if weight[i] == 0 {
			continue
		}
		if last = i; target < weight[i] {
			break
		}
		target -= weight[i]
	}
	return last
}

// largest returns the place of the largest value, the lower one on a tie.
func largest(v []float64) int {
	at := 0
	for i, x := range v {
		if x > v[at] {
			at = i
		}
	}
	return at
}
