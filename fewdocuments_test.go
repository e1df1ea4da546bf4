package eigenmap_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// fewTexts are texts in groups of the given sizes: texts of a group share two words, and those of
// different groups none.
func fewTexts(sizes []int, rng *rand.Rand) (texts []string, group []int) {
	letters := "bdfgklmnprtvz"
	name := func(of string, i int) string { return of + string(letters[i]) + "o" + string(letters[(i+5)%13]) }
	for g, size := range sizes {
		for range size {
			text := name("xi", len(texts))
			if size > 1 {
				text += " " + name("qua", g) + " " + name("wu", g)
			}
			texts, group = append(texts, text), append(group, g)
		}
	}
	rng.Shuffle(len(texts), func(a, b int) {
		texts[a], texts[b] = texts[b], texts[a]
		group[a], group[b] = group[b], group[a]
	})
	return texts, group
}

// Of few documents every group is apart from the others as far as the clusters go: no cluster holds
// documents of two groups where there are as many clusters as groups, no group is divided where
// there are fewer, and as many clusters as were asked for hold documents.
func TestFewDocuments(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 0))
	for range 60 {
		var sizes []int
		n := 0
		for n < 2 || n < 12 && rng.IntN(4) > 0 {
			size := min(1+rng.IntN(4), 12-n)
			sizes, n = append(sizes, size), n+size
		}
		if len(sizes) < 2 || slices.Max(sizes) == 1 {
			continue
		}
		texts, group := fewTexts(sizes, rng)
		for _, method := range []string{"diffusion", "spectral", "le"} {
			for k := 2; k <= n; k++ {
				opt := options(t, method, "clusters", strconv.Itoa(k), "min-df", "1", "seed", "1", "language", "none")
				run, err := eigenmap.ClusterTexts(t.Context(), texts, opt)
				if err != nil {
					t.Errorf("%s, groups %v, k = %d: %v", method, sizes, k, err)
					continue
				}
				if fault := dividedFew(run.Labels, group, len(sizes), k); fault != "" {
					t.Errorf("%s, groups %v, k = %d: %s: clusters %v of groups %v", method, sizes, k, fault, run.Labels, group)
				}
			}
		}
	}
}

// dividedFew says what is wrong with the clusters of few documents in groups; "": nothing is.
func dividedFew(labels, group []int, groups, k int) string {
	of, in := make([]map[int]bool, k), make([]map[int]bool, groups)
	for i, c := range labels {
		if of[c] == nil {
			of[c] = map[int]bool{}
		}
		if in[group[i]] == nil {
			in[group[i]] = map[int]bool{}
		}
		of[c][group[i]], in[group[i]][c] = true, true
	}
	for c := range of {
		if len(of[c]) == 0 {
			return fmt.Sprintf("cluster %d is empty", c)
		}
		if k >= groups && len(of[c]) > 1 {
			return fmt.Sprintf("cluster %d holds several groups", c)
		}
	}
	for g := range in {
		if k <= groups && len(in[g]) > 1 {
			return fmt.Sprintf("group %d is divided", g)
		}
	}
	return ""
}

// obviousTexts are texts of topics of the given sizes; a topic of size 1 is one text of its own
// words. Each text has four of the six words of its topic and so many general ones.
func obviousTexts(rng *rand.Rand, sizes []int, general int) (texts []string, group []int) {
	word := func(i int) string {
		const first, second = "bdfgklmnprtvz", "aeiou"
		return fmt.Sprintf("%c%c%c%cq", first[i%13], second[i/13%5], first[i/65%13], second[i/845%5])
	}
	for g, size := range sizes {
		for range size {
			var words []string
			for _, w := range rng.Perm(6)[:4] {
				words = append(words, word(100+40*g+w))
			}
			for range general {
				if size > 1 {
					words = append(words, word(rng.IntN(12)))
				}
			}
			texts, group = append(texts, strings.Join(words, " ")), append(group, g)
		}
	}
	return texts, group
}

// A corpus of few documents in obvious groups, with a document of its own words or without, is
// found to be in these groups, with the number of clusters given or not; that does not end at 12
// documents.
func TestFewDocumentsInObviousGroups(t *testing.T) {
	for _, c := range []struct {
		most        int // documents
		given, auto float64
	}{{12, 0.9, 0.9}, {15, 0.95, 0.9}, {20, 0.95, 0.88}, {30, 0.9, 0.8}, {50, 0.88, 0.85}} {
		rng := rand.New(rand.NewPCG(uint64(c.most), 5))
		least := map[int]int{12: 3, 15: 13, 20: 16, 30: 21, 50: 31}[c.most]
		given, auto, runs := 0.0, 0.0, 0
		for runs < 18 {
			var sizes []int
			n := runs % 2
			for range 2 + rng.IntN(7) {
				sizes = append(sizes, 2+rng.IntN(5))
				n += sizes[len(sizes)-1]
			}
			if n < least || n > c.most {
				continue
			}
			if runs%2 == 1 {
				sizes = append(sizes, 1)
			}
			texts, group := obviousTexts(rng, sizes, runs%3)
			runs++
			for _, k := range []string{strconv.Itoa(len(sizes)), "auto"} {
				run, err := eigenmap.ClusterTexts(t.Context(), texts, options(t, "diffusion", "clusters", k, "seed", "0", "language", "none"))
				if err != nil {
					t.Fatalf("groups %v, -k %s: %v", sizes, k, err)
				}
				table := must.Get(metrics.NewTable(group, run.Labels))(t)
				if ari := table.Scores().ARI; k == "auto" {
					auto += ari
				} else {
					given += ari
				}
			}
		}
		given, auto = given/float64(runs), auto/float64(runs)
		t.Logf("at most %d documents: adjusted Rand index %.3f with the number of groups, %.3f without", c.most, given, auto)
		if given < c.given || auto < c.auto {
			t.Errorf("at most %d documents: adjusted Rand index %.3f with the number of groups (least %v), %.3f without (least %v)", c.most, given, c.given, auto, c.auto)
		}
	}
}

// Documents without neighbours that are counted as clusters have their clusters, and groups are not
// divided in their place: of up to 36 documents each is found to be alone.
func TestFewDocumentsBesideSeveralAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	sum, runs := 0.0, 0
	for ; runs < 16; runs++ {
		sizes := []int{6 + rng.IntN(5), 6 + rng.IntN(5), 6 + rng.IntN(5)}
		for range 1 + runs%4 {
			sizes = append(sizes, 1)
		}
		texts, group := obviousTexts(rng, sizes, 3)
		run, err := eigenmap.ClusterTexts(t.Context(), texts, options(t, "diffusion", "clusters", "auto", "seed", "0", "language", "none"))
		if err != nil {
			t.Fatalf("groups %v: %v", sizes, err)
		}
		table := must.Get(metrics.NewTable(group, run.Labels))(t)
		if len(run.Sizes) != len(sizes) {
			t.Logf("groups %v: clusters of %v: %s", sizes, run.Sizes, run.Search.Because)
		}
		sum += table.Scores().ARI
	}
	mean := sum / float64(runs)
	t.Logf("adjusted Rand index %.3f", mean)
	if mean < 0.95 {
		t.Errorf("adjusted Rand index %.3f, least .95", mean)
	}
}

// Where copies alone have anything in common, they are joined as documents of their own.
func TestCopiesAloneAreJoined(t *testing.T) {
	texts := []string{"the ship sailed the sea", "a ship at sea", "computer code", "stone tower"}
	run := must.Get(eigenmap.ClusterTexts(t.Context(), texts, options(t, "diffusion", "clusters", "2")))(t)
	if l := run.Labels; l[0] != l[1] || l[2] == l[0] || l[3] == l[0] {
		t.Errorf("clusters %v", l)
	}
	if notes := strings.Join(run.Notes(), "\n"); !strings.Contains(notes, "no two different ones have a term in common") {
		t.Errorf("notes:\n%s", notes)
	}
}
