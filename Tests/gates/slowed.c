// A program whose slowdown is known: `slowed ROUNDS` does ROUNDS equal rounds of work.
//
// A round puts 64 words into a hash table, looks words up and frees the table: it allocates, misses caches and branches,
// as programs do, rather than spin.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { words = 64, buckets = 4096, memory = 1 << 21 };

struct entry {
    struct entry *next;
    char word[16];
};

static uint64_t state = 42;

static uint64_t next(void) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return state >> 33;
}

static uint64_t hash(const char *word) {
    uint64_t value = 5381;
    while (*word) value = value * 33 + (unsigned char)*word++;
    return value;
}

int main(int count, char **arguments) {
    long rounds = count == 2 ? strtol(arguments[1], NULL, 10) : 0;
    if (rounds <= 0) {
        fprintf(stderr, "usage: slowed ROUNDS\n");
        return 2;
    }
    static struct entry *table[buckets];
    uint8_t *bytes = calloc(memory, 1);
    if (!bytes) return 1;
    uint64_t found = 0;
    for (long round = 0; round < rounds; round++) {
        struct entry *made[words];
        for (int i = 0; i < words; i++) {
            struct entry *entry = malloc(sizeof *entry + next() % 64);
            if (!entry) return 1;
            snprintf(entry->word, sizeof entry->word, "w%llu", (unsigned long long)(next() % 100000));
            uint64_t place = hash(entry->word) % buckets;
            entry->next = table[place];
            table[place] = made[i] = entry;
            bytes[next() % memory]++;
        }
        for (int i = 0; i < words; i++) {
            for (struct entry *entry = table[hash(made[i]->word) % buckets]; entry; entry = entry->next)
                found += strcmp(entry->word, made[i]->word) == 0;
        }
        memset(table, 0, sizeof table);
        for (int i = 0; i < words; i++) free(made[i]);
    }
    printf("%llu %u\n", (unsigned long long)found, bytes[rounds % memory]);
    free(bytes);
    return 0;
}
