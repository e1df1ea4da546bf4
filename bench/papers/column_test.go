package papers

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Every option of every column is one of its method, and has a value for the settings of every row.
func TestColumnsAreOfMethods(t *testing.T) {
	for _, e := range Experiments() {
		for _, r := range e.Rows {
			settings := map[string]string{"neighbors": "10", "candidates": "15", "sigma": "0.5", "dims": "10"} // of units
			maps.Copy(settings, settingsOf(r.Settings))
			for _, c := range e.Columns {
				spec, o, _, err := c.method(settings)
				if err != nil {
					t.Errorf("%s, row %s: %v", e.Name, r.Key, err)
					continue
				}
				if err := o.Validate(); err != nil {
					t.Errorf("%s, row %s, %s: %v", e.Name, r.Key, c.Key(), err)
				}
				if c.Share > 0 && spec.Needs.Labels == 0 {
					t.Errorf("%s: labels are drawn for %s, which takes none", e.Name, c.Key())
				}
			}
		}
	}
}

// A setting that a unit does not have leaves its option out, Config stays as it is, and an unknown
// method, option or value is an error.
func TestColumnMethod(t *testing.T) {
	moons := lapgmmColumns(&moonsOptions)[4]
	before := moonsOptions
	_, o, text, err := moons.method(map[string]string{"neighbors": "7"})
	if err != nil || text != "neighbors=7 start-from=kmeans raw=true ridge=1e-06" {
		t.Errorf("options %q, error %v", text, err)
	}
	if !reflect.DeepEqual(moonsOptions, before) || o == moons.Config {
		t.Error("the options of the column were changed")
	}
	for says, c := range map[string]Column{
		`no method "nothing"`:    {Method: "nothing"},
		"no option color":        {Method: "le", Options: "color=red"},
		"neighbors=few: it is a": {Method: "le", Options: "neighbors=$n"},
	} {
		if _, _, _, err := c.method(map[string]string{"n": "few"}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v", says, err)
		}
	}
}

// Units of the same data share a fit by method, options and labels.
func TestSharedFits(t *testing.T) {
	sets, dir := someSets(t)
	store := newLECASStore()
	e := lecasExperiment(store, "made-up", sets[:1], "set", nil)
	run := must.Get(e.Run(t.Context(), Options{Dir: dir, Tests: 3, Methods: []string{"le", "scple"}}))(t)
	keys := slices.Collect(maps.Keys(store.fits.results))
	if len(keys) != 2 || run.Computed != 6 {
		t.Errorf("%d cells came from the fits %v", run.Computed, keys)
	}
}
