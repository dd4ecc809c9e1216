#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program for inject_run: the cases of the folder EXEC_CASES by EXEC_RUN, which are to pass whatever the device lacks;
# those of EXEC_SECTION alone, if that is set.
exec "$EXEC_RUN" "$EXEC_CASES"/$EXEC_SECTION*.cl
