package papers

import (
	"context"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
)

// textCorpora reads raw texts once for all experiments. It is safe for several goroutines.
type textCorpora struct {
	archives memo[string, *corpus.Corpus] // by path
	parts    memo[textPart, *corpus.Corpus]
}

// textPart are the classes of a corpus that an experiment is about, by its name.
type textPart struct{ path, name string }

// leastDocuments is the number of documents that a term must occur in: a term of one document alone
// does not relate it to others.
const leastDocuments = 2

// computerGroups and talkGroups are the two sets of groups of Liu, Hsaio, Lee and Gou (2014).
func (s *textCorpora) computerGroups() Dataset {
	return s.newsgroups("20 Newsgroups, comp.*", "comp.graphics", "comp.os.ms-windows.misc", "comp.sys.ibm.pc.hardware", "comp.sys.mac.hardware", "comp.windows.x")
}

func (s *textCorpora) talkGroups() Dataset {
	return s.newsgroups("20 Newsgroups, talk.*", "talk.politics.guns", "talk.politics.mideast", "talk.politics.misc", "talk.religion.misc")
}

// scienceGroups and recreationGroups are two further sets of groups.
func (s *textCorpora) scienceGroups() Dataset {
	return s.newsgroups("20 Newsgroups, sci.*", "sci.crypt", "sci.electronics", "sci.med", "sci.space")
}

func (s *textCorpora) recreationGroups() Dataset {
	return s.newsgroups("20 Newsgroups, rec.*", "rec.autos", "rec.motorcycles", "rec.sport.baseball", "rec.sport.hockey")
}

// newsgroups are some groups of 20 Newsgroups, sorted by date, both parts together, without the
// messages' headers.
func (s *textCorpora) newsgroups(name string, groups ...string) Dataset {
	return s.dataset(name, Dataset{File: "20news-bydate.tar.xz", Also: []string{"20news-bydate.tar.gz", "20news-bydate.tar"}}, groups, corpus.ReadOptions{Strip: []string{corpus.StripHeaders}})
}

// reutersTopics are the ten largest topics of Reuters-21578, a document once for each of its topics
// among them.
func (s *textCorpora) reutersTopics() Dataset {
	return s.dataset("Reuters-21578", Dataset{File: "reuters21578-sgml.tar.xz", Also: []string{"reuters21578.tar.gz", "reuters21578.tar"}}, nil,
		corpus.ReadOptions{Reuters: corpus.ReutersOptions{Preset: "ten-topics-each"}})
}

// dataset reads a file with opt and keeps the named classes, or all if none is named, with the
// terms that occur in two of their documents. Its X are the counts, the same matrix at every load.
func (s *textCorpora) dataset(name string, d Dataset, classes []string, opt corpus.ReadOptions) Dataset {
	opt.Text.MinDF = leastDocuments
	d.Name, d.Weighting, d.Normalize = name, corpus.WeightTF, corpus.NormNone
	d.read = func(ctx context.Context, path string) (*corpus.Corpus, error) {
		part, err := s.parts.get(textPart{path, name}, func() (*corpus.Corpus, error) {
			all, err := s.archives.get(path, func() (*corpus.Corpus, error) { return corpus.Read(ctx, path, opt) })
			if err != nil {
				return nil, err
			}
			if all, err = all.Select(classes); err != nil {
				return nil, err
			}
			counts, ok := all.X.(*sparse.CSR)
			if !ok || all.Labels == nil {
				return nil, invalid.Errorf("%s holds no texts with classes: put the original file there", all.Name)
			}
			kept := *all
			kept.X, kept.Terms = withTermsOf(counts, leastDocuments), nil
			return &kept, nil
		})
		if err != nil {
			return nil, err
		}
		out := *part // the caller may set other weights
		return &out, nil
	}
	return d
}

// withTermsOf keeps the columns with entries in at least that many rows.
func withTermsOf(x *sparse.CSR, documents int) *sparse.CSR {
	var used []int
	for j, n := range x.ColCounts() {
		if n >= documents {
			used = append(used, j)
		}
	}
	return x.SelectCols(used)
}
