# SPDX-License-Identifier: Apache-2.0
# PUMICE_SANITIZE: a comma-separated list for -fsanitize, e.g. address,undefined or thread.
set(PUMICE_SANITIZE "" CACHE STRING "Sanitizers to build with")
if(PUMICE_SANITIZE)
    # Reports only show lines; -g would make the build take a third longer. Sanitizers add their
    # checks before optimisation, so -O1 loses none, and it halves the time of the compiler's own
    # tests.
    add_compile_options(-g1 -O1 -fsanitize=${PUMICE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${PUMICE_SANITIZE})
endif()
