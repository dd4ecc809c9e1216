// SPDX-License-Identifier: Apache-2.0
// Runs a program and exits with its exit status, as Windows sees it. The status that Wine's own
// process returns may differ, because Wine kills a process that takes over a second to run the
// destructors of Linux libraries, such as the driver.
//   start PROGRAM [ARGUMENT ...]
#include <stdio.h>
#include <windows.h>

enum { CRASHED = 126, NOT_STARTED = 127 };

// The command line without its first word.
static wchar_t *rest_of(wchar_t *line)
{
    BOOL quoted = FALSE;
    for (; *line && (quoted || (*line != L' ' && *line != L'\t')); line++)
        if (*line == L'"')
            quoted = !quoted;
    while (*line == L' ' || *line == L'\t')
        line++;
    return line;
}

int main(void)
{
    STARTUPINFOW start = {.cb = sizeof start};
    PROCESS_INFORMATION child;
    DWORD status = NOT_STARTED;
    if (!CreateProcessW(NULL, rest_of(GetCommandLineW()), NULL, NULL, TRUE, 0, NULL, NULL, &start, &child)) {
        fprintf(stderr, "the program does not start: error %lu\n", GetLastError());
        return NOT_STARTED;
    }
    WaitForSingleObject(child.hProcess, INFINITE);
    GetExitCodeProcess(child.hProcess, &status);
    if (status < 256)
        return (int)status;
    fprintf(stderr, "the program crashes: status 0x%lx\n", status);
    return CRASHED;
}
