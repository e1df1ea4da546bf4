package papers

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/methods/tsvm"
)

const (
	semildcPaper = "Liu, Hsaio, Lee and Gou, Semi-supervised linear discriminant clustering, IEEE Trans. Cybernetics (2014)"
	// semildcDraws is the part of the protocol that all experiments share, semildcProtocol the
	// protocol of Semi-LDC.
	semildcDraws = "In each run a share of each class is labelled, the same documents for all methods; macro-F1 on the others, where a cluster is the class whose labels started it. " +
		"English stop words out, Snowball stems, terms of two documents at least. "
	semildcProtocol = semildcDraws + "Unit rows of term frequencies, but counts for PLSA (documents of more than five times the median length scaled down to that). " +
		"Principal components explain 90 % of the variance. Settings that the paper does not tell are the methods' defaults, and nothing was tuned. "
	semildcRivals = "Graph-based: Goldberg and Zhu with k' = 5, k a tenth of the labels, starting from support vector machines (RBF of a width by the variance, C = 1); " +
		"TSVM: the same kernel, one against all, the labels' shares as positives; label propagation: Nie et al., α = .99, 15 neighbours. "
	semildcNews    = "20 Newsgroups by date, both parts, without the messages' headers (the paper says nothing of them). "
	semildcReuters = "Reuters-21578, ten largest topics, titles and bodies of the documents marked as having topics, none without a body: a document stands once for each of its topics among the ten, " +
		"which gives the paper's class sizes and copies that no method can get all right. "
	semildcSpread = "the paper's own follow from its two standard deviations over ten runs"
	// semildcRuns is the paper's number of runs. Its ± is two standard deviations, 2·√runs standard
	// errors.
	semildcRuns = 10
)

// semildcMetrics are the paper's metric and a second one.
var semildcMetrics = []Metric{{Key: "macro_f1", Name: "Macro-F1 on unlabelled documents"}, {Key: "accuracy", Name: "Share of them that are right"}}

// semildcViews are tables IV, V and VII and figures 1 to 3 of the paper. Table VI and one half of
// each figure are of CiteULike, which we do not have.
func semildcViews() []*View {
	s := newSemildcStore()
	comp, talk, reuters := s.texts.computerGroups(), s.texts.talkGroups(), s.texts.reutersTopics()
	table := func(number, roman, of, beside, key string, d Dataset, about, printed string) *View {
		e := s.experiment(key, d, about+semildcRivals, semildcColumns())
		p, errors := semildcPrinted(e, printed)
		return &View{Name: "semildc/table" + number, Title: "table " + roman + ": six methods on " + of, Shows: "macro-F1 of six methods on " + of + " with 1 to 5 % labelled" + beside,
			Paper: semildcPaper, Source: "table " + roman, Digits: 2, Kind: KindTable, Experiment: e, Metrics: []string{"macro_f1"},
			Printed: p, PrintedErrors: errors, Spread: semildcSpread}
	}
	variants := s.experiment("semildc-reuters-forms", reuters, semildcReuters+fmt.Sprintf("Independent components: as many as principal ones, FastICA stopped after %d steps, "+
		"since discriminants do not see the rotation that it seeks. ", semildcRotations), semildcForms())
	figure := func(number, shows string, methods ...string) *View {
		return &View{Name: "semildc/figure" + number, Title: "figure " + number + ": " + shows, Shows: shows + " on Reuters-21578 (the paper's other half is of CiteULike, which is not at hand)",
			Paper: semildcPaper, Source: "figure " + number + ", which has no numbers", Kind: KindTable, Experiment: variants, Metrics: []string{"macro_f1"}, Methods: methods}
	}
	return []*View{
		table("4", "IV", "five computer newsgroups", "", "semildc-comp", comp, semildcNews, semildcTable4),
		table("5", "V", "four talk newsgroups", "", "semildc-talk", talk, semildcNews, semildcTable5),
		table("7", "VII", "ten topics of Reuters-21578", " (table VI is of CiteULike, which is not at hand)", "semildc-reuters", reuters, semildcReuters, semildcTable7),
		figure("1", "principal and independent components", "semi-ldc", "semi-ldc-ica"),
		figure("2", "soft labels by constrained PLSA and by label propagation", "semi-ldc", "semi-ldc-propagation"),
		figure("3", "soft and hard labels", "semi-ldc", "semi-ldc-hard"),
		{Name: "semildc/lengths", Title: "soft labels by the lengths of documents", Shows: "macro-F1 of constrained PLSA's labels, documents as long as they are or not", Paper: semildcPaper,
			Source: "equation 4 and algorithm 1, which differ", Kind: KindCurves, Experiment: s.lengths(comp, talk, reuters), Metrics: []string{"macro_f1"}},
	}
}

// lengths has one row per corpus and share of labels. The paper is not clear about the lengths of
// documents: equation 4 counts words, line 2 of algorithm 1 divides by the length.
func (s *semildcStore) lengths(parts ...Dataset) *Experiment {
	e := s.experiment("semildc-lengths", severalCorpora(parts), "", semildcLengths())
	e.Protocol = "Each document's class is that of its largest soft label by constrained PLSA, without discriminants. " + semildcDraws + "Newsgroups without headers; " + semildcReuters
	shares := e.Rows
	e.Rows = nil
	for n := range e.Corpus.Parts {
		part := &e.Corpus.Parts[n]
		for _, row := range shares {
			e.Rows = append(e.Rows, Row{Key: part.Name + "/" + row.Key, Value: row.Value, Corpus: part, Label: row.Key})
		}
	}
	return e
}

// experiment has one row per share of labels, in percent.
func (s *semildcStore) experiment(name string, d Dataset, about string, columns []Column) *Experiment {
	e := &Experiment{Name: name, Version: 1, Protocol: about + semildcProtocol, Corpus: d, Param: "labels", Tests: semildcRuns, Cases: 1, Curve: true, Runs: "the labels and the starts",
		Metrics: semildcMetrics, Columns: columns}
	for p := 1; p <= 5; p++ {
		e.Rows = append(e.Rows, Row{Key: strconv.Itoa(p) + "%", Value: float64(p)})
	}
	e.prepare = func(_ context.Context, all *corpus.Corpus, row Row, test int, seed uint64) (*Unit, error) {
		return s.unit(all, row, test, seed)
	}
	return e
}

// semildcColumns are the methods of the tables, in their order. A method of principal components
// gets rows that are reduced, so that its runs share the reduction.
func semildcColumns() []Column {
	return []Column{
		{Method: "semi-ldc", Name: "Semi-LDC", Options: "soft-labels=plsa reduction=none", rows: principal},
		{Method: "graph-ssl", Name: "Graph-based", Options: "kernel=gaussian"},
		{Method: "tsvm", Name: "TSVM", Options: "kernel=gaussian", Config: &tsvm.Options{SVM: svm.Options{CacheBytes: semildcKernel}}},
		{Method: "ckmeans", Name: "C-KMeans"},
		{Method: "pca-ckmeans", Name: "PCA + C-KMeans", Spec: "ckmeans", rows: principal},
		{Method: "label-propagation", Name: "Label Propagation", Options: "form=nie"},
	}
}

// semildcForms are Semi-LDC and its variants in the figures.
func semildcForms() []Column {
	return []Column{
		semildcColumns()[0],
		{Method: "semi-ldc-ica", Name: "with ICA", Spec: "semi-ldc", Options: "soft-labels=plsa reduction=none", rows: independent},
		{Method: "semi-ldc-propagation", Name: "with label propagation", Spec: "ckmeans", rows: propagated},
		{Method: "semi-ldc-hard", Name: "with hard labels", Spec: "semi-ldc", Options: "soft-labels=hard reduction=none", rows: principal},
	}
}

// semildcLengths are ways to measure documents for PLSA.
func semildcLengths() []Column {
	return []Column{
		{Method: "counts", Name: "as they are (equation 4)", Spec: "plsa", rows: boundedCounts(math.Inf(1))},
		{Method: "bound-10", Name: "10 medians at most", Spec: "plsa", rows: boundedCounts(10)},
		{Method: "bound-5", Name: "5 medians (Semi-LDC)", Spec: "plsa", rows: boundedCounts(semildc.LengthBound)},
		{Method: "bound-3", Name: "3 medians at most", Spec: "plsa", rows: boundedCounts(3)},
		{Method: "median", Name: "all the median", Spec: "plsa", rows: countsOfMedianLength},
		{Method: "one-word", Name: "all one word (line 2)", Spec: "plsa", rows: countsOfOneWord},
	}
}

// semildcPrinted reads a table as the paper prints it, one line per share with macro-F1 ± two
// standard deviations of each method, and returns the figures and their standard errors.
func semildcPrinted(e *Experiment, table string) (figures, errors Printed) {
	figures, errors = Printed{"macro_f1": {}}, Printed{"macro_f1": {}}
	for text := range strings.Lines(strings.TrimSpace(table)) {
		fields := strings.Fields(strings.ReplaceAll(text, "±", " "))
		if len(fields) != 1+2*len(e.Columns) {
			panic(fmt.Sprintf("%s: %d figures in the line %q", e.Name, len(fields)-1, text))
		}
		f, s := map[string]float64{}, map[string]float64{}
		for i, c := range e.Columns {
			for at, to := range []map[string]float64{f, s} {
				v, err := strconv.ParseFloat(fields[1+2*i+at], 64)
				if err != nil {
					panic(err)
				}
				to[c.Key()] = v
			}
			s[c.Key()] /= 2 * math.Sqrt(semildcRuns)
		}
		figures["macro_f1"][fields[0]], errors["macro_f1"][fields[0]] = f, s
	}
	return figures, errors
}

// Columns: Semi-LDC, graph-based, TSVM, C-KMeans, PCA + C-KMeans, label propagation.
const semildcTable4 = `
1% 0.5321 ± 0.0791 0.2842 ± 0.0561 0.3622 ± 0.0559 0.2838 ± 0.0582 0.3015 ± 0.0517 0.3901 ± 0.0574
2% 0.6467 ± 0.0505 0.3800 ± 0.0756 0.4789 ± 0.0736 0.3084 ± 0.0789 0.3207 ± 0.0742 0.4434 ± 0.0461
3% 0.6710 ± 0.0402 0.4456 ± 0.0314 0.5167 ± 0.0514 0.3096 ± 0.0489 0.3300 ± 0.0366 0.4721 ± 0.0297
4% 0.7091 ± 0.0189 0.4710 ± 0.0466 0.5716 ± 0.0337 0.3257 ± 0.0395 0.3296 ± 0.0551 0.4999 ± 0.0196
5% 0.7150 ± 0.0184 0.4862 ± 0.0513 0.6132 ± 0.0411 0.3388 ± 0.0276 0.3357 ± 0.0395 0.5219 ± 0.0353`

const semildcTable5 = `
1% 0.6402 ± 0.1107 0.3051 ± 0.1617 0.4794 ± 0.0549 0.3734 ± 0.0854 0.3757 ± 0.0203 0.5012 ± 0.0439
2% 0.7328 ± 0.0611 0.5118 ± 0.0629 0.5546 ± 0.0843 0.3992 ± 0.0745 0.3382 ± 0.1075 0.5680 ± 0.0284
3% 0.7660 ± 0.0382 0.5317 ± 0.0633 0.6197 ± 0.0580 0.3944 ± 0.0113 0.3840 ± 0.0152 0.6172 ± 0.0410
4% 0.7840 ± 0.0201 0.6061 ± 0.0380 0.6249 ± 0.0584 0.3952 ± 0.0114 0.3619 ± 0.0646 0.6357 ± 0.0225
5% 0.7928 ± 0.0157 0.6080 ± 0.0541 0.6745 ± 0.0211 0.3972 ± 0.0066 0.3596 ± 0.1011 0.6442 ± 0.0402`

const semildcTable7 = `
1% 0.5460 ± 0.0735 0.3082 ± 0.0352 0.4870 ± 0.0561 0.3035 ± 0.1166 0.2398 ± 0.0794 0.4939 ± 0.0331
2% 0.5788 ± 0.0842 0.3854 ± 0.0486 0.5640 ± 0.0429 0.3472 ± 0.1262 0.2584 ± 0.0786 0.5088 ± 0.0184
3% 0.5975 ± 0.0449 0.3980 ± 0.0178 0.5769 ± 0.0318 0.3791 ± 0.1544 0.2385 ± 0.0362 0.5428 ± 0.0322
4% 0.6127 ± 0.0144 0.4307 ± 0.0322 0.5688 ± 0.0497 0.4188 ± 0.2115 0.2703 ± 0.0690 0.5607 ± 0.0219
5% 0.6243 ± 0.0369 0.4426 ± 0.0183 0.5907 ± 0.0367 0.4086 ± 0.1182 0.2931 ± 0.0985 0.5570 ± 0.0372`
