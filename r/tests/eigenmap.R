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
fails(eigs(A, 1.5), "whole number")
fails(eigs(A, 1:2), "whole number")
one <- eigs(A, 1) # a single pair is a number and a matrix of one column
stopifnot(length(one$values) == 1, identical(dim(one$vectors), c(as.integer(n), 1L)), is.null(rownames(one$vectors)))
named_rows <- matrix(as.matrix(A), n, dimnames = list(paste0("r", 1:n), NULL))
stopifnot(identical(rownames(eigs(named_rows, 2)$vectors), rownames(named_rows)))
fails(eigs(A, 2, tolerance = 1), "tolerance")

# A ring: both neighbours, and 1 - cos(2 pi j / n).
angle <- 2 * pi * 1:60 / 60
ring <- cbind(cos(angle), sin(angle))
g <- neighbors_graph(ring, 2)
near(g@x, rep(2 * sin(pi / 60), 120), 1e-7)
w <- affinity_graph(ring, 2, edge_weight = "binary")
stopifnot(isSymmetric(w), sum(w) == 120, identical(which(as.matrix(g) > 0), which(as.matrix(w) > 0)))
near(eigenmap(w, "le", dims = 2, precomputed = TRUE)$values, rep(1 - cos(2 * pi / 60), 2))

# A map of the rows in the plane, with their names, if it is asked for.
rows <- rbind(matrix(1:60 %% 7, 20), matrix(40 + 1:60 %% 5, 20), matrix(90 + 1:60 %% 11, 20))
rownames(rows) <- paste0("row", 1:60)
fit <- eigenmap(rows, "diffusion", clusters = 3, map = TRUE)
stopifnot(identical(dim(fit$map), c(60L, 2L)), identical(rownames(fit$map), rownames(rows)), all(is.finite(fit$map)))
stopifnot(is.null(eigenmap(rows, "diffusion", clusters = 3)$map))

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

# One row is a vector; names of rows stay; data frames; classes as a factor; a picture.
rownames(x) <- paste0("r", 1:60)
fit <- eigenmap(x, "diffusion", clusters = 3)
stopifnot(identical(names(fit$labels), rownames(x)), identical(rownames(fit$embedding), rownames(x)), identical(names(confidence(fit)), rownames(x)))
stopifnot(identical(predict(fit, x[7, ]), unname(fit$labels[7])), identical(predict(fit, x[7:8, ]), fit$labels[7:8]))
stopifnot(identical(predict(fit, Matrix(x, sparse = TRUE)[7, ]), unname(fit$labels[7])), identical(rownames(predict(fit, x[7:8, ], "embedding")), c("r7", "r8")))
fails(predict(fit, x[7, 1:2]), "drop = FALSE")
line <- eigenmap(x[, 1], "kmeans", clusters = 3)
stopifnot(identical(predict(line, x[1:5, 1]), line$labels[1:5]), identical(predict(line, x[1, 1]), line$labels[1]))
frame <- data.frame(x, kind = factor(truth), on = truth == 1)
stopifnot(identical(eigenmap(frame[1:3], "diffusion", clusters = 3)$labels, fit$labels), is.null(names(eigenmap(data.frame(unname(x), row.names = NULL), "kmeans", clusters = 3)$labels)))
stopifnot(length(eigenmap(frame[c(1, 5)], "kmeans", clusters = 2)$labels) == 60)
fails(eigenmap(frame, "kmeans", clusters = 3), "columns of x hold no numbers: kind;")
known <- factor(some, c("c", "b", "a"))
l <- eigenmap(x, "label-propagation", labels = known)
stopifnot(identical(as.character(predict(l, x[1:6, ], "class")), c("a", "b", "c")[truth[1:6]]), levels(predict(l, x[1:6, ], "class")) == c("c", "b", "a"))
fails(predict(fit, x, "class"), "no names of classes")
pdf(NULL)
plot(fit)
plot(fit, dims = 1, col = "grey", main = "one")
fails(plot(eigenmap(x, "kmeans", clusters = 3)), "no coordinates")
invisible(dev.off())
rownames(x) <- NULL

# Texts, new ones among them.
texts <- rep(c("a ship at sea", "the compiler of a program"), 10)
t <- eigenmap(texts, "kmeans", clusters = 2, text = list(language = "english"))
stopifnot(length(unique(t$labels)) == 2, identical(predict(t, c("ships on the sea", "programs")), t$labels[1:2]))

# What is known of a fit: confidences, the graph, the summary as lists; a model as bytes.
rownames(x) <- NULL
colnames(x) <- c("width", "height", "depth")
f <- eigenmap(x, "le", clusters = 3, neighbors = 10)
stopifnot(length(confidence(f)) == 60, confidence(f) > 0, confidence(f) <= 1)
a <- affinity(f)
stopifnot(isSymmetric(a), dim(a) == c(60, 60), all(a@x > 0))
s <- summary(f)
stopifnot(s$method == "le", s$documents == 60, sum(s$cluster_sizes) == 60, is.list(s$cluster_terms))
stopifnot(all(grepl("^(width|height|depth) ", unlist(lapply(s$cluster_terms, `[[`, "terms")))))
stopifnot(identical(predict(load_model(model_bytes(f)), x), f$labels))
fails(confidence(load_model(model_bytes(f))), "confidence")
stopifnot(identical(eigenmap:::parse_json("{\"a\": [1, null, 2.5], \"b\": [], \"c\": {\"d\": \"x\\\"\\u003c\\n\", \"e\": null}, \"f\": [[1], {\"g\": true}]}"),
                    list(a = c(1, NA, 2.5), b = NULL, c = list(d = "x\"<\n", e = NULL), f = list(1, list(g = TRUE)))))

# A model grows by new rows.
grown <- update(f, x[c(1, 2, 3), ] + 0.01)
stopifnot(identical(grown$labels, f$labels[1:3]), nrow(grown$embedding) == 3, is.list(grown$update))

# Corpora: of a file and of texts; rows, parts; with vectors and columns beside them.
words <- list(c("ship", "sea", "sail", "wave"), c("code", "bug", "loop", "type"))
docs <- vapply(1:40, function(i) paste(words[[1 + i %% 2]][1 + (i + 0:2 * 3) %% 4], collapse = " "), "")
csv <- tempfile(fileext = ".csv")
write.csv(data.frame(id = paste0("d", 1:40), text = docs, label = c("code", "sea")[1 + 1:40 %% 2]), csv, row.names = FALSE)
co <- read_corpus(csv, language = "none")
stopifnot(co$documents == 40, setequal(co$terms, unlist(words)), identical(co$ids, paste0("d", 1:40)), levels(co$labels) == c("code", "sea"))
counts <- corpus_rows(co)
stopifnot(identical(dim(counts), c(40L, 8L)), sum(counts[1, ]) == 3, identical(rownames(counts), co$ids), dim(co) == c(40, 8))
part <- co[c(5, 1)]
stopifnot(length(part) == 2, identical(as.matrix(corpus_rows(part)), as.matrix(counts[c(5, 1), ])), identical(part$ids, c("d5", "d1")))
k <- eigenmap(co, "kmeans", clusters = 2)
stopifnot(identical(k$labels[c(TRUE, FALSE)], rep(k$labels[1], 20)), identical(predict(k, docs[1:4]), k$labels[1:4]))
v <- cbind(1:40 %% 2, 1) + 0.01 * sin(1:80)
both <- eigenmap(co, "diffusion", clusters = 2, vectors = v, views = c("words", "vectors"))
stopifnot(identical(predict(both, vectors = v), both$labels), identical(predict(both, docs, vectors = v), both$labels))
beside <- data.frame(kind = factor(c("b", "a")[1 + 1:40 %% 2]), price = 1:40 %% 2 * 10 + sin(1:40), since = as.Date("2024-01-01") + 1:40)
beside$price[3] <- NA
col <- eigenmap(text_corpus(docs, language = "none"), "kmeans", clusters = 2, columns = beside)
stopifnot(length(unique(paste(col$labels, 1:40 %% 2))) == 2, length(summary(col)$views) > 0)
stopifnot(identical(predict(col, docs[1:2], columns = beside[1:2, ]), col$labels[1:2]))
fails(co[41], "1 to 40")
fails(predict(col), "nothing to place")

# Errors say what is wrong; warnings are R's; a model of another session is refused.
fails(eigenmap(x, "lee", clusters = 3), "lee")
fails(eigenmap(x, clusters = 99), "99")
fails(eigenmap(x), "give clusters")
fails(eigenmap(dist(x), clusters = 3), "x is of distances")
fails(eigenmap(x, "le", clusters = 3, labels = 1:9), "60 rows")
fails(eigenmap(x, "le", dims = 2, max_memory = 100), "max-memory")
fails(eigenmap(x, "cle", clusters = 3, must_link = cbind(1, 61)), "from 1 to 60")
fails(predict(unserialize(serialize(fit, NULL)), x), "save_model")
said <- tryCatch(eigenmap(diag(3)[rep(1:3, 10), ], "kmeans", clusters = 5), warning = conditionMessage)
stopifnot(grepl("Empty clusters", said))
