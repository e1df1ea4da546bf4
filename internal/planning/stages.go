package planning

import (
	"context"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

// What the estimates of [PlanRanks] add to the arrays of the stages.
const (
	// garbage is the least resident memory per byte of arrays in use: freed arrays are collected only
	// when the heap has grown, a small one by more ([memory.Grown]).
	garbage = 1.35
)

// resident is the memory of a process whose arrays take so many bytes, beside the program's own.
func resident(bytes int64) int64 {
	return max(memory.Grown(bytes), memory.Whole(garbage*float64(bytes)))
}

// PlanStage is what a stage of a run will take.
type PlanStage struct {
	Name string `json:"stage"`
	// Bytes are what its own arrays take at most, and Peak what the process takes during it.
	Bytes int64 `json:"bytes"`
	Peak  int64 `json:"peak_bytes"`
	// Received are the bytes that a rank receives from the others, roughly; 0: none, or not known.
	Received int64    `json:"received_bytes"`
	Seconds  float64  `json:"seconds"` // roughly; 0: not known
	Helps    []string `json:"helps"`   // options that make it smaller
}

// Plan is what a run will take, before it is run.
type Plan struct {
	File      string      `json:"file"`
	Method    string      `json:"method"`
	Documents int         `json:"documents"`
	Terms     int         `json:"terms"`
	Entries   int         `json:"entries"`
	Sparse    bool        `json:"sparse"`
	Share     float64     `json:"share_read"` // of the file: 1 all, 0 the header alone
	Clusters  int         `json:"clusters"`
	Ranks     int         `json:"ranks"`   // 0: one process without MPI
	Divided   bool        `json:"divided"` // each rank has a part of the documents
	Stages    []PlanStage `json:"stages"`
	Peak      int64       `json:"peak_bytes"`    // of the process: of the rank that takes the most
	Allowed   int64       `json:"allowed_bytes"` // to the process, by the machine and ‹max-memory›
	Fits      bool        `json:"fits"`
	Seconds   float64     `json:"seconds"` // of the stages whose time is known, roughly
	// Complete says whether the method's own stages are among Stages.
	Complete bool     `json:"complete"`
	Notes    []string `json:"notes"`

	settings []job.Setting
	size     *corpus.Size // of the corpus
	kept     int64        // what the process takes after the last stage
}

// Settings lists the options as a run would use them, as far as they are settled before it.
func (v *Plan) Settings() []job.Setting { return v.settings }

// sum adds the stages up: what each takes on top of what those before it keep.
// The program itself takes some bytes.
func (v *Plan) sum(ctx context.Context, stages []method.Stage, program float64) {
	kept := int64(0)
	for _, s := range stages {
		p := PlanStage{Name: s.Name, Bytes: s.Bytes, Seconds: s.Seconds, Helps: words.NotNil(s.Helps),
			Received: s.Received, Peak: memory.Sum(int64(program), resident(memory.Sum(kept, s.Bytes)))}
		v.Stages = append(v.Stages, p)
		v.Peak, v.Seconds = max(v.Peak, p.Peak), v.Seconds+p.Seconds
		kept = memory.Sum(kept, s.Keeps)
	}
	v.kept = memory.Sum(int64(program), resident(kept))
	v.Allowed = memory.Unknown
	if left := memory.Left(ctx); left != memory.Unknown {
		v.Allowed = memory.Sum(left, int64(program))
	}
	v.Fits = v.Peak <= v.Allowed
}

// Helps are the options that make the stage of the peak smaller.
func (v *Plan) Helps() []string {
	for _, s := range v.Stages {
		if s.Peak == v.Peak {
			return s.Helps
		}
	}
	return nil
}
