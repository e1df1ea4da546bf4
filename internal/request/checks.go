package request

import (
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/native/slepc"
)

// checkOptions refuses options that contradict each other, as far as that can be seen before the
// data.
func (r *Request) checkOptions(fields []*option.Field) error {
	if err := option.CheckFields(RunFields(&r.Options)); err != nil {
		return err
	}
	if r.Reject > 0 && r.RejectShare > 0 {
		return invalid.Errorf("‹reject› and ‹reject-share› exclude each other: give one of them")
	}
	if r.RejectAuto && r.Command != "predict" {
		return invalid.Errorf("‹reject› auto is for new documents, which may be of none of a model's clusters: give it to predict or update; a clustering leaves out the least certain documents with ‹reject-share› 0.05")
	}
	if t := &r.Text; t.Collocations && t.NGrams < 2 && t.Vocabulary == "" && !r.Source.Precomputed {
		return invalid.Errorf("‹collocations› chooses among runs of words, and the terms are single words: give ‹ngrams› 2 too, or leave it out")
	}
	if r.MaxBytes < 0 {
		return invalid.Errorf("MaxBytes is %d: it must be at least 0 (0 for what the machine has free)", r.MaxBytes)
	}
	if err := r.checkLevels(); err != nil {
		return err
	}
	if err := r.checkVectors(); err != nil {
		return err
	}
	if r.MethodOptions != nil {
		if err := r.checkGiven(); err != nil {
			return err
		}
	}
	if r.Was("k-by") && r.ClusterRange.IsZero() {
		return invalid.Errorf("‹k-by› has no effect without ‹clusters› auto or a range such as 2-40: leave it out, or give one")
	}
	if err := r.CheckRelevant(fields, option.Unknown); err != nil || r.MethodOptions == nil {
		return err
	}
	err := r.MethodOptions.Validate()
	if r.Command == "plan" { // of a run by another build: nothing is solved here
		err = invalid.Without(err, slepc.ErrNotBuilt)
	}
	return err
}

// checkGiven refuses a request that gives the method too little or too much to learn from.
func (r *Request) checkGiven() error {
	const labels = "‹labels› FILE or ‹labeled-fraction› 0.05"
	if err := r.givenTwice(); err != nil {
		return err
	}
	name, needs := r.Spec.Name, r.Spec.Needs
	withLabels := r.Labels != "" || r.LabeledFraction > 0 || r.Known != nil
	withLinks := r.Constraints != "" || r.Links != nil
	switch {
	case r.Labels != "" && r.LabeledFraction > 0:
		return invalid.Errorf("‹labels› and ‹labeled-fraction› are two ways to give labels: give one of them")
	case needs.Labels != method.Required, withLabels:
		if withLinks && needs.Labels == method.Required && !needs.Apart {
			return invalid.Errorf("‹constraints› and labels are two ways to say which documents belong together, and the method %s takes one: give one of them", name)
		}
	case needs.Links == method.None:
		return invalid.Errorf("the method %s learns from labels of a part of the documents: give %s", name, labels)
	case !withLinks:
		return invalid.Errorf("the method %s learns from labels of a part of the documents, or from constraints: give %s, or ‹constraints› FILE", name, labels)
	}
	return nil
}

// givenTwice refuses labels or constraints both in a file and in memory, and those that the method
// has no use for.
func (r *Request) givenTwice() error {
	switch {
	case r.Known != nil && (r.Labels != "" || r.LabeledFraction > 0):
		return invalid.Errorf("labels are given in memory, and by ‹labels› or ‹labeled-fraction›: give them in one way")
	case r.Links != nil && r.Constraints != "":
		return invalid.Errorf("constraints are given in memory and by ‹constraints›: give them in one way")
	case r.Known != nil && !Takes(r.Spec, "labels"):
		return invalid.Errorf("the method %s has no use for labels: leave them out%s", r.Spec.Name, r.methodsFor("labels"))
	case r.Links != nil && !Takes(r.Spec, "constraints"):
		return invalid.Errorf("the method %s has no use for constraints: leave them out%s", r.Spec.Name, r.methodsFor("constraints"))
	}
	return nil
}
