package option

import "testing"

// A condition of a name alone holds if the option has a value; one on the data if they are of that
// kind, or not known yet.
func TestConditionOnAnyValueAndData(t *testing.T) {
	type options struct {
		PCA    Amount `flag:"pca" unset:"100 of sparse data"`
		Solver string `flag:"solver" when:"pca | data=sparse" default:"auto"`
		Tol    string `flag:"tol" when:"solver; data=dense"`
	}
	for _, c := range []struct {
		options
		data        Data
		solver, tol bool
	}{
		{options{}, Unknown, true, true}, {options{}, SparseData, true, false}, {options{}, DenseData, false, false},
		{options{PCA: Amount{Count: 3}}, DenseData, true, true}, {options{PCA: Amount{Share: 0.5}}, Unknown, true, true},
	} {
		list := Of(&c.options)
		ok, because := Relevant(list, Find(list, "solver"), c.data)
		if ok != c.solver || !ok && because != "pca | data=sparse" {
			t.Errorf("pca %q, data %d: solver is relevant: %v because of %q", c.PCA, c.data, ok, because)
		}
		if ok, _ := Relevant(list, Find(list, "tol"), c.data); ok != c.tol {
			t.Errorf("pca %q, data %d: tol is relevant: %v", c.PCA, c.data, ok)
		}
	}
}
