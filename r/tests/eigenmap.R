library(eigenmap)
library(Matrix)
near <- function(a, b, by = 1e-9) stopifnot(length(a) == length(b), max(abs(a - b)) < by)
fails <- function(expr, text) {
  said <- tryCatch({ expr; "nothing" }, error = conditionMessage)
  if (!grepl(text, said, fixed = TRUE)) stop("it says ", said, ", not ", text)
}

# The path between two fixed ends: 2 - 2 cos(j pi / (n + 1)); with a mass the same by M^1/2 A M^1/2.
n <- 300
A <- bandSparse(n, k = c(-1, 0, 1), diagonals = list(rep(-1, n - 1), rep(2, n), rep(-1, n - 1)))
exact <- 2 - 2 * cos(1:n * pi / (n + 1))
root <- sqrt(1 + abs(sin(1:n)))
heavy <- Diagonal(x = root) %*% A %*% Diagonal(x = root)
for (a in list(A, as.matrix(A), function(x) as.vector(A %*% x), as(A, "symmetricMatrix"))) {
  e <- eigs(a, 4, n = n)
  near(e$values, exact[1:4])
  near(crossprod(e$vectors), diag(4), 1e-8)
  near(eigs(a, 4, n = n, which = "largest", vectors = FALSE)$values, exact[n - 3:0])
}
for (a in list(heavy, function(x) as.vector(heavy %*% x))) {
  e <- eigs(a, 4, n = n, mass = root^2, solver = "lanczos")
  near(e$values, exact[1:4])
  near(crossprod(e$vectors, root^2 * e$vectors), diag(4), 1e-8)
}
near(eigs(A, 3, solver = "shift-invert", verify = TRUE)$values, exact[1:3])
fails(eigs(matrix(1:4 + 0, 2), 1), "not symmetric")
fails(eigs(function(x) stop("mine"), 2, n = 9), "the function of the products")
fails(eigs(A, n + 1), "between 1 and n")
fails(eigs(A, 2, tolerance = 1), "tolerance")

# A ring: both neighbours, and 1 - cos(2 pi j / n).
angle <- 2 * pi * 1:60 / 60
ring <- cbind(cos(angle), sin(angle))
g <- neighbors_graph(ring, 2)
near(g@x, rep(2 * sin(pi / 60), 120), 1e-7)
w <- affinity_graph(ring, 2, edge_weight = "binary")
stopifnot(isSymmetric(w), sum(w) == 120, identical(which(as.matrix(g) > 0), which(as.matrix(w) > 0)))
near(eigenmap(w, "le", dims = 2, precomputed = TRUE)$values, rep(1 - cos(2 * pi / 60), 2))

# Clusters, the same of dense and sparse rows, of a model's file, and of labels.
set.seed(1)
truth <- rep(1:3, 20)
x <- matrix(rnorm(180, 5 * truth, 0.2), 60)
fit <- eigenmap(x, "kmeans", clusters = 3)
stopifnot(nrow(unique(cbind(fit$labels, truth))) == 3, identical(predict(fit, x), fit$labels))
stopifnot(identical(eigenmap(Matrix(x, sparse = TRUE), "kmeans", clusters = 3, normalize = "none")$labels, fit$labels))
print(fit)
file <- tempfile(fileext = ".npz")
save_model(fit, file)
stopifnot(identical(predict(load_model(file), x), fit$labels))
p <- eigenmap(x, "pca", dims = 2)
near(abs(cor(p$embedding[, 1], prcomp(x)$x[, 1])), 1)
near(predict(p, x, "embedding"), p$embedding)
some <- c("a", "b", "c")[truth]
some[10:60] <- NA
l <- eigenmap(x, "label-propagation", labels = some)
stopifnot(identical(l$classes[l$labels], c("a", "b", "c")[truth]))
near(rowSums(l$posterior), rep(1, 60))
linked <- eigenmap(x, "cle", clusters = 3, must_link = cbind(1:3, 4:6))$labels
stopifnot(identical(linked[1:3], linked[4:6]))

# Texts, new ones among them.
texts <- rep(c("a ship at sea", "the compiler of a program"), 10)
t <- eigenmap(texts, "kmeans", clusters = 2, text = list(language = "english"))
stopifnot(length(unique(t$labels)) == 2, identical(predict(t, c("ships on the sea", "programs")), t$labels[1:2]))

# Errors say what is wrong; warnings are R's; a model of another session is refused.
fails(eigenmap(x, "lee", clusters = 3), "lee")
fails(eigenmap(x, clusters = 99), "99")
fails(eigenmap(x, "le", clusters = 3, labels = 1:9), "60 rows")
fails(eigenmap(x, "le", dims = 2, max_memory = 100), "max-memory")
fails(eigenmap(x, "cle", clusters = 3, must_link = cbind(1, 61)), "from 1 to 60")
fails(predict(unserialize(serialize(fit, NULL)), x), "save_model")
said <- tryCatch(eigenmap(diag(3)[rep(1:3, 10), ], "kmeans", clusters = 5), warning = conditionMessage)
stopifnot(grepl("Empty clusters", said))
