#pragma once

/// What Glibc's Swift module leaves out, and one entry point of the Swift runtime.

#if defined(__linux__)
#include <malloc.h>
#endif

#include <stddef.h>

/// Finds `needle` in `haystack`; a GNU extension that Glibc's module hides, and that macOS has too.
void *memmem(const void *haystack, size_t haystack_size, const void *needle, size_t needle_size);

/// Retains `object` unless its deinitialisation has begun; returns NULL then.
/// Exported by the Swift runtime, and what its own weak references are made of.
void *swift_tryRetain(void *object);
