package job

import (
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/internal/copies"
	"github.com/eigenmap/eigenmap/internal/words"
)

// copyLabels are known labels in which all copies of a document with one have it.
type copyLabels struct {
	labels         []int
	count, classes int
	// contradictory are the first documents of groups whose labels contradict each other.
	contradictory []int
}

// labelCopies gives all copies of a document with a known label that label; nil without known
// labels. Of labels that contradict each other the most frequent counts, of equally many the first
// document's.
func (j *Job) labelCopies(g *copies.Groups) *copyLabels {
	known := j.Prior.Labels
	if known == nil {
		return nil
	}
	votes := map[int32][]int{} // of the groups with copies, in the order of documents
	sizes := g.Sizes()
	for i, class := range known {
		if of := g.Of[i]; class >= 0 && sizes[of] > 1 {
			votes[of] = append(votes[of], class)
		}
	}
	c, left := &copyLabels{labels: slices.Clone(known)}, map[int]bool{}
	for i := range c.labels {
		list := votes[g.Of[i]]
		if len(list) > 0 {
			c.labels[i] = mostFrequent(list)
		}
		if !g.IsCopy(i) && slices.ContainsFunc(list, func(class int) bool { return class != list[0] }) {
			c.contradictory = append(c.contradictory, i)
		}
		if c.labels[i] >= 0 {
			c.count++
			left[c.labels[i]] = true
		}
	}
	c.classes = len(left)
	return c
}

// noteLabels says where known labels contradict each other, and how many copies have a label by
// another document.
func (j *Job) noteLabels(c *copyLabels) {
	if n := len(c.contradictory); n > 0 {
		var first []string
		for _, i := range c.contradictory[:min(n, shownGroups)] {
			first = append(first, words.Name(j.Corpus.ID(i)))
		}
		j.Warn(fmt.Sprintf("Known labels contradict each other on equal documents: %s have labels of several classes (%s); the class of most of them counts, of equally many that of the first document",
			words.Plural(n, "group of documents", "groups of documents"), words.Few(first, shownGroups)))
	}
	if more := c.count - j.Prior.Count; more > 0 {
		j.Note(fmt.Sprintf("%s with it", words.Plural(more, "document without a known label equals a document with a known label, and counts", "documents without a known label equal a document with a known label, and count")))
	}
}

// mostFrequent is the number that occurs most often in the list, of equally frequent ones the
// first.
func mostFrequent(list []int) int {
	count := map[int]int{}
	for _, v := range list {
		count[v]++
	}
	best := list[0]
	for _, v := range list {
		if count[v] > count[best] {
			best = v
		}
	}
	return best
}
