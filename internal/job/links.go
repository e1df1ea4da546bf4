package job

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/links"
)

// SettleLinks joins the constraints into groups, once the number of clusters is known; 0: none is
// wanted.
func (j *Job) SettleLinks(clusters int) error {
	g, file := &j.Prior, j.constraintsName()
	if g.pairs == nil {
		return nil
	}
	for _, p := range g.pairs {
		if p.Cannot && clusters > 2 && !j.Spec.Needs.Apart {
			return invalid.Errorf("%s: line %d: with more than two clusters this method cannot keep a cannot-link, since documents apart from a third need not be together: give ‹method› pckmeans, leave cannot-links out, or give ‹clusters› 2 in place of %d",
				file, p.Line, clusters)
		}
	}
	groups, err := j.resolveLinks(!j.Spec.Needs.Apart)
	if err != nil {
		return err
	}
	if g.rows != nil {
		groups = groups.Select(g.rows)
	}
	if groups.Count == 0 && len(groups.Apart) == 0 {
		return invalid.Errorf("%s: no constraint joins two of the documents at work: give constraints between them", file)
	}
	g.Groups = groups
	return nil
}

// resolveLinks joins the constraints of the whole file into groups, for two clusters or for any
// number.
func (j *Job) resolveLinks(two bool) (*links.Groups, error) {
	g := &j.Prior
	list := make([]links.Link, len(g.pairs))
	for i, p := range g.pairs {
		list[i] = links.Link{A: p.A, B: p.B, Cannot: p.Cannot, Line: p.Line}
	}
	resolve := links.Resolve
	if !two {
		resolve = links.MustOnly
	}
	groups, err := resolve(g.size, list)
	if err != nil {
		return nil, j.contradictions(err)
	}
	return groups, nil
}

// contradictions names all of them.
func (j *Job) contradictions(err error) error {
	all := links.Contradictions(err)
	if len(all) == 0 {
		return fmt.Errorf("%s: %w", j.constraintsName(), err)
	}
	parts := make([]string, len(all))
	for i, c := range all {
		parts[i] = c.Explain(func(i int) string { return words.Name(j.Prior.id(i)) })
	}
	return invalid.Errorf("%s: %s", j.constraintsName(), invalid.List(parts, "; "))
}

// CountBroken notes how many constraints the clusters do not keep: k-means on the coordinates does
// not know of them.
func (j *Job) CountBroken(clusters []int) {
	g := &j.Prior
	if g.pairs == nil {
		return
	}
	cluster := clusters
	if g.rows != nil { // of the documents of the whole file; -1 if they were not selected
		cluster = slices.Repeat([]int{-1}, g.size)
		for i, r := range g.rows {
			cluster[r] = clusters[i]
		}
	}
	first := ""
	for _, p := range g.pairs {
		a, b := cluster[p.A], cluster[p.B]
		if a < 0 || b < 0 || (a == b) != p.Cannot {
			continue
		}
		if g.broken++; g.broken == 1 {
			word := "must"
			if p.Cannot {
				word = "cannot"
			}
			first = fmt.Sprintf("%s and %s %s (line %d)", words.Name(g.id(p.A)), words.Name(g.id(p.B)), word, p.Line)
		}
	}
	if g.broken > 0 {
		j.Warn(fmt.Sprintf("The clusters do not keep %d of %s, the first: %s. k-means on the coordinates does not know the constraints", g.broken, words.Counted(len(g.pairs), "constraint"), first))
	}
}

// constraintsName names the constraints in messages.
func (j *Job) constraintsName() string { return cmp.Or(j.Constraints, "constraints") }
