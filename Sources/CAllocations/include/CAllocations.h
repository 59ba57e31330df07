#pragma once

#include <stddef.h>
#include <stdint.h>

/// Counts what the process asks of its allocator: calls of `malloc`, `calloc`, `realloc` and those that align.
///
/// On Linux with glibc, these functions are defined here, and hand on to the allocator that the process would have had.
/// Elsewhere, under a sanitizer and in a program without dynamic libraries, nothing is counted.

/// What was asked for since the process began.
struct allocations {
    uint64_t calls;
    /// As they were asked for: a `realloc` counts its new size.
    uint64_t bytes;
};

/// Sums up all threads, those that have ended included. Returns 0, and sets nothing, if nothing counts or if more threads
/// ran at once than there is room for.
int allocations_read(struct allocations *sum);

/// Leaves the calling thread out, until `allocations_resume` gets what this returns.
void *allocations_pause(void);
void allocations_resume(void *paused);
