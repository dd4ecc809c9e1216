# SPDX-License-Identifier: Apache-2.0
# PUMICE_PACK_RELOCATIONS: each pointer in a table takes one bit in the libraries instead of 24
# bytes (DT_RELR; a tenth of their size). The dynamic loader must support it: glibc from 2.36 on,
# musl from 1.2.4 on. The default is ON if a program that needs it runs on the machine that builds;
# packages for older systems must turn it off.
include(CheckCSourceRuns)
set(PUMICE_PACKING -Wl,-z,pack-relative-relocs)
set(packs OFF)
if(NOT CMAKE_CROSSCOMPILING AND NOT PUMICE_SANITIZE)
    set(CMAKE_REQUIRED_FLAGS "-fPIE")
    set(CMAKE_REQUIRED_LINK_OPTIONS -pie ${PUMICE_PACKING} -Wl,--fatal-warnings)
    # Older linkers ignore the option, so the program also checks that it has DT_RELR (36).
    check_c_source_runs("
        #include <link.h>
        extern ElfW(Dyn) _DYNAMIC[];
        static int value = 1;
        static int *const table[] = {&value, &value, &value};
        int main(int argc, char **argv)
        {
            const ElfW(Dyn) *row = _DYNAMIC;
            while (row->d_tag && row->d_tag != 36)
                row++;
            return row->d_tag != 36 || *table[argc] != (argv != 0);
        }" PUMICE_PACKED_RUNS)
    unset(CMAKE_REQUIRED_FLAGS)
    unset(CMAKE_REQUIRED_LINK_OPTIONS)
    if(PUMICE_PACKED_RUNS)
        set(packs ON)
    endif()
endif()
option(PUMICE_PACK_RELOCATIONS "Smaller libraries, for loaders that know DT_RELR" ${packs})
