package papers

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/graph"
)

const (
	clePaper    = "Chen, Zhang, Bu, Wang and Chen, Constrained Laplacian Eigenmap for dimensionality reduction, Neurocomputing (2010)"
	cleProtocol = "For each r, classes are drawn at random; their documents are unit rows of term frequencies. " +
		"kNN graph of 15 neighbours (either way), dot-product weights; r dimensions for LSI (projections), LE (the constant eigenvector included), Semi-LE and CLE " +
		"(parts of a graph without any label at the origin); k-means (k-means++ starts) and NMF (projected gradients, the largest coefficient tells the cluster) from 10 starts, best objective. " +
		"A share of each class is labelled, at least one document. Figures are on all documents, averaged over draws of labels, then over draws of classes."
)

// cleViews are tables 3 and 4 and figure 1 of the paper.
func cleViews() []*View {
	tdt2, reuters := cleExperiment("cle-tdt2", TDT2), cleExperiment("cle-reuters", Reuters)
	return []*View{
		{Name: "cle/table3", Title: "table 3: six methods on TDT2", Shows: "accuracy and NMI of six methods by number of classes, 3 to 9 % labelled",
			Paper: clePaper, Source: "table 3", Digits: 2, Kind: KindTable, Experiment: tdt2, Printed: clePrinted(tdt2, cleTable3)},
		{Name: "cle/table4", Title: "table 4: six methods on Reuters-21578", Shows: "accuracy and NMI of six methods by number of classes, 3 to 9 % labelled",
			Paper: clePaper, Source: "table 4", Digits: 2, Kind: KindTable, Experiment: reuters, Printed: clePrinted(reuters, cleTable4)},
		{Name: "cle/figure1", Title: "figure 1: accuracy on Reuters-21578", Shows: "accuracy of six methods by share of labels, for 2, 5 and 6 classes and on average",
			Paper: clePaper, Source: "table 4, whose figures figure 1 draws", Digits: 2, Kind: KindFigure, Experiment: reuters, Metrics: []string{"accuracy"},
			Rows: []string{"2", "5", "6"}, Printed: clePrinted(reuters, cleTable4)},
	}
}

// cleShares are the labelled shares of the paper's tables.
var cleShares = []float64{0.03, 0.05, 0.07, 0.09}

func cleExperiment(name string, d Dataset) *Experiment {
	e := &Experiment{
		Name: name, Version: 1, Protocol: cleProtocol, Corpus: d, Param: "r", Tests: 20, Cases: 10,
		Metrics: agreementMetrics,
		prepare: func(_ context.Context, all *corpus.Corpus, row Row, test int, seed uint64) (*Unit, error) {
			return drawClasses(all, row, test, seed, graph.Options{Neighbors: 15, Weight: graph.Dot, Symmetry: graph.Union})
		},
	}
	for r := 2; r <= 6; r++ {
		e.Rows = append(e.Rows, Row{Key: strconv.Itoa(r), Value: float64(r)})
	}
	e.Columns = cleColumns()
	return e
}

// cleColumns are the paper's methods, in its order.
func cleColumns() []Column {
	columns := []Column{
		{Method: "kmeans", Name: "k-means", Options: "restarts=10"},
		{Method: "lsi", Name: "LSI"},
		{Method: "nmf", Name: "NMF-NCW", Options: "nmf-weighting=ncw nmf-solver=projected-gradient restarts=10"},
		{Method: "le", Name: "LE"},
	}
	for _, share := range cleShares {
		columns = append(columns,
			Column{Method: "semi-le", Name: "Semi-LE", Share: share},
			Column{Method: "cle", Name: "CLE", Share: share})
	}
	return columns
}

// clePrinted reads a table as the paper prints it: one block per metric, one line per row, figures
// in the order of the paper's columns.
func clePrinted(e *Experiment, table string) Printed {
	order := []string{"kmeans", "lsi", "nmf", "le"}
	for _, share := range cleShares {
		order = append(order, "semi-le@"+shortest(share), "cle@"+shortest(share))
	}
	p := Printed{}
	for b, block := range strings.Split(strings.TrimSpace(table), "\n\n") {
		metric := map[string]map[string]float64{}
		p[e.Metrics[b].Key] = metric
		for text := range strings.SplitSeq(block, "\n") {
			fields := strings.Fields(text)
			if len(fields) != 1+len(order) {
				panic(fmt.Sprintf("%s: %d figures in the line %q", e.Name, len(fields)-1, text))
			}
			metric[fields[0]] = map[string]float64{}
			for i, column := range order {
				v, err := strconv.ParseFloat(fields[1+i], 64)
				if err != nil {
					panic(err)
				}
				metric[fields[0]][column] = v
			}
		}
	}
	return p
}

// Columns: k-means, LSI, NMF-NCW, LE, then Semi-LE and CLE at 3, 5, 7 and 9 %.
const cleTable3 = `
2 0.9328 0.9092 0.9827 0.9987 0.9987 0.9987 0.9988 0.9988 0.9988 0.9989 0.9989 0.9989
3 0.8953 0.8546 0.9379 0.9956 0.9957 0.9964 0.9958 0.9963 0.9962 0.9966 0.9959 0.9961
4 0.8547 0.7580 0.9268 0.9910 0.9951 0.9948 0.9951 0.9945 0.9955 0.9935 0.9959 0.9948
5 0.8392 0.7686 0.9229 0.9907 0.9841 0.9885 0.9874 0.9911 0.9887 0.9913 0.9890 0.9911
6 0.8303 0.7538 0.9407 0.9764 0.9786 0.9782 0.9768 0.9807 0.9804 0.9824 0.9749 0.9827
average 0.8704 0.8088 0.9422 0.9905 0.9904 0.9913 0.9908 0.9923 0.9919 0.9925 0.9909 0.9927

2 0.8487 0.7645 0.9451 0.9765 0.9771 0.9777 0.9780 0.9788 0.9785 0.9792 0.9796 0.9809
3 0.7980 0.7388 0.8695 0.9626 0.9638 0.9683 0.9649 0.9684 0.9677 0.9702 0.9660 0.9675
4 0.7809 0.6853 0.8819 0.9542 0.9695 0.9682 0.9704 0.9684 0.9713 0.9673 0.9731 0.9696
5 0.7803 0.7040 0.8777 0.9563 0.9496 0.9552 0.9569 0.9614 0.9584 0.9621 0.9599 0.9628
6 0.8008 0.7137 0.8937 0.9379 0.9402 0.9427 0.9423 0.9493 0.9451 0.9513 0.9403 0.9528
average 0.8018 0.7213 0.8936 0.9575 0.9600 0.9624 0.9625 0.9652 0.9642 0.9660 0.9638 0.9667`

const cleTable4 = `
2 0.7486 0.7348 0.8689 0.8644 0.8872 0.9016 0.9007 0.9056 0.9051 0.9141 0.9127 0.9302
3 0.6434 0.6297 0.7247 0.7996 0.7996 0.8024 0.8173 0.8272 0.8293 0.8447 0.8456 0.8595
4 0.6896 0.6609 0.7635 0.7394 0.7492 0.7552 0.7706 0.7648 0.7849 0.7838 0.8013 0.8143
5 0.5328 0.5151 0.6539 0.7203 0.7495 0.7493 0.7697 0.7763 0.7912 0.7982 0.7985 0.8297
6 0.4921 0.4603 0.6029 0.6340 0.6493 0.6568 0.6665 0.7024 0.6941 0.7142 0.7232 0.7477
average 0.6213 0.6002 0.7228 0.7515 0.7669 0.7731 0.7850 0.7952 0.8009 0.8110 0.8163 0.8363

2 0.3095 0.2728 0.5242 0.5240 0.5581 0.5865 0.5920 0.6023 0.5962 0.6143 0.6192 0.6613
3 0.3867 0.3528 0.4266 0.5381 0.5397 0.5413 0.5643 0.5748 0.5859 0.6127 0.6087 0.6258
4 0.4691 0.4485 0.5119 0.5102 0.5094 0.5045 0.5229 0.5257 0.5343 0.5482 0.5529 0.5841
5 0.3726 0.3485 0.4225 0.5042 0.5171 0.5116 0.5395 0.5523 0.5573 0.5767 0.5627 0.6254
6 0.3679 0.3365 0.4107 0.4498 0.4636 0.4618 0.4785 0.5087 0.4993 0.5267 0.5152 0.5576
average 0.3811 0.3518 0.4592 0.5053 0.5176 0.5211 0.5395 0.5528 0.5546 0.5757 0.5718 0.6108`
