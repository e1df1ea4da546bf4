package statfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
)

// read reads the rows of a file, the names of the columns first, with blanks for commas.
func read(data []byte, opt Options) (rows []string, notes string, err error) {
	in, err := input.New(context.Background(), "f", bytes.NewReader(data), int64(len(data)), input.Limits{MaxBytes: 64 << 20})
	if err != nil {
		return nil, "", err
	}
	head, err := in.Peek(input.HeadSize)
	if err != nil {
		return nil, "", err
	}
	r, err := Open(in, Look(head), opt)
	if err != nil {
		return nil, "", err
	}
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return rows, strings.Join(in.Notes, "\n"), nil
		}
		if err != nil {
			return nil, "", err
		}
		rows = append(rows, strings.Join(rec, "|"))
	}
}

func file(t testing.TB, name string) []byte {
	return must.Get(os.ReadFile(filepath.Join("testdata", name)))(t)
}

// same compares the rows of a file.
func same(t *testing.T, name string, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Errorf("%s: row %d of %d, of %d wanted, is\n%q, not\n%q", name, i, len(got), len(want), got[min(i, len(got)-1)], want[min(i, len(want)-1)])
			return
		}
	}
}

// survey is the table of testdata/make.py: long texts, labels of regions, and regions and ages that
// are not known.
func survey(long, noRegion, last, noAge string, sexes ...string) []string {
	rows := []string{"id|answer|region|age|score|sex|day|seen"}
	answers := []string{"the bus was late", "la maîtresse est à l'école", "", long, "a", "b  b", "  c", "train"}
	regions := []string{"North", "Öst", "North", "Öst", noRegion, "North", "Öst", last}
	ages := []string{"20", "31", "45", noAge, "60", "71", "19", noAge}
	scores := []string{"0", "10", "3", "4", "5", "6.5", "-7", "1e-09"}
	days := []string{"1959-12-31", "1973-09-08", "1987-05-18", "2001-01-24", "2014-10-03", "2028-06-11", "2042-02-18", "2055-10-28"}
	for i := range 8 {
		rows = append(rows, strings.Join([]string{fmt.Sprint("p", i), answers[i], regions[i], ages[i], scores[i], sexes[i], days[i], fmt.Sprintf("2024-01-31 %d:05:07", 13+i)}, "|"))
	}
	return rows
}

// The files of SPSS hold what pyreadstat wrote: texts of more than 255 bytes, labels for values,
// values that are missing by the file, days and times.
func TestSPSS(t *testing.T) {
	want := survey(strings.Repeat("nurse ", 100)+"end", "", "", "", strings.Fields("male female female male - female male male")...)
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], "|-|", "||")
	}
	for _, name := range []string{"plain.sav", "codes.sav", "zlib.zsav"} {
		got, notes, err := read(file(t, name), Options{})
		must.Do(t, err)
		same(t, name, got, want)
		for _, note := range []string{"answer (What happened?), region (Region of residence)", "hold the labels: region, sex.", "score (0 not at all, 10 fully)", "are missing: region (1), age (2), sex (1)."} {
			if !strings.Contains(notes, note) {
				t.Errorf("%s: the notes lack %q: %s", name, note, notes)
			}
		}
	}
}

// A row of a transport file that was cut off is no blank at its end.
func TestCutTransport(t *testing.T) {
	data := file(t, "sas5.xpt")
	all, _, err := read(data, Options{})
	must.Do(t, err)
	for n := len(data) - 1; n > len(data)-400; n -= 20 {
		if rows, _, err := read(data[:n], Options{}); err == nil && len(rows) < len(all) {
			t.Errorf("of %d bytes %d are read as %d rows of %d", len(data), n, len(rows)-1, len(all)-1)
		}
	}
}

// The files of Stata hold what pyreadstat wrote. Before release 13 texts are short, and before
// release 14 the file does not say their encoding.
func TestStata(t *testing.T) {
	for release := 113; release <= 119; release++ {
		if release == 116 {
			continue
		}
		long := strings.Repeat("nurse ", 100) + "end"
		if release < 117 {
			long = strings.TrimSpace(long[:40])
		}
		want := survey(long, "no answer", "no answer", "99", strings.Fields("m f f m x f m m")...)
		if release < 117 {
			want[7] = strings.Replace(want[7], "|  c|", "|c|", 1)
		}
		name := fmt.Sprintf("stata%d.dta", release)
		got, notes, err := read(file(t, name), Options{})
		must.Do(t, err)
		same(t, name, got, want)
		if !strings.Contains(notes, "hold the labels: region.") || !strings.Contains(notes, "numbers too: age (99 no answer)") {
			t.Errorf("%s: the notes are %s", name, notes)
		}
	}
}

// So do files of pandas, with all kinds of numbers, texts that lie behind the rows, missing values
// and either order of bytes.
func TestStataKinds(t *testing.T) {
	want := []string{"of_byte|of_int|of_long|of_float|of_double|text|kind|month",
		"0|0|0|0|||b|1950-01-01", "1|-300|70000|0.1|0.1|ünder|a|1961-02-01", "2|-600|140000|0.2|0.2|" + strings.Repeat("x", 300) + "||1972-03-01",
		"3|-900|210000|0.3|0.30000000000000004|ünder|a|1983-04-01", "4|-1200|280000|0.4|0.4|d|b|1994-05-01", "5|-1500|350000|0.5|0.5|e|b|2005-06-01",
		"6|-1800|420000|0.6|0.6000000000000001|f|a|2016-07-01", "7|-2100|490000|0.7|0.7000000000000001|g|a|2027-08-01"}
	for _, release := range []int{117, 118, 119} {
		for _, order := range []string{"big", "little"} {
			name := fmt.Sprintf("kinds%d%s.dta", release, order)
			got, _, err := read(file(t, name), Options{})
			must.Do(t, err)
			same(t, name, got, want)
		}
	}
}

// Transport files of SAS hold what pyreadstat wrote, in both versions.
func TestSAS(t *testing.T) {
	for _, version := range []int{5, 8} {
		want := survey(strings.TrimSpace((strings.Repeat("nurse ", 100))[:40]), "9", "9", "99", strings.Fields("m f f m x f m m")...)
		for i := range want {
			want[i] = strings.NewReplacer("North", "1", "Öst", "2", "  c", "c").Replace(want[i])
			if version == 8 {
				want[i] += "|" + strings.Split(want[i], "|")[3]
			}
		}
		if version == 8 {
			want[0] = "id|answer|region|age|score|sex|day|seen|a_long_name"
		}
		name := fmt.Sprintf("sas%d.xpt", version)
		got, _, err := read(file(t, name), Options{})
		must.Do(t, err)
		same(t, name, got, want)
	}
}

// Two data sets in one transport file are named, and one is chosen.
func TestSASDataSets(t *testing.T) {
	one := file(t, "sas5.xpt")
	head := bytes.Index(one, []byte("HEADER RECORD*******MEMBER"))
	second := bytes.Replace(one[head:], []byte("SURVEY  "), []byte("WAVE2   "), 1)
	two := append(bytes.Clone(one), second...)
	if _, _, err := read(two, Options{}); err == nil || !strings.Contains(err.Error(), "‹var› names one: SURVEY, WAVE2") {
		t.Error(err)
	}
	for _, asked := range []string{"wave2", "1"} {
		if got, _, err := read(two, Options{Member: asked}); err != nil || len(got) != 9 {
			t.Errorf("%s: %d rows, %v", asked, len(got), err)
		}
	}
	if _, _, err := read(two, Options{Member: "x"}); err == nil || !strings.Contains(err.Error(), "there is no data set x") {
		t.Error(err)
	}
}

// An encoding that is given counts; a file before release 14 of Stata has one by its texts.
func TestEncodings(t *testing.T) {
	data := bytes.ReplaceAll(file(t, "stata113.dta"), []byte("Öst\x00"), []byte("\xd6st\x00\x00"))
	data = bytes.ReplaceAll(data, []byte("la maîtresse est à l'école"), []byte("la ma\xeetresse est \xe0 l'\xe9cole\x00\x00\x00"))
	for encoding, want := range map[string]string{"": "p1|la maîtresse est à l'école|Öst|", "windows-1251": "p1|la maоtresse est а l'йcole|Цst|"} {
		got, notes, err := read(data, Options{Encoding: encoding})
		must.Do(t, err)
		if !strings.HasPrefix(got[2], want) || strings.Contains(notes, "Windows-1252") != (encoding == "") {
			t.Errorf("%q: %q, %s", encoding, got[2], notes)
		}
	}
}

// Every day is that day, whatever its number: 1 to 4,000 days after 14 October 1582 and in Stata.
func TestDays(t *testing.T) {
	_, spss := savMoment(20)
	_, stata := dtaMoment("%td")
	for k := range 4000 {
		days := float64(141428 + 37*k - 60000)
		a, _ := spss(86400 * days)
		b, _ := stata(days - 141428 + 3653)
		if a != days-141428 || a != b {
			t.Fatal(days, a, b)
		}
	}
	for format, want := range map[string]string{"%tm": "1960-02-01", "%tq": "1960-04-01", "%th": "1960-07-01", "%tw": "1960-01-08", "%d": "1960-01-02", "%-tdD_m_Y": "1960-01-02", "%tc": "1960-01-01", "%9.0g": "1", "%ty": "1"} {
		v := variable{}
		if v.shows, v.moment = dtaMoment(format); v.number(1) != want {
			t.Errorf("%s: %s, not %s", format, v.number(1), want)
		}
	}
}

// A text that is not in the encoding of the file has a note.
func TestDamagedText(t *testing.T) {
	data := bytes.ReplaceAll(file(t, "stata118.dta"), []byte("maîtresse"), []byte("ma\xee\xeetresse"))
	if _, notes, err := read(data, Options{}); err != nil || !strings.Contains(notes, "no characters of the encoding utf-8") {
		t.Error(notes, err)
	}
}

// A file that was cut off is refused at each place, or says that it has no rows.
func TestCutOff(t *testing.T) {
	for _, name := range []string{"plain.sav", "codes.sav", "zlib.zsav", "stata113.dta", "stata117.dta", "kinds118big.dta", "sas5.xpt", "sas8.xpt"} {
		data := file(t, name)
		for n := 30; n < len(data)-80; n += 1 + len(data)/300 {
			got, _, err := read(data[:n], Options{})
			switch whole := err == nil; {
			case whole && (name == "sas5.xpt" || name == "stata113.dta"): // they do not say where they end
			case whole:
				t.Fatalf("%s: %d of %d bytes are %d rows", name, n, len(data), len(got))
			case !errors.Is(err, fs.ErrInvalid):
				t.Fatalf("%s: %d of %d bytes: %v", name, n, len(data), err)
			}
		}
	}
}

// FuzzOpen reads arbitrary bytes as files of the programs.
func FuzzOpen(f *testing.F) {
	for _, name := range []string{"codes.sav", "zlib.zsav", "stata113.dta", "kinds117big.dta", "kinds118little.dta", "sas5.xpt", "sas8.xpt"} {
		f.Add(file(f, name))
	}
	for _, w := range []sasWriter{{}, {big: true, wide: true, packed: sasRuns}, {packed: sasRoss, gone: map[int]bool{1: true}}} {
		f.Add(w.file(5))
	}
	f.Add([]byte(written(false)))
	f.Add([]byte(written(true)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 1 || Look(data) == "" {
			return
		}
		if _, _, err := read(data, Options{}); err != nil && !errors.Is(err, fs.ErrInvalid) {
			t.Fatal(err)
		}
	})
}
