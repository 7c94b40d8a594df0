import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { noBrowser, type Office, openOffice } from './office.ts';

/** R32 in a real browser: what a foreign page can do to a user who has signed in to the back office. Nothing. */

let office: Office;
let hostile: Server;
before(async () => {
  if (noBrowser) return;
  office = await openOffice();
  hostile = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>hostile</title><h1>A page of somebody else</h1>');
  });
  await new Promise<void>((resolve) => void hostile.listen(0, '127.0.0.1', resolve));
});
after(async () => {
  hostile?.close();
  await office?.close();
});

/** The page of Chromium and of Firefox in place of one that may not be framed. */
const BLOCKED = /^(?:chrome-error:\/\/chromewebdata\/$|about:neterror\?e=cspBlocked&)/;

/** One address is another port of the same machine, to which cookies are sent; the other is another site. */
for (const [what, host] of [
  ['of the same site', '127.0.0.1'],
  ['of another site', 'localhost'],
] as const) {
  test(`a page ${what} changes nothing, reads nothing and frames nothing`, { skip: noBrowser }, async () => {
    const { page, context, ask } = await office.sit({ role: 'operator' });
    assert.ok(ask);
    const { backOfficeUrl } = office.gateway;
    const before = (await ask('GET', '/me')).body;
    const answers: { readonly method: string; readonly url: string; readonly status: number }[] = [];
    context.on('response', (response) => {
      if (response.url().startsWith(backOfficeUrl))
        answers.push({ method: response.request().method(), url: response.url(), status: response.status() });
    });
    await page.goto(`http://${host}:${(hostile.address() as AddressInfo).port}/`);
    const read = await page.evaluate(
      `(async (office) => {
        const body = JSON.stringify({ name: 'Somebody else' });
        const tries = [
          ['/admin/v1/me', {}],
          ['/admin/v1/me', { method: 'POST', body, headers: { 'content-type': 'text/plain' } }],
          ['/admin/v1/me', { method: 'POST', body: new URLSearchParams({ name: 'Somebody else' }) }],
          ['/admin/v1/me', { method: 'POST', body, headers: { 'content-type': 'application/json' } }],
          ['/admin/v1/me', { method: 'POST', body, mode: 'no-cors' }],
          ['/admin/v1/session', { method: 'DELETE' }],
        ];
        const got = [];
        for (const [path, more] of tries) {
          try {
            const answer = await fetch(office + path, { credentials: 'include', ...more });
            got.push(answer.type === 'opaque' ? 'opaque' : 'read ' + answer.status);
          } catch { got.push('refused'); }
        }
        const frame = document.createElement('iframe');
        frame.src = office + '/';
        document.body.append(frame);
        await new Promise((resolve) => { frame.onload = resolve; });
        return got;
      })(${JSON.stringify(backOfficeUrl)})`,
    );
    assert.deepEqual(
      read,
      Array.from({ length: 6 }, () => 'refused'),
    );
    const framed = page.frames().find((frame) => frame !== page.mainFrame());
    assert.match(framed?.url() ?? '', BLOCKED, 'the browser refuses to show it in a frame');

    // A form needs no permission to be sent, and brings the cookies where it is of the same site.
    await page.evaluate(
      `{ const form = document.createElement('form'); form.method = 'post'; form.enctype = 'text/plain';
         form.action = ${JSON.stringify(`${backOfficeUrl}/admin/v1/me`)};
         const input = document.createElement('input'); input.name = '{"name":"Somebody else","x":"'; input.value = '"}';
         form.append(input); document.body.append(form); form.submit(); }`,
    );
    await page.waitForURL(`${backOfficeUrl}/admin/v1/me`);
    const changing = answers.filter(({ method, status }) => method !== 'GET' && status < 400);
    assert.deepEqual(changing, []);
    assert.ok(
      answers.some(({ method }) => method === 'POST'),
      'something was sent',
    );
    const { user } = (await ask('GET', '/me')).body;
    assert.deepEqual(user, before.user);
  });
}
