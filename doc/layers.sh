#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The picture of the layers, layers.svg, from layers.txt. `layers.sh check`: fails if the picture is not what would be made.
cd "$(dirname "$0")" || exit 2
draw() {
    awk -F ' *[|] *' '
        function text(x, y, size, what) {
            gsub("&", "\\&amp;", what); gsub("<", "\\&lt;", what); gsub(">", "\\&gt;", what)
            printf "<text x=\"%d\" y=\"%d\" font-size=\"%d\">%s</text>\n", x, y, size, what
        }
        /^#/ || !NF { next }
        {
            width = (680 - 20 * (NF - 1)) / NF
            for (i = 1; i <= NF; i++) {
                x = 20 + (i - 1) * (width + 20); split($i, part, " / ")
                printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"50\" rx=\"6\" fill=\"%s\"/>\n", x, y + 10, width, $i ~ /Pumice/ ? "#cfe3f7" : "#eeeeee"
                text(x + width / 2, y + 31, 15, part[1]); text(x + width / 2, y + 49, 12, part[2])
            }
            y += 62
        }
        END { printf "</g></svg>\n" }' layers.txt | {
        echo '<svg xmlns="http://www.w3.org/2000/svg" width="720" height="392"><rect width="720" height="392" fill="#ffffff"/>'
        echo '<g font-family="sans-serif" text-anchor="middle" fill="#222222">'
        cat
    }
}
case $1 in
check) draw | diff layers.svg - ;;
*) draw >layers.svg ;;
esac
