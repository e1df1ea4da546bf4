package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// The flag values below refuse what is out of range where it is said, with the flag's own name in
// the message, on the command line and in a configuration file alike.

// choiceValue is a string out of a list. The empty string is the unset state only.
type choiceValue struct {
	value   *string
	allowed []string
}

func (v choiceValue) Set(s string) error {
	for _, a := range v.allowed {
		if s == a {
			*v.value = s
			return nil
		}
	}
	return fmt.Errorf("it is one of %s", strings.Join(v.allowed, ", "))
}
func (v choiceValue) String() string { return *v.value }

// Type is what the help text shows for the value.
func (v choiceValue) Type() string {
	if len(v.allowed) > 4 {
		return "name"
	}
	return strings.Join(v.allowed, "|")
}

// pathValue is the name of a file or folder. An empty one is an unset variable of a script: what it stands for would be left out unsaid.
type pathValue struct{ value *string }

func (v pathValue) Set(s string) error {
	if s == "" {
		return fmt.Errorf("it is empty; name a file or folder, or leave the flag out")
	}
	*v.value = s
	return nil
}
func (v pathValue) String() string { return *v.value }
func (v pathValue) Type() string   { return "string" }

// intValue is a whole number of at least min; zero means unset where min is 1.
type intValue struct {
	value *int
	min   int
}

func (v intValue) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil {
		return fmt.Errorf("it is a whole number of at least %d", v.min)
	}
	if n < v.min {
		return fmt.Errorf("it must be at least %d", v.min)
	}
	*v.value = n
	return nil
}
func (v intValue) String() string {
	if *v.value == 0 {
		return ""
	}
	return strconv.Itoa(*v.value)
}
func (v intValue) Type() string { return "int" }

// positiveValue is a finite number above zero; zero means unset.
type positiveValue struct{ value *float64 }

func (v positiveValue) Set(s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || x <= 0 {
		return fmt.Errorf("it is a number above 0")
	}
	*v.value = x
	return nil
}
func (v positiveValue) String() string {
	if *v.value == 0 {
		return ""
	}
	return strconv.FormatFloat(*v.value, 'g', -1, 64)
}
func (v positiveValue) Type() string { return "float" }

// listValue is names separated by commas, out of a list where one is given; a second use of the flag adds to them.
type listValue struct {
	value   *[]string
	allowed []string
}

func (v listValue) Set(s string) error {
	for _, part := range strings.Split(s, ",") {
		part = strings.TrimSpace(part)
		switch {
		case part == "":
			return fmt.Errorf("a name in the list is empty")
		case v.allowed != nil && !slices.Contains(v.allowed, part):
			return fmt.Errorf("it is a list of %s", strings.Join(v.allowed, ", "))
		}
		*v.value = append(*v.value, part)
	}
	return nil
}
func (v listValue) String() string {
	if v.value == nil {
		return ""
	}
	return strings.Join(*v.value, ",")
}
func (v listValue) Type() string { return "a,b,..." }

// shareValue is a share of the documents: above 0, at most 1.
type shareValue struct{ positiveValue }

func (v shareValue) Set(s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x > 0 && x <= 1) {
		return fmt.Errorf("it is a share of the documents, above 0 and at most 1")
	}
	*v.value = x
	return nil
}

// ratioValue is a finite number of at least 1; zero means unset.
type ratioValue struct{ positiveValue }

func (v ratioValue) Set(s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x >= 1) || math.IsInf(x, 1) {
		return fmt.Errorf("it is a number of at least 1")
	}
	*v.value = x
	return nil
}

// notNegativeValue is a finite number of at least 0; there is no unset state.
type notNegativeValue struct{ value *float64 }

func (v notNegativeValue) Set(s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x >= 0) || math.IsInf(x, 1) {
		return fmt.Errorf("it is a number of at least 0")
	}
	*v.value = x
	return nil
}
func (v notNegativeValue) String() string { return strconv.FormatFloat(*v.value, 'g', -1, 64) }
func (v notNegativeValue) Type() string   { return "float" }

// balanceValue is a number from 0 to below 1; there is no unset state.
type balanceValue struct{ value *float64 }

func (v balanceValue) Set(s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x >= 0 && x < 1) {
		return fmt.Errorf("it is a number from 0 to below 1")
	}
	*v.value = x
	return nil
}
func (v balanceValue) String() string { return strconv.FormatFloat(*v.value, 'g', -1, 64) }
func (v balanceValue) Type() string   { return "float" }

// numberOrShare is a number of components or terms, or a share (of the variance, of all terms); both zero means unset.
type numberOrShare struct {
	number int
	share  float64
}

// numberOrShareValue reads 12 as a number, 0.9 and 1.0 as shares.
type numberOrShareValue struct{ value *numberOrShare }

func (v numberOrShareValue) Set(s string) error {
	if n, err := strconv.Atoi(s); err == nil && n >= 1 {
		*v.value = numberOrShare{number: n}
		return nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x > 0 && x <= 1) {
		return fmt.Errorf("it is a whole number of at least 1, or a share above 0 and at most 1.0")
	}
	*v.value = numberOrShare{share: x}
	return nil
}
func (v numberOrShareValue) String() string {
	switch {
	case v.value.number > 0:
		return strconv.Itoa(v.value.number)
	case v.value.share == 1:
		return "1.0"
	case v.value.share > 0:
		return strconv.FormatFloat(v.value.share, 'g', -1, 64)
	}
	return ""
}
func (v numberOrShareValue) Type() string { return "N|share" }

// errFraction says what a number between 0 and 1 is.
var errFraction = errors.New("it is a number above 0 and below 1")

// errDocuments says what a number or share of documents is.
var errDocuments = errors.New("it is a whole number of documents of at least 1, or a share of them above 0 and at most 1.0")

// seedValue is a whole number of at least 0.
type seedValue struct{ value *uint64 }

func (v seedValue) Set(s string) error {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return fmt.Errorf("it is a whole number from 0 to %d", uint64(math.MaxUint64))
	}
	*v.value = n
	return nil
}
func (v seedValue) String() string { return strconv.FormatUint(*v.value, 10) }
func (v seedValue) Type() string   { return "int" }

// switchValue is a flag that stands for itself: --transpose is --transpose=true.
type switchValue struct{ value *bool }

func (v switchValue) Set(s string) error {
	switch strings.ToLower(s) {
	case "true":
		*v.value = true
	case "false":
		*v.value = false
	default:
		return fmt.Errorf("it is true or false")
	}
	return nil
}
func (v switchValue) String() string { return strconv.FormatBool(*v.value) }
func (v switchValue) Type() string   { return "bool" }

// defineSwitch adds a flag that needs no value.
func defineSwitch(set *pflag.FlagSet, p *bool, name, short, usage string) {
	*p = false
	set.VarPF(switchValue{p}, name, short, usage).NoOptDefVal = "true"
}
