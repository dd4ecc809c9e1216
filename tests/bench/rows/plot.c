// SPDX-License-Identifier: Apache-2.0
// Draws the ratios to the last platform: a bar for each row from 1 to the right if platform 0 is
// faster, otherwise to the left, on a logarithmic scale from 1/4 to 4. Uses device time if
// measured.
#include "rows.h"

#include <math.h>
#include <stdio.h>

enum { LINE = 13, LABELS = 190, WIDTH = 480, TOP = 44 };
static const double limit = 4;

static double place(double ratio)
{
    double bounded = fmin(fmax(ratio, 1 / limit), limit);
    return LABELS + WIDTH / 2.0 * (1 + log(bounded) / log(limit));
}

static double ratio_of(const struct row *row, unsigned other)
{
    const struct cell *ours = &row->cells[0], *theirs = &row->cells[other];
    bool device = ours->device > 0 && theirs->device > 0;
    double ratio = device ? theirs->device / ours->device : theirs->wall / ours->wall;
    return ratio > 0 && isfinite(ratio) ? ratio : 0;
}

static void put_scale(FILE *file, unsigned lines)
{
    static const double marks[] = {0.25, 0.5, 0.8, 1, 1.25, 2, 4};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        fprintf(file,
                "<path d='M%.1f %d V%u' stroke='%s'/><text x='%.1f' y='%d' text-anchor='middle'>%g</text>\n",
                place(marks[i]), TOP - 4, TOP + lines * LINE, marks[i] == 1 ? "#444" : "#ddd", place(marks[i]), TOP - 8, marks[i]);
}

static void put_row(FILE *file, const struct row *row, double ratio, unsigned line)
{
    unsigned y = TOP + line * LINE;
    double from = place(fmin(ratio, 1)), to = place(fmax(ratio, 1));
    fprintf(file,
            "<text x='%d' y='%u' text-anchor='end'>%s</text><rect x='%.1f' y='%u' width='%.1f' height='%d' fill='%s'/>"
            "<text x='%d' y='%u'>%.2f</text>\n",
            LABELS - 6, y + 10, row->name, from, y + 2, fmax(to - from, 1), LINE - 4,
            ratio < 0.95 ? "#c44" : ratio < 1.05 ? "#999" : "#4a8", LABELS + WIDTH + 6, y + 10, ratio);
}

bool plot_write(const struct bench_rows *bench, const char *path)
{
    unsigned lines = 0, other = bench->count - 1;
    FILE *file = other ? fopen(path, "w") : NULL;
    if (!file) {
        fprintf(stderr, "%s: %s\n", path, other ? "cannot be written" : "ratios take two platforms");
        return false;
    }
    for (const struct row *row = bench->rows; row < bench->rows + bench->row_count; row++)
        lines += ratio_of(row, other) > 0;
    fprintf(file, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%u' font-family='sans-serif' font-size='10'>\n"
                  "<rect width='100%%' height='100%%' fill='#fff'/>\n<text x='6' y='14' font-size='12'>%s by %s, %s: "
                  "above 1 the latter is faster</text>\n",
            LABELS + WIDTH + 40, TOP + lines * LINE + 8, bench->platforms[other].name, bench->platforms[0].name,
            bench->platforms[0].cl.name);
    put_scale(file, lines);
    lines = 0;
    for (const struct row *row = bench->rows; row < bench->rows + bench->row_count; row++)
        if (ratio_of(row, other) > 0)
            put_row(file, row, ratio_of(row, other), lines++);
    fprintf(file, "</svg>\n");
    return fclose(file) == 0;
}
