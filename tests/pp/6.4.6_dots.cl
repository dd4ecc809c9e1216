. .. ... .... a.b ..c .5 1..2 1.e+3.f
// SPDX-License-Identifier: Apache-2.0
