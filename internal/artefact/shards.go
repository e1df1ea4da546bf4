package artefact

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/folder"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/result"
	"github.com/eigenmap/eigenmap/internal/shards"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

// divided are the files of which each rank writes the part of its own documents, where the run has
// them and the ranks divide the documents. All ranks ask for each in turn.
var divided = []struct {
	name  string
	write func(r *result.Run) (func(io.Writer) error, error)
}{
	{ClustersName, func(r *result.Run) (func(io.Writer) error, error) {
		head, row := ClusterTable(r, r.Labels != nil && Escapes(r))
		return only(r.Labels != nil && r.Command != "embed", func(w io.Writer) error {
			return WriteTable(w, head, r.J.Share.Own(), func(i int, record []string) []string { return row(r.J.Share.First()+i, record) })
		}), nil
	}},
	{"embedding.npy", func(r *result.Run) (func(io.Writer) error, error) {
		return only(r.Embedding != nil && !r.AsCSV, npy(r.Embedding)), nil
	}},
	{"embedding.csv", func(r *result.Run) (func(io.Writer) error, error) {
		return only(r.Embedding != nil && r.AsCSV, writeCoordinates(r, r.Embedding, r.J.Share.First())), nil
	}},
	{"soft_labels.npy", func(r *result.Run) (func(io.Writer) error, error) {
		var soft mat.Matrix = r.Fitted.Soft
		return only(r.Fitted.Soft != nil && r.Command == "cluster", npy(soft)), nil
	}},
	{ModelName, func(r *result.Run) (func(io.Writer) error, error) {
		if !r.Partial() {
			return nil, nil
		}
		m, err := modelOf(r, true)
		return func(w io.Writer) error { return m.EncodeShard(w, r.J.Share.Rank()+1, r.J.Share.Size()) }, err
	}},
}

// isShard reports whether a file of this name is a part of a file of a result.
func isShard(name string) bool {
	file, _, _, ok := shards.Parse(name)
	return ok && slices.ContainsFunc(artefacts, func(a artefact) bool { return a.name == file })
}

// SaveShards writes the results of a run whose documents the ranks divide into dir, which all of
// them have in common: each rank the parts of its own documents, rank 0 the files that are of all,
// with the report, and the map and the levels that were asked for. out is the open folder of rank
// 0; it returns the paths of the files, and all of them get their names together. All ranks call
// it.
func SaveShards(ctx context.Context, r *result.Run, dir string, out *folder.Folder) ([]string, error) {
	team := r.J.Share
	if err := ranks.Agree(team, r.Apart(ctx)); err != nil {
		return nil, fault.Wrap(err)
	}
	own, err := writeOwn(ctx, r, dir)
	if err = ranks.Agree(team, err); err != nil {
		for _, s := range own {
			s.Abort()
		}
		return nil, fault.Wrap(err)
	}
	say := make([][]byte, team.Size())
	say[0], _ = json.Marshal(own) // of texts and numbers
	for _, s := range own {
		r.Elsewhere = append(r.Elsewhere, wholeName(s.Name))
		s.Release()
	}
	heard := team.Exchange(say)
	var saved []string
	if team.Rank() == 0 {
		if err = adopt(out, heard); err == nil {
			saved, err = SaveIn(ctx, r, out)
		}
	}
	if err = ranks.Agree(team, err); err != nil {
		r.Elsewhere = nil // rank 0 may save what it has, without the parts
	}
	return saved, err
}

// InCommon returns to all ranks an error if one of them does not see in dir what rank 0 writes
// there. All ranks call it.
func InCommon(ctx context.Context, team ranks.Team, dir string) error {
	var s *folder.Shard
	var err error
	say := make([][]byte, team.Size())
	if team.Rank() == 0 {
		if s, err = folder.WriteShard(ctx, dir, folder.Probe, func(io.Writer) error { return nil }); err == nil {
			defer s.Abort()
			for r := range say {
				say[r] = []byte(s.Temporary)
			}
		}
	}
	if err := ranks.Agree(team, err); err != nil {
		return err
	}
	name := filepath.Base(string(team.Exchange(say)[0]))
	if _, err = os.Stat(filepath.Join(dir, name)); err != nil {
		err = invalid.Errorf("%s: a rank does not find there what rank 0 writes: give a folder that all machines of the run have in common, or leave ‹shards› out", dir)
	}
	return ranks.Agree(team, err)
}

// wholeName is the file that a part belongs to.
func wholeName(part string) string {
	file, _, _, _ := shards.Parse(part)
	return file
}

// writeOwn writes the parts of this rank's documents.
func writeOwn(ctx context.Context, r *result.Run, dir string) (own []*folder.Shard, err error) {
	team := r.J.Share
	for _, of := range divided {
		write, failed := of.write(r)
		if err == nil {
			err = failed
		}
		if write == nil || err != nil {
			continue // other ranks may ask for the rest together
		}
		s, failed := folder.WriteShard(ctx, dir, shards.Name(of.name, team.Rank()+1, team.Size()), write)
		if err = failed; err == nil {
			own = append(own, s)
		}
	}
	return own, err
}

// adopt takes the parts of all ranks, file by file. Of an error it takes those that it can, so that
// they are removed with the folder.
func adopt(out *folder.Folder, heard [][]byte) error {
	var parts []*folder.Shard
	for _, said := range heard {
		var list []*folder.Shard
		if err := json.Unmarshal(said, &list); err != nil {
			return err
		}
		parts = append(parts, list...)
	}
	order := func(s *folder.Shard) int {
		return slices.IndexFunc(artefacts, func(a artefact) bool { return a.name == wholeName(s.Name) })
	}
	slices.SortStableFunc(parts, func(a, b *folder.Shard) int { return order(a) - order(b) })
	var first error
	for _, s := range parts {
		if err := folder.Adopt(out, s); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Join writes the files of a result in parts as one file each, and copies the others, into an open
// folder, which may be the same. The files are those of a run whose rank 0 had written them; map,
// pictures and levels are among them if the run in parts was asked for these. It returns the paths
// of the files.
//
// Errors (fs.ErrInvalid): dir is no folder of results, it has no file in parts, or a part is
// missing or damaged.
func Join(ctx context.Context, dir string, out *folder.Folder) ([]string, error) {
	names, origin, err := folder.Contents(ctx, dir, out)
	if err != nil {
		return nil, fault.Wrap(err)
	}
	var done []string
	for _, name := range names {
		file := name
		if isShard(name) {
			file = wholeName(name)
			if _, err := os.Lstat(filepath.Join(dir, file)); err == nil {
				return nil, fault.Wrap(invalid.Errorf("%s: it lies beside its parts (%s) and is not of their run: move it away", filepath.Join(dir, file), name))
			}
		}
		if slices.Contains(done, file) {
			continue
		}
		done = append(done, file)
		if err := out.Add(ctx, file, func(w io.Writer) error { return CopyFile(ctx, w, filepath.Join(dir, file)) }); err != nil {
			return nil, fault.Wrap(err)
		}
	}
	if len(done) == len(names) && !slices.ContainsFunc(names, isShard) {
		return nil, fault.Wrap(invalid.Errorf("%s: none of its %d files is in parts: it can be used as it is", dir, len(names)))
	}
	out.Origin = origin
	saved, err := out.Commit()
	return saved, fault.Wrap(err)
}

// CopyFile copies a file of a result into w, or the parts of it as one file.
func CopyFile(ctx context.Context, w io.Writer, path string) error {
	parts, err := shards.Parts(path)
	if err != nil {
		return err
	}
	if parts != nil && filepath.Base(path) == ModelName {
		return model.Join(ctx, w, parts)
	}
	f, size, err := shards.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := io.Copy(w, f)
	if err == nil && n != size {
		err = fmt.Errorf("%s: %w", path, io.ErrUnexpectedEOF)
	}
	return err
}
