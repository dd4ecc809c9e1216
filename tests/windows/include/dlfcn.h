// SPDX-License-Identifier: Apache-2.0
// Windows lacks this header. posix.h, which is included before each source file, has what tests use.
