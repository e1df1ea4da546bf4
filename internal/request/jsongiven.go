package request

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
)

// setKnown takes the labels or constraints themselves from a JSON list; taken is false for another
// option, and for the name of a file.
func (o *Options) setKnown(name string, value any) (taken bool, err error) {
	list, isList := value.([]any)
	switch {
	case !isList:
		return false, nil
	case name == "labels":
		o.Known, err = labelsOf(list)
	case name == "constraints":
		o.Links, err = linksOf(list)
	default:
		return false, nil
	}
	return true, err
}

// labelsOf are classes of the documents by number or by name; null and numbers below 0 are unknown.
func labelsOf(list []any) (*corpus.Given, error) {
	words := make([]string, len(list))
	for i, item := range list {
		switch v := item.(type) {
		case nil:
		case string:
			words[i] = v
		case json.Number:
			class, isWhole := wholeNumber(v)
			if !isWhole {
				return nil, invalid.Errorf("labels: item %d (counted from 0) is %s: give a whole number, a text or null", i, v)
			}
			if class >= 0 {
				words[i] = strconv.FormatInt(class, 10)
			}
		default:
			return nil, invalid.Errorf("labels: item %d (counted from 0) is %v: give a whole number, a text or null", i, v)
		}
	}
	return corpus.GiveWords(words), nil
}

// linksOf are constraints [a, b], [a, b, "must"] or [a, b, "cannot"] between documents, counted
// from 0.
func linksOf(list []any) ([]corpus.Constraint, error) {
	links := make([]corpus.Constraint, len(list))
	for i, item := range list {
		bad := invalid.Errorf("constraints: item %d (counted from 0) is %v: give [a, b, \"must\"] or [a, b, \"cannot\"] with the numbers of two documents, counted from 0", i, item)
		parts, _ := item.([]any)
		if len(parts) != 2 && len(parts) != 3 {
			return nil, bad
		}
		var ends [2]int64
		for k := range ends {
			number, isNumber := parts[k].(json.Number)
			if isNumber {
				ends[k], isNumber = wholeNumber(number)
			}
			if !isNumber {
				return nil, bad
			}
		}
		links[i] = corpus.Constraint{A: int(ends[0]), B: int(ends[1]), Line: i + 1}
		if len(parts) == 3 {
			switch parts[2] {
			case "must":
			case "cannot":
				links[i].Cannot = true
			default:
				return nil, bad
			}
		}
	}
	return links, nil
}

// wholeNumber reads a number such as 3, 3.0 or 3e0; programs write whole numbers in all of these
// ways.
func wholeNumber(n json.Number) (int64, bool) {
	if v, err := n.Int64(); err == nil {
		return v, true
	}
	v, err := n.Float64()
	return int64(v), err == nil && v == math.Trunc(v) && math.Abs(v) < 1<<53
}

// numberText is the text of a number for the option of that name: without a fraction of zeros, if
// the option is a whole number.
func numberText(name string, n json.Number) string {
	if strings.ContainsAny(n.String(), ".eE") {
		for _, f := range Fields("", name) {
			if f.Kind != option.Int && f.Kind != option.Seed {
				return n.String()
			}
		}
		if v, isWhole := wholeNumber(n); isWhole {
			return fmt.Sprint(v)
		}
	}
	return n.String()
}
