#pragma once
once __FILE__ __LINE__
// SPDX-License-Identifier: Apache-2.0
