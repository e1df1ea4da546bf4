package counting

import (
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// columns is [counter.choose] of the words of all ranks. The rank that the hash of a stem chooses
// adds up its documents and its words, names it and decides whether it is kept; likewise for runs
// of words, whose names are made of the names of their stems. df are the documents of all ranks.
func (d *division) columns(v *counter) (names, stems []string, column, df []int32, err error) {
	least, most := d.a.opt.limits(d.total)
	keep := func(df uint64) bool { return df >= uint64(max(0, least)) && int64(df) <= int64(most) }
	name, df := make([]string, len(v.term)), make([]int32, len(v.term))
	kept := make([]bool, len(v.term))
	own, err := d.stems(v, keep, name, kept, df)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	if d.a.opt.NGrams > 1 {
		more, err := d.grams(v, keep, name, kept, df)
		if err != nil {
			return nil, nil, nil, nil, err
		}
		own = append(own, more...)
	}
	if d.a.opt.Vocabulary != nil {
		column, _, err = v.given(d.file.Name)
		return d.a.opt.Vocabulary, nil, column, df, d.agree(err)
	}
	var say parcel
	for _, n := range own {
		say.text(n.name)
		say.text(n.stem)
	}
	every := make([]parcel, d.team.Size())
	for r := range every {
		every[r] = say
	}
	got, err := d.exchange(every, 4)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	var all []columnName
	for _, p := range got {
		for len(p) > 0 {
			all = append(all, columnName{name: p.takeText(), stem: p.takeText()})
		}
	}
	sortColumns(all)
	number := make(map[string]int32, len(all)) // by stems, which are of one column each
	for j, n := range all {
		names, stems = append(names, n.name), append(stems, n.stem)
		number[n.stem] = int32(j)
	}
	column = make([]int32, len(v.term))
	for t := range column {
		column[t] = -1
		if kept[t] {
			column[t] = number[v.stemOfTerm(int32(t))]
		}
	}
	return names, stems, column, df, nil
}

// named is what the ranks together know of a stem or a run.
type named struct {
	df    uint64
	apart bool              // of a run within the limits: its words do not belong together
	kept  bool              // it is a column
	parts []int             // of a run that is chosen by its words: the documents that hold each
	words map[string]uint64 // of a stem: how often each of its words occurs
	name  string
	stem  string // or the stems of a run
}

// best is the most frequent word; of equally frequent ones the alphabetically first.
func (n *named) best() string {
	best, count := "", uint64(0)
	for w, c := range n.words {
		if best == "" || c > count || c == count && w < best {
			best, count = w, c
		}
	}
	return best
}

// stems sets name and kept for the stems of this rank. own are the names of those kept that this
// rank decides about.
func (d *division) stems(v *counter, keep func(uint64) bool, name []string, kept []bool, df []int32) (own []columnName, err error) {
	head, next := make([]int32, len(v.term)), make([]int32, len(v.form)) // words of each stem
	for t := range head {
		head[t] = -1
	}
	for f := range v.form {
		t := v.form[f].term
		next[f], head[t] = head[t], int32(f)
	}
	parts := make([]parcel, d.team.Size())
	sent := make([][]int32, d.team.Size())
	for t, term := range v.term {
		if term.left >= 0 {
			continue
		}
		r := owner(term.stem, d.team)
		sent[r] = append(sent[r], int32(t))
		p := &parts[r]
		p.text(term.stem)
		p.number(uint64(v.df[t]))
		words := uint64(0)
		for f := head[t]; f >= 0; f = next[f] {
			words++
		}
		p.number(words)
		for f := head[t]; f >= 0; f = next[f] {
			p.text(v.form[f].text)
			p.number(uint64(v.form[f].count))
		}
	}
	return d.decide(parts, sent, keep, name, kept, df, func(n *named, p *parcel) {
		if n.words == nil {
			n.words = make(map[string]uint64, 1)
		}
		for range p.takeNumber() {
			w := p.takeText()
			n.words[w] += p.takeNumber()
		}
	})
}

// grams is stems for runs of words.
func (d *division) grams(v *counter, keep func(uint64) bool, name []string, kept []bool, df []int32) (own []columnName, err error) {
	parts := make([]parcel, d.team.Size())
	sent := make([][]int32, d.team.Size())
	for t, term := range v.term {
		if term.left < 0 {
			continue
		}
		name[t] = name[term.left] + " " + name[term.last] // both have lower numbers
		stem := v.stemOfTerm(int32(t))
		r := owner(stem, d.team)
		sent[r] = append(sent[r], int32(t))
		parts[r].text(stem)
		parts[r].number(uint64(v.df[t]))
		parts[r].text(name[t])
		if d.a.opt.chooses() {
			words := v.wordsOf(int32(t), df)
			parts[r].number(uint64(len(words)))
			for _, w := range words {
				parts[r].number(uint64(w))
			}
		}
	}
	return d.decide(parts, sent, keep, name, kept, df, func(n *named, p *parcel) {
		if n.name = p.takeText(); !d.a.opt.chooses() {
			return
		}
		n.parts = n.parts[:0]
		for range p.takeNumber() {
			n.parts = append(n.parts, int(p.takeNumber()))
		}
	})
}

// decide sums up what the ranks say of the terms that this rank decides about, of which more reads
// the rest, and answers them. own are the names of those that are kept.
func (d *division) decide(parts []parcel, sent [][]int32, keep func(uint64) bool, name []string, kept []bool, df []int32, more func(*named, *parcel)) (own []columnName, err error) {
	got, err := d.exchange(parts, 12)
	if err != nil {
		return nil, err
	}
	table := make(map[string]*named)
	arrived := make([][]*named, len(got))
	var order []*named
	for from, p := range got {
		for len(p) > 0 {
			key := p.takeText()
			n := table[key]
			if n == nil {
				n = &named{stem: key}
				table[key] = n
				order = append(order, n)
			}
			n.df += p.takeNumber()
			more(n, &p)
			arrived[from] = append(arrived[from], n)
		}
	}
	apart := 0
	for _, n := range order {
		if n.words != nil { // a stem is named by a word
			n.name, n.words = n.best(), nil
		}
		within := keep(n.df)
		if n.apart = within && n.parts != nil && !together(int(n.df), d.total, n.parts); n.apart {
			apart++
		}
		if n.kept = within && !n.apart; n.kept {
			own = append(own, columnName{name: n.name, stem: n.stem})
		}
	}
	d.distinct += ranks.Count(d.team, len(order))
	d.apart += ranks.Count(d.team, apart)
	return own, d.answer(arrived, sent, name, kept, df)
}

// answer sends each rank the decisions about the terms that it asked for, in the order in which it
// asked.
func (d *division) answer(arrived [][]*named, sent [][]int32, name []string, kept []bool, df []int32) error {
	parts := make([]parcel, len(arrived))
	for r, list := range arrived {
		for _, n := range list {
			parts[r].text(n.name)
			decided := uint64(0)
			if n.kept {
				decided = 1
			}
			parts[r].number(n.df<<1 | decided)
		}
	}
	got, err := d.exchange(parts, 2)
	if err != nil {
		return err
	}
	for r, p := range got {
		for _, t := range sent[r] {
			name[t] = p.takeText()
			decided := p.takeNumber()
			kept[t], df[t] = decided&1 == 1, int32(decided>>1)
		}
	}
	return nil
}

// met counts the columns that have an entry on any rank; it is an error if none of a vocabulary
// given has.
func (d *division) met(v *counter, column []int32, columns int) (n int, err error) {
	if d.a.opt.Vocabulary == nil {
		return columns, nil
	}
	bits := make([]byte, (columns+7)/8)
	for _, j := range column {
		if j >= 0 {
			bits[j/8] |= 1 << (j % 8)
		}
	}
	all := make([]byte, len(bits))
	for _, part := range ranks.Gather(d.team, bits) {
		for i, b := range part {
			all[i] |= b
		}
	}
	for _, b := range all {
		for ; b > 0; b &= b - 1 {
			n++
		}
	}
	if n == 0 && !d.a.opt.AnyText {
		return 0, v.noneMet(d.file.Name)
	}
	return n, nil
}
