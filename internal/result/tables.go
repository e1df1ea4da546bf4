package result

// HasEmbedding reports whether the coordinates of all documents are here.
func (r *Run) HasEmbedding() bool { return r.Embedding != nil && !r.Divided() }

// EmbeddingAsCSV makes Save write the embedding as embedding.csv in place of embedding.npy.
func (r *Run) EmbeddingAsCSV() { r.AsCSV = true }

// RawTexts makes Save write ids, classes and terms into CSV files as they are. Without it those
// that a spreadsheet would run as formulas get an apostrophe in front; clusters.csv then has the
// column escaped, and embedding.csv the column "escaped id" in place of id, by which what reads
// them takes the apostrophes off again.
func (r *Run) RawTexts() { r.Raw = true }

// ClassName is the class of the known labels that a cluster is, "" for none.
func (r *Run) ClassName(cluster int) string {
	if cluster < 0 {
		return ""
	}
	return r.Classes[cluster]
}
