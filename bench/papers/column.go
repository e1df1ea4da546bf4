package papers

import (
	"context"
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/registry"
	"gonum.org/v1/gonum/mat"
)

// Column is a method of package registry with its options, and a share of labels if labels are
// drawn for it.
type Column struct {
	Method string  // key in cells and files, and of the flag --methods: "semi-le"
	Name   string  // in the paper: "Semi-LE"
	Share  float64 // of each class that is labelled for the column; 0: no labels are drawn

	// Spec is the name of the method in package registry; "" = Method.
	Spec string
	// Options are the method's options, "name=value name=value". The value $name is the setting of
	// that name of the unit; the option keeps its default if the unit has no such setting.
	Options string
	// Config holds options that have no name, to which Options are added; nil = all defaults.
	Config method.Options
	// Shared says that units of the same data share the fit ([Unit].fits).
	Shared bool

	// rows returns the rows that the method works on; nil = the unit's.
	rows func(ctx context.Context, u *Unit) (mat.Matrix, error)
	// given are the labels that the method learns from; nil = drawn labels, if Share is above 0, else
	// the unit's.
	given func(ctx context.Context, u *Unit) (*method.Given, error)
	// cut makes the fit of a unit from a fit that units share; nil = it is that fit.
	cut func(ctx context.Context, u *Unit, f *method.Fitted) (*method.Fitted, error)
	// assign finds the clusters of a fit that has coordinates alone; nil = k-means of them.
	assign func(ctx context.Context, u *Unit, f *method.Fitted) ([]int, error)
	// more returns the metric that follows the unit's metrics; nil = there is none.
	more func(u *Unit, f *method.Fitted) float64
	// score replaces all of the above: it makes the figures of a case.
	score func(ctx context.Context, u *Unit, labelSeed uint64) ([]float64, error)
}

// Key names the column in cells and files: "le", "semi-le@0.03".
func (c Column) Key() string {
	if c.Share == 0 {
		return c.Method
	}
	return c.Method + "@" + shortest(c.Share)
}

// Title is the column's heading: "LE", "Semi-LE 3 %".
func (c Column) Title() string {
	if c.Share == 0 {
		return c.Name
	}
	return c.Name + " " + shareText(c.Share)
}

// cases is the number of cases of a cell of the column.
func (c Column) cases(cases int) int {
	if c.Share == 0 {
		return 1
	}
	return cases
}

// method is the column's method with the options for a unit. text is the options in words.
func (c Column) method(settings map[string]string) (spec method.Spec, o method.Options, text string, err error) {
	name := c.Spec
	if name == "" {
		name = c.Method
	}
	spec, ok := registry.Find(name)
	if !ok {
		return spec, nil, "", fmt.Errorf("there is no method %q", name)
	}
	o = spec.New()
	if c.Config != nil {
		o = option.Clone(c.Config).(method.Options)
	}
	var set []string
	for each := range strings.FieldsSeq(c.Options) {
		name, value, _ := strings.Cut(each, "=")
		if setting, ok := strings.CutPrefix(value, "$"); ok {
			if value, ok = settings[setting]; !ok {
				continue
			}
		}
		if err := setOption(o, name, value); err != nil {
			return spec, nil, "", fmt.Errorf("%s: %w", c.Key(), err)
		}
		set = append(set, name+"="+value)
	}
	return spec, o, strings.Join(set, " "), nil
}

// setOption sets an option of a method by its name.
func setOption(o method.Options, name, value string) error {
	f := option.Find(option.Of(o), name)
	if f == nil {
		return fmt.Errorf("there is no option %s", name)
	}
	if err := f.Set(value); err != nil {
		return fmt.Errorf("%s=%s: %w", name, value, err)
	}
	return nil
}

// settingsOf reads settings, "name=value name=value".
func settingsOf(text string) map[string]string {
	settings := map[string]string{}
	for each := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(each, "=")
		settings[name] = value
	}
	return settings
}
