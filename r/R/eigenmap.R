# What the library reads: options as JSON, rows by the compressed form of their transpose.

json <- function(options) {
  options <- options[!vapply(options, is.null, TRUE)]
  if (length(options) == 0) return("{}")
  if (is.null(names(options)) || any(names(options) == "")) stop("options need names, such as neighbors = 10")
  one <- function(v) {
    if (is.logical(v)) tolower(as.character(v))
    else if (is.numeric(v)) format(v, digits = 17, scientific = FALSE, trim = TRUE)
    else paste0("\"", gsub("([\"\\\\])", "\\\\\\1", as.character(v)), "\"")
  }
  values <- vapply(options, function(v) {
    items <- vapply(v, one, "")
    if (length(v) == 1) items else paste0("[", paste(items, collapse = ", "), "]")
  }, "")
  paste0("{", paste0("\"", gsub("_", "-", names(options)), "\": ", values, collapse = ", "), "}")
}

# A matrix as the C code takes it: texts, numbers, or list(dim, p, i, x) of sparse rows.
rows_of <- function(x) {
  if (is.character(x)) return(enc2utf8(x))
  if (is(x, "Matrix")) {
    rows <- t(as(as(as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix"))
    return(list(rev(rows@Dim), rows@p, rows@i, rows@x))
  }
  x <- as.matrix(x)
  if (!is.numeric(x)) stop("x must be a matrix of numbers, a sparse Matrix or a vector of texts")
  storage.mode(x) <- "double"
  x
}

# A sparse matrix of the rows that the C code gives.
matrix_of <- function(rows) {
  t(new("dgCMatrix", Dim = rev(rows[[1]]), p = rows[[2]], i = rows[[3]], x = rows[[4]]))
}

warn <- function() {
  said <- .Call(C_warnings)
  for (text in regmatches(said, gregexpr("\"text\":\"([^\"\\\\]|\\\\.)*\"", said))[[1]])
    warning(gsub("\\\\(.)", "\\1", substr(text, 9, nchar(text) - 1)), call. = FALSE)
}

pairs_of <- function(links, name, n) {
  if (is.null(links)) return(matrix(0L, 0, 2))
  links <- matrix(as.integer(as.matrix(links)), ncol = 2)
  if (anyNA(links) || any(links < 1 | links > n)) stop(name, " is a matrix of two columns of row numbers, from 1 to ", n)
  links - 1L
}

eigenmap <- function(x, method = NULL, clusters = NULL, dims = NULL, labels = NULL, must_link = NULL, cannot_link = NULL,
                     precomputed = FALSE, seed = 0, threads = NULL, text = list(), ...) {
  embeds <- is.null(clusters) && is.null(labels) && is.null(must_link) && is.null(cannot_link)
  rows <- rows_of(x)
  n <- if (is.character(rows)) length(rows) else if (is.list(rows)) rows[[1]][1] else nrow(rows)
  classes <- NULL
  known <- NULL
  if (!is.null(labels)) {
    labels <- as.factor(labels)
    classes <- levels(labels)
    known <- as.integer(labels) - 1L
    known[is.na(known)] <- -1L
    if (length(known) != n) stop("x has ", n, " rows and labels has ", length(known))
  }
  must <- pairs_of(must_link, "must_link", n)
  cannot <- pairs_of(cannot_link, "cannot_link", n)
  links <- rbind(must, cannot)
  kinds <- rep(0:1, c(nrow(must), nrow(cannot)))
  options <- list(method = method, clusters = clusters, dims = dims, seed = seed, threads = threads, ...)
  model <- .Call(C_fit, rows, precomputed, if (embeds) 1L else 0L, list(json(options), json(text)), known,
                 links[, 1], links[, 2], as.integer(kinds))
  warn()
  described(model, classes, TRUE)
}

described <- function(model, classes, fitted) {
  d <- .Call(C_describe, model, fitted)
  if (!is.null(classes)) classes <- classes[ifelse(d[[7]] < 0L, NA, d[[7]] + 1L)]
  structure(list(labels = if (!is.null(d[[1]])) d[[1]] + 1L, embedding = d[[2]], posterior = d[[3]], values = d[[4]],
                 classes = classes, columns = d[[6]], summary = d[[5]], model = model), class = "eigenmap")
}

print.eigenmap <- function(x, ...) {
  method <- sub(".*\"method\":\"([^\"]*)\".*", "\\1", x$summary)
  cat("eigenmap:", method)
  if (!is.null(x$labels)) cat(";", max(x$labels), "clusters of", paste(tabulate(x$labels), collapse = ", "))
  if (!is.null(x$embedding)) cat(";", nrow(x$embedding), "rows in", ncol(x$embedding), "dimensions")
  cat("\n")
  invisible(x)
}

predict.eigenmap <- function(object, newdata, type = c("cluster", "embedding", "posterior"), threads = NULL, ...) {
  what <- match(match.arg(type), c("cluster", "embedding", "posterior")) - 1L
  found <- .Call(C_place, object$model, rows_of(newdata), what, json(list(threads = threads)))
  warn()
  if (what == 0L) found + 1L else found
}

save_model <- function(object, file) invisible(.Call(C_save, object$model, file))

load_model <- function(file) described(.Call(C_load, file), NULL, FALSE)

neighbors_graph <- function(x, k = 15, method = "auto", seed = 0, threads = NULL) {
  matrix_of(ordered(.Call(C_graph, rows_of(x), as.integer(k), json(list(neighbors_method = method, seed = seed, threads = threads)))))
}

# The neighbours of a row come by distance, and the columns of a sparse matrix ascend.
ordered <- function(rows) {
  by <- order(rep(seq_len(rows[[1]][1]), diff(rows[[2]])), rows[[3]])
  list(rows[[1]], rows[[2]], rows[[3]][by], rows[[4]][by])
}

affinity_graph <- function(x, neighbors = NULL, seed = 0, threads = NULL, ...) {
  matrix_of(.Call(C_graph, rows_of(x), 0L, json(list(neighbors = neighbors, seed = seed, threads = threads, ...))))
}

eigs <- function(A, k = 6, n = nrow(A), mass = NULL, which = c("smallest", "largest"), vectors = TRUE, ...) {
  a <- A
  if (!is.function(A)) {
    if (nrow(A) != ncol(A)) stop("A is ", nrow(A), " by ", ncol(A), ": it must be square")
    a <- rows_of(if (is(A, "Matrix")) A else as(as.matrix(A), "CsparseMatrix"))
  }
  if (!is.null(mass) && length(mass) != n) stop("mass has ", length(mass), " numbers: give ", n)
  found <- .Call(C_symmetric, a, as.integer(n), as.integer(k), match.arg(which) == "largest",
                 if (!is.null(mass)) as.double(mass), json(list(...)))
  list(values = found[[1]], vectors = if (vectors) found[[2]])
}

eigenmap_version <- function() .Call(C_version)
