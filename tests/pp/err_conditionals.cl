#else
#elif 1
#endif
#if 1
#else
#else
#elif 1
#endif
#ifdef
#endif
#if 1
#ifndef X
// SPDX-License-Identifier: Apache-2.0
