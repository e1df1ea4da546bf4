package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/eigenmap/eigenmap/sparse"
)

// Documents describes a made-up corpus of term counts. Words follow the law of Zipf and Mandelbrot;
// a document belongs to a topic and, within it, to a story, and draws its words from the common
// vocabulary, from its topic's and from its story's; one in eight touches a second topic. So a
// neighbour graph has the structure that real corpora give it: tight knots (stories) within looser
// clusters (topics) of very different sizes, with bridges.
type Documents struct {
	Docs, Terms int
	Topics      int
	Stories     int     // per topic, on average; large topics have more
	Length      float64 // median number of words in a document
	Seed        uint64
}

// TDT2Size is a corpus with the size and about the density of TDT2: 9,394 documents, 36,771 terms.
func TDT2Size(seed uint64) Documents {
	return Documents{Docs: 9394, Terms: 36771, Topics: 30, Stories: 12, Length: 128, Seed: seed}
}

// Abstracts is a corpus of short documents, about 40 different terms each.
func Abstracts(docs int, seed uint64) Documents {
	return Documents{Docs: docs, Terms: 60000, Topics: 40, Stories: 40, Length: 40, Seed: seed}
}

// The shares of a document's words from each source, the numbers of words of a topic and of a
// story, and the share of documents with a second topic.
const (
	bridges    = 0.125
	fromStory  = 0.15
	fromTopic  = 0.30
	topicTerms = 500
	storyTerms = 60
)

// Counts makes the corpus: rows are documents, entries are counts. labels are their topics. The
// same description gives the same corpus everywhere. O(words) time.
func (d Documents) Counts() (x *sparse.CSR, labels []int) {
	rng := rand.New(rand.NewPCG(d.Seed, 0x646f6373)) // a stream of its own
	common := zipf(d.Terms, 60)
	size := zipf(d.Topics, 1)
	type story struct{ terms []int32 }
	type topic struct {
		terms   []int32
		stories []story
		pick    []float64 // cumulative weights of the stories
	}
	// The words of topics and stories are not the most common ones.
	draw := func(n int) []int32 {
		terms := make([]int32, n)
		for i := range terms {
			terms[i] = int32(d.Terms/100 + rng.IntN(d.Terms-d.Terms/100))
		}
		return terms
	}
	topics := make([]topic, d.Topics)
	for t := range topics {
		share := size[t]
		if t > 0 {
			share -= size[t-1]
		}
		count := max(2, int(math.Round(share*float64(d.Topics*d.Stories))))
		topics[t] = topic{terms: draw(topicTerms), stories: make([]story, count), pick: zipf(count, 3)}
		for s := range topics[t].stories {
			topics[t].stories[s] = story{draw(storyTerms)}
		}
	}
	topicLaw, storyLaw := zipf(topicTerms, 10), zipf(storyTerms, 5)

	x = &sparse.CSR{NumRows: d.Docs, NumCols: d.Terms, RowPtr: make([]int, 1, d.Docs+1)}
	labels = make([]int, d.Docs)
	var words []int32
	for i := range labels {
		t := pick(size, rng)
		own := topics[t]
		s := own.stories[pick(own.pick, rng)]
		second := own
		if rng.Float64() < bridges {
			second = topics[rng.IntN(d.Topics)]
		}
		labels[i] = t
		length := max(8, int(d.Length*math.Exp(0.5*rng.NormFloat64())))
		words = words[:0]
		for range length {
			switch u := rng.Float64(); {
			case u < fromStory:
				words = append(words, s.terms[pick(storyLaw, rng)])
			case u < fromStory+fromTopic:
				terms := own.terms
				if rng.IntN(2) == 0 {
					terms = second.terms
				}
				words = append(words, terms[pick(topicLaw, rng)])
			default:
				words = append(words, int32(pick(common, rng)))
			}
		}
		slices.Sort(words)
		for j, w := range words {
			if j > 0 && words[j-1] == w {
				x.Val[len(x.Val)-1]++
				continue
			}
			x.Col = append(x.Col, w)
			x.Val = append(x.Val, 1)
		}
		x.RowPtr = append(x.RowPtr, len(x.Col))
	}
	return x, labels
}

// zipf returns the cumulative distribution of weights 1/(rank+offset), rank = 0, 1, ...
func zipf(n int, offset float64) []float64 {
	c := make([]float64, n)
	var sum float64
	for i := range c {
		sum += 1 / (float64(i) + offset)
		c[i] = sum
	}
	for i := range c {
		c[i] /= sum
	}
	return c
}

// pick draws an index from a cumulative distribution.
func pick(cumulative []float64, rng *rand.Rand) int {
	return min(sort.SearchFloat64s(cumulative, rng.Float64()), len(cumulative)-1)
}
