# Writes haven.sas7bdat with haven 2.5.1: Rscript make.R
suppressWarnings(haven::write_sas(data.frame(
  id = paste0("p", 0:7),
  answer = c("the bus was late again", "la maîtresse est à l'école", "", "many nurses were at work", "a green house", "b  b", "c", "the train"),
  region = c("North", "South")[c(1, 2, 1, 2, 2, 1, 2, 1)],
  age = c(20, 31, NA, 45, 60, 71.5, 19, -2)
), "haven.sas7bdat"))
