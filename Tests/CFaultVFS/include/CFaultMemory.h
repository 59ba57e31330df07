#ifndef CFAULTMEMORY_H
#define CFAULTMEMORY_H

#include <stdbool.h>

/// Puts memory that can be refused under SQLite, in a process that has not used it yet. Returns SQLite's result code.
int fault_memory_install(void);

/// From now on the allocation at `moment`, counted from 1, is refused; if it `lasts`, all later ones too.
void fault_memory_arm(long moment, bool lasts);

/// No memory is refused from now on.
void fault_memory_lift(void);

/// Whether memory was refused since it was armed.
bool fault_memory_was_reached(void);
#endif
