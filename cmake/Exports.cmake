# SPDX-License-Identifier: Apache-2.0
# pumice_exports(map variable): the names that the version script icd/${map} exports.
function(pumice_exports map variable)
    set(script ${CMAKE_CURRENT_SOURCE_DIR}/icd/${map})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
    file(STRINGS ${script} names REGEX "^ +cl[A-Za-z0-9_]+;")
    list(TRANSFORM names REPLACE "[ ;]" "")
    list(REMOVE_DUPLICATES names)
    set(${variable} ${names} PARENT_SCOPE)
endfunction()
