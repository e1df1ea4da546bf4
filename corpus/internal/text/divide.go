package text

import (
	"io"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// Divided reading. Every function here that takes a team is a collective call: the error of one
// rank reaches the others by input.Agree, and all return it.

// ReadDivided reads the files of a corpus in parts: every rank reads its part of the bytes, in the
// order of the ranks, and holds the documents ranks.Part(team, rank, n) of all n in the end. Terms,
// classes, notes and errors are the same as in one process that reads everything. format is the
// format of all files, or "" to find it out; note is the first of the notes, "" for none.
//
// Memory in addition to [Read], on each rank: its share of the vocabulary and the ids of all, and
// the rows that move.
func ReadDivided(file *input.File, team ranks.Team, paths []string, format, note string, opt ReadOptions) (*counting.Collection, *counting.Division, error) {
	in := &source{File: file, opt: opt}
	parts, err := in.plan(paths, format, team.Size())
	if err = input.Agree(team, err); err != nil {
		return nil, nil, err
	}
	if err := samePlan(team, parts); err != nil {
		return nil, nil, err
	}
	a, t, err := in.countShare(team, parts)
	if err != nil {
		return nil, nil, err
	}
	in.Finished()
	c, d, err := counting.Divide(team, in.File, a, t, nil)
	if err != nil {
		return nil, nil, err
	}
	if c.Format = formatOf(parts); note != "" {
		c.Notes = append([]string{note}, c.Notes...)
	}
	return c, d, nil
}

// countShare counts the documents of this rank's part. A file that changed meanwhile is the first
// error, then other content on another rank, since they may be the cause of any other one: a line
// that two copies cut elsewhere.
func (in *source) countShare(team ranks.Team, parts []part) (*counting.Analyzer, *counting.Tally, error) {
	own := sliced(parts, team.Rank(), team.Size())
	wait := in.sumsBeside(team, parts, own)
	err := in.lookAtParts(parts)
	var a *counting.Analyzer
	if err == nil {
		a, err = in.opt.analyzer()
	}
	t := &counting.Tally{}
	if err == nil {
		t, err = counting.Count(in.Ctx, a, in.Mem, in.slices(own, len(parts) > 1), func(int) {})
	}
	if err != nil {
		err = in.Wrap("", in.blame(parts, err))
	}
	sums, failed := wait()
	if changed := unchanged(parts); changed != nil {
		failed = changed
	}
	if failed = input.Agree(team, failed); failed != nil {
		return nil, nil, failed
	}
	if err := sameContent(team, parts, sums); err != nil {
		return nil, nil, err
	}
	return a, t, input.Agree(team, err)
}

// plan looks at the files, at the groups of rows of Parquet, and at the lengths of compressed JSON
// lines that would be more than the share of one of the ranks, size in all.
func (in *source) plan(paths []string, format string, size int) ([]part, error) {
	var parts []part
	var err error
	if format == "" {
		parts, err = in.parts(paths, nil)
	} else {
		for _, path := range paths {
			p, failed := in.look(path)
			if failed != nil {
				return nil, failed
			}
			p.format = format
			parts = append(parts, p)
		}
	}
	if err != nil {
		return nil, err
	}
	for i := range parts {
		if p := &parts[i]; p.format == "parquet" && !p.packed && p.size > 0 {
			if err := in.groups(p); err != nil {
				return nil, err
			}
		}
	}
	err = in.unpack(parts, size)
	if changed := unchanged(parts); changed != nil { // the cause of any other error
		return nil, changed
	}
	return parts, err
}

// unpack finds the lengths of the contents of the files of compressed JSON lines that are larger
// than the share of a rank, so that they can be divided by lines. Every rank reads them for it.
// Every other packed file counts as packed as tightly.
func (in *source) unpack(parts []part, size int) error {
	total := int64(0)
	for i := range parts {
		total += parts[i].weight()
	}
	packed, content := int64(0), int64(0)
	for i := range parts {
		p := &parts[i]
		if p.format != "jsonl" || !p.packed || p.size <= share(total, 1, size) {
			continue
		}
		if err := in.measure(p); err != nil {
			return err
		}
		packed, content = packed+p.size, content+p.unpacked
	}
	for i := range parts {
		if p := &parts[i]; packed > 0 && p.format == "jsonl" && p.packed && p.unpacked == 0 {
			p.about = int64(float64(p.size) / float64(packed) * float64(content))
		}
	}
	return nil
}

// measure finds the length of the content of a compressed file.
func (in *source) measure(p *part) error {
	in.Expect(p.size)
	file, done, err := in.Part(p.path)
	if err != nil {
		return err
	}
	defer done()
	p.unpacked, err = io.Copy(io.Discard, file.Stream)
	return file.Wrap("", err)
}

// groups finds the sizes of the groups of rows of a file.
func (in *source) groups(p *part) error {
	file, done, err := in.Part(p.path)
	if err != nil {
		return err
	}
	defer done()
	rows, err := in.openParquet(file, &counting.Origin{Ctx: in.Ctx, File: p.path, Unit: "row"})
	if err != nil {
		return err
	}
	defer rows.close()
	for g := range rows.until {
		p.bytes = append(p.bytes, rows.bytesOf(g))
		p.chunks = append(p.chunks, rows.extentsOf(g))
	}
	p.footer = p.size - 8 - rows.footer
	return nil
}

// sliced returns the bytes that a rank reads: the bytes of all parts are divided evenly among size
// ranks. A line belongs to the rank in whose bytes it begins; a file that cannot be cut, to the
// rank that has its middle. Compressed JSON lines that are cut have the bytes of their content.
func sliced(parts []part, rank, size int) []slice {
	total := int64(0)
	for i := range parts {
		total += parts[i].weight()
	}
	lo, hi := share(total, rank, size), share(total, rank+1, size)
	mine := func(start, weight int64) bool {
		middle := min(start+weight/2, max(0, total-1))
		return lo <= middle && middle < hi || total == 0 && rank == 0
	}
	var own []slice
	at := int64(0)
	for _, p := range parts {
		weight := p.weight()
		switch {
		case p.format == "jsonl" && (!p.packed || p.unpacked > 0):
			if a, b := max(lo, at), min(hi, at+weight); a < b {
				own = append(own, slice{p, a - at, b - at})
			}
		case p.bytes != nil:
			s, inside := slice{part: p}, at
			for g, n := range p.bytes {
				if mine(inside, n) {
					if s.hi == 0 {
						s.lo = int64(g)
					}
					s.hi = int64(g) + 1
				}
				inside += n
			}
			if s.hi > 0 {
				own = append(own, s)
			}
		case mine(at, weight):
			own = append(own, slice{part: p})
		}
		at += weight
	}
	return own
}

// weight is the bytes of a part by which the reading is divided.
func (p *part) weight() (n int64) {
	switch {
	case p.unpacked > 0:
		return p.unpacked
	case p.about > 0:
		return p.about
	case p.bytes == nil:
		return p.size
	}
	for _, b := range p.bytes {
		n += b
	}
	return n
}
