#include
#include foo
#include <abc
// SPDX-License-Identifier: Apache-2.0
