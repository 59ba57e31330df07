#ifndef IMAGES_H
#define IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A change to a file that the disk may not have yet: bytes written, or, without bytes, a new size.
typedef struct change {
    struct change *next;
    int64_t offset;
    size_t size;
    bool truncates;
    unsigned char bytes[];
} change;

/// What the disk is certain to hold of a file, and what came after in the order in which it came.
typedef struct image {
    struct image *next;
    char *path;
    unsigned char *bytes;
    size_t size;
    /// Whether its entry in the folder is on the disk.
    bool is_durable;
    /// Whether it was deleted, which the disk may not know yet.
    bool is_deleted;
    change *first, *last;
} image;

/// The image of the file at `path`, which is about to be opened.
image *images_open(image **list, const char *path);
void images_delete(image *list, const char *path, bool is_durable);
void images_free(image *list);

void image_write(image *image, int64_t offset, const void *bytes, size_t size);
void image_truncate(image *image, int64_t size);
/// Everything so far is on the disk; for a new file, SQLite syncs the folder as well, and with it all that was deleted.
void image_sync(image *list, image *image);
/// Writes the files anew, each with some of its changes; see fault_vfs_lose_unsynced.
void images_lose_unsynced(image *list, uint64_t seed);

#endif
