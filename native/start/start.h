// The least address space with which the program begins to work: the Go runtime reserves 1.2 GB when
// it begins, the libraries and a buffer of OpenBLAS take 0.2 GB, threads and the heap the rest.
#define LEAST_ADDRESS_SPACE (2000LL << 20)
