import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { integrityOf } from '../../src/assets/asset.ts';
import { withBundler } from '../../src/assets/build.ts';
import { fieldPage, isFrameField, type WidgetPage } from '../../src/http/shopper/widgetPages.ts';
import type { FrameField, FrameSetup } from '../../src/widget/protocol.ts';

/** How the gateway takes the next fields that are to be sealed. */
export type Mood = 'seals' | 'is gone once' | 'is gone' | 'knows no session' | 'finds fault' | 'has trouble';

export type Gateway = {
  readonly url: string;
  /** What was sent to be sealed: for which checkout, and the fields. */
  readonly sealed: { readonly checkoutId: string; readonly fields: Readonly<Record<string, string>>; readonly cookie: string }[];
  /** Every address that was asked for. */
  readonly asked: string[];
  mood: Mood;
  /** Pages that it shows by their names. */
  readonly pages: Map<string, WidgetPage>;
  close(): Promise<void>;
};

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

async function listen(answer: Answer, host: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url: `http://${host}:${port}`, close };
}

/** The frame's script as the gateway makes it. */
export async function frameScript(): Promise<Uint8Array> {
  const { outputFiles } = await withBundler(() =>
    build({
      entryPoints: [join(import.meta.dirname, '../../src/widget/frame/main.ts')],
      bundle: true,
      minify: true,
      write: false,
      format: 'iife',
      charset: 'utf8',
      target: ['chrome111', 'firefox111', 'safari16.4'],
    }),
  );
  return outputFiles[0]?.contents ?? new Uint8Array();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const failures: Readonly<Partial<Record<Mood, readonly [status: number, description: string]>>> = {
  'knows no session': [400, 'No payment session found for the requested id'],
  'finds fault': [400, 'invalid or missing parameter'],
  'has trouble': [503, 'later'],
};

function show(response: ServerResponse, { status, html, policy }: WidgetPage): void {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy, 'cache-control': 'no-store' };
  response.writeHead(status, headers).end(html);
}

/** As much of a gateway as a field frame needs: its page, its script, and where fields are sealed. */
export async function startFrames(ancestors: () => string): Promise<Gateway> {
  const script = await frameScript();
  const sealed: Gateway['sealed'] = [];
  const asked: string[] = [];
  const pages = new Map<string, WidgetPage>();
  const answer: Answer = async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://gateway.example');
    asked.push(`${request.method} ${request.url}`);
    const checkoutId = /^\/v1\/checkouts\/([^/]+)\/fields$/.exec(url.pathname)?.[1];
    if (checkoutId !== undefined) {
      const fields = Object.fromEntries(new URLSearchParams(await bodyOf(request)));
      const { mood } = gateway;
      if (mood === 'is gone once') gateway.mood = 'seals';
      if (mood === 'is gone once' || mood === 'is gone') return void request.socket.destroy();
      sealed.push({ checkoutId: decodeURIComponent(checkoutId), fields, cookie: request.headers.cookie ?? '' });
      const [status, description] = failures[mood] ?? [200, ''];
      const reply = status === 200 ? { sealed: `sealed-${sealed.length}` } : { result: { code: '200.300.404', description } };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
      return;
    }
    if (url.pathname.endsWith('/frame.min.js')) {
      response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' }).end(script);
      return;
    }
    const field = url.searchParams.get('field') ?? '';
    const page = pages.get(url.pathname);
    if (url.pathname === '/v1/pciIframe.html' && isFrameField(field))
      show(response, fieldPage({ build: 'b1', field, integrity: integrityOf(script), ancestors: ancestors() }));
    else if (page) show(response, page);
    else response.writeHead(404).end();
  };
  const gateway: Gateway = { ...(await listen(answer, '127.0.0.1')), sealed, asked, pages, mood: 'seals' };
  return gateway;
}

/** What the page of a shop, friendly or not, does with frames: it knows their addresses, speaks to them and writes down all it can see. */
const shopScript = `
window.heard = [];
window.keys = [];
addEventListener('message', ({ data, origin }) => heard.push({ origin, data }));
for (const type of ['keydown', 'keyup', 'keypress', 'beforeinput', 'input', 'paste', 'selectionchange', 'copy'])
  document.addEventListener(type, (event) => keys.push([type, event.key ?? event.data ?? '']), true);
window.tell = (key, message, origin = gateway) =>
  document.querySelector('[data-key="' + key + '"]').contentWindow.postMessage({ turnpike: 1, key, message }, origin);
window.frame = (field, key, group, setup) => {
  const frame = document.createElement('iframe');
  frame.dataset.key = key;
  frame.title = setup.title;
  frame.name = field;
  frame.src = gateway + '/v1/pciIframe.html?' + new URLSearchParams({ checkoutId: checkout, field, group, key });
  frame.onload = () => tell(key, { is: 'setup', setup });
  document.querySelector('main').append(frame);
};
`;

/** Letters only, so that no name is taken for digits of a card. */
export const CHECKOUT = `${'ABCDEFAB'.repeat(4)}.node`;

export const setupOf = (field: FrameField, more: Partial<FrameSetup> = {}): FrameSetup => ({
  field,
  language: 'en',
  isRtl: false,
  label: field === 'card.number' ? 'Card number' : field,
  placeholder: field === 'card.number' ? '0000 0000 0000 0000' : '',
  title: 'Secure input field',
  isRequired: true,
  isMasked: false,
  isGrouped: true,
  brands: ['VISA', 'MASTER', 'AMEX'],
  brand: null,
  cvvLength: null,
  style: {},
  placeholderStyle: {},
  autofocus: false,
  isExpiryFree: false,
  ...more,
});

/** A shop on another site than the gateway. */
export async function startFrameShop(gatewayUrl: () => string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const answer: Answer = (request, response) => {
    const isRtl = request.url?.includes('rtl') ?? false;
    const isDark = request.url?.includes('dark') ?? false;
    const src = `${gatewayUrl()}/v1/pciIframe.html?checkoutId=${CHECKOUT}&field=card.number&group=one&key=number`;
    // Browsers give back what was typed only to frames that stand in the page itself.
    const written = request.url === '/written' ? `<iframe data-key="number" title="x" src="${src}"></iframe>` : '';
    const setup = JSON.stringify({ is: 'setup', setup: setupOf('card.number') });
    const greeting = written && `document.querySelector('iframe').onload = () => tell('number', ${setup});`;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"${isRtl ? ' dir="rtl"' : ''}><meta charset="utf-8"><title>The shop</title>
<style>:root { color-scheme: ${isDark ? 'dark' : 'light'} } body { background: ${isDark ? '#0f1217' : '#fff'} }
iframe { display: block; width: 300px; height: 44px; margin: 8px 0; border: 1px solid #888; border-radius: 6px }</style>
<input id="before" aria-label="before"><main>${written}</main><input id="after" aria-label="after">
<script>const gateway = '${gatewayUrl()}', checkout = '${CHECKOUT}';${shopScript}${greeting}</script></html>`);
  };
  return listen(answer, 'localhost');
}
