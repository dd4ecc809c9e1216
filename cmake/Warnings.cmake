# SPDX-License-Identifier: Apache-2.0
add_compile_options(-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla)
option(PUMICE_WERROR "Treat warnings as errors" OFF)
if(PUMICE_WERROR)
    add_compile_options(-Werror)
endif()
