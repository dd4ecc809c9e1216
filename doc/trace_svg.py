# SPDX-License-Identifier: Apache-2.0
# Draws a trace of PUMICE_TRACE as a picture, as Perfetto shows it: a row for each queue, its spans, and counters.
# Usage: python3 doc/trace_svg.py trace.json >doc/trace.svg
import html
import json
import sys

WIDTH, LEFT, ROW, TOP, CHAR = 900, 170, 34, 24, 6.6
COLOURS = ['#4e79a7', '#f28e2b', '#59a14f', '#b07aa1', '#76b7b2', '#e15759']

events = json.load(open(sys.argv[1]))
names = {e['tid']: e['args']['name'] for e in events if e['name'] == 'thread_name'}
spans = [e for e in events if e['ph'] == 'X' and e['cat'] != 'build']
counters = {}
for e in events:
    if e['ph'] == 'C':
        counters.setdefault(e['name'], []).append((e['ts'], list(e['args'].values())[0]))
begin = min(e['ts'] for e in spans)
end = max(e['ts'] + e['dur'] for e in spans)
scale = (WIDTH - LEFT - 10) / (end - begin)
out = []


def text(x, y, words, size=11, colour='#222', anchor='start'):
    out.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}">{html.escape(words)}</text>')


def place(ts):
    return LEFT + (min(max(ts, begin), end) - begin) * scale


y = TOP
colours = {}
for tid in sorted({e['tid'] for e in spans}):
    text(8, y + 20, names[tid].split(' of ')[0])
    for e in (e for e in spans if e['tid'] == tid):
        x, width = place(e['ts']), max(e['dur'] * scale, 1)
        colour = colours.setdefault(e['name'], COLOURS[len(colours) % len(COLOURS)])
        out.append(f'<rect x="{x:.1f}" y="{y + 4}" width="{width:.1f}" height="{ROW - 10}" fill="{colour}" stroke="white" stroke-width="0.5"/>')
        if len(e['name']) * CHAR < width:
            text(x + 3, y + 20, e['name'], 11, 'white')
    y += ROW
for name, values in sorted(counters.items()):
    most = max(v for _, v in values) or 1
    unit = f'{most / 2**20:.0f} MiB' if name == 'device memory' else str(most)
    text(8, y + 20, f'{name} (to {unit})')
    path, last = f'M {LEFT} {y + ROW - 4}', 0
    for ts, value in sorted(values):
        path += f' H {place(ts):.1f} V {y + ROW - 4 - (ROW - 10) * value / most:.1f}'
    out.append(f'<path d="{path} H {WIDTH - 10} V {y + ROW - 4} Z" fill="#c6dbef" stroke="#4e79a7" stroke-width="0.7"/>')
    y += ROW
for i, (name, colour) in enumerate(list(colours.items())[:6]):
    out.append(f'<rect x="{LEFT + i * 120}" y="{y + 6}" width="10" height="10" fill="{colour}"/>')
    text(LEFT + i * 120 + 14, y + 15, name, 10)
text(LEFT, TOP - 8, '0 ms', 10, '#666')
text(WIDTH - 10, TOP - 8, f'{(end - begin) / 1000:.1f} ms', 10, '#666', 'end')
print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 24}" font-family="sans-serif">')
print('<rect width="100%" height="100%" fill="white"/>')
print('\n'.join(out))
print('</svg>')
