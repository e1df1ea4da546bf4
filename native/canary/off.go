//go:build !canary

package canary

// On says whether the program was built with the tag canary: package native then calls libraries
// between canaries.
const On = false
