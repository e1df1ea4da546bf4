package confidence

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
)

// PlannedLooks are the second looks, or the fits with hidden labels, as a stage of a plan, by what
// the method says of parts: none if there can be none, or if known labels choose the method, which
// hides labels for that. Every rank makes them alone, on its own threads.
func PlannedLooks(j *job.Job, in *method.Input, at method.Rates) ([]method.Stage, error) {
	n := in.Len()
	part, fits := min(n/2, lookDocuments), len(lookTerms[j.Data()])
	atOnce, options := fits, j.MethodOptions
	if labelled := in.Labelled(); in.Given != nil && labelled < n && (&job.HeldOut{Documents: labelled}).Tells() {
		if j.Entrants != nil {
			return nil, nil
		}
		part = min(n-labelled, foldDocuments) + min(labelled, foldDocuments)
		fits, atOnce = min(manyFolds, 1+manyFolds*enoughHeldOut/labelled), 1
		if o, ok := options.(method.Trialled); ok {
			options = o.Trial()
		}
	}
	if j.Dry == "embed" || j.Confidence == ConfidenceRaw || in.Links != nil || n/2 < max(leastLook, 2*j.Clusters) {
		return nil, nil
	}
	at = at.Of(part, n)
	at.Threads = native.Threads()
	look := *in
	look.Share = nil
	_, columns := in.X.Dims()
	bytes := memory.Bytes(8, part, columns)
	if look.X = method.Shape(part, columns); !at.Dense {
		x := &sparse.CSR{NumRows: part, NumCols: columns, RowPtr: make([]int, part+1)}
		x.RowPtr[part] = at.Entries
		look.X, bytes = x, memory.Sum(memory.Bytes(12, at.Entries), memory.Bytes(8, part))
	}
	stages, err := ofPart(j, options, part, columns).(method.Planner).Plan(&look, at)
	if err != nil {
		return nil, err
	}
	if j.Spec.ThenKMeans() {
		stages = append(stages, kmeans.PlannedAfter(j.Spec, &look, at, 0, request.KMeansOptions(j.KMeans, max(1, j.Clusters), j.Seed, nil)))
	}
	one := method.AsOne("calibrate", 0, stages...)
	one.Helps = []string{"‹confidence› raw"}
	if j.Spec.Placer != nil { // as many are placed
		one.Bytes = max(one.Bytes, placingBytes(part, columns, stages, at))
		one.Seconds += at.Pairs(float64(part)*float64(part), part) + at.Rows(part)
	}
	if at.Threads > 1 && (j.MaxBytes <= 0 || j.MaxBytes > sideBySide) {
		one.Bytes = memory.Bytes(one.Bytes, atOnce) // side by side
	}
	one.Bytes = memory.Sum(one.Bytes, memory.Bytes(bytes, 4)) // rows of two parts, and the copies they are made of
	made := 50.0                                              // the rows of both parts
	if at.Dense {
		made = 15
	}
	one.Seconds += at.Passes(float64(at.Entries), made)
	one.Seconds *= float64(fits)
	return []method.Stage{one}, nil
}

// placingBytes is what placing as many rows as were fitted takes where they are compared: both in
// one matrix with its index, or dense ones as they are; 0 of a fit without a graph.
func placingBytes(part, columns int, fit []method.Stage, at method.Rates) int64 {
	switch {
	case !slices.ContainsFunc(fit, func(s method.Stage) bool { return s.Name == "graph" }):
		return 0
	case at.Dense:
		return memory.Bytes(8, part, columns)
	}
	return memory.Sum(memory.Bytes(12, 2*at.Entries), graph.IndexBytes(2*at.Entries, true))
}
