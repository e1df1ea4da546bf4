// Package property checks properties on cases drawn at random, by pgregory.net/rapid, from a fixed
// seed: a test that passed passes again until the code changes. `make test-properties` draws many
// more cases from new seeds.
package property

import (
	"flag"
	"testing"

	"pgregory.net/rapid"
)

// rapid registers its flags before this package is initialised, and the command line is read after
// it: -rapid.seed=0 draws from a new seed.
func init() {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
}

// Check checks the property on 100 cases, or on as many as -rapid.checks says.
func Check(t *testing.T, holds func(*rapid.T)) {
	t.Helper()
	rapid.Check(t, holds)
}
