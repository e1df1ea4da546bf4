// Package must ends a test at an error that the test is not about.
package must

// Test is a test, a benchmark, a fuzz target or a case of package rapid.
type Test interface{ Fatal(args ...any) }

// Get returns what gives the value of a call to its test and ends the test at the call's error:
//
//	g := must.Get(graph.Build(ctx, x, opt))(t)
//
// The test comes behind, because Go hands over two results only where they are all arguments.
func Get[V any](v V, err error) func(Test) V {
	return func(t Test) V {
		if t, ok := t.(interface{ Helper() }); ok {
			t.Helper()
		}
		Do(t, err)
		return v
	}
}

// Do ends the test at an error. A call that returns a pointer of an error's type is no argument: as
// an error its nil is one too.
func Do(t Test, err error) {
	if t, ok := t.(interface{ Helper() }); ok {
		t.Helper()
	}
	if err != nil {
		t.Fatal(err)
	}
}
