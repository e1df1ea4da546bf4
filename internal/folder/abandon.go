package folder

import (
	"context"
	"sync"
)

// Stage says how far a run is with the names in a folder.
type Stage int

// The stages: no name has changed; names are changing; the files of the run are in place.
const (
	Uncommitted Stage = iota
	Committing
	Committed
)

// stages guards the stage of a folder. left is set if the run was abandoned.
type stages struct {
	sync.Mutex
	now  Stage
	left bool
}

// Abandon returns the stage for a program that is about to end although a run may still use the
// folder. If Commit has not begun, it never will. While it is under way the program should wait a
// little and ask again.
func (o *Folder) Abandon() Stage {
	if o == nil {
		return Uncommitted
	}
	o.stage.Lock()
	defer o.stage.Unlock()
	o.stage.left = true
	return o.stage.now
}

// abandoned reports whether the program is about to end without the run.
func (o *Folder) abandoned() bool {
	o.stage.Lock()
	defer o.stage.Unlock()
	return o.stage.left
}

// Listed reports whether the folder has a manifest, by which other commands refuse it while the
// names change.
func (o *Folder) Listed() bool { return o != nil && o.names != nil }

// beginCommit is refused with the context's error where the run was abandoned.
func (o *Folder) beginCommit() error {
	o.stage.Lock()
	defer o.stage.Unlock()
	if o.stage.left {
		return context.Canceled
	}
	o.stage.now = Committing
	return nil
}

// endCommit ends what beginCommit began.
func (o *Folder) endCommit(err error) {
	o.stage.Lock()
	defer o.stage.Unlock()
	if o.stage.now = Committed; err != nil {
		o.stage.now = Uncommitted
	}
}
