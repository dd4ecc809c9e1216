// SPDX-License-Identifier: Apache-2.0
// Draws the curves: one panel for each group, with logarithmic scales for N and the cost of a
// build. A line parallel to the dashed ones is linear.
#include "large.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 2, WIDTH = 330, HEIGHT = 250, LEFT = 54, BELOW = 44, ABOVE = 40, GAP = 26 };

struct panel {
    FILE *file;
    double x, y;             // of its lower left corner
    double first, decades_x; // logarithm of the smallest N; number of decades
    double least, decades_y; // the same for the cost
};

static double cost_of(const struct point *p, bool memory)
{
    return memory ? p->cost.megabytes : p->cost.work ? (double)p->cost.work * 1e-6 : p->cost.seconds * 1e3;
}

static double place_x(const struct panel *p, double n) { return p->x + (log10(n) - p->first) / p->decades_x * WIDTH; }
static double place_y(const struct panel *p, double cost) { return p->y - (log10(cost) - p->least) / p->decades_y * HEIGHT; }

static bool in_group(const struct curve *curve, const char *group) { return curve->shape && curve->count > 1 && !strcmp(curve->shape->group, group); }

static void fit(struct panel *p, const struct curve *curves, size_t count, const char *group)
{
    double low = 1e9, high = 1, n_low = 1e9, n_high = 1;
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; in_group(&curves[i], group) && k < curves[i].count; k++)
            for (int memory = 0; memory < 2; memory++) {
                double cost = fmax(cost_of(&curves[i].points[k], memory), 0.1);
                low = fmin(low, cost), high = fmax(high, cost);
                n_low = fmin(n_low, curves[i].points[k].n), n_high = fmax(n_high, curves[i].points[k].n);
            }
    p->first = floor(log10(n_low)), p->decades_x = fmax(ceil(log10(n_high)) - p->first, 1);
    p->least = floor(log10(low)), p->decades_y = fmax(ceil(log10(high)) - p->least, 1);
}

static void put_frame(const struct panel *p, const char *group)
{
    for (int i = 0; i <= (int)p->decades_x; i++)
        fprintf(p->file, "<path d='M%.1f %.1f v%d' stroke='#eee'/><text x='%.1f' y='%.1f' text-anchor='middle'>%g</text>\n",
                p->x + i * WIDTH / p->decades_x, p->y, -HEIGHT, p->x + i * WIDTH / p->decades_x, p->y + 14, pow(10, p->first + i));
    for (int i = 0; i <= (int)p->decades_y; i++)
        fprintf(p->file, "<path d='M%.1f %.1f h%d' stroke='#eee'/><text x='%.1f' y='%.1f' text-anchor='end'>%g</text>\n", p->x,
                p->y - i * HEIGHT / p->decades_y, WIDTH, p->x - 5, p->y - i * HEIGHT / p->decades_y + 3, pow(10, p->least + i));
    double most = fmin(p->decades_x, p->decades_y); // the end of a linear curve from the corner
    fprintf(p->file, "<path d='M%.1f %.1f L%.1f %.1f' stroke='#bbb' stroke-width='2' stroke-dasharray='6 4'/>\n", p->x, p->y,
            p->x + most / p->decades_x * WIDTH, p->y - most / p->decades_y * HEIGHT);
    fprintf(p->file, "<rect x='%.1f' y='%.1f' width='%d' height='%d' fill='none' stroke='#888'/><text x='%.1f' y='%.1f' font-size='12'>%s</text>\n",
            p->x, p->y - HEIGHT, WIDTH, HEIGHT, p->x + 4, p->y - HEIGHT - 6, group);
}

static void put_text(FILE *file, const char *text)
{
    for (; *text; text++)
        if (*text == '&')
            fputs("&amp;", file);
        else
            fputc(*text, file);
}

static void put_curve(const struct panel *p, const struct curve *curve, bool memory)
{
    fprintf(p->file, "<polyline fill='none' stroke='%s' points='", memory ? "#4a8" : "#36c");
    for (unsigned k = 0; k < curve->count; k++)
        fprintf(p->file, "%.1f,%.1f ", place_x(p, curve->points[k].n), place_y(p, fmax(cost_of(&curve->points[k], memory), 0.1)));
    fputs("'><title>", p->file);
    put_text(p->file, curve->shape->name);
    fputs("</title></polyline>\n", p->file);
}

static void put_group(FILE *file, const struct curve *curves, size_t count, const char *group, unsigned index)
{
    struct panel p = {.file = file};
    p.x = LEFT + index % COLUMNS * (LEFT + WIDTH + GAP);
    p.y = ABOVE + HEIGHT + 20 + index / COLUMNS * (HEIGHT + BELOW + GAP);
    fit(&p, curves, count, group);
    put_frame(&p, group);
    for (size_t i = 0; i < count; i++)
        for (int memory = 0; memory < 2 && in_group(&curves[i], group); memory++)
            put_curve(&p, &curves[i], memory);
}

static bool is_first(const struct curve *curves, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (in_group(&curves[k], curves[i].shape->group))
            return false;
    return true;
}

bool plot_large(const struct curve *curves, size_t count, const char *path)
{
    unsigned groups = 0, done = 0;
    bool counted = false;
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (curves[i].shape && curves[i].count > 1) {
            groups += is_first(curves, i);
            counted |= curves[i].points[0].cost.work != 0;
        }
    unsigned rows = (groups + COLUMNS - 1) / COLUMNS;
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%u' font-family='sans-serif' font-size='10'>\n"
            "<rect width='100%%' height='100%%' fill='#fff'/>\n<text x='6' y='16' font-size='12'>What a build costs by how much of one thing the "
            "program has</text>\n<text x='6' y='32' font-size='12'>blue: %s; green: peak memory in MB; dashed: linear</text>\n",
            COLUMNS * (LEFT + WIDTH + GAP), ABOVE + 20 + rows * (HEIGHT + BELOW + GAP), counted ? "million instructions of the processor" : "CPU time in ms");
    for (size_t i = 0; i < count; i++)
        if (curves[i].shape && curves[i].count > 1 && is_first(curves, i))
            put_group(file, curves, count, curves[i].shape->group, done++);
    fprintf(file, "</svg>\n");
    return fclose(file) == 0;
}
