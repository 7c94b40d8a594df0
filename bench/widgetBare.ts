import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The least cost of a page with two fields in frames: one script that makes two frames, each with an input and one script, which signals
 * the page. No widget of this shape can be faster in the same browser.
 */
const SCRIPT = `(() => {
  const { origin } = new URL(document.currentScript.src);
  addEventListener('message', (event) => { if (event.origin === origin && event.data === 'ready') frameIsReady() });
  for (const field of ['number', 'cvv']) {
    const iframe = document.createElement('iframe');
    Object.assign(iframe, { width: '100%', height: '44', src: origin + '/frame.html?field=' + field });
    document.body.append(iframe);
  }
  formIsDrawn();
})();`;
const FRAME = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Field</title><script src="/frame.js" defer></script></head>
<body><form><input type="tel"></form></body></html>`;
const FRAME_SCRIPT = "parent.postMessage('ready', location.ancestorOrigins[0]);";

const files: Readonly<Record<string, readonly [type: string, cache: string, text: string]>> = {
  '/script.js': ['text/javascript', 'no-store', SCRIPT],
  '/frame.html': ['text/html', 'no-store', FRAME],
  '/frame.js': ['text/javascript', 'public, max-age=31536000, immutable', FRAME_SCRIPT],
};

const server = createServer((request, response) => {
  const [type, cache, text] = files[(request.url ?? '').split('?', 1)[0] ?? ''] ?? ['text/plain', 'no-store', ''];
  response.writeHead(text === '' ? 404 : 200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': cache });
  response.end(text);
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once('disconnect', () => process.exit());
