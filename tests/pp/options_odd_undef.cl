// options: -DA=1 -DB=2 -DC=3 -DD(x)=4 -DE=5 -U A,B -U B-C -UC=3 -UD(x) -UE
// As in clang: -U uses the name only, with a warning.
A B C D(1) E
// SPDX-License-Identifier: Apache-2.0
