package main

import (
	"slices"

	"github.com/eigenmap/eigenmap/methods/graphssl"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/plsa"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/softlda"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/spf13/pflag"
)

// fewOptions are those of methods that learn from few labels, and of topics.
type fewOptions struct {
	kind                    string
	smoothing, plsaTol      float64
	softLabels, reduction   string
	keepLengths             bool
	mu                      float64
	rule                    string
	form                    string
	spread, spreadOfLabeled float64
	classMass               bool
	cost, costStar          float64 // of support vector machines
	labeledNeighbors        int
	beta                    float64
}

var (
	plsaFlags        = []string{"smoothing", "plsa-tol", "em-iter"}
	topicFlags       = []string{"kind", "restarts"}
	stageFlags       = []string{"soft-labels", "keep-lengths", "reduction", "mu", "rule"}
	propagationFlags = []string{"form", "spread", "spread-of-labeled", "class-mass"}
	labelledMeans    = []string{"restarts", "kmeans-iter"}
)

// defineFew adds a flag of few labels or of topics; false where name is none.
func (o *fewOptions) defineFew(set *pflag.FlagSet, name string) bool {
	choice := func(p *string, def, usage string, allowed ...string) {
		*p = def
		set.Var(choiceValue{p, allowed}, name, usage)
	}
	positive := func(p *float64, def float64, usage string) {
		*p = def
		set.Var(positiveValue{p}, name, usage)
	}
	switch name {
	case "kind":
		choice(&o.kind, string(plsa.Clustering), "what a topic of plsa explains: clustering: documents, each of one topic; aspect: words, documents being mixtures", string(plsa.Clustering), string(plsa.Aspect))
	case "smoothing":
		positive(&o.smoothing, 0.1, "what plsa adds to every term of every topic, in units of the average count")
	case "plsa-tol":
		o.plsaTol = 1e-6
		set.Var(fractionValue{positiveValue{&o.plsaTol}}, name, "plsa stops where a step raises its objective by no more than this share of it")
	case "soft-labels":
		choice(&o.softLabels, string(semildc.PLSA), "soft labels of semi-ldc: plsa (constrained by the labels given), propagation (over the neighbour graph) or hard (the labels given alone)",
			string(semildc.PLSA), string(semildc.Propagation), string(semildc.Hard))
	case "keep-lengths":
		defineSwitch(set, &o.keepLengths, name, "", "documents of their own lengths for the plsa of semi-ldc, which otherwise bounds them by five times the median")
	case "reduction":
		choice(&o.reduction, "", "what semi-ldc reduces documents by: pca, ica (as many independent components) or none (default: pca, or none where its spectrum would take minutes)", string(semildc.PCA), string(semildc.ICA), string(semildc.Raw))
	case "mu":
		positive(&o.mu, softlda.DefaultMu, "regulariser of the soft discriminants, as a share of the mean variance within classes")
	case "rule":
		choice(&o.rule, "constrained", "what labels given do in the k-means of semi-ldc: constrained: documents stay in their class; seeded: labels only start it", "constrained", "seeded")
	case "form":
		choice(&o.form, string(labelprop.Nie), "form of label propagation: nie (walks with a novel class), zhou (consistency) or zhu (harmonic)", string(labelprop.Nie), string(labelprop.Zhou), string(labelprop.Zhu))
	case "spread":
		o.spread = labelprop.DefaultAlpha
		set.Var(fractionValue{positiveValue{&o.spread}}, name, "share of its neighbours in the scores of a document, of forms nie and zhou")
	case "spread-of-labeled":
		o.spreadOfLabeled = 0
		set.Var(balanceValue{&o.spreadOfLabeled}, name, "the same for documents with a label given, of form nie: above 0 neighbours may change labels")
	case "class-mass":
		defineSwitch(set, &o.classMass, name, "", "scale the scores so that classes are as frequent as among the labels given")
	case "c":
		positive(&o.cost, svm.DefaultC, "C of the support vector machines: the cost of a document inside the margin")
	case "c-star":
		positive(&o.costStar, 0, "C* of tsvm: the same of documents without a label in the end (default: that of --c)")
	case "labeled-neighbors":
		o.labeledNeighbors = 0
		set.Var(intValue{&o.labeledNeighbors, 1}, name, "nearest documents with a label that graph-ssl joins each other one to (default: a tenth of them)")
	case "beta":
		o.beta = graphssl.DefaultBeta
		set.Var(notNegativeValue{&o.beta}, name, "weight of neighbours without a label over that of neighbours with one in graph-ssl")
	default:
		return false
	}
	return true
}

// propagates tells whether the method carries labels over a graph.
func (o *options) propagates() bool {
	return o.method == nameLabelPropagation || o.method == nameSemiLDC && o.softLabels == string(semildc.Propagation)
}

// usesPLSA tells whether the method fits topics.
func (o *options) usesPLSA() bool {
	return o.method == namePLSA || o.method == nameSemiLDC && o.softLabels == string(semildc.PLSA)
}

// uselessForFew tells whether a flag means nothing beside the soft labels, the reduction or the form that was chosen.
func (o *options) uselessForFew(flag string) bool {
	switch {
	case o.method != nameSemiLDC && o.method != nameLabelPropagation:
		return false
	case flag == "spread" && o.form == string(labelprop.Zhu), flag == "spread-of-labeled" && o.form != string(labelprop.Nie):
		return true
	case slices.Contains(propagationFlags, flag):
		return !o.propagates()
	case o.method != nameSemiLDC:
		return false
	case slices.Contains(graphFlags, flag):
		return !o.propagates()
	case slices.Contains(plsaFlags, flag), flag == "keep-lengths":
		return !o.usesPLSA()
	case flag == "pca":
		return o.reduction == string(semildc.Raw)
	}
	return false
}

// checkFewFlags refuses flags that contradict each other.
func (j *job) checkFewFlags() error {
	o := j.opt
	if o.method == nameSemiLDC {
		if !o.propagates() {
			if err := refuseWith(j.set, "--soft-labels "+o.softLabels+", which has no graph", propagationFlags, graphFlags); err != nil {
				return err
			}
		}
		if !o.usesPLSA() {
			if err := refuseWith(j.set, "--soft-labels "+o.softLabels, plsaFlags, []string{"keep-lengths"}); err != nil {
				return err
			}
		}
		if o.reduction == string(semildc.Raw) {
			if err := refuseWith(j.set, "--reduction none", pcaFlags); err != nil {
				return err
			}
		}
	}
	if !o.propagates() {
		return nil
	}
	switch {
	case o.form == string(labelprop.Zhu):
		return refuseWith(j.set, "--form zhu, where documents are the mean of their neighbours", []string{"spread", "spread-of-labeled"})
	case o.form == string(labelprop.Zhou):
		return refuseWith(j.set, "--form zhou", []string{"spread-of-labeled"})
	}
	return nil
}

// plsaOptions are those of topics, but for what the callers add.
func (o *options) plsaOptions() plsa.Options {
	return plsa.Options{Smoothing: o.smoothing, Tol: o.plsaTol, MaxIter: o.emIters, MaxMemory: allowed(methodMemory)}
}

func (o *options) propagationOptions() labelprop.Options {
	p := labelprop.Options{Form: labelprop.Form(o.form), ClassMass: o.classMass, MaxMemory: allowed(methodMemory)}
	if p.Form != labelprop.Zhu {
		p.Alpha = o.spread
	}
	if p.Form == labelprop.Nie {
		p.AlphaLabeled = o.spreadOfLabeled
	}
	return p
}

// fractionValue is a number above 0 and below 1; zero means unset.
type fractionValue struct{ positiveValue }

func (v fractionValue) Set(s string) error {
	var x float64
	if err := (balanceValue{&x}).Set(s); err != nil || x == 0 {
		return errFraction
	}
	*v.value = x
	return nil
}
