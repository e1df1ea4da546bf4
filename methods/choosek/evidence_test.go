package choosek_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/methods/choosek"
)

// Clusters that are far apart in the rows decide; else the effective number of communities does,
// within the range, and the evidence is fair only if the equally good numbers are few.
func TestByCommunities(t *testing.T) {
	apart := []choosek.Point{{K: 2, Score: 0.6}, {K: 3, Score: 0.8}, {K: 4, Score: math.NaN()}, {K: 5, Score: 0.9}}
	near := []choosek.Point{{K: 2, Score: 0.5}, {K: 3, Score: 0.2}}
	for i, c := range []struct {
		of     choosek.Communities
		lo, hi int
		k      int
		e      choosek.Evidence
		says   string
	}{
		{choosek.Communities{Most: 9, Effective: 7.4, Fewest: 4, Silhouettes: apart}, 2, 4, 3, choosek.Strong, "mean silhouette of 0.80"},
		{choosek.Communities{Most: 9, Effective: 7.4, Fewest: 4, Silhouettes: near}, 2, 20, 7, choosek.Weak, "9 communities, as diverse as 7.4 of equal size; 4 to 9 have"},
		{choosek.Communities{Most: 8, Effective: 7.6, Fewest: 7}, 2, 20, 8, choosek.Fair, "8 communities"},
		{choosek.Communities{Most: 20, Effective: 18.6, Fewest: 17}, 2, 20, 19, choosek.Fair, "20 communities"},
		{choosek.Communities{Most: 20, Effective: 18.6, Fewest: 16}, 2, 20, 19, choosek.Weak, "20 communities"},
		{choosek.Communities{Most: 8, Effective: 8, Fewest: 8}, 2, 20, 8, choosek.Fair, "as diverse as 8.0 of equal size"},
		{choosek.Communities{Most: 300, Effective: 292, Fewest: 80, Unjoined: true}, 2, 300, 300, choosek.Weak, "no edge joins two"},
		{choosek.Communities{Most: 300, Effective: 220, Fewest: 80, Unjoined: true}, 2, 300, 220, choosek.Weak, "no edge joins two"},
		{choosek.Communities{Most: 8, Effective: 8, Fewest: 8}, 10, 20, 10, choosek.Weak, "8 communities"}, // beyond the range
		{choosek.Communities{Most: 8, Effective: 8, Fewest: 8}, 2, 5, 5, choosek.Weak, "8 communities"},
		{choosek.Communities{Most: 1, Effective: 1, Fewest: 1}, 2, 10, 2, choosek.Weak, "one community"},
	} {
		k, e, why := choosek.ByCommunities(c.of, c.lo, c.hi)
		if k != c.k || e != c.e || !strings.Contains(why, c.says) {
			t.Errorf("case %d: %d, %s, %q", i, k, e, why)
		}
	}
}

// Communities are joined to the groups behind the largest step of likeness, two only if it is
// large for two. They decide if they are far fewer, or the step is large.
func TestApart(t *testing.T) {
	steps := []float64{1, .9, .85, .8, .78, .75, .7, .68, .66, .6, .55, .38, .3, .25}
	for i, c := range []struct {
		likeness  []float64
		smaller   float64
		effective float64
		lo        int
		dense     bool
		want      choosek.Groups
	}{
		{steps, 0.4, 12.2, 2, false, choosek.Groups{K: 4, Decide: true}},
		{steps, 0.4, 10.5, 2, false, choosek.Groups{K: 4}},
		{steps, 0.4, 6.5, 2, true, choosek.Groups{K: 4, Decide: true}},
		{steps, 0.4, 6.3, 2, true, choosek.Groups{K: 4}},
		{[]float64{1, .9, .8, .7, .1, .05, .04}, 0.4, 5.5, 2, false, choosek.Groups{K: 4, Decide: true}}, // 1.3 / 0.7
		{[]float64{1, .9, .8, .7, .1, .05, .04}, 0.4, 4.3, 2, false, choosek.Groups{K: 4}},
		{[]float64{1, .9, .8, .7, .3, .1}, 0.4, 5.5, 2, false, choosek.Groups{K: 2, Decide: true}},   // 0.5 / 0.3, not 1.3 / 0.9
		{[]float64{1, .9, .8, .75, .3, .14}, 0.4, 5.5, 2, false, choosek.Groups{K: 3, Decide: true}}, // 1.35 / 0.9, not 0.5 / 0.34
		{[]float64{1, .454, .411, .296, .142}, 0.209, 5.07, 2, false, choosek.Groups{K: 5}},          // five topics
		{[]float64{1, .9, .8, .7, .3, .1}, 0.4, 5.5, 3, false, choosek.Groups{K: 3, Decide: true}},
		{[]float64{1, .9, .8, .7, .3, .2}, 0.4, 5.5, 2, false, choosek.Groups{K: 3, Decide: true}}, // 0.5 / 0.4
		{[]float64{1, .9, .8, .7, .3, .1}, 0.1, 5.5, 2, false, choosek.Groups{K: 3, Decide: true}},
		{[]float64{1, .1}, 0.4, 2.1, 2, false, choosek.Groups{K: 2}},
		{[]float64{1, .9}, 0.4, 2.9, 2, false, choosek.Groups{}},
		{nil, 0, 1, 2, false, choosek.Groups{}},
	} {
		if g := (choosek.Joined{Likeness: c.likeness, Smaller: c.smaller, Effective: c.effective, Dense: c.dense}).Apart(c.lo); g != c.want {
			t.Errorf("case %d: %+v", i, g)
		}
	}
}

// Communities that are alike count together where the groups decide; not of a few documents.
func TestAlikeCommunitiesCountTogether(t *testing.T) {
	decide := choosek.Groups{K: 4, Decide: true}
	for i, c := range []struct {
		of   choosek.Communities
		k    int
		says string
	}{
		{choosek.Communities{Most: 14, Effective: 12.2, Fewest: 9, Groups: decide}, 4, "12.2 of equal size; joined where they are alike, they are 4 groups; 9 to 14"},
		{choosek.Communities{Most: 14, Effective: 12.2, Fewest: 14, Groups: decide}, 4, "12.2 of equal size; joined where they are alike, they are 4 groups"},
		{choosek.Communities{Most: 14, Effective: 10.5, Fewest: 9, Groups: choosek.Groups{K: 4}}, 11, "10.5 of equal size; 9 to 14"},
		{choosek.Communities{Most: 14, Effective: 12.2, Fewest: 9, Groups: decide, Few: .5}, 13, "12.2 of equal size; 9 to 14"},
		{choosek.Communities{Most: 14, Effective: 12.2, Fewest: 9}, 12, "12.2 of equal size; 9 to 14"},
	} {
		k, e, why := choosek.ByCommunities(c.of, 2, 20)
		if k != c.k || !strings.Contains(why, c.says) || c.k == 4 && e != choosek.Weak {
			t.Errorf("case %d: %d, %s, %q", i, k, e, why)
		}
	}
}

// Groups fewer than a range has do not decide, as a gap does not: the communities do.
func TestGroupsBelowTheRange(t *testing.T) {
	c := choosek.Communities{Most: 14, Effective: 12.2, Fewest: 9, Groups: choosek.Groups{K: 4, Decide: true}}
	for lo, want := range map[int]int{4: 4, 5: 12} {
		k, _, why := choosek.ByCommunities(c, lo, 20)
		if k != want || strings.Contains(why, "joined") != (k == 4) {
			t.Errorf("from %d on: %d, %q", lo, k, why)
		}
	}
}

// Runners-up are the ends of what the graph supports and then the best by score, without k and
// within the range.
func TestRunners(t *testing.T) {
	c := choosek.Communities{Most: 9, Effective: 6.6, Fewest: 4}
	ranked := []choosek.Point{{K: 9}, {K: 8}, {K: 7}, {K: 6}}
	for _, x := range []struct {
		k, lo, hi, most int
		want            []int
	}{{7, 2, 20, 3, []int{9, 4, 8}}, {3, 2, 20, 9, []int{9, 4, 7, 8, 6}}, {7, 5, 8, 9, []int{8, 6}}, {7, 2, 20, 1, []int{9}}} {
		if got := choosek.Runners(c, ranked, x.k, x.lo, x.hi, x.most); !slices.Equal(got, x.want) {
			t.Errorf("%+v: %v", x, got)
		}
	}
}

// The other of both numbers is the first runner-up: the groups, or the communities.
func TestRunnersWithGroups(t *testing.T) {
	c := choosek.Communities{Most: 14, Effective: 12.2, Fewest: 9, Groups: choosek.Groups{K: 3}}
	for k, want := range map[int][]int{3: {12, 14, 9}, 12: {3, 14, 9}} {
		if got := choosek.Runners(c, nil, k, 2, 20, 3); !slices.Equal(got, want) {
			t.Errorf("beside %d: %v, not %v", k, got, want)
		}
	}
}

// Each rule grades its best score by its own scale, and the chance of a gap follows its formula.
func TestGrade(t *testing.T) {
	points := func(scores ...float64) (list []choosek.Point) {
		for i, s := range scores {
			list = append(list, choosek.Point{K: i + 2, Score: s})
		}
		return list
	}
	for i, c := range []struct {
		rule choosek.Rule
		of   []choosek.Point
		want choosek.Evidence
	}{
		{choosek.Eigengap, points(1, 0.1, 0.1, 0.1), choosek.Strong}, // 1 − (1 − e⁻¹⁰)⁴ = .0002
		{choosek.Eigengap, points(0.4, 0.1, 0.1, 0.1), choosek.Fair}, // 1 − (1 − e⁻⁴)⁴ = .07
		{choosek.Eigengap, points(0.2, 0.1, 0.1, 0.1), choosek.Weak},
		{choosek.Eigengap, points(0.2, 0.1), choosek.Weak}, // two gaps say nothing
		{choosek.Eigengap, points(0.2, 0, 0), choosek.Strong},
		{choosek.Silhouette, points(0.51), choosek.Strong}, {choosek.Silhouette, points(0.3), choosek.Fair}, {choosek.Silhouette, points(0.01), choosek.Weak},
		{choosek.BIC, points(-100, -89), choosek.Strong}, {choosek.BIC, points(-100, -97), choosek.Fair}, {choosek.BIC, points(-100, -99), choosek.Weak}, {choosek.BIC, points(3), choosek.Weak},
		{choosek.Stability, points(0.95), choosek.Strong}, {choosek.Stability, points(0.8), choosek.Fair}, {choosek.Stability, points(0.3), choosek.Weak},
		{choosek.Silhouette, nil, choosek.Weak},
	} {
		e, why := choosek.Grade(c.rule, c.of)
		if e != c.want || why == "" {
			t.Errorf("case %d: %s, %q", i, e, why)
		}
	}
	if _, why := choosek.Grade(choosek.Eigengap, points(0.4, 0.1, 0.1, 0.1)); !strings.Contains(why, "a chance of 0.071") {
		t.Error(why)
	}
}
