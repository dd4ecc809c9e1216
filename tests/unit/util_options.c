// SPDX-License-Identifier: Apache-2.0
// Environment variables: read once; an unknown word is reported once and ignored.
#include "util/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static bool is(enum option_id id, const char *value)
{
    const char *has = option_get(id);
    return value ? has && !strcmp(has, value) : !has;
}

static bool is_known(const char *word, size_t length)
{
    return length == 7 && !memcmp(word, "opt_cse", 7);
}

int main(void)
{
    char name[] = "/tmp/pumice_options.XXXXXX", text[4096] = "";
    int fd = mkstemp(name);
    setenv("PUMICE_COPY", "kernels", 1);
    setenv("PUMICE_FILTER", "device", 1);
    setenv("PUMICE_DIVISION", "Device", 1);
    setenv("PUMICE_DEVICE_TYPE", "cpu", 1);
    setenv("PUMICE_SYNC", "", 1);
    setenv("PUMICE_SVM", "off", 1);
    setenv("PUMICE_IMAGES", "2", 1);
    setenv("PUMICE_VERIFY", "On", 1);
    setenv("PUMICE_SUBGROUPS", "none", 1);
    setenv("PUMICE_IMPORT", "64k", 1);
    setenv("PUMICE_SKIP", "opt_cse,opt_dce", 1);
    fflush(stderr);
    int before = dup(2);
    dup2(fd, 2);
    for (int i = 0; i < 3; i++) {
        CHECK(is(OPTION_COPY, NULL) && is(OPTION_DIVISION, NULL) && is(OPTION_DEVICE_TYPE, NULL));
        CHECK(is(OPTION_FILTER, "device") && is(OPTION_SYNC, NULL) && !option_on(OPTION_SVM));
        CHECK(option_has(OPTION_SKIP, "opt_dce") && !option_has(OPTION_SKIP, "opt_"));
        CHECK(option_off(OPTION_SVM) && !option_off(OPTION_SYNC) && !option_on(OPTION_SYNC));
        CHECK(option_on(OPTION_VERIFY) && !option_off(OPTION_VERIFY));
        CHECK(is(OPTION_IMAGES, NULL) && is(OPTION_SUBGROUPS, NULL) && is(OPTION_IMPORT, NULL));
    }
    option_check_list(OPTION_SKIP, "pass", is_known);
    fflush(stderr);
    dup2(before, 2);
    CHECK(pread(fd, text, sizeof text - 1, 0) > 0);
    CHECK_TEXT(
        text,
        "pumice: warning: ignoring PUMICE_DEVICE_TYPE=cpu; valid values: gpu\n"
        "pumice: warning: ignoring PUMICE_COPY=kernels; valid values: kernel, vulkan\n"
        "pumice: warning: ignoring PUMICE_DIVISION=Device; valid values: device, kernel\n"
        "pumice: warning: ignoring PUMICE_IMPORT=64k; valid values: a number of bytes\n"
        "pumice: warning: ignoring PUMICE_SUBGROUPS=none; valid values: 0, 1\n"
        "pumice: warning: ignoring PUMICE_IMAGES=2; valid values: 0, 1, any\n"
        "pumice: warning: PUMICE_SKIP: unknown pass 'opt_dce'\n");
    setenv("PUMICE_FILTER", "kernel", 1);
    CHECK(is(OPTION_FILTER, "device"));
    unlink(name);
    return check_result();
}
