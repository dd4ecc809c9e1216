// SPDX-License-Identifier: Apache-2.0
// A child closes the files inherited from its parent in one folder, and no others; those of the
// parent stay open.
#include "platform/platform.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures, checks;
#define CHECK(x) (checks++, (x) ? 0 : (failures++, printf("line %d: %s\n", __LINE__, #x)))

int main(void)
{
    char folder[] = "/tmp/inherited_XXXXXX", meant[64], other[64], text[8] = "";
    CHECK(mkdtemp(folder));
    snprintf(meant, sizeof meant, "%s/device0", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    int a = open(meant, O_RDWR | O_CREAT, 0600), b = open(other, O_RDWR | O_CREAT, 0600), c = dup(a);
    CHECK(a >= 0 && b >= 0 && c >= 0);
    snprintf(meant, sizeof meant, "%s/device", folder);
    if (!fork()) {
        bool dropped = process_drop_files(meant);
        // the first two are discarded
        bool written = write(a, "x", 1) == 1 && write(c, "y", 1) == 1 && write(b, "z", 1) == 1;
        _exit(!dropped || !written);
    }
    int status = -1;
    wait(&status);
    CHECK(status == 0);
    CHECK(lseek(a, 0, SEEK_END) == 0);
    CHECK(pread(b, text, 1, 0) == 1 && text[0] == 'z');
    CHECK(write(a, "p", 1) == 1 && pread(c, text, 1, 0) == 1 && text[0] == 'p');
    snprintf(meant, sizeof meant, "%s/device0", folder);
    unlink(meant);
    unlink(other);
    rmdir(folder);
    printf("%d checks, %d failures\n", checks, failures);
    return failures != 0;
}
