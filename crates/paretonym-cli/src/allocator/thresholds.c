/* glibc hands large blocks back to the system when they are freed, but takes blocks of up to 32 MiB for its own heap once it has seen
   some of that size come and go, where they stay and are broken up. A search frees many such blocks: with thresholds that do not
   move, it takes a quarter less memory and no more time. A release asks for blocks of a MiB again and again, and is quicker when
   glibc keeps them. Before main, since the thresholds move with the first block that is freed. */
#include <malloc.h>
#include <string.h>

static int searches(const char *word) {
    return strcmp(word, "explore") == 0 || strcmp(word, "demo") == 0 || strcmp(word, "serve") == 0;
}

/* glibc gives constructors what it gives main. */
__attribute__((constructor)) static void keep_thresholds(int count, char **words) {
    for (int at = 1; at < count; at++) {
        if (searches(words[at])) {
            mallopt(M_MMAP_THRESHOLD, 128 * 1024);
            mallopt(M_TRIM_THRESHOLD, 128 * 1024);
            return;
        }
    }
}
