package choosek

import (
	"slices"
	"strings"
	"testing"
)

// pieces are the smallest eigenvalues of equal pieces, each with the given ones.
func pieces(count int, of ...float64) (values []float64) {
	for _, v := range of {
		values = append(values, slices.Repeat([]float64{v}, count)...)
	}
	return values
}

// TestGaps: pieces of known spectra. A strip has j² for j = 0, 1, ..., a disc the squares of the
// zeros of the derivatives of Bessel functions, a square i² + j², a round normal distribution
// i + j.
func TestGaps(t *testing.T) {
	strip := []float64{0, .001, .004, .009, .016, .025, .036}
	disc := []float64{0, .00339, .00339, .00933, .00933, .01468, .01765, .01765}
	square := []float64{0, .001, .001, .002, .004, .004, .005, .005}
	normal := []float64{0, .001, .001, .002, .002, .002, .003, .003, .003, .003}
	for name, one := range map[string][]float64{"strip": strip, "disc": disc, "square": square, "normal": normal} {
		if got := Gaps(one, len(one), 0, 2); got[0].Shows() {
			t.Errorf("one %s: %+v", name, got[0])
		}
		for _, count := range []int{2, 3, 8} {
			if got := Gaps(pieces(count, one...), 30, 0, 2); got[0].K != count || !got[0].Shows() || got[0].Ratio < 1000-1e-9 {
				t.Errorf("%d of %s: %+v", count, name, got[0])
			}
		}
	}
	for _, tc := range []struct {
		what   string
		values []float64
		want   int // 0: none
	}{
		{"three that touch", []float64{0, .0004, .0005, .0045, .005, .0052, .006}, 3},
		{"groups of groups", []float64{0, 1e-9, 1e-9, .0007, .0013, .0023, .0028, .0068, .0483, .0635}, 8},
		{"zeros of rounding", []float64{0, 1e-13, 1e-9, .01, .011, .012}, 3},
		{"no values", nil, 0},
		{"one value", []float64{0}, 0},
		{"two values", []float64{0, .1}, 0},
	} {
		got := Gaps(tc.values, 30, 0, 2)
		if k := 0; len(got) > 0 && got[0].Shows() {
			if k = got[0].K; k != tc.want {
				t.Errorf("%s: %+v, not %d", tc.what, got, tc.want)
			}
		} else if tc.want != 0 {
			t.Errorf("%s: %+v, not %d", tc.what, got, tc.want)
		}
		for i := 2; i < len(got); i++ {
			if got[i].Score > got[i-1].Score {
				t.Errorf("%s: %+v are in the wrong order", tc.what, got)
			}
		}
	}
}

// TestLikelyGap: of two numbers that have gaps the larger comes first if other evidence is for it;
// one without a gap does not, nor does a smaller one.
func TestLikelyGap(t *testing.T) {
	values := []float64{0, .0001, .002, .0021, .01, .011, .012}
	for likely, want := range map[int]int{0: 2, 4: 4, 5: 2, 9: 2} { // 4 has the score 2.68, 5 one below 1
		if got := Gaps(values, 6, likely, 2); got[0].K != want || len(got) != 5 {
			t.Errorf("likely %d: %+v", likely, got)
		}
	}
	if got := Gaps([]float64{0, .0001, .0004, .02, .021, .022}, 5, 2, 2); got[0].K != 3 {
		t.Errorf("likely 2: %+v", got)
	}
}

// TestGapDecides: a gap that shows groups comes before silhouettes and communities, one outside the
// range does not, and its runners-up are further gaps.
func TestGapDecides(t *testing.T) {
	c := Communities{Most: 12, Effective: 11.4, Fewest: 8, Silhouettes: []Point{{K: 2, Score: .6}}, Gaps: Gaps([]float64{0, .0132, .0392, .3, .31, .32}, 5, 0, 2)}
	k, e, why := ByCommunities(c, 2, 12)
	if k != 3 || e != Strong || !strings.Contains(why, "falls into 3 groups: its eigenvalue 4 is 7.65 times") {
		t.Errorf("%d, %s: %s", k, e, why)
	}
	if k, _, _ := ByCommunities(c, 4, 12); k != 11 {
		t.Errorf("of 4 to 12: %d", k)
	}
	c.Gaps = []Gap{{K: 2, Ratio: 30, Score: 7.5}, {K: 3, Ratio: 3, Score: 1.33}, {K: 4, Ratio: 1, Score: .6}}
	if got := Runners(c, nil, 2, 2, 12, 3); !slices.Equal(got, []int{3, 12, 8}) {
		t.Errorf("runners-up %v", got)
	}
	c.Gaps = []Gap{{K: 5, Ratio: 1.6, Score: 1.2}} // shows none, and lends no number
	if got := Runners(c, nil, 11, 2, 12, 3); !slices.Equal(got, []int{12, 8}) {
		t.Errorf("runners-up without a gap: %v", got)
	}
	c.Silhouettes, c.Gaps = nil, []Gap{{K: 2, Ratio: 2, Score: .5}}
	if k, e, why := ByCommunities(c, 2, 12); k != 11 || e != Weak || !strings.HasSuffix(why, "; no gap of its eigenvalues shows groups") {
		t.Errorf("without a gap: %d, %s: %s", k, e, why)
	}
}

// TestFaintGaps: a gap that is hardly larger than those of one group decides, as weak evidence;
// groups too small for a cluster do not count, and make the evidence worse. Where none decides
// there are at most as many clusters as the cube root of the rows.
func TestFaintGaps(t *testing.T) {
	c := Communities{Most: 40, Effective: 33, Fewest: 30, Rows: 2500}
	for _, tc := range []struct {
		gaps []Gap
		k    int
		e    Evidence
		why  string
	}{
		{[]Gap{{K: 2, Ratio: 5.4, Score: 1.35}}, 2, Weak, "hardly more than of rows without groups"},
		{[]Gap{{K: 2, Ratio: 4.9, Score: 1.22}}, 14, Weak, "no gap of its eigenvalues shows groups"},
		{[]Gap{}, 14, Weak, "no gap of its eigenvalues shows groups; of 2500 rows without such a gap at most 14 clusters are named"},
		{nil, 33, Weak, "as diverse as 33.0"},
		{[]Gap{{K: 11, Ratio: 17, Score: 14, Small: 3}}, 8, Fair, "falls into 11 groups, 3 of them too small for a cluster: its eigenvalue 12"},
		{[]Gap{{K: 6, Ratio: 1e9, Score: 1e9, Small: 4}}, 2, Weak, "6 groups, 4 of them too small"},
		{[]Gap{{K: 2, Ratio: 1e9, Score: 1e9, Small: 1}}, 14, Weak, "no gap"},
	} {
		c.Gaps = tc.gaps
		if k, e, why := ByCommunities(c, 2, 40); k != tc.k || e != tc.e || !strings.Contains(why, tc.why) {
			t.Errorf("%+v: %d, %s: %s", tc.gaps, k, e, why)
		}
	}
}

// TestBroadParts: in four columns a gap of 4.2 after a larger number shows parts of the groups, in
// two it may come from long ones.
func TestBroadParts(t *testing.T) {
	values := []float64{0, 1e-6, .00005, .0001, .0005, .0021, .0022}
	for columns, want := range map[int]int{2: 2, 4: 5, 60: 5} {
		if got := Gaps(values, 6, 0, columns); got[0].K != want {
			t.Errorf("%d columns: %+v", columns, got)
		}
	}
}

// TestFewCommunities: of few documents small communities and documents without neighbours count.
func TestFewCommunities(t *testing.T) {
	c := Communities{Most: 6, Effective: 4, Fewest: 6}
	for _, tc := range []struct {
		few      float64
		alone, k int
	}{{0, 0, 4}, {.5, 0, 5}, {1, 0, 6}, {1, 2, 8}} {
		c.Few, c.Alone = tc.few, tc.alone
		if k, _, why := ByCommunities(c, 2, 10); k != tc.k || strings.Contains(why, "without neighbours") != (tc.alone > 0) {
			t.Errorf("%+v: %d, %s", tc, k, why)
		}
	}
	c.Silhouettes = []Point{{K: 5, Score: .7}}
	if k, e, _ := ByCommunities(c, 2, 10); k != 7 || e != Strong {
		t.Errorf("by silhouettes: %d, %s", k, e)
	}
}
