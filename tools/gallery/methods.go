package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/methods/method"
)

// sectionsOfMethods are the classes of the corpus on which each method is shown, every third
// document.
var sectionsOfMethods = []string{"fonts", "games", "haskell", "mail", "science", "sound"}

// drawMethods writes a picture NAME.png for each method: the classes of the corpus on its map, and
// on the same map the clusters that the method finds by default. Methods that need labels know 5 %.
func drawMethods(ctx context.Context, out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	file := filepath.Join(out, "corpus.jsonl")
	if err := thin("examples/debian/packages.jsonl.gz", file, 3); err != nil {
		return err
	}
	show := true
	whole := eigenmap.Source{Classes: sectionsOfMethods}
	first, err := eigenmap.Cluster(ctx, file, eigenmap.Options{Source: whole, Map: &show})
	if err != nil {
		return err
	}
	for _, s := range eigenmap.Methods() {
		opt := eigenmap.Options{Method: s.Name, Source: whole, Confidence: "raw"}
		title := s.Name
		if s.Needs.Labels == method.Required {
			opt.LabeledFraction = .05
			title += ", 5 % of the labels known"
		}
		run, err := eigenmap.Cluster(ctx, file, opt)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		title += fmt.Sprintf("\naccuracy %.2f", run.Scores.Accuracy)
		fmt.Println(strings.ReplaceAll(title, "\n", ": "))
		classes := first.Corpus.Labels
		plots := [][]*plot.Plot{{scatter(first.Map, classes, "sections of the archive\n"), scatter(first.Map, likeClasses(run.Labels, classes), title)}}
		if err := save(plots, filepath.Join(out, s.Name+".png"), 270, 200); err != nil {
			return err
		}
	}
	return nil
}

// thin writes every nth line of a packed file.
func thin(packed, file string, n int) error {
	in, err := os.Open(packed)
	if err != nil {
		return err
	}
	defer in.Close()
	unpacked, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	var text []byte
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 1<<20)
	for i := 0; lines.Scan(); i++ {
		if i%n == 0 {
			text = append(append(text, lines.Bytes()...), '\n')
		}
	}
	return cmp.Or(lines.Err(), os.WriteFile(file, text, 0o644))
}

// likeClasses numbers clusters as the classes with which they share most documents, the largest
// overlaps first, one to one; clusters that are left over follow.
func likeClasses(labels, classes []int) []int {
	type pair struct{ cluster, class int }
	shared := map[pair]int{}
	for i, c := range labels {
		shared[pair{c, classes[i]}]++
	}
	var pairs []pair
	for p := range shared {
		pairs = append(pairs, p)
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(shared[b], shared[a]), cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.class, b.class))
	})
	number, taken := map[int]int{}, map[int]bool{}
	for _, p := range pairs {
		if _, has := number[p.cluster]; !has && !taken[p.class] {
			number[p.cluster], taken[p.class] = p.class, true
		}
	}
	next := len(sectionsOfMethods)
	out := make([]int, len(labels))
	for i, c := range labels {
		if _, has := number[c]; !has {
			number[c] = next
			next++
		}
		out[i] = number[c]
	}
	return out
}

// scatter draws the points of a map in the colours of their groups.
func scatter(at mat.Matrix, groups []int, title string) *plot.Plot {
	p := plot.New()
	p.HideAxes()
	p.Title.Text = title
	p.Title.TextStyle.Font.Size = vg.Points(10)
	for group := range slices.Max(groups) + 1 {
		var points plotter.XYs
		for i, g := range groups {
			if g == group {
				points = append(points, plotter.XY{X: at.At(i, 0), Y: at.At(i, 1)})
			}
		}
		if len(points) == 0 {
			continue
		}
		dots, err := plotter.NewScatter(points)
		if err != nil {
			continue // a coordinate that is no number
		}
		c := color.Color(color.Gray{130})
		if group < len(colours) {
			c = colours[group]
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: c, Radius: vg.Points(1), Shape: draw.CircleGlyph{}}
		p.Add(dots)
	}
	return p
}
