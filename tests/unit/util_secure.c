// SPDX-License-Identifier: Apache-2.0
// A program with more privileges than its caller (here: another group's) does not trust the
// caller's environment, which names files to read and write. Needs root, and a folder for such a
// program.
#define _GNU_SOURCE
#include "check.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/options.h"

enum { SKIPPED = 77, GROUP = 65534, BELIEVES = 3, DOUBTS = 4, NO_RIGHTS = 5 };

static int run(const char *program, const char *what)
{
    int status = -1;
    pid_t child = fork();
    if (!child) {
        execl(program, program, what, (char *)NULL);
        _exit(127);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    char copy[4096 + 16], command[2 * sizeof copy];
    if (argc > 1 && !strcmp(argv[1], "secure") && getegid() == getgid())
        return NO_RIGHTS;
    if (argc > 1)
        return option_get(OPTION_CACHE_DIR) ? BELIEVES : DOUBTS;
    snprintf(copy, sizeof copy, "%s.copy", argv[0]);
    snprintf(command, sizeof command, "cp '%s' '%s'", argv[0], copy);
    if (system(command) || setenv("PUMICE_CACHE_DIR", "/tmp", 1))
        return 1;
    CHECK(run(copy, "plain") == BELIEVES);
    bool done = !chown(copy, (uid_t)-1, GROUP) && !chmod(copy, 02755);
    int secure = done ? run(copy, "secure") : NO_RIGHTS;
    CHECK(secure == DOUBTS || secure == NO_RIGHTS);
    unlink(copy);
    return secure == NO_RIGHTS && !check_result() ? SKIPPED : check_result();
}
