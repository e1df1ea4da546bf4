package corpus

import (
	"bufio"
	"io"
	"path"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
)

// mailboxHead is how many bytes of a mailbox are looked at for its second message.
const mailboxHead = 1 << 20

// gatherMail joins the files of a folder if all of them are mailboxes, one of several messages at
// least, as archives of mailing lists and programs for mail keep them; nil if they are others.
func gatherMail(in *input.File, list []member, opt ReadOptions) (*gathered, error) {
	var boxes []member
	for _, m := range list {
		if m.odd || m.size == 0 || text.IsMedia(m.path) || text.IsAbout(m.path) || strings.EqualFold(path.Ext(m.path), ".msf") { // an index
			continue
		}
		boxes = append(boxes, m)
	}
	several := false
	for _, m := range boxes {
		is, err := isMailbox(m, &several)
		if err != nil || !is {
			return nil, err
		}
	}
	if !several {
		return nil, nil
	}
	noteMembers(in, nameSet{list: boxes}, "mailboxes")
	expect(in, boxes)
	limits := opt.limits()
	limits.MaxBytes = in.Mem.Limit - in.Mem.Used()
	inside := input.NewFolder(in.Ctx, in.Name, limits)
	joined := &joinedMail{list: boxes}
	inside.Stream = bufio.NewReaderSize(joined, mailboxHead)
	inside.Notes = in.Notes
	opt.Format = "mbox"
	return &gathered{lines: inside, opt: opt, close: joined.close}, nil
}

// isMailbox reports whether a file is a mailbox, and sets several if it has several messages, for
// which it looks if no other has.
func isMailbox(m member, several *bool) (bool, error) {
	in, done, err := m.look()
	if err != nil {
		return false, err
	}
	defer done()
	head, err := in.Peek(input.HeadSize)
	if err != nil || !text.LooksLikeMbox(head) {
		return false, err
	}
	if !*several {
		head, err = io.ReadAll(io.LimitReader(in.Stream, mailboxHead))
		*several = text.HoldsMessages(head)
	}
	return true, err
}

// joinedMail is the content of mailboxes one after the other, with an empty line between two.
type joinedMail struct {
	list []member
	file *input.File // of the first of list; nil if it is not open
	done func()
	gap  string // what is to come before the next byte of a file
}

// Read reads from the mailbox at work.
func (j *joinedMail) Read(p []byte) (int, error) {
	for len(p) > 0 {
		if j.gap != "" {
			n := copy(p, j.gap)
			j.gap = j.gap[n:]
			return n, nil
		}
		if len(j.list) == 0 {
			return 0, io.EOF
		}
		if j.file == nil {
			var err error
			if j.file, j.done, err = j.list[0].open(); err != nil {
				return 0, err
			}
		}
		n, err := j.file.Stream.Read(p)
		if err == io.EOF {
			j.close()
			j.list, j.gap, err = j.list[1:], "\n\n", nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, nil
}

// close closes the mailbox at work.
func (j *joinedMail) close() {
	if j.file != nil {
		j.done()
		j.file = nil
	}
}
