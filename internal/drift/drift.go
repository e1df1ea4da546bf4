// Package drift measures how far new documents are from the documents of a model's fit, and when
// the model should be made again.
package drift

import (
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/internal/words"
)

// bins is the number of equal parts of the interval from 0 to 1 that novelties are counted in.
const bins = 20

// Counts are what is counted of documents that a model meets: of the new ones, and how many of the
// others there are. The shares and [Counts.Distance] are of the new documents and the known ones,
// which are as the model is.
type Counts struct {
	Documents int `json:"documents"` // new ones: neither known nor empty
	Known     int `json:"known"`     // equal to documents of the model, as far as it can find them
	Empty     int `json:"empty"`     // without a term; they count in nothing else
	Isolated  int `json:"isolated"`  // with nothing in common with the model's
	Novel     int `json:"novel"`     // of a novelty of at least 0.95
	Terms     int `json:"terms"`     // that two documents or more of one file have
	NewTerms  int `json:"new_terms"` // of these, terms that the model did not have
	// Novelty counts documents by their novelty, in 20 equal parts from 0 to 1; nil if it is not
	// measured. Of documents like the model's every part has as many, about.
	Novelty []int `json:"novelty,omitempty"`
}

// Measure counts novelties, which lie between 0 and 1; novel is the least one of a novel document.
func (c *Counts) Measure(novelty []float64, novel float64) {
	if c.Novelty == nil {
		c.Novelty = make([]int, bins)
	}
	for _, v := range novelty {
		c.Novelty[min(int(v*bins), bins-1)]++
		if v >= novel {
			c.Novel++
		}
	}
}

// Plus are the counts of two sets of documents. Terms are counted once for each of them.
func (c Counts) Plus(d Counts) Counts {
	out := Counts{Documents: c.Documents + d.Documents, Known: c.Known + d.Known, Empty: c.Empty + d.Empty, Isolated: c.Isolated + d.Isolated, Novel: c.Novel + d.Novel, Terms: c.Terms + d.Terms, NewTerms: c.NewTerms + d.NewTerms}
	for _, list := range [][]int{c.Novelty, d.Novelty} {
		if list == nil {
			continue
		}
		if out.Novelty == nil {
			out.Novelty = make([]int, bins)
		}
		for k, n := range list[:min(len(list), bins)] {
			out.Novelty[k] += n
		}
	}
	return out
}

// Distance is by how much the documents are farther from their clusters than the training
// documents are. Novelties of training documents are uniform, and known documents count as such.
// It is the one-sided Kolmogorov–Smirnov distance: the largest amount by which the distribution
// function of the novelties is below the uniform one at the ends of the 20 parts, between 0 and 1;
// 0 if novelty is not measured. Documents that are nearer are no drift: terms that the model lacks
// are left out, so that what is left of a document is more typical.
func (c Counts) Distance() float64 {
	all := 0
	for _, n := range c.Novelty {
		all += n
	}
	if all == 0 {
		return 0
	}
	far, seen := 0.0, 0
	for k, n := range c.Novelty {
		seen += n
		far = max(far, float64(k+1)/bins-float64(seen)/float64(all))
	}
	return far * share(all, all+c.Known)
}

// Compared is the number of documents that are compared with the model's: new ones and known ones.
func (c Counts) Compared() int { return c.Documents + c.Known }

// IsolatedShare, NovelShare and NewTermShare are shares of the documents compared and of the terms;
// 0 of none.
func (c Counts) IsolatedShare() float64 { return share(c.Isolated, c.Compared()) }

// NovelShare is the share of the documents compared that are novel, at most 0.05 or so of documents
// like the model's.
func (c Counts) NovelShare() float64 { return share(c.Novel, c.Compared()) }

// NewTermShare is the share of the terms that the fit did not have.
func (c Counts) NewTermShare() float64 { return share(c.NewTerms, c.Terms) }

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// The rule of [Updates.Reasons]: shares above these, of at least least documents or terms.
const (
	least        = 20
	mostIsolated = 0.05
	mostNovel    = 0.10
	mostDistance = 0.15
	mostNewTerms = 0.20
	mostAdded    = 0.50
	// chance is by how many standard deviations a share must exceed what is expected, and ksChance
	// what the one-sided Kolmogorov–Smirnov distance times √n exceeds once in a hundred draws.
	chance   = 3
	ksChance = 1.52
)

// Reasons says why the model should be made again, each in words without a full stop; nil if there
// is no reason. u says what the fit had, and since are the counts of documents after it. The rule:
//
//   - more than 5 % of the documents have nothing in common with the model's, or
//   - more than 10 % are novel, of which 5 % are expected, or
//   - the distances to the clusters are larger, by a one-sided Kolmogorov–Smirnov distance of more
//     than 0.15, or
//   - more than 20 % of the terms are new, or
//   - there are half as many new documents as the fit had.
//
// Known documents count in the first three as documents like the model's, and empty ones in none.
// Shares are of 20 documents or terms at least, and significant, given the numbers of documents of
// both: where documents are like the model's, each of the first three holds for one update in a
// hundred or fewer.
func (u Updates) Reasons(since Counts) (list []string) {
	fitted := u.Fitted
	n := since.Compared()
	of := words.Counted(n, "new document")
	if since.Known > 0 {
		of = fmt.Sprintf("%s (%s of them equal to the model's)", words.Counted(n, "document"), words.Thousands(since.Known))
	}
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	// The training documents are a sample too: so many documents say as much against a known
	// distribution.
	size := float64(n) * float64(fitted) / float64(max(1, n+fitted))
	above := func(share, limit, expected float64) bool {
		return share > limit && share > expected+chance*math.Sqrt(expected*(1-expected)/size)
	}
	if n >= least {
		if s := since.IsolatedShare(); above(s, mostIsolated, mostIsolated/5) {
			say("%s of %s have nothing in common with the model's (more than 5 %%)", words.Percent(since.Isolated, n), of)
		}
		if s := since.NovelShare(); above(s, mostNovel, mostNovel/2) {
			say("%s of %s are farther from their cluster than 95 %% of the model's (more than 10 %%)", words.Percent(since.Novel, n), of)
		}
		if d := since.Distance(); d > mostDistance && d*math.Sqrt(size) > ksChance {
			say("%s are farther from their clusters than the model's documents (Kolmogorov–Smirnov distance %.2f, more than 0.15)", of, d)
		}
	}
	if since.Terms >= least && since.NewTermShare() > mostNewTerms {
		say("%s of the terms are new (more than 20 %%)", words.Percent(since.NewTerms, since.Terms))
	}
	if added := since.Documents; added >= least && float64(added) >= mostAdded*float64(fitted) {
		say("%s came since the fit of %s (half as many or more)", words.Counted(added, "document"), words.Counted(fitted, u.What()))
	}
	return list
}
