package eigenmap_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
)

// The folder of a run suggests what the run itself does, and the same again; what is known is never
// suggested; the file is one that ReadGiven takes once it is filled in.
func TestSuggest(t *testing.T) {
	opt := options(t, "diffusion")
	drawn := true
	opt.Map = &drawn
	run, dir := cluster(t, train, opt), t.TempDir()
	save(t, run, dir)
	ctx := context.Background()
	results := must.Get(eigenmap.ReadResults(ctx, dir))(t)
	first := must.Get(results.Suggest(ctx, eigenmap.SuggestOptions{Number: 6}))(t)
	own := must.Get(run.Suggest(ctx, eigenmap.SuggestOptions{Number: 6}))(t)
	if len(first.Next) != 6 || len(first.Known) != 0 || !slices.Equal(ids(first.Next), ids(own.Next)) {
		t.Errorf("the folder suggests %v, the run %v", ids(first.Next), ids(own.Next))
	}
	for _, v := range first.Next {
		if v.Text == "" || v.Confidence == nil || v.Label != "" || !strings.HasPrefix(v.Why, "typical of ") {
			t.Errorf("%+v", v)
		}
	}
	file := filepath.Join(dir, "labels.csv")
	filled := fill(t, first, run.Corpus)
	must.Do(t, os.WriteFile(file, filled, 0o644))
	checkGiven(t, file, run.Corpus, 6)
	next := must.Get(results.Suggest(ctx, eigenmap.SuggestOptions{Number: 5, Labels: file}))(t)
	if len(next.Next) != 5 || len(next.Known) != 6 {
		t.Errorf("%d are suggested, and %d known ones follow", len(next.Next), len(next.Known))
	}
	for _, id := range ids(next.Next) {
		if slices.Contains(ids(first.Next), id) {
			t.Errorf("%s is suggested again", id)
		}
	}
	again := options(t, "label-propagation")
	again.Labels = file
	again.Map = &drawn
	taught := must.Get(cluster(t, train, again).Suggest(ctx, eigenmap.SuggestOptions{}))(t)
	if len(taught.Next) != 20 || !reflect.DeepEqual(sorted(ids(taught.Known)), sorted(ids(first.Next))) {
		t.Errorf("after labels %d are suggested, %v known", len(taught.Next), ids(taught.Known))
	}
}

// checkGiven holds a file of labels to the corpus' own.
func checkGiven(t *testing.T, file string, c *corpus.Corpus, want int) {
	t.Helper()
	given := must.Get(corpus.ReadGiven(context.Background(), file, c))(t)
	known := 0
	for i, k := range given.Labels {
		if k < 0 {
			continue
		}
		if known++; given.ClassNames[k] != c.ClassNames[c.Labels[i]] {
			t.Errorf("document %d has the class %s", i, given.ClassNames[k])
		}
	}
	if known != want {
		t.Errorf("%d labels are known, not %d", known, want)
	}
}

func TestSuggestRefuses(t *testing.T) {
	run, dir := cluster(t, train, options(t, "kmeans")), t.TempDir()
	save(t, run, dir)
	ctx := context.Background()
	if _, err := eigenmap.ReadResults(ctx, t.TempDir()); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("an empty folder: %v", err)
	}
	_, err := eigenmap.ReadResults(ctx, train)
	refused(t, err, filepath.Base(train)+": it is no folder of results and no file in one")
	results := must.Get(eigenmap.ReadResults(ctx, filepath.Join(dir, eigenmap.ModelName)))(t)
	file := filepath.Join(t.TempDir(), "labels.csv")
	must.Do(t, os.WriteFile(file, []byte("id,label\nnobody,a\n"), 0o644))
	if _, err := results.Suggest(ctx, eigenmap.SuggestOptions{Labels: file}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("an unknown document: %v", err)
	}
	if results.Numbered() {
		t.Error("documents with names are taken for numbered ones")
	}
	for i := range results.IDs {
		results.IDs[i] = fmt.Sprint(i + 1)
	}
	if !results.Numbered() {
		t.Error("numbers from 1 are taken for names")
	}
	results.Places = nil
	if _, err := results.Suggest(ctx, eigenmap.SuggestOptions{}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("without places: %v", err)
	}
}

func ids(list []eigenmap.Suggestion) (out []string) {
	for _, v := range list {
		out = append(out, v.ID)
	}
	return out
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// fill writes the suggestions with the corpus' labels filled in.
func fill(t *testing.T, s *eigenmap.Suggestions, c *corpus.Corpus) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, s.WriteCSV(&b, false))
	records := must.Get(csv.NewReader(&b).ReadAll())(t)
	class := map[string]string{}
	for i := range c.Len() {
		class[c.ID(i)] = c.ClassNames[c.Labels[i]]
	}
	for _, r := range records[1:] {
		r[1] = class[r[0]]
	}
	b.Reset()
	must.Do(t, csv.NewWriter(&b).WriteAll(records))
	return b.Bytes()
}
