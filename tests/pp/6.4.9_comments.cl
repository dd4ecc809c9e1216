a/**/b /* x
 y */ c /*/ d */ e // f /* g
h /***/ i /* // */ j "/* no */" '//'
// SPDX-License-Identifier: Apache-2.0
