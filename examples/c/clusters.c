/*
 * Embeds and clusters 10,000 points by the C interface: sparse rows in, labels and coordinates out,
 * then a model that places new rows.
 *
 *   make lib
 *   cc -Ilib examples/c/clusters.c -Llib -leigenmap -lm -o clusters && LD_LIBRARY_PATH=lib ./clusters
 */
#include <eigenmap.h>

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 10000, TERMS = 60, GROUPS = 4, PER_ROW = 8, DIMS = 4 };

/* A row has its entries in the quarter of the columns that belongs to its group. */
static int64_t indptr[ROWS + 1];
static int32_t indices[ROWS * PER_ROW];
static double values[ROWS * PER_ROW];

static void make_rows(void)
{
	uint32_t state = 1;
	for (int i = 0; i < ROWS; i++) {
		int group = i % GROUPS, width = TERMS / GROUPS, column = 0, n = 0;
		indptr[i + 1] = indptr[i] + PER_ROW;
		for (; column < width && n < PER_ROW; column++) {
			state = state * 1664525u + 1013904223u;
			if (width - column == PER_ROW - n || (state >> 16) % width < PER_ROW) {
				indices[indptr[i] + n] = group * width + column;
				values[indptr[i] + n++] = 1 + (state >> 24) / 64.0;
			}
		}
	}
}

/* Stops the program with the library's text. */
static void check(int code)
{
	if (code != EIGENMAP_DONE) {
		fprintf(stderr, "eigenmap: code %d: %s\n", code, eigenmap_last_error());
		exit(code);
	}
}

/* The share of rows whose cluster is that of the first row of their group. */
static double agreement(const int32_t *labels)
{
	int same = 0;
	for (int i = 0; i < ROWS; i++)
		same += labels[i] == labels[i % GROUPS];
	return same / (double)ROWS;
}

int main(void)
{
	static int32_t labels[ROWS];
	static double embedding[ROWS * DIMS];
	make_rows();

	check(eigenmap_cluster_csr(ROWS, TERMS, indptr, indices, values,
	                           "{\"method\": \"le\", \"clusters\": 4, \"neighbors\": 10}", labels));
	printf("clustered %d points: %.4f of them with their group\n", ROWS, agreement(labels));

	check(eigenmap_embed_csr(ROWS, TERMS, indptr, indices, values, "{\"method\": \"lsi\"}", DIMS, embedding));
	printf("embedded %d points in %d dimensions\n", ROWS, DIMS);

	eigenmap_matrix x = {ROWS, TERMS, indptr, indices, values, 0, EIGENMAP_CSR};
	eigenmap_model *model;
	check(eigenmap_fit(&x, EIGENMAP_CLUSTER, "{\"method\": \"kmeans\", \"clusters\": 4}", NULL, &model));
	check(eigenmap_model_save(model, "clusters.npz"));
	eigenmap_model_free(model);
	check(eigenmap_model_load("clusters.npz", &model));
	x.rows = 5; /* the first five rows, as if they were new */
	int32_t placed[5];
	check(eigenmap_predict(model, &x, NULL, EIGENMAP_ROW_MAJOR, placed, NULL, NULL));
	printf("placed %d rows: %s\n", 5, placed[0] == placed[4] && placed[0] != placed[1] ? "with their groups" : "elsewhere");
	eigenmap_model_free(model);
	remove("clusters.npz");

	indices[3] = 9999;
	int code = eigenmap_cluster_csr(ROWS, TERMS, indptr, indices, values, "{\"clusters\": 4}", labels);
	printf("a wrong matrix gives code %d: %s\n", code, eigenmap_last_error());
	return 0;
}
