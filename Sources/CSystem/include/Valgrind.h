#pragma once

/// Requests to valgrind, under which the process may run: a sequence of instructions that no compiler emits and that
/// does nothing, but that valgrind recognizes. Its manual describes the mechanism, and its releases keep the numbers,
/// so that no header of valgrind is needed. Without valgrind, a request takes a few nanoseconds.

/// Whether valgrind runs the process.
int csystem_is_under_valgrind(void);

/// Has callgrind count the instructions of all threads from now on.
void csystem_callgrind_start(void);

/// Has callgrind stop counting, and write what it counted to a new file, in which `name` stands.
void csystem_callgrind_stop(const char *name);
