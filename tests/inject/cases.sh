#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program for inject_run: runs the cases of the folder EXEC_CASES with EXEC_RUN, which must pass
# whatever features the device lacks; with EXEC_SECTION only those of that section.
exec "$EXEC_RUN" "$EXEC_CASES"/$EXEC_SECTION*.cl
