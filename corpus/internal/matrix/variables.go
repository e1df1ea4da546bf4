package matrix

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// variable is one array of a file that may hold several.
type variable struct {
	name       string
	rows, cols int64
	numeric    bool   // real numbers, dense or sparse, two dimensions
	text       bool   // a list of words
	sparse     bool   // stored sparse
	list       bool   // an array of one dimension, which holds labels and no documents
	problem    string // why it is neither numeric nor text, to follow "is" in a message
}

func (v *variable) isVector() bool { return v.rows == 1 || v.cols == 1 }
func (v *variable) isEmpty() bool  { return v.rows == 0 || v.cols == 0 }

// place names the variable for a message.
func (v *variable) place() string { return "variable " + message.Clip(v.name, 60) }

func (v *variable) String() string {
	s := fmt.Sprintf("%s (%d×%d", message.Clip(v.name, 60), v.rows, v.cols)
	if v.sparse {
		s += " sparse"
	}
	return s + ")"
}

// dataNames are the usual names of the matrix of documents, best first, each with the usual names
// of its labels.
var dataNames = []struct {
	data   string
	labels []string
}{
	{"fea", []string{"gnd"}},
	{"X", []string{"Y", "y"}},
	{"x", []string{"y", "Y"}},
	{"data", []string{"target", "labels", "label"}},
	{"features", []string{"labels", "label"}},
	{"A", []string{"labels", "label"}},
	{"train", nil}, // beside test and neighbors, for searches of neighbours
}

// labelVarNone says how to read a file of variables without its labels.
const labelVarNone = "read without labels by ‹label-var› none"

var (
	anyLabelNames  = []string{"gnd", "Y", "y", "target", "labels", "label", "class", "Labels", "Label", "Class", "truth"}
	termNames      = []string{"terms", "vocabulary", "vocab", "words", "feature_names"}
	docNames       = []string{"ids", "doc_ids", "names"}
	classNameNames = []string{"class_names", "classnames", "classNames", "target_names", "label_names", "topics"}
)

// chooseVariables picks the matrix and the labels (-1 for none): as asked, else by the usual names,
// else the largest matrix of numbers.
func chooseVariables(in *source, vars []variable) (data, labels int, err error) {
	byName := func(name string) int { return byName(vars, name) }
	asked := func(flag, name string) (int, error) {
		k := byName(name)
		if k < 0 {
			return 0, in.Fail(flag+" "+message.Clip(name, 60), "there is no such variable; the file holds %s", listVariables(vars))
		}
		return k, nil
	}
	data, labels = -1, -1
	if in.opt.Var != "" {
		if data, err = asked("‹var›", in.opt.Var); err != nil {
			return 0, 0, err
		}
		if !vars[data].numeric {
			return 0, 0, in.Fail(vars[data].place(), "is %s, where a real matrix is needed; choose another with ‹var›: the file holds %s", vars[data].problem, listVariables(vars))
		}
		if vars[data].list {
			return 0, 0, in.Fail(vars[data].place(), "is a list of %d numbers, where a matrix of documents and terms is needed; choose another with ‹var›: the file holds %s", vars[data].rows, listVariables(vars))
		}
	} else if data = defaultData(vars, byName); data < 0 {
		return 0, 0, noMatrix(in, vars)
	}
	switch want := in.opt.LabelVar; {
	case want == "none" && byName(want) < 0:
	case want != "":
		if labels, err = asked("‹label-var›", want); err != nil {
			return 0, 0, err
		}
		if v := &vars[labels]; !v.numeric && !v.text {
			return 0, 0, in.Fail(v.place(), "is %s, where labels are needed; choose another with ‹label-var›", v.problem)
		}
	default:
		for _, n := range append(partnersOf(vars[data].name), anyLabelNames...) {
			n = path.Join(path.Dir(vars[data].name), n) // in its group of HDF5
			k := slices.IndexFunc(vars, func(v variable) bool { return v.name == n })
			if k < 0 || k == data {
				continue
			}
			if v := &vars[k]; !v.numeric && !v.text {
				if !in.opt.LabelsGiven {
					in.Notef("Variable %s was passed over as labels: it is %s.", message.Clip(n, 60), v.problem)
				}
			} else if !v.isEmpty() {
				labels = k
				break
			}
		}
	}
	noteVariables(in, vars, data, labels)
	return data, labels, nil
}

// byName finds the variable of a name, or the only one that has it in its group of HDF5; -1 for
// none.
func byName(vars []variable, name string) int {
	found := -1
	for k := range vars {
		switch {
		case vars[k].name == name:
			return k
		case !strings.HasSuffix(vars[k].name, "/"+name):
		case found >= 0:
			found = len(vars) // one of several
		default:
			found = k
		}
	}
	if found == len(vars) {
		return -1
	}
	return found
}

// partnersOf are the usual names of the labels of a matrix, best first: X_train has them in
// y_train, and train_data in train_labels.
func partnersOf(data string) (partners []string) {
	for _, n := range dataNames {
		if part, ok := strings.CutSuffix(path.Base(data), "_"+n.data); ok {
			for _, l := range n.labels {
				partners = append(partners, part+"_"+l)
			}
		}
		rest, ok := strings.CutPrefix(path.Base(data), n.data)
		if !ok || rest != "" && !strings.HasPrefix(rest, "_") && !strings.HasPrefix(rest, "train") {
			continue
		}
		for _, l := range n.labels {
			partners = append(partners, l+rest)
		}
	}
	return partners
}

// noteVariables says which variables are read, and the options for the others that could be: other
// matrices, and other labels if there are none.
func noteVariables(in *source, vars []variable, data, labels int) {
	note := fmt.Sprintf("The documents are from variable %v", &vars[data])
	switch {
	case in.opt.LabelsGiven:
	case labels >= 0:
		note += fmt.Sprintf(", the labels from %v", &vars[labels])
	default:
		note += ", without labels"
	}
	var matrices, lists []string
	for k := range vars {
		switch v := &vars[k]; {
		case k == data || k == labels || v.isEmpty() || !v.numeric || v.rows*v.cols == 1 || slices.Contains(docNames, path.Base(v.name)):
		case v.isVector() || v.list:
			lists = append(lists, v.name)
		default:
			matrices = append(matrices, v.name)
		}
	}
	if len(matrices) > 0 && in.opt.Var == "" {
		note += "; ‹var› takes another (" + message.List(matrices, 6) + ")"
	}
	if len(lists) > 0 && labels < 0 && in.opt.LabelVar == "" && !in.opt.LabelsGiven {
		note += "; ‹label-var› takes labels (" + message.List(lists, 6) + ")"
	}
	in.Notef("%s.", note)
}

// defaultData picks the matrix if the user names none: one of a usual name, else the largest, else
// a single row or column of a usual name; -1 if there is none.
func defaultData(vars []variable, byName func(string) int) int {
	row := -1
	for _, n := range dataNames {
		if k := byName(n.data); k >= 0 && vars[k].numeric && !vars[k].list && !vars[k].isEmpty() {
			if !vars[k].isVector() {
				return k
			}
			if row < 0 {
				row = k
			}
		}
	}
	best := -1
	for k := range vars {
		v := &vars[k]
		if !v.numeric || v.isVector() || v.isEmpty() {
			continue
		}
		if best < 0 || v.rows*v.cols > vars[best].rows*vars[best].cols {
			best = k
		}
	}
	if best < 0 {
		return row
	}
	return best
}

// noMatrix says why no variable can be the matrix.
func noMatrix(in *source, vars []variable) error {
	if len(vars) == 0 {
		return in.Fail("", "it holds no variables; save the matrix of documents into it")
	}
	for _, n := range dataNames {
		for k := range vars {
			switch v := &vars[k]; {
			case v.name != n.data:
			case v.isEmpty():
				return input.NoDocuments(in.Fail(v.place(), "it is empty (%d×%d); a corpus needs at least one document and one term", v.rows, v.cols))
			case !v.numeric:
				return in.Fail(v.place(), "is %s, where a real matrix is needed; save it as one", v.problem)
			}
		}
	}
	for k := range vars {
		if v := &vars[k]; v.problem != "" && !v.isVector() {
			return in.Fail("", "it holds no real matrix with documents and terms, only %s; %s is %s: save a matrix with a row for each document, of an array of NumPy with x.reshape(len(x), -1)", listVariables(vars), v.name, v.problem)
		}
	}
	for k := range vars {
		if v := &vars[k]; v.problem != "" {
			return in.Fail("", "it holds no real matrix with documents and terms, only %s; %s is %s: save a matrix with a row for each document, or texts as JSON lines", listVariables(vars), v.name, v.problem)
		}
	}
	return in.Fail("", "it holds no real matrix with documents and terms, only %s; name a variable with ‹var›", listVariables(vars))
}

func listVariables(vars []variable) string {
	var s []string
	for k := range vars[:min(len(vars), 12)] {
		s = append(s, vars[k].String())
	}
	if len(vars) > 12 {
		s = append(s, fmt.Sprintf("... (%d in all)", len(vars)))
	}
	return strings.Join(s, ", ")
}
