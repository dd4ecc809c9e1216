// SPDX-License-Identifier: Apache-2.0
// The log: only topics in PUMICE_DEBUG are printed, messages may have any length, unknown topics
// are reported.
#include "util/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { LONG = 100000 };

int main(void)
{
    char name[] = "/tmp/pumice_log.XXXXXX", *text = calloc(1, 2 * LONG),
         *message = calloc(1, LONG + 1);
    int fd = mkstemp(name);
    setenv("PUMICE_DEBUG", "build,,bogus,mem", 1);
    fflush(stderr);
    int before = dup(2);
    dup2(fd, 2);
    memset(message, 'x', LONG);
    log_write(LOG_API, "not asked for");
    log_write(LOG_BUILD, "%s", message);
    log_write(LOG_MEM, "%d and %s", 5, "more");
    log_warn("at any rate");
    fflush(stderr);
    dup2(before, 2);
    CHECK(pread(fd, text, 2 * LONG - 1, 0) > LONG);
    CHECK(strstr(text, "pumice: warning: PUMICE_DEBUG: unknown topic 'bogus'\n") == text);
    CHECK(!strstr(text, "not asked for"));
    char *line = strstr(text, "pumice: build: ");
    CHECK(line && strspn(line + 15, "x") == LONG && line[15 + LONG] == '\n');
    CHECK(strstr(text, "\npumice: mem: 5 and more\npumice: warning: at any rate\n"));
    unlink(name);
    free(text);
    free(message);
    return check_result();
}
