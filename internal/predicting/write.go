package predicting

import (
	"bytes"
	"encoding/csv"

	"github.com/eigenmap/eigenmap/internal/artefact"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/outofcore"
	"gonum.org/v1/gonum/mat"
)

// Lines are what is written of a block of documents.
type Lines struct {
	Head   []string // of clusters.csv
	Text   []byte   // of clusters.csv, a record each
	Arrays []Array
	Doubts []artefact.DoubtLine // of uncertain.csv
}

// Array is a matrix with a row for every document of a block.
type Array struct {
	Name string
	Rows *mat.Dense
}

// LinesOf are the lines of a block that was placed; marked says that some record of all blocks has
// a text that is escaped for spreadsheets.
func LinesOf(p *Prediction, marked bool) (*Lines, error) {
	l := new(Lines)
	if p.Labels != nil && p.Posterior != nil {
		var err error
		if l.Doubts, err = artefact.DoubtLines(p.Run); err != nil {
			return nil, err
		}
	}
	for _, a := range []Array{{"posterior.npy", p.Posterior}, {"embedding.npy", p.Embedding}, {"embedding2d.npy", p.Map}} {
		if a.Rows != nil && (p.Labels != nil || a.Name != "posterior.npy") {
			l.Arrays = append(l.Arrays, a)
		}
	}
	if p.Labels == nil {
		return l, nil
	}
	var text bytes.Buffer
	head, row := artefact.ClusterTable(p.Run, marked)
	table := csv.NewWriter(&text)
	var record []string
	for i := range p.Labels {
		record = row(i, record[:0])
		if err := table.Write(record); err != nil {
			return nil, err
		}
	}
	table.Flush()
	l.Head, l.Text = head, text.Bytes()
	return l, table.Error()
}

// Writer writes clusters.csv and the matrices of placed documents, a block after the other. A nil
// Writer writes nothing.
type Writer struct {
	out       *folder.Folder
	documents int
	clusters  *folder.Part
	parts     []*folder.Part // in the order of the files of a result
	arrays    map[string]*outofcore.Rows
	doubted   bool              // uncertain.csv is written beside probabilities
	unsure    *folder.Part      // uncertain.csv
	doubts    *outofcore.Sorted // its lines; nil: there is no such file
}

// NewWriter writes so many documents into an open folder; nil into none. doubted: beside
// probabilities it writes uncertain.csv.
func NewWriter(out *folder.Folder, documents int, doubted bool) *Writer {
	if out == nil {
		return nil
	}
	return &Writer{out: out, documents: documents, doubted: doubted}
}

// begin opens the files, once the first block says which there are.
func (w *Writer) begin(l *Lines) (err error) {
	w.arrays = make(map[string]*outofcore.Rows)
	if l.Head != nil {
		if w.clusters, err = w.open(artefact.ClustersName); err != nil {
			return err
		}
		table := csv.NewWriter(w.clusters)
		if err := table.Write(l.Head); err != nil {
			return err
		}
		if table.Flush(); table.Error() != nil {
			return table.Error()
		}
	}
	for _, a := range l.Arrays {
		part, err := w.open(a.Name)
		if err != nil {
			return err
		}
		_, d := a.Rows.Dims()
		if w.arrays[a.Name], err = outofcore.NewRows(part, w.documents, d); err != nil {
			return err
		}
		if a.Name != "posterior.npy" || !w.doubted {
			continue
		}
		w.doubts = new(outofcore.Sorted)
		if w.unsure, err = w.open(artefact.DoubtsName); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) open(name string) (*folder.Part, error) {
	part, err := folder.NewPart(w.out, name)
	if err == nil {
		w.parts = append(w.parts, part)
	}
	return part, err
}

// Write writes the next block.
func (w *Writer) Write(l *Lines) error {
	if w == nil {
		return nil
	}
	if w.arrays == nil {
		if err := w.begin(l); err != nil {
			return err
		}
	}
	if w.clusters != nil {
		if _, err := w.clusters.Write(l.Text); err != nil {
			return err
		}
	}
	for _, a := range l.Arrays {
		rows := w.arrays[a.Name]
		n, _ := a.Rows.Dims()
		for i := range n {
			if err := rows.Write(a.Rows.RawRowView(i)); err != nil {
				return err
			}
		}
	}
	for _, d := range l.Doubts {
		if w.doubts == nil {
			break
		}
		if err := w.doubts.Add(d.Probability, d.Line); err != nil {
			return err
		}
	}
	return nil
}

// Close makes the files whole and parts of the set of the folder, which gives them their names.
func (w *Writer) Close() error {
	if w == nil {
		return nil
	}
	if w.doubts != nil {
		table := csv.NewWriter(w.unsure)
		if err := table.Write(artefact.DoubtHead); err != nil {
			return err
		}
		if table.Flush(); table.Error() != nil {
			return table.Error()
		}
		err := w.doubts.Each(func(line []byte) error {
			_, err := w.unsure.Write(line)
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, p := range w.parts {
		if err := p.Close(); err != nil {
			return err
		}
	}
	return nil
}

// Abort removes the files that are not closed.
func (w *Writer) Abort() {
	if w == nil {
		return
	}
	for _, p := range w.parts {
		p.Abort()
	}
	w.doubts.Close()
}
