package corpus_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/eigenmap/eigenmap/corpus"
)

// The documents of Reuters-21578 with exactly one topic, by the rule that makes 8,293 of the
// original files.
func ExampleReutersOptions() {
	dir, err := os.MkdirTemp("", "reuters")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "reut2-000.sgm")
	text := `<!DOCTYPE lewis SYSTEM "lewis.dtd">
<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="5" NEWID="1">
<TOPICS><D>cocoa</D></TOPICS>
<TEXT><TITLE>COCOA REVIEW</TITLE><BODY>Showers continued. Reuter &#3;</BODY></TEXT>
</REUTERS>
<REUTERS TOPICS="YES" LEWISSPLIT="TEST" CGISPLIT="TRAINING-SET" OLDID="6" NEWID="2">
<TOPICS><D>grain</D><D>wheat</D></TOPICS>
<TEXT><TITLE>WHEAT</TITLE><BODY>Two topics. Reuter &#3;</BODY></TEXT>
</REUTERS>
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		log.Fatal(err)
	}
	c, err := corpus.Read(context.Background(), file, corpus.ReadOptions{
		Reuters: corpus.ReutersOptions{Preset: "single-topic"},
		Text:    corpus.TextOptions{MinDF: 1},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.IDs, c.ClassNames, c.Terms)
	// Output:
	// [train/1] [cocoa] [cocoa continued reuter review showers]
}
