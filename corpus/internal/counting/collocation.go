package counting

import "math"

const (
	// leastNPMI is the least normalised pointwise mutual information of the words of a collocation: 0
	// where they meet as often as by chance, 1 where none occurs without the other.
	leastNPMI = 0.25
	// leastG2 is the least log-likelihood ratio: chance gives more once in a thousand runs.
	leastG2 = 10.83
)

// together says whether the words of a run belong together. df documents of all hold the run, and
// words are the numbers of documents that hold each of its words. Their normalised pointwise mutual
// information, of n words log(p(run)/∏p(word)) / ((n−1)·−log p(run)), is at least 0.25. A run of a
// few documents may have that by chance. So Dunning's log-likelihood ratio, which compares how
// often the run occurs with how often its words would meet by chance, is at least 10.83.
func together(df, all int, words []int) bool {
	if df < 1 || df >= all {
		return false
	}
	n := float64(all)
	run, chance := float64(df)/n, 0.0 // logarithm of the probability that the words meet by chance
	for _, w := range words {
		chance += math.Log(float64(w) / n)
	}
	if math.Log(run)-chance < leastNPMI*float64(len(words)-1)*-math.Log(run) {
		return false
	}
	expected := math.Exp(chance)
	g2 := float64(df) * (math.Log(run) - chance)
	if expected < 1 {
		g2 += float64(all-df) * (math.Log1p(-run) - math.Log1p(-expected))
	}
	return 2*g2 >= leastG2
}

// wordsOf are the numbers of documents that hold each word of run t, by the documents df of terms.
func (c *counter) wordsOf(t int32, df []int32) []int {
	var words []int
	for ; c.term[t].left >= 0; t = c.term[t].left {
		words = append(words, int(df[c.term[t].last]))
	}
	return append(words, int(df[t]))
}

// chooses says whether runs are chosen by their words.
func (o *Options) chooses() bool {
	return o.Collocations && o.NGrams > 1 && o.Vocabulary == nil && !o.ForModel
}
