package eigenmap

// Collect gathers on rank 0 what files need of the documents of all ranks: the embedding, and how
// new documents become rows. All ranks call it before rank 0 saves; without ranks it does nothing.
// 8 bytes per document and dimension.
func (r *Run) Collect() error {
	if !r.j.share.Divided() || r.whole {
		return nil
	}
	var err error
	if r.rows, err = r.modelRows(); err != nil {
		return wrapped(err)
	}
	if r.Fitted.Placer == nil {
		r.j.note("The model takes no new documents: " + closedByShare)
	}
	if r.Embedding == nil {
		r.j.note("There is no picture: no rank has the weighted terms of all documents")
		return nil
	}
	if all := r.j.collected(r.Embedding); all != nil {
		r.Embedding, r.whole = all, true
	}
	return nil
}
