# SPDX-License-Identifier: Apache-2.0
# PUMICE_SANITIZE: a comma list as -fsanitize takes it, e.g. address,undefined or thread.
set(PUMICE_SANITIZE "" CACHE STRING "Sanitizers to build with")
if(PUMICE_SANITIZE)
    # Lines are all that reports tell; with -g building takes a third longer. What is watched is marked before anything is
    # optimised; by -O1 the compiler's own tests take half the time.
    add_compile_options(-g1 -O1 -fsanitize=${PUMICE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${PUMICE_SANITIZE})
endif()
