%:define S(x) %:x
%:define G(a,b) a %:%: b
int a<:3:> = <% G(1,2) %>; S(<:)
%:if 0
no
%:else
yes
%:endif
// SPDX-License-Identifier: Apache-2.0
