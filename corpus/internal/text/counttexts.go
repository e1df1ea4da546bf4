package text

import (
	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
)

// countTexts counts the documents that produce emits and makes the collection, or hands the
// documents to ReadOptions.Each. done may be nil.
func (in *source) countTexts(produce func(emit func(counting.Batch) bool) error, done func(docs int)) (*counting.Tally, *counting.Collection, error) {
	if in.opt.Each != nil {
		return &counting.Tally{}, &counting.Collection{}, in.stream(produce)
	}
	if s := in.opt.Share; s != nil {
		if !in.divides {
			return nil, nil, s.NoTexts()
		}
		c, err := in.sharedTexts(produce, func(int) {})
		return nil, c, err
	}
	a, err := in.opt.analyzer()
	if err != nil {
		return nil, nil, err
	}
	if done == nil {
		done = func(int) {}
	}
	t, err := counting.Count(in.Ctx, a, in.Mem, produce, done)
	if err != nil {
		return nil, nil, err
	}
	t.OddWay = in.oddWay
	c, err := t.Collection(in.Ctx, a, in.Mem, in.Name)
	return t, c, err
}

// analyzer is [counting.NewAnalyzer] for the texts of a source.
func (o ReadOptions) analyzer() (*counting.Analyzer, error) {
	return counting.NewAnalyzer(o.Text, counting.Keep{Snippets: o.Snippets, Strip: o.stripped(), Counts: o.Counts || o.Outline != nil, Outline: o.Outline, Encoded: o.Encoding != "" && o.Encoding != charset.Auto})
}

// stripped are the parts of mail to strip: those named, or else StripAuto.
func (o *ReadOptions) stripped() []string {
	if len(o.Strip) == 0 {
		return []string{plain.StripAuto}
	}
	return o.Strip
}
