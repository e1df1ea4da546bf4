package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

const pythonFile = "python/eigenmap/_estimators.py"

// estimator is how Python sees a method. A method that is not listed has a name made of its own,
// and clusters by default.
type estimator struct {
	class string
	// coordinates says that the method is known for its coordinates: it has n_components by default,
	// and finds clusters only if they are asked for.
	coordinates bool
}

var estimators = map[string]estimator{
	"le": {"LaplacianEigenmaps", false}, "semi-le": {"SemiLE", false}, "cle": {"CLE", false}, "lsi": {"LSI", true},
	"pca": {"PCA", true}, "nmf": {"NMF", false}, "gmm": {"GaussianMixture", false}, "lapgmm": {"LapGMM", false},
	"spg": {"SPG", true}, "lpp": {"LPP", true}, "lda": {"LDA", true}, "spca": {"SparsePCA", true}, "le-cas": {"LECAS", false},
	"ggle": {"GGLE", true}, "s-le": {"SLE", true}, "scple": {"SCPLE", true}, "isomap": {"Isomap", true},
	"lle": {"LocallyLinearEmbedding", true}, "plsa": {"PLSA", false}, "semi-ldc": {"SemiLDC", false},
	"ckmeans": {"ConstrainedKMeans", false}, "seeded-kmeans": {"SeededKMeans", false}, "label-propagation": {"LabelPropagation", false},
	"tsvm": {"TSVM", false}, "graph-ssl": {"GraphSSL", false}, "kernel-kmeans": {"KernelKMeans", false}, "kmeans": {"KMeans", false},
	"spectral": {"SpectralClustering", false}, "diffusion": {"DiffusionMaps", false},
	"leiden": {"Leiden", false}, "logistic": {"LogisticRegression", false},
	"kernel-ridge": {"KernelRidge", false},
	"committee":    {"Committee", false},
}

// estimatorOf is the estimator of a method.
func estimatorOf(s spec) estimator {
	if e, ok := estimators[s.Name]; ok {
		return e
	}
	name := ""
	for part := range strings.SplitSeq(s.Name, "-") {
		name += upper(part)
	}
	return estimator{class: name}
}

// renamed are the options that have the names of scikit-learn.
var renamed = map[string]string{"clusters": "n_clusters", "dims": "n_components", "neighbors": "n_neighbors", "seed": "random_state",
	"restarts": "n_init", "lambda": "lambda_"}

// ofEveryRun are the options of every run that an estimator has; the others are about files.
var ofEveryRun = []string{"clusters", "seed", "weighting", "normalize", "precision", "duplicates", "precomputed", "restarts", "init", "kmeans-iter", "nearest-by", "map"}

// dimsFixed are the methods whose clusters or classes decide their dimensions.
var dimsFixed = []string{"cle", "nmf", "plsa"}

// leavesConstant are the methods whose embeddings leave the constant eigenvector out by themselves.
var leavesConstant = []string{"le", "semi-le"}

// parameter is a parameter of an estimator.
type parameter struct {
	name, flag, standard, help string
	hint                       string // its type, None aside
}

// parameterName is the parameter of an option.
func parameterName(option string) string {
	if name := renamed[option]; name != "" {
		return name
	}
	return strings.ReplaceAll(option, "-", "_")
}

// pythonText is a text about options with the names of parameters. Estimators have no parameter for
// the settings of the papers.
func pythonText(s string) string {
	s = strings.ReplaceAll(strings.TrimSpace(s), " and with "+words.Option("paper"), "")
	return words.Rename(s, func(option string) string { return "``" + parameterName(option) + "``" })
}

// attributes are what a fit of the method sets, with what each is.
func attributes(s spec) [][2]string {
	of := func(names ...string) bool {
		return slices.ContainsFunc(pythonBases(s), func(b string) bool { return slices.Contains(names, b) })
	}
	list := [][2]string{{"labels_", "cluster of each row; without n_clusters none"}}
	if !estimatorOf(s).coordinates {
		list[0][1] = "cluster of each row"
	}
	if of("Transduces", "Classifies") {
		list = append(list, [2]string{"transduction_", "class of each row, as a label of y"}, [2]string{"classes_", "the labels of y that are known"})
	}
	if of("Transforms", "Embeds") {
		list = append(list, [2]string{"embedding_", "coordinates of each row"})
	}
	if s.Yields.Probabilities {
		list = append(list, [2]string{"probabilities_", "probability of each cluster, for each row"})
	}
	return append(list, [2]string{"map_", "places of the rows in the plane, as the report page of the program shows them; with ``map``"},
		[2]string{"confidence_", "how sure the cluster of each row is, 0 to 1; found when it is read first"},
		[2]string{"topics_", "most typical terms of each cluster, of a Corpus"},
		[2]string{"summary_", "all that the library says about the fit, with ``notes`` and ``warnings``"},
		[2]string{"n_features_in_", "number of columns of X"})
}

// decide sets the default and the help of a parameter that Python has in another way.
func (p *parameter) decide(s spec, f *option.Field) {
	switch {
	case f.Name == "map":
		p.standard, p.help, p.hint = "False", "whether a clustering makes a map of the rows in the plane, the attribute map_", "bool"
	case f.Name == "clusters":
		switch {
		case estimatorOf(s).coordinates:
			p.standard, p.help = "None", "number of clusters; None: an embedding alone, if n_components is set"
		case s.Needs.Labels == method.Required:
			p.help = "number of clusters; None: as many as y has classes"
		case s.Yields.Number:
			p.standard, p.help = "None", "number of clusters; None: as many as the method finds"
		case s.Name == "nmf":
			p.standard = "2" // no more than X has columns
		default:
			p.standard = "8"
		}
		if s.Yields.Naming == method.ClassesFirst {
			p.help += "; at least as many as y has classes"
		}
	case f.Name == "dims" && estimatorOf(s).coordinates && s.Needs.Labels != method.Required:
		p.standard = "2"
	case f.Name == "neighbors" && p.standard == "None":
		// Of "8, or all others if there are fewer" the 8; None if the number depends on the data.
		if n, _, ok := strings.Cut(f.Unset, ", or all others"); ok {
			if _, err := strconv.Atoi(n); err == nil {
				p.standard = n
			}
		}
	case f.Auto && slices.Contains(leavesConstant, s.Name):
		p.standard, p.help = "None", p.help+"; None: if no clusters are asked for"
	case f.Name == "precomputed":
		p.help = "X is a symmetric affinity matrix in place of documents"
	}
}

// parameters returns the parameters of a method, first the ones that people give most.
func parameters(s spec) []parameter {
	var list []parameter
	add := func(f *option.Field) {
		p := parameter{name: parameterName(f.Name), flag: f.Name, standard: pythonValue(f), help: pythonText(f.Help), hint: pythonType(f)}
		p.decide(s, f)
		if f.Choices != nil {
			p.help += " (" + strings.Join(f.Choices, ", ") + ")"
		}
		if p.standard == "None" && f.Unset != "" && f.Name != "clusters" {
			p.help += "; None: " + pythonText(f.Unset)
		}
		if p.standard == "None" || p.name == "random_state" || p.name == "n_clusters" && s.Yields.Coordinates {
			p.hint += " | None"
		}
		list = append(list, p)
	}
	own := slices.DeleteFunc(option.Of(s.New()), func(f *option.Field) bool { return f.Name == "dims" && slices.Contains(dimsFixed, s.Name) })
	runs := runOptions()
	for _, name := range ofEveryRun {
		if f := option.Find(runs, name); f != nil && eigenmap.Takes(s, name) && option.Find(own, name) == nil &&
			(name != "clusters" || s.Yields.Naming != method.ClassesOnly) {
			add(f)
		}
	}
	for _, f := range own {
		if !f.Path {
			add(f)
		}
	}
	first := []string{"n_clusters", "n_components", "n_neighbors", "random_state"}
	if estimatorOf(s).coordinates {
		first[0], first[1] = first[1], first[0]
	}
	slices.SortStableFunc(list, func(a, b parameter) int { return rank(first, a.name) - rank(first, b.name) })
	return list
}

func rank(first []string, name string) int {
	if i := slices.Index(first, name); i >= 0 {
		return i
	}
	return len(first)
}

func pythonBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

// pythonValue is the default of an option; None if that depends on the data.
func pythonValue(f *option.Field) string {
	switch {
	case f.Kind == option.Switch:
		return pythonBool(f.Default == "true")
	case f.Default == "" || f.Sparse != "" || f.Dense != "":
		return "None"
	case f.Kind == option.Int, f.Kind == option.Number, f.Kind == option.Seed, f.Kind == option.Count:
		if _, err := strconv.ParseFloat(f.Default, 64); err == nil {
			return f.Default
		}
		return "None"
	}
	return strconv.Quote(f.Default)
}

// pythonType is the type of an option's values.
func pythonType(f *option.Field) string {
	switch {
	case f.Name == "clusters":
		return "int | str"
	case f.Kind == option.Seed:
		return "int | np.random.RandomState"
	case f.Kind == option.Switch:
		return "bool"
	case f.Kind == option.Int:
		return "int"
	case f.Kind == option.Number, f.Kind == option.Count:
		return "float"
	case f.Kind == option.List:
		return "str | Sequence[str]"
	case f.Choices != nil:
		return "Literal[\"" + strings.Join(f.Choices, "\", \"") + "\"]"
	}
	return "str"
}

// pythonBases are the classes that an estimator is made of.
func pythonBases(s spec) []string {
	var bases []string
	if s.Placer != nil {
		bases = append(bases, "Predicts")
		if s.Yields.Coordinates {
			bases = append(bases, "Transforms")
		}
		if s.Yields.Probabilities {
			bases = append(bases, "Doubts")
		}
	} else if s.Yields.Coordinates {
		bases = append(bases, "Embeds")
	}
	switch {
	case s.Needs.Labels == method.Required && s.Yields.Naming != method.Unnamed && s.Placer != nil:
		bases = append(bases, "Classifies")
	case s.Needs.Labels == method.Required && s.Yields.Naming != method.Unnamed:
		bases = append(bases, "Transduces")
	case s.Needs.Labels != method.Required && !estimatorOf(s).coordinates:
		bases = append(bases, "Clusters")
	}
	return append(bases, "Estimator")
}

// needs are the values of an estimator's _labels and _links.
var needs = [...]string{"none", "optional", "required"}

// pythonPage is the module of Python's estimators.
func pythonPage(methods []spec) []byte {
	var b bytes.Buffer
	b.WriteString("# Written by make docs from the options of the methods: do not edit.\n" +
		"\"\"\"The estimators, one for each method.\"\"\"\n\n" +
		"from __future__ import annotations\n\nfrom collections.abc import Sequence\nfrom typing import Literal\n\nimport numpy as np\n\n" +
		"from ._base import Estimator\nfrom ._parts import Classifies, Clusters, Doubts, Embeds, Predicts, Transduces, Transforms\n\n__all__ = [\n")
	for _, s := range methods {
		fmt.Fprintf(&b, "    %q,\n", estimatorOf(s).class)
	}
	b.WriteString("]\n")
	for _, s := range methods {
		list := parameters(s)
		fmt.Fprintf(&b, "\n\nclass %s(%s):\n", estimatorOf(s).class, strings.Join(pythonBases(s), ", "))
		fmt.Fprintf(&b, "    \"\"\"%s.\n\n%s\n\n", upper(pythonText(s.Summary)), indented(pythonText(s.About), "    "))
		fmt.Fprintf(&b, "    Reference: %s\n\n    Parameters\n    ----------\n", pythonText(s.Reference))
		for _, p := range list {
			fmt.Fprintf(&b, "    %s : default %s\n%s\n", p.name, p.standard, indented(p.help+".", "        "))
		}
		b.WriteString("    n_jobs : default None\n        threads of a call; -1: one for each core; None: the environment variable\n        OMP_NUM_THREADS, else one for each core.\n\n    Attributes\n    ----------\n")
		for _, a := range attributes(s) {
			fmt.Fprintf(&b, "    %s\n%s\n", a[0], indented(a[1]+".", "        "))
		}
		b.WriteString("    \"\"\"\n\n")
		fmt.Fprintf(&b, "    _method = %q\n    _labels = %q\n    _links = %q\n    _embeds = %s\n    _classes_first = %s\n    _flags = {\n", s.Name,
			needs[s.Needs.Labels], needs[s.Needs.Links], pythonBool(estimatorOf(s).coordinates), pythonBool(s.Yields.Naming == method.ClassesFirst))
		for _, p := range list {
			fmt.Fprintf(&b, "        %q: %q,\n", p.name, p.flag)
		}
		b.WriteString("    }\n\n    def __init__(\n        self,\n")
		named := false // what follows n_clusters and n_components is given by name
		for _, p := range list {
			if !named && p.name != "n_clusters" && p.name != "n_components" {
				named = true
				b.WriteString("        *,\n")
			}
			fmt.Fprintf(&b, "        %s: %s = %s,\n", p.name, p.hint, p.standard)
		}
		b.WriteString("        n_jobs: int | None = None,\n    ) -> None:\n")
		for _, p := range list {
			fmt.Fprintf(&b, "        self.%s = %s\n", p.name, p.name)
		}
		b.WriteString("        self.n_jobs = n_jobs\n")
	}
	return b.Bytes()
}

// indented wraps text at 100 characters behind an indentation.
func indented(text, indent string) string {
	var lines []string
	line := indent
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, "\\", "\\\\")) {
		if len([]rune(line))+1+len([]rune(word)) > 100 && line != indent {
			lines, line = append(lines, line), indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}
