import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { integrityOf } from '../../src/assets/asset.ts';
import { badgeSheet, withBundler } from '../../src/assets/build.ts';
import { fieldPage, isFrameField } from '../../src/http/shopper/widgetPages.ts';
import type { WidgetBrand, WidgetRegistration, WidgetSession } from '../../src/spec/widget.ts';
import { allTexts } from '../../src/widget/allTexts.ts';
import { badgeAlone, drawBadges } from '../../src/widget/images/badges.ts';

const root = join(import.meta.dirname, '..', '..');
const BUILD = 'test';
export const CHECKOUT = `${'A1'.repeat(16)}.node-1`;

/** The shop's page: the forms with the least around them that an engine would give, and its submission without the sending. */
const pageScript = `
import { makeForms } from './src/widget/runtime/forms/forms.ts';
import { createHooks, flag } from './src/widget/runtime/readOptions.ts';
import { amountTextOf } from './src/widget/languages.ts';
import { filled, placeholderOf, textOf } from './src/widget/runtime/loadCheckout.ts';
import { isRtl } from './src/widget/languages.ts';

window.heard = [];
window.sent = [];
window.start = ({ given, session, texts, language, brands, registrations, options }) => {
  window.wpwlOptions = { ...options, ...window.hooks };
  const read = () => window.wpwlOptions;
  const hooks = createHooks(read);
  window.aroundGiven = given;
  const environment = {
    window, document, config: given, session, language, isRtl: isRtl(language),
    text: (key, places) => filled(textOf(texts, read(), key), places),
    placeholder: (key) => placeholderOf(texts, read(), key),
    options: read, flag, call: hooks.call,
    fail: (error) => { window.heard.push(error.name + ' ' + (error.event ?? '') + ' ' + error.message); hooks.fail(error); },
    amountText: amountTextOf(session.amount, session.currency, language),
  };
  const forms = makeForms(environment, { brands, registrations });
  const widget = document.createElement('div');
  widget.className = 'wpwl-widget';
  document.querySelector('#place').append(widget);
  for (const form of forms) {
    widget.append(form.container.parentElement ?? form.container);
    form.form.action = given.origin + '/v1/checkouts/' + given.checkoutId + '/payment';
    form.form.addEventListener('submit', async (event) => {
      event.preventDefault();
      form.setBusy(true);
      try {
        if ((await form.validate()) === false) return;
        await form.prepare();
        window.sent.push(Object.fromEntries(new FormData(form.form)));
      } catch (error) {
        window.heard.push(error.name + ' ' + error.message);
      } finally {
        form.setBusy(false);
      }
    });
  }
  window.forms = forms;
  hooks.call('onReady', {}, forms.map((form) => ({ containerKey: form.key, ccMethods: form.brands })));
};
`;

type Define = Readonly<Record<string, string>>;

async function bundled(of: { readonly entry?: string; readonly script?: string; readonly define?: Define }): Promise<Uint8Array> {
  const { outputFiles } = await withBundler(() =>
    build({
      ...(of.script ? { stdin: { contents: of.script, resolveDir: root } } : { entryPoints: [join(root, of.entry ?? '')] }),
      bundle: true,
      minify: true,
      write: false,
      format: 'iife',
      charset: 'utf8',
      external: ['../img/*'],
      plugins: [badgeSheet],
      ...(of.define && { define: { ...of.define } }),
      target: ['chrome111', 'firefox111', 'safari16.4'],
      logLevel: 'silent',
    }),
  );
  return outputFiles[0]?.contents ?? new Uint8Array();
}

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return String((server.address() as AddressInfo).port);
};
const closing = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, string>>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Object.fromEntries(new URLSearchParams(Buffer.concat(parts).toString('utf8')));
}

export type Posted = { readonly path: string; readonly fields: Readonly<Record<string, string>> };

export type Bench = {
  readonly shopUrl: string;
  readonly gatewayUrl: string;
  /** What the gateway was sent. */
  readonly posted: Posted[];
  /** Bytes as they travel, by name. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Status for removals. */
  forgetStatus: number;
  close(): Promise<void>;
};

type Files = ReadonlyMap<string, readonly [type: string, bytes: Uint8Array | string]>;

async function filesOf(): Promise<Files> {
  const css = async (name: string): Promise<readonly [string, Uint8Array]> => [
    'text/css',
    await bundled({ entry: `src/widget/styles/${name}.css` }),
  ];
  const image = (name: string, type: string): readonly [string, Uint8Array] => [
    type,
    readFileSync(join(root, 'src/widget/images', name)),
  ];
  const at = (name: string): string => `/v1/static/${BUILD}/${name}`;
  const wallets = await bundled({ entry: 'src/widget/runtime/wallets/main.ts' });
  const define = { WALLETS_INTEGRITY: JSON.stringify(integrityOf(wallets)) };
  return new Map([
    [at('css/card.css'), await css('card')],
    [at('css/plain.css'), await css('plain')],
    [at('css/logos.css'), await css('logos')],
    [at('img/brand.svg'), image('brand.svg', 'image/svg+xml')],
    [at('img/brand.png'), image('brand.png', 'image/png')],
    [at('js/frame.min.js'), ['text/javascript', await bundled({ entry: 'src/widget/frame/main.ts' })]],
    [at('js/wallets.min.js'), ['text/javascript', wallets]],
    [at('page.js'), ['text/javascript', await bundled({ script: pageScript, define })]],
  ]);
}

/** A shop with a strict policy of its own at one origin, and the little of a gateway that forms and frames speak to at another. */
export async function startBench(): Promise<Bench> {
  const files = await filesOf();
  const measured = await bundled({
    script: "import { makeForms } from './src/widget/runtime/forms/forms.ts'; globalThis.x = makeForms;",
  });
  const posted: Posted[] = [];
  const state = { forgetStatus: 204 };
  const integrity = integrityOf(files.get(`/v1/static/${BUILD}/js/frame.min.js`)?.[1] ?? '');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://gateway.example');
    const badge = /\/img\/brand\.(\w+)\.svg$/.exec(url.pathname)?.[1];
    const file: readonly [string, Uint8Array | string] | undefined =
      badge === undefined ? files.get(url.pathname) : ['image/svg+xml', badgeAlone(drawBadges(), badge) ?? ''];
    response.setHeader('access-control-allow-origin', '*');
    if (file) {
      response.setHeader('content-type', file[0]);
      response.end(file[1]);
    } else if (url.pathname === '/v1/pciIframe.html') {
      const field = url.searchParams.get('field') ?? '';
      const page = fieldPage({ build: BUILD, field: isFrameField(field) ? field : 'card.number', integrity, ancestors: '*' });
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader('content-security-policy', page.policy);
      response.end(page.html);
    } else if (request.method === 'POST') {
      const fields = await bodyOf(request);
      posted.push({ path: url.pathname, fields });
      if (url.pathname.endsWith('/forget')) response.statusCode = state.forgetStatus;
      response.setHeader('content-type', 'application/json');
      response.end(url.pathname.endsWith('/fields') ? JSON.stringify({ sealed: `sealed-${posted.length}` }) : '');
    } else {
      response.statusCode = 404;
      response.end();
    }
  }
  const gateway = createServer((request, response) => void answer(request, response));
  const gatewayUrl = `http://localhost:${await listening(gateway)}`;
  const shop = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://shop.example').searchParams;
    const style = query.get('style') ?? 'card';
    const link = style === 'none' ? '' : `<link rel="stylesheet" href="${gatewayUrl}/v1/static/${BUILD}/css/${style}.css">`;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    // No inline style and no inline script is allowed in this shop.
    response.setHeader(
      'content-security-policy',
      `default-src 'self'; style-src ${gatewayUrl}; script-src ${gatewayUrl}; img-src ${gatewayUrl}; frame-src ${gatewayUrl}; connect-src ${gatewayUrl}`,
    );
    response.end(`<!doctype html><html lang="${query.get('lang') ?? 'en'}"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="${query.get('scheme') ?? 'light'}">${link}</head>
<body><main><h1>Checkout</h1><div id="place"></div></main><script src="${gatewayUrl}/v1/static/${BUILD}/page.js"></script></body></html>`);
  });
  const shopUrl = `http://127.0.0.1:${await listening(shop)}`;
  const sizes = Object.fromEntries([
    ['makeForms', gzipSync(measured, { level: 9 }).length],
    ...['card', 'plain', 'logos'].map((name) => [
      `${name}.css`,
      gzipSync(files.get(`/v1/static/${BUILD}/css/${name}.css`)?.[1] ?? '', { level: 9 }).length,
    ]),
  ]);
  return {
    shopUrl,
    gatewayUrl,
    posted,
    sizes,
    get forgetStatus() {
      return state.forgetStatus;
    },
    set forgetStatus(status) {
      state.forgetStatus = status;
    },
    async close() {
      await Promise.all([closing(gateway), closing(shop)]);
    },
  };
}

const card = (name: string, cvvLength: 3 | 4 | null = 3): WidgetBrand => ({ name, form: 'card', cvvLength, asks: [] });
const other = (name: string, form: WidgetBrand['form'], asks: readonly string[] = []): WidgetBrand => ({
  name,
  form,
  cvvLength: null,
  asks,
});

/** A checkout with one brand of every kind. */
export const session: WidgetSession = {
  id: CHECKOUT,
  endpoint: '/payment',
  resourcePath: `/v1/checkouts/${CHECKOUT}/payment`,
  amount: '92.00',
  currency: 'EUR',
  paymentType: 'DB',
  shopperResultUrl: null,
  leftMs: 1_800_000,
  isDone: false,
  brands: [
    ...[card('VISA'), card('MASTER'), card('AMEX', 4), card('MAESTRO'), card('MADA'), card('CARTEBANCAIRE'), card('ALIA')],
    other('DIRECTDEBIT_SEPA', 'directDebit', ['bankAccount.holder', 'bankAccount.iban', 'bankAccount.country']),
    other('SOFORTUEBERWEISUNG', 'onlineTransfer', ['bankAccount.country']),
    other('IDEAL', 'onlineTransfer', ['bankAccount.bankName', 'bankAccount.country']),
    other('EPS', 'onlineTransfer', ['bankAccount.country']),
    other('PAYPAL', 'virtualAccount'),
    other('MBWAY', 'virtualAccount', ['virtualAccount.accountId']),
    other('VIRTUAL_ACCOUNT', 'virtualAccount', ['virtualAccount.accountId']),
    other('KLARNA_INVOICE', 'invoice', [
      ...['customer.givenName', 'customer.surname', 'customer.email', 'customer.birthDate'],
      ...['billing.street1', 'billing.city', 'billing.postcode', 'billing.country'],
    ]),
    other('PREPAYMENT', 'prepayment', []),
    other('GIFTCARD', 'giftCard', ['giftCard.number', 'giftCard.pin']),
    other('APPLEPAY', 'wallet'),
    other('GOOGLEPAY', 'wallet'),
  ],
  registrations: [],
  overrideHolder: false,
  threeDSecure: false,
  merchantName: 'Example Shop',
  isTest: true,
};

const stored = { kind: 'card', holder: 'Ann Example', expiryMonth: '12', expiryYear: '2034' } as const;
export const registrations: readonly WidgetRegistration[] = [
  { ...stored, id: '1'.repeat(32), brand: 'VISA', ends: '0091' },
  { ...stored, id: '2'.repeat(32), brand: 'AMEX', ends: '1113', holder: null },
  {
    ...stored,
    id: '3'.repeat(32),
    brand: 'PAYPAL',
    kind: 'virtualAccount',
    ends: 'ann@shop.example',
    holder: null,
    expiryMonth: null,
    expiryYear: null,
  },
];

export type StartOf = {
  readonly brands?: readonly string[];
  readonly options?: Readonly<Record<string, unknown>>;
  readonly session?: Partial<WidgetSession>;
  readonly registrations?: readonly WidgetRegistration[];
  readonly language?: keyof typeof allTexts;
};

/** What the page is started with. */
export const startOf = (bench: Bench, { brands, options, language = 'en', ...rest }: StartOf) => ({
  given: { origin: bench.gatewayUrl, checkoutId: CHECKOUT, isRegistration: false, cacheVersion: BUILD, nonce: null },
  session: { ...session, ...rest.session },
  texts: allTexts[language],
  language,
  brands: brands ?? ['VISA', 'MASTER', 'AMEX'],
  registrations: rest.registrations ?? [],
  options: options ?? {},
});
