package request

import (
	"cmp"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/model"
)

// checkVectors refuses views that do not fit what is given, and settles those that were not named.
func (r *Request) checkVectors() error {
	v := &r.Vectors
	r.settleViews()
	switch {
	case v.File != "" && v.Rows != nil:
		return invalid.Errorf("vectors are given in memory and by ‹vectors›: give them in one way")
	case v.Model != "" && (v.File != "" || v.Rows != nil):
		return invalid.Errorf("the vectors are given and made by ‹vectors-model›: leave one of the two out")
	case v.Model != "" && r.Graph != "":
		return invalid.Errorf("‹vectors-model› has no effect beside ‹graph›, because the graph is already there: leave it out")
	case r.Graph != "" && r.WithVectors():
		return invalid.Errorf("‹vectors› has no effect beside ‹graph›, because the graph is already there: leave it out")
	case r.Graph != "" && r.WithColumns():
		return invalid.Errorf("‹views› columns has no effect beside ‹graph›, because the graph is already there: leave it out")
	}
	return r.checkViews()
}

// settleViews adds the views that follow from what was given.
func (r *Request) settleViews() {
	v := &r.Vectors
	if len(v.Views) > 0 || v.ViewColumns == nil && v.Columns == nil || r.Command == "predict" {
		return
	}
	if v.Views = []string{"words", "columns"}; r.WithVectors() {
		v.Views[0] = "vectors"
	}
}

// checkViews refuses views that lack what they are of, and what they leave out.
func (r *Request) checkViews() error {
	v := &r.Vectors
	has := func(view string) bool { return slices.Contains(v.Views, view) }
	switch {
	case len(v.Views) == 0:
		return nil
	case has("vectors") && !r.WithVectors(), !has("columns") && !r.WithVectors():
		return invalid.Errorf("‹views› has no effect without ‹vectors› or ‹vectors-model›: leave it out, or give ‹views› words,columns to compare documents by columns beside their texts too")
	case r.WithVectors() && !has("vectors"):
		return invalid.Errorf("‹views› %s leaves the vectors out: leave ‹vectors› out, or add vectors to the views", strings.Join(v.Views, ","))
	case !has("columns") && v.ViewColumns != nil:
		return invalid.Errorf("‹views› %s leaves ‹view-columns› out: add columns to the views", strings.Join(v.Views, ","))
	case r.ColumnsAlone() && v.Columns != nil:
		return invalid.Errorf("‹views› columns compares by the columns of a file: add words or vectors to the views, beside which columns in memory are compared")
	case has("columns") && r.InSingle():
		return invalid.Errorf("‹views› joins rows in double precision: leave ‹precision› out")
	case r.JoinsWords() && r.Spec.Needs.Positive:
		return invalid.Errorf("the method %s takes no entries below 0, which words have beside vectors or columns (‹views›): give another ‹method›, such as diffusion or kmeans, or leave vectors and columns out", r.Spec.Name)
	case !has("words") && r.Was("weighting"):
		return invalid.Errorf("‹weighting› has no effect on vectors and columns: leave it out, or add words to the views")
	}
	_, err := r.NamedColumns()
	return err
}

// NamedColumn is a column that is named for the view of columns, with its kind; "" = found out.
type NamedColumn struct{ Name, Kind string }

// NamedColumns are the names in ViewColumns, and what is said of each. A name with its kind may
// stand beside the name alone, as where the columns say their kinds and an option names them.
// Errors: a name twice, two kinds of one, or none before the kind.
func (r *Request) NamedColumns() ([]NamedColumn, error) {
	var list []NamedColumn
	for _, text := range r.Vectors.ViewColumns {
		c := NamedColumn{Name: text}
		if at := strings.LastIndexByte(text, '='); at >= 0 && slices.Contains([]string{model.KindCategory, model.KindNumber, model.KindDate}, text[at+1:]) {
			c = NamedColumn{text[:at], text[at+1:]}
		}
		if c.Name == "" {
			return nil, invalid.Errorf("‹view-columns› %q names no column: give the name of one", text)
		}
		at := slices.IndexFunc(list, func(o NamedColumn) bool { return strings.EqualFold(o.Name, c.Name) })
		switch {
		case at < 0:
			list = append(list, c)
		case c.Kind != "" && list[at].Kind != "" && c.Kind != list[at].Kind:
			return nil, invalid.Errorf("‹view-columns› %s is said to be of kind %s and of kind %s: give one", c.Name, list[at].Kind, c.Kind)
		case r.Vectors.Columns == nil || c.Kind == "" && list[at].Kind == "":
			return nil, invalid.Errorf("‹view-columns› names %s twice: give it once", c.Name)
		default:
			list[at].Kind = cmp.Or(list[at].Kind, c.Kind)
		}
	}
	return list, nil
}
