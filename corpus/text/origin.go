package text

import "strconv"

// origin is the file that documents are from.
type origin struct {
	file    string // as errors name it
	several bool   // the corpus has other files too, so places name this one
	unit    string // what the documents of the file are: "line" or "row"
}

// at names a line or row of the file, from 1, beside the file's name.
func (o *origin) at(line int) string { return o.unit + " " + strconv.Itoa(line) }

// place names a line or row of the corpus.
func (o *origin) place(line int) string {
	if o.several {
		return o.at(line) + " of " + o.file
	}
	return o.at(line)
}
