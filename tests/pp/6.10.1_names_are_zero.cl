#if undefined_name
no
#elif int
no
#elif !for
yes
#endif
// SPDX-License-Identifier: Apache-2.0
