#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every API function passes the gate (src/util/gate.h): API_CALL or API_QUICK_CALL is its first
# line. Functions that only read their arguments are exempt.
# Usage: api_call.sh SOURCE_DIR
cd "$1/src/api" || exit 2
awk '
    FNR == 1 { name = "" }
    /^[a-z].*CL_API_CALL cl[A-Za-z0-9]+\(/ {
        name = $0
        sub(/^.*CL_API_CALL /, "", name)
        sub(/\(.*/, "", name)
    }
    /;$/ && name && !open { name = "" }
    open { if ($1 == "API_CALL;" || $1 == "API_QUICK_CALL;") passed++; else { print FILENAME ": " name " does not begin with API_CALL"; failed++ } open = 0; name = "" }
    /^{$/ && name { open = 1 }
    END { printf "%d passed, %d failed\n", passed, failed; exit failed || !passed }
' $(ls ./*.c | grep -v -e ext_sharing -e dispatch)
