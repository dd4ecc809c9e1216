// SPDX-License-Identifier: Apache-2.0
// A picture of costs that grow with a number N: panels with logarithmic scales, in which a line
// parallel to the dashed one is linear.
#ifndef BENCH_CURVES_H
#define BENCH_CURVES_H

#include <stdbool.h>
#include <stddef.h>

enum { CURVE_POINTS = 8 };

struct curve_point {
    double n, cost;
};

struct plot_curve {
    const char *panel;          // its title; curves with equal ones share a panel
    const char *label, *colour; // label: shown when the mouse is over the curve
    bool dashed;
    unsigned count; // fewer than two points are not drawn
    struct curve_point points[CURVE_POINTS];
};

// Writes an SVG file. Costs below `least` are drawn there.
bool plot_curves(const char *path, const char *title, const char *legend, double least, const struct plot_curve *curves,
                 size_t count);

#endif
