// Embeds and clusters 10,000 points from C++: codes become exceptions, and a model frees itself.
//
//   make lib
//   c++ -std=c++17 -Ilib examples/cpp/clusters.cpp -Llib -leigenmap -o clusters && LD_LIBRARY_PATH=lib ./clusters
#include <eigenmap.h>

#include <cstdio>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void check(int code) {
  if (code != EIGENMAP_DONE) throw std::runtime_error(eigenmap_last_error());
}

struct FreeModel {
  void operator()(eigenmap_model *m) const { eigenmap_model_free(m); }
};
using Model = std::unique_ptr<eigenmap_model, FreeModel>;

Model fit(const eigenmap_matrix &x, int purpose, const std::string &options) {
  eigenmap_model *m = nullptr;
  check(eigenmap_fit(&x, purpose, options.c_str(), nullptr, &m));
  return Model(m);
}

// Reports go to a counter; a callback must not throw.
int count(void *user, const eigenmap_event *) noexcept {
  ++*static_cast<int *>(user);
  return 0;
}

}  // namespace

int main() try {
  constexpr int64_t rows = 10000, cols = 3, groups = 3;
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, 0.3);
  std::vector<double> points(rows * cols);
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < cols; j++) points[i * cols + j] = 5 * (i % groups == j) + noise(random);

  eigenmap_matrix x{rows, cols, nullptr, nullptr, points.data(), 0, EIGENMAP_ROW_MAJOR};
  int reports = 0;
  eigenmap_set_callbacks(count, nullptr, &reports);
  Model model = fit(x, EIGENMAP_CLUSTER, R"({"method": "gmm", "clusters": 3, "seed": 1})");
  std::vector<int32_t> labels(rows);
  check(eigenmap_model_labels(model.get(), labels.data()));
  int64_t same = 0;
  for (int64_t i = 0; i < rows; i++) same += labels[i] == labels[i % groups];
  std::printf("clustered %lld points: %.4f of them with their group\n", static_cast<long long>(rows), same / double(rows));
  std::printf("the library %s\n", reports > 0 ? "reported progress" : "was silent");

  Model embedding = fit(x, EIGENMAP_EMBED, R"({"method": "pca", "dims": 2})");
  std::vector<double> y(rows * eigenmap_model_count(embedding.get(), EIGENMAP_DIMS));
  check(eigenmap_model_embedding(embedding.get(), EIGENMAP_COLUMN_MAJOR, y.data()));
  std::printf("embedded %lld points in %zu dimensions\n", static_cast<long long>(rows), y.size() / rows);

  try {
    fit(x, EIGENMAP_CLUSTER, R"({"method": "gnm"})");
  } catch (const std::runtime_error &e) {
    std::printf("a wrong method: %.28s\n", e.what());
  }
} catch (const std::exception &e) {
  std::fprintf(stderr, "eigenmap: %s\n", e.what());
  return 1;
}
