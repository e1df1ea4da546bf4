package choosek

import (
	"fmt"
	"math"
	"slices"
)

// Evidence says how well the data support a number of clusters.
type Evidence string

// The grades.
const (
	Strong Evidence = "strong"
	Fair   Evidence = "fair"
	Weak   Evidence = "weak"
)

// The limits of the grades.
const (
	// A mean silhouette above reasonable shows a reasonable structure, one above some a weak one that
	// could be artificial, and a smaller one none (Kaufman and Rousseeuw 1990, Finding groups in data,
	// table 4).
	reasonable, some = 0.5, 0.25
	// A gap is significant where one as large has this chance among gaps of one mean.
	likely, possible = 0.01, 0.1
	// A difference of BICs above sure is very strong evidence, one above fair positive (Raftery 1995,
	// Sociological Methodology 25, table 6).
	bicSure, bicFair = 10, 2
	// Clusters of parts that agree so well are stable; no table of limits is known to us.
	stable, ratherStable = 0.9, 0.75
	// Evidence is fair if the numbers that are equally good differ by at most this share of k.
	narrow = 0.2
	// The rule of [Joined.Apart]: what is added to a likeness, of three or more groups and of two, the
	// least ratio that shows so many groups, and the least share of the smaller of two.
	likeFloor, likeFloorTwo = 0.6, 0.2
	farApart, farApartTwo   = 1.4, 1.45
	leastOfTwo              = 0.2
	// How many times as many communities as groups there are at least where groups decide: where the
	// ratio shows them, of other texts, and of other dense rows.
	fewer, farFewer, farFewerDense = 1.1, 2.65, 1.6
	// Where no edge joins communities each is a cluster if the effective number is at least this share
	// of them: none is tiny beside the others.
	alikeInSize = 0.9
	// Where no gap decides as many clusters as this are named, of however few rows.
	leastMost = 4
)

// Communities are what the neighbour graph says about the number of clusters.
type Communities struct {
	// Most is the number of communities, and Effective the number of equally large ones that would be
	// as diverse, at most Most.
	Most      int
	Effective float64
	// Unjoined says that no edge joins two communities: they are the components of the graph.
	Unjoined bool
	// Few is from 0 to 1: how far every community counts, be it small, as in a corpus of a few
	// documents. Alone is the number of documents without neighbours that are groups of their own.
	Few   float64
	Alone int
	// Fewest is the smallest number, by mergers, whose modularity is within one standard error of the
	// largest.
	Fewest int
	// Groups are what the communities are, joined where they are alike ([Joined.Apart]). Of a few
	// documents they are left aside.
	Groups Groups
	// Silhouettes are mean silhouettes of the levels in the rows of the documents, from any k on; nil
	// if there are no rows.
	Silhouettes []Point
	// Gaps are the gaps of the graph's eigenvalues, as [Gaps] lists them, without those at whose
	// groups nothing is to be seen; the first decides if it shows groups or is faint. They are nil if
	// they were not looked at. They are looked at in tables of few columns, in which communities and
	// silhouettes are no evidence: any smooth piece has as many communities as its size makes, and
	// pieces of a line or of a curve have silhouettes above 0.5.
	Gaps []Gap
	// Rows is the number of rows where gaps were looked at: where none decides there are at most as
	// many clusters as its cube root.
	Rows int
	// Serial says that the rows of the groups of the first gap follow one another, as [Serial]
	// finds: such a gap is weak evidence.
	Serial bool
}

// ByGap reports whether a gap of the eigenvalues decides between lo and hi.
func (c Communities) ByGap(lo, hi int) bool {
	if len(c.Gaps) == 0 {
		return false
	}
	g := c.Gaps[0]
	return (g.Shows() || g.Faint()) && g.Clusters() >= max(lo, 2) && g.Clusters() <= hi
}

// ByCommunities chooses k from lo to hi and says how well the graph supports it, and why, as words
// without a full stop. Where a gap of the graph's eigenvalues shows groups, it decides. Where the
// rows have clusters that are far apart, a mean silhouette above 0.5, the best silhouette decides.
// Else k is the effective number of communities: tiny ones, of which a large graph has many,
// hardly count. In a corpus of a few documents they count, and so do documents without neighbours.
// Where no edge joins two communities and their sizes differ little, each is a cluster.
// Where communities are joined to groups that decide ([Joined.Apart]), k is the number of groups,
// as weak evidence. The evidence is fair if numbers that are equally good within a standard error
// differ by a fifth of k or by one, and weak otherwise. Where gaps were looked at, they alone are
// evidence, and k is at most the cube root of the rows, which communities in few columns often
// exceed by far.
func ByCommunities(c Communities, lo, hi int) (k int, e Evidence, why string) {
	if c.ByGap(lo, hi) {
		e, why = c.Gaps[0].grade()
		if c.Serial {
			return c.Gaps[0].Clusters(), Weak, why + "; but each row is near the one before it, as in a series, and the groups may be parts of its course"
		}
		return c.Gaps[0].Clusters(), e, why
	}
	best := Point{Score: math.Inf(-1)}
	for _, p := range c.Silhouettes {
		if p.K >= lo && p.K <= hi && p.Score > best.Score && c.Gaps == nil {
			best = p
		}
	}
	alone := ""
	if c.Alone > 0 {
		alone = fmt.Sprintf("; of few documents each without neighbours is a cluster, here %d", c.Alone)
	}
	if best.Score > reasonable {
		return min(best.K+c.Alone, hi), Strong, fmt.Sprintf("clusters are far apart, with a mean silhouette of %.2f", best.Score) + alone
	}
	k = int(math.Round(c.count(lo))) + c.Alone
	named := ""
	if most := max(leastMost, int(math.Round(math.Cbrt(float64(c.Rows))))); c.Gaps != nil && c.Rows > 0 && k > most {
		if k = most; most >= lo {
			named = fmt.Sprintf("; of %d rows without such a gap at most %d clusters are named", c.Rows, most)
		}
	}
	k = min(max(k, lo), hi)
	if c.Most < 2 {
		return k, Weak, "the neighbour graph is one community" + alone
	}
	e = Weak
	if c.Gaps == nil && c.Most-c.Fewest <= max(1, int(narrow*float64(k))) && k-c.Alone >= c.Fewest && k-c.Alone <= c.Most {
		e = Fair
	}
	why = fmt.Sprintf("the neighbour graph has %d communities, as diverse as %.1f of equal size", c.Most, c.Effective)
	if c.Unjoined {
		why += ", and no edge joins two of them"
	}
	if c.ByGroups(lo) {
		e = Weak
		why += fmt.Sprintf("; joined where they are alike, they are %d groups", c.Groups.K)
	}
	if c.Fewest < c.Most {
		why += fmt.Sprintf("; %d to %d have the same modularity within a standard error", c.Fewest, c.Most)
	}
	if c.Gaps != nil {
		why += "; no gap of its eigenvalues shows groups" + named
	}
	return k, e, why + alone
}

// grade says how good the evidence of a gap is, and why. Small groups may have made it.
func (g Gap) grade() (e Evidence, why string) {
	e, times := Fair, "more than 1,000"
	if g.Ratio < 1000 {
		times = fmt.Sprintf("%.3g", g.Ratio)
	}
	switch {
	case g.Faint() || 2*g.Small > g.K:
		e = Weak
	case g.Wide() && g.Small == 0:
		e = Strong
	}
	small := ""
	if g.Small > 0 {
		small = fmt.Sprintf(", %d of them too small for a cluster", g.Small)
	}
	why = fmt.Sprintf("the neighbour graph falls into %d groups%s: its eigenvalue %d is %s times as large as the one before", g.K, small, g.K+1, times)
	if g.Faint() {
		why += ", hardly more than of rows without groups"
	}
	return e, why
}

// count is the number of clusters, lo or more, that the communities are for.
func (c Communities) count(lo int) float64 {
	if c.ByGroups(lo) {
		return float64(c.Groups.K)
	}
	if c.Unjoined && c.Effective >= alikeInSize*float64(c.Most) {
		return float64(c.Most)
	}
	return c.Effective + c.Few*(float64(c.Most)-c.Effective)
}

// ByGroups reports whether the number of groups is the number of clusters, of lo or more, where no
// gap and no silhouette decides.
func (c Communities) ByGroups(lo int) bool {
	return c.Groups.Decide && c.Groups.K >= max(lo, 1) && c.Few == 0
}

// Groups are the groups that communities are, joined where they are alike.
type Groups struct {
	K      int  // how many; 0 if that is not known
	Decide bool // they are the clusters, not the communities
}

// Joined says how communities are joined, those first that are the most alike.
type Joined struct {
	// Likeness is what the two that are joined in each step are alike in, after the value below which
	// they were not joined at first.
	Likeness []float64
	// Smaller is the share of the smaller of the last two.
	Smaller float64
	// Effective is the effective number of communities, as in [Communities].
	Effective float64
	// Dense says that the rows are dense.
	Dense bool
}

// Apart returns what groups communities are, joined where they are alike; two only if lo is at most
// two.
//
// With l the likeness of the last two that were joined to K groups, and m that of the next two, the
// groups are the three or more for which (l + 0.6) / (m + 0.6) is largest, or two: if (l + 0.2) /
// (m + 0.2) of two is 1.45 or more and no less than that ratio where it is 1.4 or more, and the
// smaller is a fifth or more. They decide if the effective number of communities is 1.1 times as
// large where the ratio of three or more is 1.4 or more, or there are two; else if it is more than
// 2.65 times as large, of dense rows 1.6 times.
func (j Joined) Apart(lo int) (g Groups) {
	most, best := len(j.Likeness), 0.0
	ratio := func(k int, floor float64) float64 {
		return (j.Likeness[most-k] + floor) / (j.Likeness[most-k+1] + floor)
	}
	for k := 3; k <= most; k++ {
		if r := ratio(k, likeFloor); r > best {
			g.K, best = k, r
		}
	}
	least := farFewer
	if j.Dense {
		least = farFewerDense
	}
	two := 0.0
	if lo <= 2 && most >= 2 && j.Smaller >= leastOfTwo {
		two = ratio(2, likeFloorTwo)
	}
	switch {
	case two >= farApartTwo && (two >= best || best < farApart):
		g.K, least = 2, fewer
	case best >= farApart:
		least = fewer
	}
	g.Decide = g.K > 0 && j.Effective > least*float64(g.K)
	return g
}

// Grade says how well the points of a rule other than [Modularity] support the best of them, which
// is the first of ranked, and why.
func Grade(r Rule, ranked []Point) (e Evidence, why string) {
	if len(ranked) == 0 {
		return Weak, "no number could be judged"
	}
	score := ranked[0].Score
	grade := func(strong, fair bool) Evidence {
		switch {
		case strong:
			return Strong
		case fair:
			return Fair
		}
		return Weak
	}
	switch r {
	case Eigengap:
		p := gapChance(ranked)
		return grade(p < likely, p < possible), fmt.Sprintf("among gaps of one mean one as large has a chance of %.2g", p)
	case Silhouette:
		return grade(score > reasonable, score > some), "a mean silhouette above 0.5 shows clusters that are apart, one below 0.25 none"
	case BIC:
		if len(ranked) < 2 {
			return Weak, "there is no other number to compare with"
		}
		d := ranked[1].Score - score
		return grade(d > bicSure, d > bicFair), fmt.Sprintf("the BIC of the next best is larger by %.3g", d)
	case Stability:
		return grade(score > stable, score > ratherStable), "clusters of parts of the documents agree fully at 1, and by chance at 0"
	}
	return Weak, ""
}

// gapChance is the chance that the largest of so many gaps is as large as the first, if gaps are
// exponential with the mean of the others: 1 − (1 − exp(−g/mean))^m. Eigenvalues of random matrices
// repel each other, so that their gaps differ less and the true chance is smaller.
func gapChance(ranked []Point) float64 {
	if len(ranked) < 3 {
		return 1
	}
	rest := 0.0
	for _, p := range ranked[1:] {
		rest += max(0, p.Score)
	}
	mean := rest / float64(len(ranked)-1)
	if mean == 0 {
		return 0
	}
	return -math.Expm1(float64(len(ranked)) * math.Log1p(-math.Exp(-ranked[0].Score/mean)))
}

// Runners lists at most so many numbers from lo to hi other than k as most says: those behind
// further gaps of the eigenvalues where one decides, those of groups and of communities where
// groups are known, the largest and the smallest number that the
// graph supports, the effective number, and then the best by the points.
func Runners(c Communities, ranked []Point, k, lo, hi, most int) (list []int) {
	add := func(other int) {
		if other != k && other >= lo && other <= hi && len(list) < most && !slices.Contains(list, other) {
			list = append(list, other)
		}
	}
	for _, g := range c.Gaps {
		if c.ByGap(lo, hi) && g.Score >= faint {
			add(g.K)
		}
	}
	if c.Groups.K > 0 && c.Few == 0 {
		add(c.Groups.K)
		add(int(math.Round(c.Effective)))
	}
	add(c.Most)
	add(c.Fewest)
	add(int(math.Round(c.count(lo))) + c.Alone)
	for _, p := range ranked {
		add(p.K)
	}
	return list
}
