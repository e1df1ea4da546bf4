# What the library reads: options as JSON, rows by the compressed form of their transpose.

json <- function(options) {
  options <- options[!vapply(options, is.null, TRUE)]
  if (length(options) == 0) return("{}")
  if (is.null(names(options)) || any(names(options) == "")) stop("options need names, such as neighbors = 10")
  one <- function(v) {
    if (is.logical(v)) tolower(as.character(v))
    else if (is.numeric(v)) format(v, digits = 17, scientific = FALSE, trim = TRUE)
    else quoted(v)
  }
  values <- vapply(options, function(v) {
    items <- vapply(v, one, "")
    if (length(v) == 1) items else paste0("[", paste(items, collapse = ", "), "]")
  }, "")
  paste0("{", paste0("\"", gsub("_", "-", names(options)), "\": ", values, collapse = ", "), "}")
}

# Texts as JSON.
quoted <- function(v) {
  v <- gsub("([\"\\\\])", "\\\\\\1", enc2utf8(as.character(v)))
  paste0("\"", gsub("[[:cntrl:]]", " ", gsub("\t", "\\\\t", gsub("\n", "\\\\n", v))), "\"")
}

# Columns beside the documents as JSON: null is missing.
json_of_columns <- function(columns) {
  if (is.null(columns)) return(NULL)
  one <- function(name) {
    v <- columns[[name]]
    missing <- is.na(v)
    values <- if (is.factor(v)) quoted(as.character(v))
      else if (is.logical(v)) tolower(as.character(v))
      else if (is.numeric(v)) vapply(v, format, "", digits = 17, scientific = FALSE, trim = TRUE)
      else quoted(format(v))
    if (is.character(v)) values <- quoted(v)
    values[missing] <- "null"
    kind <- if (is.factor(v)) ", \"kind\": \"category\"" else ""
    paste0("{\"name\": ", quoted(name), kind, ", \"values\": [", paste(values, collapse = ", "), "]}")
  }
  paste0("[", paste(vapply(names(columns), one, ""), collapse = ", "), "]")
}

# JSON as lists: objects have names, arrays of single values are vectors, null is NA in these.
parse_json <- function(text) {
  token <- "\"([^\"\\\\]|\\\\.)*\"|[][{}:,]|[^][{}:,[:space:]\"]+"
  tokens <- regmatches(text, gregexpr(token, text, perl = TRUE))[[1]]
  at <- 0L
  word <- function(t) {
    t <- substr(t, 2L, nchar(t) - 1L)
    if (!grepl("\\", t, fixed = TRUE)) return(t)
    for (u in unique(regmatches(t, gregexpr("\\\\u[0-9a-fA-F]{4}", t))[[1]]))
      t <- gsub(u, intToUtf8(strtoi(substr(u, 3L, 6L), 16L)), t, fixed = TRUE)
    gsub("\\\\(.)", "\\1", gsub("\\t", "\t", gsub("\\n", "\n", t, fixed = TRUE), fixed = TRUE))
  }
  value <- function() {
    at <<- at + 1L
    t <- tokens[at]
    first <- substr(t, 1L, 1L)
    if (first == "\"") return(word(t))
    if (first == "[" || first == "{") {
      items <- list()
      names <- character()
      close <- if (first == "[") "]" else "}"
      repeat {
        if (tokens[at + 1L] == close) { at <<- at + 1L; break }
        if (tokens[at + 1L] == ",") at <<- at + 1L
        if (first == "{") {
          names[length(names) + 1L] <- word(tokens[at + 1L])
          at <<- at + 2L
        }
        items[length(items) + 1L] <- list(value())
      }
      if (first == "{") return(structure(items, names = names))
      single <- vapply(items, function(v) length(v) == 1L && !is.list(v) || is.null(v), TRUE)
      if (!all(single)) return(items)
      return(unlist(lapply(items, function(v) if (is.null(v)) NA else v)))
    }
    switch(t, true = TRUE, false = FALSE, null = NULL, as.numeric(t))
  }
  value()
}

# A matrix as the C code takes it: texts, numbers, or list(dim, p, i, x) of sparse rows.
rows_of <- function(x) {
  if (is.null(x)) return(NULL)
  if (inherits(x, "eigenmap_corpus")) return(x$pointer)
  if (is.character(x)) return(enc2utf8(x))
  if (inherits(x, "dist"))
    stop("x is of distances: give the rows that they are between, or affinities, large for rows that are alike, with precomputed = TRUE, ",
         "such as exp(-as.matrix(x)^2 / median(x)^2)")
  if (is(x, "Matrix")) {
    rows <- t(as(as(as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix"))
    return(list(rev(rows@Dim), rows@p, rows@i, rows@x))
  }
  if (is.data.frame(x)) {
    words <- names(x)[!vapply(x, function(v) is.numeric(v) || is.logical(v), TRUE)]
    if (length(words) > 0)
      stop("columns of x hold no numbers: ", paste(words, collapse = ", "), "; leave them out, compare by them as columns = x[names], ",
           "or give the texts of one alone, as in x$", words[1])
    if (.row_names_info(x) < 0) rownames(x) <- NULL
  }
  x <- as.matrix(x)
  if (is.logical(x)) x <- x + 0
  if (!is.numeric(x)) stop("x must be a matrix of numbers, a sparse Matrix or a vector of texts")
  storage.mode(x) <- "double"
  x
}

# The names of rows; NULL without any, and of texts and of a corpus, which has ids.
names_of <- function(x) {
  if (is.data.frame(x) && .row_names_info(x) < 0) NULL
  else if (length(dim(x)) == 2 && !inherits(x, "eigenmap_corpus")) rownames(x)
}

# What is found of rows, by their names.
named <- function(found, names) {
  if (is.null(found) || is.null(names)) return(found)
  if (length(dim(found)) == 2) rownames(found) <- names else names(found) <- names
  found
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
                     precomputed = FALSE, seed = 0, threads = NULL, text = list(), vectors = NULL, columns = NULL, views = NULL, ...) {
  embeds <- is.null(clusters) && is.null(labels) && is.null(must_link) && is.null(cannot_link)
  if (embeds && is.null(dims) && is.null(method)) stop("give clusters, a number or \"auto\", or dims for coordinates alone")
  if (is.character(x)) x <- do.call(text_corpus, c(list(x), text))
  rows <- rows_of(x)
  n <- if (inherits(x, "eigenmap_corpus")) x$documents else if (is.list(rows)) rows[[1]][1] else nrow(rows)
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
  names <- if (!precomputed && !inherits(x, "eigenmap_corpus")) colnames(x)
  options <- list(method = method, clusters = clusters, dims = dims, seed = seed, threads = threads, views = views, column_names = names, ...)
  model <- .Call(C_fit, rows, precomputed, if (embeds) 1L else 0L, json(options), known, links[, 1], links[, 2], as.integer(kinds),
                 rows_of(vectors), json_of_columns(columns))
  warn()
  fit <- described(model, classes, TRUE)
  if (isTRUE(options$map)) fit$map <- .Call(C_map, model)
  for (what in intersect(c("labels", "embedding", "posterior", "map"), names(fit))) fit[what] <- list(named(fit[[what]], names_of(x)))
  fit
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

plot.eigenmap <- function(x, dims = NULL, col = x$labels, ...) {
  at <- x$embedding
  if (is.null(at)) stop("the fit has no coordinates: give a method that embeds, such as le, or dims")
  if (is.null(dims)) {
    spread <- apply(at, 2, function(v) diff(range(v)))
    dims <- which(spread >= 1e-9 * max(spread))
    dims <- dims[seq_len(min(2, length(dims)))]
  }
  if (length(dims) == 1) plot(at[, dims], col = col, xlab = "row", ylab = paste("coordinate", dims), ...)
  else plot(at[, dims[1]], at[, dims[2]], col = col, xlab = paste("coordinate", dims[1]), ylab = paste("coordinate", dims[2]), ...)
  invisible(x)
}

# A vector of numbers as one row, such as x[1, ] of the n columns of a fit.
one_row <- function(x, n = length(x)) {
  if (!is.numeric(x) || length(dim(x)) > 0 || n == 1 && length(x) != 1) return(x)
  if (length(x) != n) stop("a vector of ", length(x), " numbers is no row of the ", n, " columns of the fit: give rows as a matrix, as in x[i, , drop = FALSE]")
  matrix(x, 1, dimnames = list(NULL, names(x)))
}

# New documents: without x the vectors are the rows.
new_of <- function(object, x, vectors, columns) {
  x <- one_row(x, object$columns)
  vectors <- one_row(vectors)
  if (is.null(x)) {
    if (is.null(vectors)) stop("there is nothing to place: give newdata, or vectors of a model that compares documents by vectors")
    x <- vectors
    vectors <- NULL
  }
  list(rows_of(x), rows_of(vectors), json_of_columns(columns), names_of(x))
}

predict.eigenmap <- function(object, newdata = NULL, type = c("cluster", "embedding", "posterior", "class"), threads = NULL,
                             vectors = NULL, columns = NULL, ...) {
  type <- match.arg(type)
  if (type == "class" && is.null(object$classes)) stop("the clusters have no names of classes: fit with labels, and keep these with a model that is saved")
  what <- match(if (type == "class") "cluster" else type, c("cluster", "embedding", "posterior")) - 1L
  new <- new_of(object, newdata, vectors, columns)
  found <- .Call(C_place, object$model, new[[1]], what, json(list(threads = threads)), new[[2]], new[[3]])
  warn()
  if (what == 0L) found <- found + 1L
  if (type == "class") found <- factor(object$classes[found], unique(object$classes[!is.na(object$classes)]))
  named(found, new[[4]])
}

update.eigenmap <- function(object, newdata = NULL, threads = NULL, vectors = NULL, columns = NULL, ...) {
  new <- new_of(object, newdata, vectors, columns)
  found <- .Call(C_update, object$model, new[[1]], json(list(threads = threads)), new[[2]], new[[3]])
  warn()
  object$model <- found[[1]]
  object$labels <- if (!is.null(found[[2]])) named(found[[2]] + 1L, new[[4]])
  object$embedding <- named(found[[3]], new[[4]])
  object$posterior <- NULL
  object$update <- parse_json(found[[4]])
  object
}

summary.eigenmap <- function(object, ...) parse_json(object$summary)

confidence <- function(object) {
  found <- .Call(C_confidence, object$model)
  warn()
  named(found, if (is.null(object$labels)) rownames(object$embedding) else names(object$labels))
}

affinity <- function(object) matrix_of(.Call(C_affinity, object$model))

save_model <- function(object, file) invisible(.Call(C_save, object$model, file))

load_model <- function(file) described(if (is.raw(file)) .Call(C_decode, file) else .Call(C_load, file), NULL, FALSE)

model_bytes <- function(object) .Call(C_encode, object$model)

# A corpus with what is known of its documents.
corpus_of <- function(pointer) {
  d <- parse_json(.Call(C_corpus_describe, pointer))
  labels <- if (!is.null(d$labels)) factor(ifelse(d$labels < 0, NA, d$classes[d$labels + 1L]), d$classes)
  structure(list(pointer = pointer, documents = d$documents, columns = d$columns, terms = d$terms, ids = d$ids, labels = labels,
                 format = d$format, notes = d$notes), class = "eigenmap_corpus")
}

read_corpus <- function(file, ...) corpus_of(.Call(C_corpus, file, TRUE, json(list(...))))

text_corpus <- function(texts, ...) {
  texts[is.na(texts)] <- ""
  corpus_of(.Call(C_corpus, enc2utf8(as.character(texts)), FALSE, json(list(...))))
}

corpus_rows <- function(corpus, weighting = "tf", normalize = "none") {
  rows <- matrix_of(.Call(C_corpus_rows, corpus$pointer, json(list(weighting = weighting, normalize = normalize))))
  dimnames(rows) <- list(corpus$ids, corpus$terms)
  rows
}

`[.eigenmap_corpus` <- function(x, i) {
  rows <- seq_len(x$documents)[i]
  if (length(rows) == 0 || anyNA(rows)) stop("a part of a corpus has one document at least, of the rows 1 to ", x$documents)
  corpus_of(.Call(C_corpus_select, x$pointer, rows - 1L))
}

length.eigenmap_corpus <- function(x) as.integer(x$documents)

dim.eigenmap_corpus <- function(x) c(x$documents, x$columns)

print.eigenmap_corpus <- function(x, ...) {
  cat("eigenmap corpus:", x$documents, "documents,", x$columns, "columns\n")
  invisible(x)
}

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
  if (!is.numeric(k) || length(k) != 1 || is.na(k) || k != round(k)) stop("k is ", toString(k), ": give a whole number")
  if (!is.function(A)) {
    if (nrow(A) != ncol(A)) stop("A is ", nrow(A), " by ", ncol(A), ": it must be square")
    a <- rows_of(if (is(A, "Matrix")) A else as(as.matrix(A), "CsparseMatrix"))
  }
  if (!is.null(mass) && length(mass) != n) stop("mass has ", length(mass), " numbers: give ", n)
  found <- .Call(C_symmetric, a, as.integer(n), as.integer(k), match.arg(which) == "largest",
                 if (!is.null(mass)) as.double(mass), json(list(...)))
  list(values = found[[1]], vectors = if (vectors) named(found[[2]], if (!is.function(A)) rownames(A)))
}

eigenmap_version <- function() .Call(C_version)
