# SPDX-License-Identifier: Apache-2.0
# Toolchain file for 64-bit RISC-V: Debian's cross compiler and a root of that architecture
# (tests/arm/root.sh).
set(PUMICE_ARM riscv64-linux-gnu)
set(PUMICE_ARM_PROCESSOR riscv64)
include(${CMAKE_CURRENT_LIST_DIR}/Arm.cmake)
