# SPDX-License-Identifier: Apache-2.0
# PUMICE_SANITIZE: a comma list as -fsanitize takes it, e.g. address,undefined or thread.
set(PUMICE_SANITIZE "" CACHE STRING "Sanitizers to build with")
if(PUMICE_SANITIZE)
    # Lines are all that reports tell; with -g building takes a third longer.
    add_compile_options(-g1 -fsanitize=${PUMICE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${PUMICE_SANITIZE})
endif()
