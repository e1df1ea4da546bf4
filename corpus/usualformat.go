package corpus

import (
	"bytes"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/entries"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
)

// fewLines is the number of lines up to which the look of a text says less than what the earlier
// file was: a line with commas is no table, and one message no chat.
const fewLines = 2

// oneText is the note on a file that is read as one text.
const oneText = "The file is one document, as each file was of the folder of the earlier documents; ‹input-format› names another format."

// likeUsual returns the format of an earlier file if the name of this one does not say what it is
// and its look does not contradict that; "" otherwise, and for formats that any look tells.
func likeUsual(in *input.File, head []byte, usual string) (string, error) {
	if usual == "" || bytes.IndexByte(head, 0) >= 0 || input.WideEncoding(head) != "" {
		return "", nil
	}
	look, err := in.Peek(table.LookedAt)
	if err != nil {
		return "", err
	}
	if isPlain(in, head, look) {
		return "", nil
	}
	look = bytes.TrimSpace(bytes.TrimPrefix(look, []byte(input.ByteOrderMark)))
	lines := bytes.Count(look, []byte("\n")) + 1
	line, _, _ := bytes.Cut(look, []byte("\n"))
	fits := false
	switch usual {
	case "folder":
		fits = entries.Format(in.Name, look) == "" && !text.BeginsMessage(look) && looksPlain(look)
	case "lines", "fasttext":
		fits = entries.Format(in.Name, look) == "" && !text.BeginsMessage(look) && !plain.IsSubtitles(in.Name, look) && looksPlain(look)
	case "mbox":
		fits = text.BeginsMessage(look)
	case entries.Chat, "table": // as which the texts of a chat are read
		if entries.IsMessage(string(line)) {
			usual, fits = entries.Chat, true
			break
		}
		fallthrough
	case "csv", "tsv":
		fits = usual != entries.Chat && lines <= fewLines && bytes.ContainsAny(line, ",;\t|") && entries.Format(in.Name, look) == "" && formatByLook(look) == ""
	}
	if !fits {
		return likeRows(in, look, usual), nil
	}
	if usual == "folder" {
		in.Notef(oneText)
		return usual, nil
	}
	in.Notef("The format is that of the earlier documents, %s; ‹input-format› names another.", usual)
	return usual, nil
}

// likeRows returns "lines" if the earlier documents are rows of a table and the lines of a text
// look like documents, else "".
func likeRows(in *input.File, look []byte, usual string) string {
	if usual != "table" || entries.Format(in.Name, look) != "" || text.BeginsMessage(look) || plain.IsSubtitles(in.Name, look) || kindOfLines(look, len(look) == table.LookedAt) != "lines" {
		return ""
	}
	in.Notef("Each line is a text, as each row was of the table of the earlier documents; ‹input-format› names another format.")
	return "lines"
}

// looksPlain reports whether a text has no format by its look: few lines with commas are no table.
func looksPlain(look []byte) bool {
	found := formatByLook(look)
	line, _, _ := bytes.Cut(look, []byte("\n"))
	lines := bytes.Count(look, []byte("\n")) + 1
	return len(look) > 0 && (found == "" || lines <= fewLines && (found == "csv" || found == "tsv") && !isVector(line))
}

// isPlain reports whether a file is plainly no text of an earlier one's kind: XML, a table of Weka,
// a page of HTML or one of [textKinds].
func isPlain(in *input.File, head, look []byte) bool {
	return table.IsARFF(look) || isNamedXML(in, look) || bytes.Count(look, []byte("\n")) > fewLines && (isPage(in, look) || textKind(head) != "")
}

// isVector reports whether a line is a list of numbers in brackets.
func isVector(line []byte) bool {
	list, ok := lexical.Vector(strings.TrimSpace(string(line)))
	return ok && len(list) > 1
}
