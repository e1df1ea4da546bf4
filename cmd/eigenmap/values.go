package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
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

// listValue is names separated by commas; a second use of the flag adds to the list.
type listValue struct{ value *[]string }

func (v listValue) Set(s string) error {
	for _, part := range strings.Split(s, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			return fmt.Errorf("a name in the list is empty")
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
