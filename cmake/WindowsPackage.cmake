# SPDX-License-Identifier: Apache-2.0
# The zip by CPack: pumice.dll and the scripts that register it, the drop-in library in a separate
# folder, and the commands.
set_target_properties(pumice PROPERTIES PREFIX "" OUTPUT_NAME pumice)
set_target_properties(pumice_dropin PROPERTIES PREFIX "" RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/dropin)
install(TARGETS pumice RUNTIME DESTINATION .)
install(TARGETS pumice_dropin RUNTIME DESTINATION dropin)
install(FILES icd/register.cmd icd/unregister.cmd LICENSE DESTINATION .)
set(CMAKE_INSTALL_BINDIR .)
set(CPACK_GENERATOR ZIP)
set(CPACK_PACKAGE_FILE_NAME pumice-${PROJECT_VERSION}-windows-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
include(CPack)
