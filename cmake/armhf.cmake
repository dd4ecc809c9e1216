# SPDX-License-Identifier: Apache-2.0
# Toolchain file for 32-bit ARM (version 7, hard float): Debian's cross compiler and a root of that
# architecture (tests/arm/root.sh).
set(PUMICE_ARM arm-linux-gnueabihf)
set(PUMICE_ARM_PROCESSOR arm)
include(${CMAKE_CURRENT_LIST_DIR}/Arm.cmake)
