// Exact k nearest neighbours by cosine of sparse rows of length 1 without negative entries: the
// opponent of graph.Nearest in bench.
//
//   g++ -O3 -march=native -pthread -o tiles tiles.cpp
//   ./tiles ROWS.bin K THREADS NEIGHBOURS.bin [LANES] [CHUNK] [SHARE]
//
// A tile is LANES (64 or 128) rows. Terms of at least SHARE of the rows lie in it densely, term by
// term, and a later row multiplies its own such terms with it in vector registers. Other terms add
// their postings to the products of CHUNK later rows, which stay in cache. So every pair is computed
// once, in float32, and offered to both rows. The best K + SLACK of each row are then computed in
// double. A row whose products in float32 cannot rule out another candidate is searched again in
// double: the result is exact, up to ties.
//
// ROWS.bin: int64 rows, columns, entries; int32 row pointers; int32 columns; float64 values.
// NEIGHBOURS.bin: int32 index and then float64 products, rows × K, nearest first, -1 and 0 where a
// row has fewer positive products. Prints seconds and processor seconds, without reading and
// writing, peak memory in MB, and the number of rows that were searched again.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <sys/resource.h>
#include <thread>
#include <vector>

using std::vector;

static const int SLACK = 8;
static int n, m, k, kept, threads;
static vector<int> ptr, col;
static vector<double> val;

// Entries in float32 by row, terms numbered from the most frequent: those of the tiles and others.
struct Part {
  vector<int> ptr, term;
  vector<float> val;
};
static Part dense, rest;
static int denseTerms;
static vector<int> postPtr, postRow;
static vector<float> postVal;

// The best products of each row so far, a heap with the smallest first; bound is that one, or 0.
static vector<float> score, bound;
static vector<int> with;
static std::unique_ptr<std::atomic_flag[]> lock;

static void offer(int i, float s, int j) {
  while (lock[i].test_and_set(std::memory_order_acquire)) {
  }
  float *h = &score[size_t(i) * kept];
  int *w = &with[size_t(i) * kept];
  if (s > h[0]) {
    int p = 0;
    for (int c; (c = 2 * p + 1) < kept; p = c) {
      if (c + 1 < kept && h[c + 1] < h[c]) c++;
      if (h[c] >= s) break;
      h[p] = h[c], w[p] = w[c];
    }
    h[p] = s, w[p] = j;
    bound[i] = std::max(0.f, h[0]);
  }
  lock[i].clear(std::memory_order_release);
}

// A register of floats; a wider type than the processor's is taken apart slowly.
#ifdef __AVX512F__
typedef float wide __attribute__((vector_size(64)));
#else
typedef float wide __attribute__((vector_size(32)));
#endif
static const int WIDTH = sizeof(wide) / sizeof(float);

// Rows [j0, j1) times the tile, LANES products of a row after the other.
template <int LANES> static void multiplyDense(int j0, int j1, const wide *tile, wide *out) {
  const int Z = LANES / WIDTH;
  for (int j = j0; j < j1; j++, out += Z) {
    wide a[Z] = {};
    for (int p = dense.ptr[j]; p < dense.ptr[j + 1]; p++) {
      const wide *q = tile + size_t(dense.term[p]) * Z;
      const float x = dense.val[p];
      for (int z = 0; z < Z; z++) a[z] += x * q[z];
    }
    for (int z = 0; z < Z; z++) out[z] = a[z];
  }
}

struct Entry {
  int term, lane;
  float x;
};

template <int LANES> static void search(int i0, int chunk, wide *tile, wide *products) {
  const int i1 = std::min(n, i0 + LANES);
  float *t = reinterpret_cast<float *>(tile), *c = reinterpret_cast<float *>(products);
  std::fill_n(t, size_t(denseTerms) * LANES, 0.f);
  vector<Entry> entries;
  for (int i = i0; i < i1; i++) {
    for (int p = dense.ptr[i]; p < dense.ptr[i + 1]; p++) t[size_t(dense.term[p]) * LANES + i - i0] = dense.val[p];
    for (int p = rest.ptr[i]; p < rest.ptr[i + 1]; p++) entries.push_back({rest.term[p], i - i0, rest.val[p]});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) { return a.term < b.term; });
  // Runs of entries of one term, with the place in the term's postings.
  struct Run {
    int first, last, at, end;
  };
  vector<Run> runs;
  for (size_t q = 0, r; q < entries.size(); q = r) {
    const int term = entries[q].term;
    for (r = q + 1; r < entries.size() && entries[r].term == term;) r++;
    const int end = postPtr[term + 1];
    const int at = std::lower_bound(&postRow[postPtr[term]], &postRow[0] + end, i0) - &postRow[0];
    if (end - at > 1) runs.push_back({int(q), int(r), at, end}); // one posting is the row itself
  }
  alignas(64) float lanes[LANES];
  for (int j0 = i0; j0 < n; j0 += chunk) {
    const int j1 = std::min(n, j0 + chunk);
    multiplyDense<LANES>(j0, j1, tile, products);
    for (Run &r : runs) {
      int p = r.at;
      if (r.last == r.first + 1) {
        float *at = c + entries[r.first].lane;
        const float x = entries[r.first].x;
        for (; p < r.end && postRow[p] < j1; p++) at[size_t(postRow[p] - j0) * LANES] += x * postVal[p];
      } else {
        for (; p < r.end && postRow[p] < j1; p++) {
          float *at = c + size_t(postRow[p] - j0) * LANES;
          const float w = postVal[p];
          for (int e = r.first; e < r.last; e++) at[entries[e].lane] += w * entries[e].x;
        }
      }
      r.at = p;
    }
    for (int l = 0; l < LANES; l++) lanes[l] = i0 + l < n ? bound[i0 + l] : INFINITY;
    for (int j = j0; j < j1; j++) {
      const float *s = c + size_t(j - j0) * LANES;
      const float own = bound[j];
      int hits = 0;
      for (int l = 0; l < LANES; l++) hits += s[l] > std::min(own, lanes[l]);
      if (!hits) continue;
      for (int l = 0; l < std::min(LANES, j - i0); l++) { // rows before j
        if (s[l] > lanes[l]) offer(i0 + l, s[l], j), lanes[l] = bound[i0 + l];
        if (s[l] > bound[j]) offer(j, s[l], i0 + l);
      }
    }
  }
}

static void everyThread(const std::function<void()> &work) {
  vector<std::thread> team;
  for (int t = 1; t < threads; t++) team.emplace_back(work);
  work();
  for (auto &t : team) t.join();
}

template <int LANES> static void searchAll(int chunk) {
  std::atomic<int> next{0};
  everyThread([&] {
    auto rows = [](size_t count) { return static_cast<wide *>(std::aligned_alloc(64, sizeof(float) * LANES * std::max<size_t>(1, count))); };
    wide *tile = rows(denseTerms), *products = rows(chunk);
    for (int i0; (i0 = LANES * next++) < n;) search<LANES>(i0, chunk, tile, products);
    free(tile), free(products);
  });
}

static void prepare(double share) {
  vector<int> count(m), order(m), rank(m);
  for (int j : col) count[j]++;
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return count[a] != count[b] ? count[a] > count[b] : a < b; });
  for (int r = 0; r < m; r++) rank[order[r]] = r;
  while (denseTerms < m && count[order[denseTerms]] >= share * n) denseTerms++;
  dense.ptr.push_back(0), rest.ptr.push_back(0);
  postPtr.assign(m - denseTerms + 1, 0);
  for (int i = 0; i < n; i++) {
    for (int p = ptr[i]; p < ptr[i + 1]; p++) {
      const int r = rank[col[p]];
      Part &part = r < denseTerms ? dense : rest;
      part.term.push_back(r < denseTerms ? r : r - denseTerms);
      part.val.push_back(float(val[p]));
      if (r >= denseTerms) postPtr[r - denseTerms + 1]++;
    }
    dense.ptr.push_back(int(dense.term.size())), rest.ptr.push_back(int(rest.term.size()));
  }
  std::partial_sum(postPtr.begin(), postPtr.end(), postPtr.begin());
  postRow.resize(rest.term.size() + 1), postVal.resize(rest.term.size() + 1);
  vector<int> at(postPtr.begin(), postPtr.end() - 1);
  for (int i = 0; i < n; i++)
    for (int p = rest.ptr[i]; p < rest.ptr[i + 1]; p++) {
      const int q = at[rest.term[p]]++;
      postRow[q] = i, postVal[q] = rest.val[p];
    }
}

// Products in double of the candidates, then of all rows where the candidates cannot suffice.
static int rerank(vector<int> &index, vector<double> &product) {
  std::atomic<int> next{0}, again{0};
  everyThread([&] {
    vector<double> x(m);
    vector<std::pair<double, int>> found;
    for (int from; (from = 64 * next++) < n;)
      for (int i = from; i < std::min(n, from + 64); i++) {
        auto add = [&](int j) {
          double s = 0;
          for (int p = ptr[j]; p < ptr[j + 1]; p++) s += x[col[p]] * val[p];
          if (s > 0) found.push_back({-s, j});
        };
        for (int p = ptr[i]; p < ptr[i + 1]; p++) x[col[p]] = val[p];
        found.clear();
        for (int c = 0; c < kept; c++)
          if (with[size_t(i) * kept + c] >= 0) add(with[size_t(i) * kept + c]);
        std::sort(found.begin(), found.end());
        // A product of t terms is wrong by at most (t + 2) units in the last place of 1.
        const double error = (ptr[i + 1] - ptr[i] + 2) * 6e-8;
        if (score[size_t(i) * kept] > 0 && (int(found.size()) < k || -found[k - 1].first <= bound[i] + error)) {
          again++, found.clear();
          for (int j = 0; j < n; j++)
            if (j != i) add(j);
          std::sort(found.begin(), found.end());
        }
        for (int c = 0; c < std::min(k, int(found.size())); c++)
          index[size_t(i) * k + c] = found[c].second, product[size_t(i) * k + c] = -found[c].first;
        for (int p = ptr[i]; p < ptr[i + 1]; p++) x[col[p]] = 0;
      }
  });
  return again;
}

static bool readRows(const char *name) {
  FILE *f = fopen(name, "rb");
  int64_t size[3];
  if (!f || fread(size, 8, 3, f) != 3) return false;
  n = int(size[0]), m = int(size[1]);
  const size_t entries = size_t(size[2]);
  ptr.resize(n + 1), col.resize(entries), val.resize(entries);
  const bool whole = fread(ptr.data(), 4, n + 1, f) == size_t(n + 1) && fread(col.data(), 4, entries, f) == entries &&
                     fread(val.data(), 8, entries, f) == entries;
  fclose(f);
  return whole;
}

static double processor() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc < 5 || !readRows(argv[1])) return fprintf(stderr, "tiles ROWS.bin K THREADS NEIGHBOURS.bin [LANES] [CHUNK] [SHARE]\n"), 2;
  k = atoi(argv[2]), threads = std::max(1, atoi(argv[3])), kept = k + SLACK;
  const int lanes = argc > 5 ? atoi(argv[5]) : 64, chunk = argc > 6 ? atoi(argv[6]) : 1024;
  const auto start = std::chrono::steady_clock::now();
  const double busy = processor();
  prepare(argc > 7 ? atof(argv[7]) : 0.01);
  score.assign(size_t(n) * kept, -1.f), with.assign(size_t(n) * kept, -1), bound.assign(n, 0.f);
  lock.reset(new std::atomic_flag[n]());
  lanes == 64 ? searchAll<64>(chunk) : searchAll<128>(chunk);
  vector<int> index(size_t(n) * k, -1);
  vector<double> product(size_t(n) * k);
  const int again = rerank(index, product);
  rusage use;
  getrusage(RUSAGE_SELF, &use);
  printf("%.6f %.6f %.0f %d\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), processor() - busy,
         use.ru_maxrss / 1024., again);
  FILE *f = fopen(argv[4], "wb");
  const bool whole = f && fwrite(index.data(), 4, index.size(), f) == index.size() && fwrite(product.data(), 8, product.size(), f) == product.size();
  return f && fclose(f) == 0 && whole ? 0 : 1;
}
