# SPDX-License-Identifier: Apache-2.0
# Debian packages by CPack, from a build configured with -DPUMICE_PACKAGES=ON
# -DCMAKE_INSTALL_PREFIX=/usr: `cpack` creates pumice-opencl-icd (the driver), pumice-opencl-dropin
# (libOpenCL in a separate folder) and pumice-tools (the commands).
set(CPACK_GENERATOR DEB)
set(CPACK_SET_DESTDIR ON) # pumice.icd is installed in /etc, whatever the prefix is
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(PUMICE_MAINTAINER "Pumice developers <pumice-developers@example.org>" CACHE STRING "The maintainer that packages name: whoever distributes them")
set(CPACK_PACKAGE_CONTACT ${PUMICE_MAINTAINER})
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL icd dropin tools)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
if(CMAKE_CROSSCOMPILING) # dpkg-shlibdeps would query the packages of this machine, so the root's glibc is required
    execute_process(COMMAND dpkg-architecture -t${CMAKE_LIBRARY_ARCHITECTURE} -qDEB_HOST_ARCH ERROR_QUIET
        OUTPUT_VARIABLE CPACK_DEBIAN_PACKAGE_ARCHITECTURE OUTPUT_STRIP_TRAILING_WHITESPACE)
    file(STRINGS ${CMAKE_SYSROOT}/usr/include/features.h minor REGEX "define[ \t]+__GLIBC_MINOR__")
    string(REGEX MATCH "[0-9]+" minor "${minor}")
    set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "libc6 (>= 2.${minor})")
    set(libc ", ${CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS}")
else()
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

# Libraries of several architectures can be installed together. CMake before 3.31 has no variable for this field.
set(same "libs\nMulti-Arch: same")

set(CPACK_DEBIAN_ICD_PACKAGE_NAME pumice-opencl-icd)
set(CPACK_DEBIAN_ICD_PACKAGE_SECTION ${same})
set(CPACK_DEBIAN_ICD_PACKAGE_DEPENDS "libvulkan1${libc}")
set(CPACK_DEBIAN_ICD_PACKAGE_RECOMMENDS "mesa-vulkan-drivers, ocl-icd-libopencl1")
set(CPACK_DEBIAN_ICD_PACKAGE_PROVIDES opencl-icd)
set(CPACK_DEBIAN_ICD_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_BINARY_DIR}/triggers ${CMAKE_CURRENT_BINARY_DIR}/conffiles)
set(CPACK_DEBIAN_ICD_DESCRIPTION "OpenCL driver on top of Vulkan
Pumice offers each Vulkan device as an OpenCL device. It contains its own
compiler and needs no LLVM.")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/triggers "activate-noawait ldconfig\n")
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/conffiles "${PUMICE_ICD_DIR}/pumice.icd\n")

set(CPACK_DEBIAN_DROPIN_PACKAGE_NAME pumice-opencl-dropin)
set(CPACK_DEBIAN_DROPIN_PACKAGE_SECTION ${same})
set(CPACK_DEBIAN_DROPIN_PACKAGE_DEPENDS "libvulkan1${libc}")
set(CPACK_DEBIAN_DROPIN_PACKAGE_RECOMMENDS mesa-vulkan-drivers)
set(CPACK_DEBIAN_DROPIN_DESCRIPTION "OpenCL library that is Pumice itself
A libOpenCL.so.1 that programs use instead of an OpenCL loader, in a folder
that the linker does not search.")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME pumice-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION "devel\nMulti-Arch: foreign")
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS libvulkan1)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS spirv-tools)
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "compiler and device report of Pumice
pumice-cc compiles OpenCL C and OpenCL SPIR-V to SPIR-V for Vulkan.
pumice-info shows the Vulkan devices and checks their drivers.")

# Debian's policy requires a changelog and the licence in every package. They are equal in the packages of all architectures.
set(format "%a, %d %b %Y %H:%M:%S +0000")
if(DEFINED ENV{SOURCE_DATE_EPOCH})
    string(TIMESTAMP date ${format} UTC)
else()
    file(TIMESTAMP ${CMAKE_CURRENT_SOURCE_DIR}/CHANGELOG.md date ${format} UTC)
endif()
foreach(component icd dropin tools)
    string(TOUPPER ${component} upper)
    set(name ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/packages/${name})
    file(WRITE ${folder}/changelog "pumice (${PROJECT_VERSION}) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n"
        " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
    execute_process(COMMAND gzip -9nkf ${folder}/changelog)
    file(WRITE ${folder}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: Pumice\n\nFiles: *\nCopyright: 2026, the Pumice developers\nLicense: Apache-2.0\n"
        " On Debian systems, the text of the licence is in /usr/share/common-licenses/Apache-2.0.\n")
    install(FILES ${folder}/changelog.gz ${folder}/copyright DESTINATION share/doc/${name} COMPONENT ${component})
endforeach()
foreach(page kernels-compiler/cc/pumice-cc.1 doc/pumice-info.1 doc/pumice.7)
    get_filename_component(file ${page} NAME)
    get_filename_component(section ${page} LAST_EXT)
    string(SUBSTRING ${section} 1 1 section)
    execute_process(COMMAND gzip -9nc ${CMAKE_CURRENT_SOURCE_DIR}/${page} OUTPUT_FILE ${CMAKE_CURRENT_BINARY_DIR}/packages/${file}.gz)
    set(component tools)
    if(section EQUAL 7)
        set(component icd)
    endif()
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/packages/${file}.gz DESTINATION share/man/man${section} COMPONENT ${component})
endforeach()
include(CPack)
