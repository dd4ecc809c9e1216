// SPDX-License-Identifier: Apache-2.0
// See curves.h.
#include "curves.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 2, WIDTH = 330, HEIGHT = 250, LEFT = 54, BELOW = 44, ABOVE = 40, GAP = 26 };

struct panel {
    FILE *file;
    const char *title;
    double x, y;             // of its lower left corner
    double first, decades_x; // logarithm of the smallest N; number of decades
    double least, decades_y; // the same for the cost
    double floor;            // smaller costs are drawn there
};

static double place_x(const struct panel *p, double n) { return p->x + (log10(n) - p->first) / p->decades_x * WIDTH; }
static double place_y(const struct panel *p, double cost)
{
    return p->y - (log10(fmax(cost, p->floor)) - p->least) / p->decades_y * HEIGHT;
}

static bool is_in(const struct plot_curve *curve, const char *panel) { return curve->count > 1 && !strcmp(curve->panel, panel); }

static void fit(struct panel *p, const struct plot_curve *curves, size_t count)
{
    double low = INFINITY, high = 0, n_low = INFINITY, n_high = 1;
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; is_in(&curves[i], p->title) && k < curves[i].count; k++) {
            double cost = fmax(curves[i].points[k].cost, p->floor), n = curves[i].points[k].n;
            low = fmin(low, cost), high = fmax(high, cost);
            n_low = fmin(n_low, n), n_high = fmax(n_high, n);
        }
    p->first = floor(log10(n_low)), p->decades_x = fmax(ceil(log10(n_high)) - p->first, 1);
    p->least = floor(log10(low)), p->decades_y = fmax(ceil(log10(high)) - p->least, 1);
}

static void put_text(FILE *file, const char *text)
{
    for (; *text; text++)
        if (*text == '&')
            fputs("&amp;", file);
        else
            fputc(*text, file);
}

static void put_frame(const struct panel *p)
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
    fprintf(p->file, "<rect x='%.1f' y='%.1f' width='%d' height='%d' fill='none' stroke='#888'/><text x='%.1f' y='%.1f' font-size='12'>",
            p->x, p->y - HEIGHT, WIDTH, HEIGHT, p->x + 4, p->y - HEIGHT - 6);
    put_text(p->file, p->title);
    fputs("</text>\n", p->file);
}

static void put_curve(const struct panel *p, const struct plot_curve *curve)
{
    fprintf(p->file, "<polyline fill='none' stroke='%s'%s points='", curve->colour, curve->dashed ? " stroke-dasharray='3 3'" : "");
    for (unsigned k = 0; k < curve->count; k++)
        fprintf(p->file, "%.1f,%.1f ", place_x(p, curve->points[k].n), place_y(p, curve->points[k].cost));
    fputs("'><title>", p->file);
    put_text(p->file, curve->label);
    fputs("</title></polyline>\n", p->file);
}

static void put_panel(struct panel *p, const struct plot_curve *curves, size_t count, unsigned index)
{
    p->x = LEFT + index % COLUMNS * (LEFT + WIDTH + GAP);
    p->y = ABOVE + HEIGHT + 20 + index / COLUMNS * (HEIGHT + BELOW + GAP);
    fit(p, curves, count);
    put_frame(p);
    for (size_t i = 0; i < count; i++)
        if (is_in(&curves[i], p->title))
            put_curve(p, &curves[i]);
}

static bool begins_panel(const struct plot_curve *curves, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (is_in(&curves[k], curves[i].panel))
            return false;
    return curves[i].count > 1;
}

bool plot_curves(const char *path, const char *title, const char *legend, double least, const struct plot_curve *curves,
                 size_t count)
{
    unsigned panels = 0, done = 0;
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        panels += begins_panel(curves, i);
    unsigned rows = (panels + COLUMNS - 1) / COLUMNS;
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%u' font-family='sans-serif' font-size='10'>\n"
            "<rect width='100%%' height='100%%' fill='#fff'/>\n<text x='6' y='16' font-size='12'>%s</text>\n"
            "<text x='6' y='32' font-size='12'>%s</text>\n",
            COLUMNS * (LEFT + WIDTH + GAP), ABOVE + 20 + rows * (HEIGHT + BELOW + GAP), title, legend);
    for (size_t i = 0; i < count; i++)
        if (begins_panel(curves, i)) {
            struct panel p = {.file = file, .title = curves[i].panel, .floor = least};
            put_panel(&p, curves, count, done++);
        }
    fprintf(file, "</svg>\n");
    return fclose(file) == 0;
}
