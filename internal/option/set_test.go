package option

import "testing"

// A condition of a name alone holds if the option has a value: given, or by a default of the data.
func TestConditionOnAnyValue(t *testing.T) {
	type options struct {
		PCA    Amount `flag:"pca" sparse:"100"`
		Solver string `flag:"solver" when:"pca" default:"auto"`
	}
	for _, c := range []struct {
		options
		data Data
		want bool
	}{
		{options{}, Unknown, true}, {options{}, SparseData, true}, {options{}, DenseData, false},
		{options{PCA: Amount{Count: 3}}, DenseData, true}, {options{PCA: Amount{Share: 0.5}}, Unknown, true},
	} {
		list := Of(&c.options)
		ok, because := Relevant(list, Find(list, "solver"), c.data)
		if ok != c.want || !ok && because != "pca" {
			t.Errorf("pca %q, data %d: relevant is %v because of %q", c.PCA, c.data, ok, because)
		}
	}
}
