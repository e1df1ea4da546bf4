package corpus

import (
	"context"
	"errors"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/internal/must"
)

// letter is a message of Outlook.
func letter(subject, body string) string {
	return string(corpustest.Letter(map[uint32]string{0x37: subject, 0x1000: body, 0x0c1a: "Ann", 0x0c1f: "ann@" + subject + ".org"}))
}

// Messages of Outlook are texts in a folder, a tar, a packed tar and a zip, as mail is, also on
// ranks. Their headers can be the classes.
func TestOutlookFolder(t *testing.T) {
	files := map[string]string{
		"cars/1.msg": letter("wheels", "the engine of a car\r\n-- \r\nsignature"), "cars/2.eml": "From: \"Ann\" <ann@wheels.org>\nSubject: engines\n\nthe engine of a bus\n", "cakes/3.msg": letter("cakes", "a cake in the oven"), "cakes/4.msg.gz": gzipped(letter("cakes", "flour in the oven")),
		"cakes/cut.msg": letter("x", "y")[:1500],
	}
	opt := ReadOptions{Text: TextOptions{MinDF: 1, StopWords: "none"}}
	for _, path := range packings(t, files) {
		c := must.Get(Read(t.Context(), path, opt))(t)
		checkInvariants(t, c)
		if want := "cakes/3.msg:cakes cakes/4.msg:cakes cars/1.msg:cars cars/2.eml:cars"; classOf(c) != want {
			t.Errorf("%s: %s", path, classOf(c))
		}
		countTerms(t, path, c, map[string]float64{"engine": 3, "wheels": 1, "oven": 2, "flour": 1, "signature": 0, "ann": 0, "charset": 0, "attached": 0})
		for _, note := range []string{"4 texts are mail", "cakes/cut.msg is a damaged file of an old program of Microsoft Office"} {
			if !hasNote(c, note) {
				t.Errorf("%s: no note %q: %q", path, note, c.Notes)
			}
		}
		parts, errs := togetherRead(context.Background(), 2, path, opt, nil)
		must.Do(t, errors.Join(errs...))
		joined(t, parts, c)
		by := opt
		by.LabelHeader = "From"
		if c := must.Get(Read(t.Context(), path, by))(t); len(c.ClassNames) != 2 {
			t.Errorf("%s: classes %q", path, c.ClassNames)
		}
	}
}

// One message or document of Word alone is no corpus, but it is read where a model is of a folder.
func TestOneOldDocument(t *testing.T) {
	for _, name := range []string{"a.msg", "a.dat"} {
		path := writeFile(t, t.TempDir(), name, []byte(letter("wheels", "the engine of a car")))
		_, err := Read(t.Context(), path, ReadOptions{})
		wantFault(t, err, "one message of Outlook (.msg)", "put it into a folder")
		c := must.Get(Read(t.Context(), path, ReadOptions{UsualFormat: "folder", Text: TextOptions{MinDF: 1}}))(t)
		countTerms(t, path, c, map[string]float64{"engine": 1, "wheels": 1, "ann": 0})
	}
}
