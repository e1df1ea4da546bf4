package planning

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/method"
)

// readsAsStored is [job.Job.ReadsAsStored] of a run of size ranks, which read in double precision.
func readsAsStored(j *job.Job, size int) bool { return size <= 1 && j.ReadsAsStored() }

// reading are the stages before the method's. Entries as they were read take 8 bytes in double
// precision and 4 of a column; their weights 8 more, unless they are the entries themselves or are
// computed when they are read. ranks is their number. rowBytes are those of what is kept of the
// entries and of the weights.
func reading(j *job.Job, size *corpus.Size, in *method.Input, at method.Rates, ranks int) (stages []method.Stage, rowBytes int64) {
	const nameBytes = 64 // of an id or a term
	own := size.Entries
	if in.Share.Divided() {
		own = int(float64(own) / float64(in.Len()) * float64(in.Share.Own()))
	}
	isText := slices.Contains(corpus.TextFormats(), size.Format)
	rows := func(entries int) int64 {
		if size.Sparse {
			return memory.Bytes(12, entries)
		}
		return memory.Bytes(8, entries)
	}
	here := size.Entries // while the file is read
	if in.Share.Divided() && corpus.ReadsInParts(j.File, size.Format) {
		here = own
	}
	whole, kept, weights := rows(here), rows(own), memory.Bytes(8, own)
	if size.Single {
		kept = memory.Bytes(4, size.Entries)
	}
	switch {
	case size.Sparse && (j.InSingle() || isText && j.NarrowsCounts(ranks, size.Entries)):
		kept, weights = memory.Bytes(narrowBytes(j, isText), size.Entries), memory.Sum(memory.Bytes(8, size.Documents), memory.Bytes(8, size.Terms))
	case j.InSingle():
		kept = memory.Bytes(4, size.Entries)
		weights = kept
	}
	if j.Weighting == corpus.WeightTF && j.Normalize == corpus.NormNone {
		weights = 0
	}
	names := memory.Bytes(nameBytes, size.Documents)
	peak := memory.Sum(whole, whole, names)
	if (j.InSingle() || size.Single) && !size.Sparse && !j.Source.Transpose { // which is done in double precision
		peak = memory.Sum(whole, kept, names)
		if corpus.ReadsSingle(size.Format) {
			peak = memory.Sum(kept, kept, names)
		}
		if size.Single && strings.EqualFold(filepath.Ext(j.File), ".npy") { // its length backs its header
			peak = memory.Sum(kept, names)
		}
	}
	if isText {
		names = memory.Sum(names, memory.Bytes(nameBytes, size.Terms), textsOf(j, size), typicalBytes(j))
		// Beside the matrix words are counted in compact form, and texts become free as they pass.
		peak = memory.Sum(whole, whole, names, min(memory.Bytes(passedTimes*textBytes, size.Entries), passedBytes))
	}
	read := method.Stage{Name: "read", Bytes: peak, Keeps: memory.Sum(kept, names), Seconds: readingNumbers(j.File, here)}
	if isText {
		threads := 1
		if !in.Share.Divided() {
			threads = max(1, at.Threads)
		}
		read.Seconds = readingTexts(j.File, size, float64(here)/float64(max(1, size.Entries)), threads)
	}
	if in.Share.Divided() { // half of the bytes of a name are the string's own
		read.Received = memory.Bytes(nameBytes/2, size.Documents-in.Share.Own())
	}
	return []method.Stage{read,
		{Name: "weights", Bytes: weights, Keeps: weights, Seconds: at.Passes(float64(size.Entries), 10)},
	}, memory.Sum(kept, weights)
}

// readingTexts are the seconds in which a share of the texts is read: each is split, each term is
// found first, which stands for the words that are left out too, and each entry is counted. One
// thread unpacks the file. 0.35 s of 54,595 titles, 0.33 of 1,028 long German articles with 13,231
// terms, 0.12 of 2,225 English ones with 2,540.
func readingTexts(file string, size *corpus.Size, share float64, threads int) float64 {
	const text, term, entry, packed = 3e-6, 14e-6, 0.6e-6, 69e-9
	seconds := share * (text*float64(size.Documents) + term*float64(size.Terms) + entry*float64(size.Entries)) / float64(threads)
	if corpus.UnpackedName(file) != file {
		seconds += packed * float64(bytesOf(file))
	}
	return seconds
}

// readingNumbers are the seconds in which so many entries are read from a file: by its bytes on the
// disk, or by the entries where these are packed well.
func readingNumbers(file string, entries int) float64 {
	const each, entry = 35e-9, 15e-9 // of a byte: 0.11 s of TDT2 (2.7 MB), 0.02 of 369 KB of lines
	return max(each*float64(bytesOf(file)), entry*float64(entries))
}

// bytesOf is the size of a file on the disk, 0 of a folder.
func bytesOf(file string) int64 {
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		return info.Size()
	}
	return 0
}

// While texts are read, what has passed and is not collected yet is up to passedTimes their size,
// and not more than passedBytes: 10 MB of 3 MB, 17 of 5 and 25 to 35 of 9 to 40 MB.
const (
	passedTimes = 3
	passedBytes = 35e6
)

// narrowBytes is what an entry in single precision takes: a count of a text, with its column, 5
// bytes where it is at most 255 as almost all are, else 8.
func narrowBytes(j *job.Job, isText bool) int64 {
	if isText && !j.InSingle() {
		return 5
	}
	return 8
}

// copiesLeftOut is the stage in which copies are left out of rows of so many bytes: the rows of the
// distinct documents beside those of all, of which the fit keeps both if they are few. There is
// none where the rows are not compared.
func copiesLeftOut(j *job.Job, in *method.Input, at method.Rates, bytes int64) []method.Stage {
	if in.Share.Divided() || !in.Sparse() && !j.ByOthers() || j.Duplicates == request.DuplicatesKeep || j.Paper {
		return nil
	}
	s := method.Stage{Name: "duplicates", Bytes: bytes, Helps: []string{"‹duplicates› keep"}, Seconds: at.Passes(float64(at.Entries), 12)}
	if bytes < job.LeastFreed {
		s.Keeps = bytes
	}
	return []method.Stage{s}
}

// textsOf is the memory of what is kept of the texts.
func textsOf(j *job.Job, size *corpus.Size) int64 {
	kept := j.ReadOptions().Snippets
	if kept == corpus.WholeTexts {
		return memory.Bytes(textBytes, size.Entries)
	}
	return memory.Bytes(int64(kept), size.Documents)
}

// typicalBytes is what the typical texts of a model take.
func typicalBytes(j *job.Job) int64 {
	if j.ReadOptions().Snippets == 0 {
		return 0
	}
	return 8 * job.TypicalChars // as texts and as JSON
}
