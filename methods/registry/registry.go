// Package registry lists every method.
package registry

import (
	"slices"

	"github.com/eigenmap/eigenmap/methods/ckmeans"
	"github.com/eigenmap/eigenmap/methods/cle"
	"github.com/eigenmap/eigenmap/methods/cocluster"
	"github.com/eigenmap/eigenmap/methods/committee"
	"github.com/eigenmap/eigenmap/methods/diffusion"
	"github.com/eigenmap/eigenmap/methods/ggle"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graphssl"
	"github.com/eigenmap/eigenmap/methods/isomap"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/kernelridge"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/lapgmm"
	"github.com/eigenmap/eigenmap/methods/lda"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/lecas"
	"github.com/eigenmap/eigenmap/methods/leiden"
	"github.com/eigenmap/eigenmap/methods/lle"
	"github.com/eigenmap/eigenmap/methods/logistic"
	"github.com/eigenmap/eigenmap/methods/lpp"
	"github.com/eigenmap/eigenmap/methods/lsi"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nmf"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/methods/pckmeans"
	"github.com/eigenmap/eigenmap/methods/plsa"
	"github.com/eigenmap/eigenmap/methods/scple"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/semile"
	"github.com/eigenmap/eigenmap/methods/sle"
	"github.com/eigenmap/eigenmap/methods/spca"
	"github.com/eigenmap/eigenmap/methods/spectral"
	"github.com/eigenmap/eigenmap/methods/spg"
	"github.com/eigenmap/eigenmap/methods/tsvm"
	"github.com/eigenmap/eigenmap/model"
)

// Specs are the methods, in the order in which help lists them. A method joins by one line.
var Specs = []method.Spec{
	le.Spec,
	semile.Spec,
	cle.Spec,
	lsi.Spec,
	pca.Spec,
	nmf.Spec,
	cocluster.Spec,
	gmm.Spec,
	lapgmm.Spec,
	spg.Spec,
	lpp.Spec,
	lda.Spec,
	spca.Spec,
	lecas.Spec,
	ggle.Spec,
	sle.Spec,
	scple.Spec,
	isomap.Spec,
	lle.Spec,
	plsa.Spec,
	semildc.Spec,
	ckmeans.Spec,
	pckmeans.Spec,
	ckmeans.SeededSpec,
	labelprop.Spec,
	tsvm.Spec,
	logistic.Spec,
	kernelridge.Spec,
	graphssl.Spec,
	committee.Spec,
	kernelkmeans.Spec,
	kmeans.Spec,
	spectral.Spec,
	diffusion.Spec,
	leiden.Spec,
}

// Find returns the method of a name; ok is false if there is none.
func Find(name string) (s method.Spec, ok bool) {
	i := slices.IndexFunc(Specs, func(s method.Spec) bool { return s.Name == name })
	if i < 0 {
		return s, false
	}
	return Specs[i], true
}

// Names are the names of all methods.
func Names() []string {
	names := make([]string, len(Specs))
	for i, s := range Specs {
		names[i] = s.Name
	}
	return names
}

// Blank is an empty placer of a method, for model.Read; nil if the method is unknown or places
// nothing.
func Blank(name string) model.Part {
	if s, ok := Find(name); ok && s.Placer != nil {
		return s.Placer()
	}
	return nil
}
