#pragma once

/// What Glibc's Swift module leaves out, and one entry point of the Swift runtime.

#if defined(__linux__)
#include <malloc.h>
#endif

/// Retains `object` unless its deinitialisation has begun; returns NULL then.
/// Exported by the Swift runtime, and what its own weak references are made of.
void *swift_tryRetain(void *object);
