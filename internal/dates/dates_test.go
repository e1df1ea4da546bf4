package dates

import (
	"errors"
	"testing"
)

func TestForms(t *testing.T) {
	for word, want := range map[string]string{
		"2020-04-03": "2020-04-03T00:00:00Z", "2020-4-3": "2020-04-03T00:00:00Z", "2020-04": "2020-04-01T00:00:00Z", "2020": "2020-01-01T00:00:00Z",
		"2020.0": "2020-01-01T00:00:00Z", "2020-04-03T10:11:12.5+02:00": "2020-04-03T10:11:12+02:00", "2020-04-03 10:11:12+00:00": "2020-04-03T10:11:12Z",
		" 2020-04-03  10:11 ": "2020-04-03T10:11:00Z", "2020/04/03": "2020-04-03T00:00:00Z", "20200403": "2020-04-03T00:00:00Z", "3.4.2020": "2020-04-03T00:00:00Z",
		"3 April 2020": "2020-04-03T00:00:00Z", "April 3, 2020": "2020-04-03T00:00:00Z", "apr 3 2020": "2020-04-03T00:00:00Z", "April 2020": "2020-04-01T00:00:00Z",
		"Fri, 3 Apr 2020 10:11:12 +0200 (CEST)": "2020-04-03T10:11:12+02:00", "Fri Apr 03 10:11:12 +0000 2020": "2020-04-03T10:11:12Z",
		"1585908672": "2020-04-03T10:11:12Z", "1585908672000": "2020-04-03T10:11:12Z", "1.585908672e+09": "2020-04-03T10:11:12Z", "20200403101112": "2020-04-03T10:11:12Z",
		"5/5/2020": "2020-05-05T00:00:00Z",
	} {
		times, read, err := Read([]string{word})
		if err != nil || !read[0] || times[0].Format("2006-01-02T15:04:05Z07:00") != want {
			t.Errorf("%q is %v, %v, %v, not %s", word, times, read, err, want)
		}
	}
	for _, word := range []string{"", "soon", "17", "2020-13-01", "31.2.2020", "3/4", "-5", "NaN", "1e300", "2020-04-03x", "13/13/2020"} {
		if times, read, err := Read([]string{word}); err != nil || read[0] {
			t.Errorf("%q is %v, %v", word, times, err)
		}
	}
}

// TestTwoWays: a date that reads one way alone decides for all; none or both are refused.
func TestTwoWays(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string // of the first
	}{
		{[]string{"3/4/2020", "30/4/2020"}, "2020-04-03"},
		{[]string{"3/4/2020", "4/30/2020"}, "2020-03-04"},
		{[]string{"3-4-2020 10:00", "", "30-4-2020"}, "2020-04-03"},
	} {
		times, read, err := Read(c.words)
		if err != nil || !read[0] || times[0].Format("2006-01-02") != c.want {
			t.Errorf("%q: %v, %v", c.words, times, err)
		}
	}
	var two *TwoWaysError
	if _, _, err := Read([]string{"1/1/2020", "3/4/2020"}); !errors.As(err, &two) || two.Word != "3/4/2020" || two.Other != "" {
		t.Errorf("nothing decides: %v", err)
	}
	if _, _, err := Read([]string{"30/4/2020", "4/30/2020"}); !errors.As(err, &two) || two.Word != "30/4/2020" || two.Other != "4/30/2020" {
		t.Errorf("both ways: %v", err)
	}
}
