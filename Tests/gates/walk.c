// A program that lives from its caches: `walk KIB STEPS` follows STEPS pointers through KIB kibibytes in random order.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    uint32_t next;
    char rest[60];
} line;

int main(int count, char **arguments) {
    size_t lines = count == 3 ? strtoul(arguments[1], NULL, 10) * 1024 / sizeof(line) : 0;
    size_t steps = count == 3 ? strtoul(arguments[2], NULL, 10) : 0;
    if (lines == 0 || steps == 0) {
        fprintf(stderr, "usage: walk KIB STEPS\n");
        return 2;
    }
    line *memory = aligned_alloc(4096, (lines * sizeof(line) + 4095) / 4096 * 4096);
    uint32_t *order = malloc(lines * sizeof *order);
    if (!memory || !order) return 1;
    uint64_t state = 42;
    for (size_t i = 0; i < lines; i++) order[i] = i;
    for (size_t i = lines - 1; i > 0; i--) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        size_t other = (state >> 33) % (i + 1);
        uint32_t held = order[i];
        order[i] = order[other];
        order[other] = held;
    }
    for (size_t i = 0; i < lines; i++) memory[order[i]].next = order[(i + 1) % lines];
    uint32_t place = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < steps; i++) {
        place = memory[place].next;
        sum = sum * 31 + place;
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
