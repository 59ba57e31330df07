#include "images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// What a disk writes as a whole.
static const size_t sector = 512;

// MARK: Keeping

static void read_file(image *image) {
    FILE *file = fopen(image->path, "rb");
    if (!file) return;
    fseek(file, 0, SEEK_END);
    image->size = (size_t)ftell(file);
    rewind(file);
    image->bytes = malloc(image->size + 1);
    if (fread(image->bytes, 1, image->size, file) != image->size) abort();
    fclose(file);
    image->is_durable = true;
}

static image *find(image *list, const char *path) {
    while (list && strcmp(list->path, path)) list = list->next;
    return list;
}

image *images_open(image **list, const char *path) {
    image *found = find(*list, path);
    if (!found) {
        found = calloc(1, sizeof(image));
        found->path = strdup(path);
        found->next = *list;
        *list = found;
        read_file(found);
    } else if (found->is_deleted) {
        found->is_deleted = found->is_durable = false;
        found->size = 0;
    }
    return found;
}

static void forget_changes(image *image) {
    while (image->first) {
        change *change = image->first;
        image->first = change->next;
        free(change);
    }
    image->last = NULL;
}

void images_delete(image *list, const char *path, bool is_durable) {
    image *image = find(list, path);
    if (!image) return;
    forget_changes(image);
    image->is_deleted = true;
    if (is_durable) image->is_durable = false;
}

void images_free(image *list) {
    while (list) {
        image *next = list->next;
        forget_changes(list);
        free(list->bytes);
        free(list->path);
        free(list);
        list = next;
    }
}

static void append(image *image, int64_t offset, const void *bytes, size_t size) {
    change *added = malloc(sizeof(change) + size);
    *added = (change){.offset = offset, .size = size, .truncates = !bytes};
    if (bytes) memcpy(added->bytes, bytes, size);
    if (image->last) image->last->next = added;
    else image->first = added;
    image->last = added;
}

void image_write(image *image, int64_t offset, const void *bytes, size_t size) { append(image, offset, bytes, size); }
void image_truncate(image *image, int64_t size) { append(image, size, NULL, 0); }

// MARK: Losing

static void resize(image *image, size_t size) {
    image->bytes = realloc(image->bytes, size + 1);
    if (size > image->size) memset(image->bytes + image->size, 0, size - image->size);
    image->size = size;
}

static void put(image *image, int64_t offset, const unsigned char *bytes, size_t size) {
    if ((size_t)offset + size > image->size) resize(image, (size_t)offset + size);
    memcpy(image->bytes + offset, bytes, size);
}

/// The next bit of a series that the seed begins (xorshift; Marsaglia, 2003); never true for 0.
static bool toss(uint64_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed >> 63;
}

static void apply_some(image *image, const change *change, uint64_t *seed) {
    if (change->truncates) {
        if (toss(seed)) resize(image, (size_t)change->offset);
        return;
    }
    for (size_t done = 0; done < change->size;) {
        size_t left = sector - ((size_t)change->offset + done) % sector;
        size_t count = left < change->size - done ? left : change->size - done;
        if (toss(seed)) put(image, change->offset + (int64_t)done, change->bytes + done, count);
        done += count;
    }
}

static void sync_deletions(image *list) {
    for (; list; list = list->next) list->is_durable = list->is_durable && !list->is_deleted;
}

void image_sync(image *list, image *image) {
    for (change *change = image->first; change; change = change->next) {
        if (change->truncates) resize(image, (size_t)change->offset);
        else put(image, change->offset, change->bytes, change->size);
    }
    forget_changes(image);
    if (!image->is_durable) sync_deletions(list);
    image->is_durable = true;
}

static void write_file(const image *image) {
    FILE *file = fopen(image->path, "wb");
    if (!file) abort();
    if (image->size && fwrite(image->bytes, 1, image->size, file) != image->size) abort();
    fclose(file);
}

static void lose_unsynced(image *image, uint64_t *seed) {
    bool is_there = image->is_deleted ? image->is_durable && toss(seed) : image->is_durable || toss(seed);
    if (!is_there) {
        unlink(image->path);
        return;
    }
    for (change *change = image->first; change; change = change->next) apply_some(image, change, seed);
    write_file(image);
}

void images_lose_unsynced(image *list, uint64_t seed) {
    // Small seeds would begin with a long run of zeros.
    seed *= 0x9E3779B97F4A7C15;
    for (image *image = list; image; image = image->next) lose_unsynced(image, &seed);
}
