import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Built } from '../../src/assets/asset.ts';
import { withBundler } from '../../src/assets/build.ts';
import { createWidgetFiles } from '../../src/assets/files.ts';
import type { WidgetSession } from '../../src/spec/widget.ts';
import { de } from '../../src/widget/labels/de.ts';
import { en } from '../../src/widget/labels/en.ts';
import { tinyForms } from './tinyForms.ts';

/** A gateway as the widget's engine sees it, and a shop with another origin: each answers as the real ones do, and remembers. */
export type Stage = {
  readonly gateway: string;
  readonly shop: string;
  readonly sizes: { readonly loader: Uint8Array; readonly runtime: Uint8Array };
  /** What was posted to pay, with the address and the window it came from. */
  readonly posts: { readonly path: string; readonly fields: URLSearchParams; readonly dest: string }[];
  /** Requests for sessions, by checkout id. */
  readonly asked: string[];
  readonly arrivals: URL[];
  readonly sessions: Map<string, Partial<WidgetSession>>;
  /** How many of the next requests for sessions fail. */
  failing: number;
  page(html: string, headers?: Readonly<Record<string, string>>): string;
  tag(id: string, attributes?: string): string;
  close(): Promise<void>;
};

const widget = join(import.meta.dirname, '..', '..', 'src', 'widget');
/** How long the last part of a result page takes. */
export const SLOW_MS = 400;
const NAME = '0123456789abcdef';

async function bundle(contents: string, folder: string): Promise<Uint8Array> {
  const stdin = { contents, resolveDir: join(widget, folder), loader: 'ts' as const };
  const { outputFiles } = await withBundler(() =>
    build({ stdin, bundle: true, minify: true, write: false, format: 'iife', target: 'chrome111' }),
  );
  return outputFiles[0]?.contents ?? new Uint8Array();
}

async function buildFiles(): Promise<readonly Built[]> {
  const [loader, runtime] = await Promise.all([
    bundle("import './loader.ts'", 'loader'),
    bundle(`import { startRuntime } from './runtime.ts';\n${tinyForms}`, 'runtime'),
  ]);
  const json = (texts: object) => Buffer.from(JSON.stringify(texts));
  return [
    { name: 'js/loader.js', type: 'text/javascript', bytes: loader },
    { name: 'js/static.min.js', type: 'text/javascript', bytes: runtime },
    { name: 'labels/en.json', type: 'application/json', bytes: json(en) },
    { name: 'labels/de.json', type: 'application/json', bytes: json(de) },
    { name: 'css/card.css', type: 'text/css', bytes: Buffer.from('.wpwl-form { outline: 1px solid rgb(1, 2, 3) }') },
    { name: 'css/plain.css', type: 'text/css', bytes: Buffer.from('.wpwl-form { outline: 1px solid rgb(4, 5, 6) }') },
  ];
}

function sessionOf(id: string, changed: Partial<WidgetSession>): WidgetSession {
  const brand = (name: string, form: WidgetSession['brands'][number]['form']) => ({ name, form, cvvLength: null, asks: [] });
  return {
    id,
    endpoint: '/payment',
    resourcePath: `/v1/checkouts/${id}/payment`,
    amount: '92.00',
    currency: 'EUR',
    paymentType: 'DB',
    shopperResultUrl: null,
    leftMs: 1_800_000,
    isDone: false,
    brands: [brand('VISA', 'card'), brand('MASTER', 'card'), brand('EPS', 'onlineTransfer'), brand('INVOICE', 'invoice')],
    registrations: [],
    overrideHolder: false,
    threeDSecure: true,
    merchantName: 'Shop',
    isTest: true,
    ...changed,
  };
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};

type Reply = {
  readonly status?: number;
  readonly type?: string;
  readonly text?: string | Uint8Array;
  readonly headers?: Record<string, string>;
};

function answer(response: ServerResponse, { status = 200, type = 'text/html', text = '', headers = {} }: Reply): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, ...headers });
  response.end(text);
}

async function listen(handle: (request: IncomingMessage, url: URL) => Promise<Reply> | Reply, host: string) {
  const server = createServer(async (request, response) => {
    answer(response, await handle(request, new URL(request.url ?? '/', 'http://x')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin: `http://${host}:${(server.address() as AddressInfo).port}`, close };
}

/** The page that tells the shop's page how it ended, as the gateway's own does. */
function resultPage(id: string, fields: URLSearchParams): Reply {
  const outcome = fields.get('card.holder') === 'DECLINED' ? 'declined' : 'success';
  const shopUrl = fields.get('shopperResultUrl');
  const resourcePath = `/v1/checkouts/${id}/payment`;
  const query = `id=${id}&resourcePath=${encodeURIComponent(resourcePath)}`;
  const url = shopUrl && `${shopUrl}${shopUrl.includes('?') ? '&' : '?'}${query}`;
  if (fields.get('widgetFlow') === 'tab') return { status: 303, headers: { location: url ?? '/nowhere' } };
  const code = outcome === 'declined' ? '800.100.152' : '000.100.110';
  const result = { checkoutId: id, resourcePath, url, outcome, code, text: `Text of ${outcome}` };
  const [message, origin] = [JSON.stringify({ turnpike: 1, result }), JSON.stringify(fields.get('shopOrigin'))];
  // What it says is there before all of the page is.
  return {
    text: `<!doctype html><p>The end</p><img alt="" src="/v1/slow.png"><script>parent.postMessage(${message}, ${origin})</script>`,
  };
}

/** Starts both. */
export async function startStage(): Promise<Stage> {
  const files = await buildFiles();
  const assets = createWidgetFiles({ name: NAME, files }, { asset: async () => null });
  const bytesOf = (name: string) => files.find((file) => file.name === name)?.bytes ?? new Uint8Array();
  const pages = new Map<string, Reply>();
  const stage = { posts: [] as Stage['posts'][number][], asked: [] as string[], arrivals: [] as URL[], failing: 0 };
  const sessions: Stage['sessions'] = new Map();
  const cors = { 'access-control-allow-origin': '*' };

  async function pay(request: IncomingMessage, { pathname, searchParams }: URL): Promise<Reply> {
    const id = decodeURIComponent(pathname.split('/')[3] ?? '');
    const fields = request.method === 'POST' ? new URLSearchParams(await bodyOf(request)) : searchParams;
    const dest = String(request.headers['sec-fetch-dest']);
    if (request.method === 'POST') stage.posts.push({ path: pathname, fields, dest });
    if (fields.get('widgetSummary') === '1') return { type: 'application/json', headers: cors, text: '{}' };
    const holder = fields.get('card.holder');
    const isFramed = fields.get('widgetFlow') === 'frame';
    if (holder === 'AWAY' && isFramed) return { status: 303, headers: { location: `${shop.origin}/bank` } };
    if (holder !== 'CHALLENGE' || searchParams.has('done')) return resultPage(id, fields);
    fields.set('card.holder', '');
    return { text: `<h1>Your bank</h1><a href="?done=1&${fields.toString().replaceAll('"', '&quot;')}">Confirm</a>` };
  }
  const gateway = await listen(async (request, url): Promise<Reply> => {
    const [, , service, second = '', ...rest] = url.pathname.split('/');
    if (service === 'paymentWidgets.js') {
      const [id = '', mode] = (url.searchParams.get('checkoutId') ?? '').split('/');
      const of = { id, build: NAME, origin: gateway.origin, isRegistering: mode === 'registration' };
      return { type: 'text/javascript', headers: cors, text: (await assets.loader(of)) ?? '' };
    }
    if (service === 'static') {
      const file = await assets.file(second, rest.join('/'));
      return file ? { type: file.type, headers: cors, text: file.bytes } : { status: 404, headers: cors };
    }
    if (service === 'slow.png') {
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      return { status: 404 };
    }
    if (service === 'widgetTarget.html') return { text: '<!doctype html><title>.</title>' };
    if (service !== 'checkouts') return { status: 404 };
    if (rest[0] !== 'widget') return pay(request, url);
    const id = decodeURIComponent(second);
    stage.asked.push(id);
    if (stage.failing > 0) {
      stage.failing -= 1;
      return { status: 503, headers: cors };
    }
    const known = sessions.get(id);
    const refused = { result: { code: '200.300.404', description: `No payment session found for ${id}` } };
    const [status, body] = known ? [200, sessionOf(id, known)] : [400, refused];
    return { status, type: 'application/json', headers: cors, text: JSON.stringify(body) };
  }, '127.0.0.1');
  const shop = await listen((_, url): Reply => {
    const page = pages.get(url.pathname);
    if (page) return page;
    if (url.pathname === '/bank') return { text: '<!doctype html><h1>A bank</h1>' };
    if (url.pathname !== '/result') return { status: 404 };
    stage.arrivals.push(url);
    return { text: '<!doctype html><h1>Back at the shop</h1>' };
  }, 'localhost');

  return Object.assign(stage, {
    gateway: gateway.origin,
    shop: shop.origin,
    sizes: { loader: bytesOf('js/loader.js'), runtime: bytesOf('js/static.min.js') },
    sessions,
    page(html: string, headers: Readonly<Record<string, string>> = {}) {
      const path = `/page${pages.size}`;
      pages.set(path, { text: `<!doctype html><meta charset="utf-8"><title>Shop</title>${html}`, headers: { ...headers } });
      return shop.origin + path;
    },
    tag(id: string, attributes = '') {
      return `<script src="${gateway.origin}/v1/paymentWidgets.js?checkoutId=${encodeURIComponent(id)}" ${attributes}></script>`;
    },
    close: async () => {
      await Promise.all([gateway.close(), shop.close()]);
    },
  });
}
