package ranks

import (
	"bytes"
	"encoding/gob"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/invalid"
)

// Fact is something that all ranks of a run must have alike: the value of an option, the size or
// the digest of a file.
type Fact struct {
	Name  string // what it is about, for a message: an option or a file, of which ranks may have other paths
	Value string // of any bytes
}

// Difference is the first fact whose value on some rank differs from rank 0's. A rank that lacks
// the fact has the zero Fact.
type Difference struct {
	Rank        int // the lowest rank that differs
	Zero, Other Fact
}

// Compare returns the first of the facts in which some rank differs from rank 0; nil if all ranks
// have the same values. All ranks call it and get the same answer. A rank receives the facts of
// all.
func Compare(t Team, own []Fact) *Difference {
	var say bytes.Buffer // not JSON, which keeps no bytes that are not UTF-8
	_ = gob.NewEncoder(&say).Encode(own)
	var zero []Fact
	for r, said := range Gather(t, say.Bytes()) {
		var theirs []Fact
		_ = gob.NewDecoder(bytes.NewReader(said)).Decode(&theirs)
		if r == 0 {
			zero = theirs
		}
		for i := range max(len(zero), len(theirs)) {
			if i >= len(zero) || i >= len(theirs) || zero[i].Value != theirs[i].Value {
				return &Difference{r, at(zero, i), at(theirs, i)}
			}
		}
	}
	return nil
}

// at is fact i, or the zero Fact if there are fewer.
func at(facts []Fact, i int) (f Fact) {
	if i < len(facts) {
		f = facts[i]
	}
	return f
}

// Name is what the difference is about, as rank 0 calls it if it has it.
func (d *Difference) Name() string {
	if d.Zero.Name != "" {
		return d.Zero.Name
	}
	return d.Other.Name
}

// SameFile says what to do if ranks have other files under one name.
const SameFile = "give all ranks the same file: copy it anew to each machine, or read it from a folder that all of them share"

// SameInput refuses ranks that read other content, where the facts are digests of what was read
// from the files that they name. Without a team it is nil. All ranks call it and get the same
// error.
func SameInput(t Team, own []Fact) error {
	if t == nil {
		return nil
	}
	if d := Compare(t, own); d != nil {
		return invalid.Errorf("%s: rank %d reads other content from it than rank 0: %s", d.Name(), d.Rank, SameFile)
	}
	return nil
}

// SameOptions refuses ranks that were started with other options. Without a team it is nil. All
// ranks call it and get the same error.
func SameOptions(t Team, own []Fact) error {
	if t == nil {
		return nil
	}
	d := Compare(t, own)
	if d == nil {
		return nil
	}
	return invalid.Errorf("%s: rank %d was started with %s and rank 0 with %s: start all ranks with the same options", d.Name(), d.Rank, named(d.Other.Value), named(d.Zero.Value))
}

// named is a value for a message.
func named(value string) string {
	if value == "" {
		return "none"
	}
	if len(value) > 80 {
		value = value[:80] + "..."
	}
	return fmt.Sprintf("%q", value)
}
