import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { type Browser, noBrowser, startBrowser } from '../test/browser/browser.ts';
import { temporaryFolder } from '../test/faults/gatewayProcess.ts';
import { createClient, OTHER } from '../test/http/client.ts';
import { startChild, stopAll, stopOnSignals } from './children.ts';
import { startGateway } from './gateway.ts';
import { foreignLoad } from './machine.ts';
import { createProgress } from './progress.ts';
import { median } from './speed.ts';

/**
 * How long a shopper waits for the card form, from the script tag until both field frames answer, beside a bare page of the same shape in the
 * same browser. Both in turn, round after round: whatever else the machine does meets both alike, so the ratio is what counts.
 */
const usage = 'bench/widget.ts [--rounds n: 10]';

/** The browser's own window has been drawn by then. */
const SETTLE_MS = 1_500;
const WAIT_MS_MAX = 30_000;

type Visit = { readonly drawnMs: number; readonly usableMs: number; readonly requests: number };
type Lap = { readonly cold: Visit; readonly warm: Visit };
type Contender = () => Promise<string>;

const HEAD = `<!doctype html><meta charset="utf-8"><title>Shop</title><body><script>
  const ready = [];
  function formIsDrawn() { window.drawn = performance.now() }
  function frameIsReady() { if (ready.push(performance.now()) === 2) console.debug('usable') }
  var wpwlOptions = { onReady: formIsDrawn, onReadyIframeCommunication: frameIsReady };
  const began = performance.now();
</script>`;

/** The shop's pages, under another site than the gateway's. */
async function startShop() {
  const pages: string[] = [];
  const server = createServer((request, response) => {
    const html = pages[Number((request.url ?? '').slice(1))];
    response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    put: (html: string): string => `http://localhost:${port}/${pages.push(HEAD + html) - 1}`,
    close: () => server.close(),
  };
}

async function visit(page: Page, url: string): Promise<Visit> {
  let requests = 0;
  const count = (): void => {
    requests += 1;
  };
  page.on('request', count);
  const usable = page.waitForEvent('console', { predicate: (line) => line.text() === 'usable', timeout: WAIT_MS_MAX });
  await Promise.all([usable, page.goto(url, { waitUntil: 'commit' })]);
  page.off('request', count);
  const [drawnMs = 0, usableMs = 0] = await page.evaluate<number[]>('[drawn - began, ready[1] - began]');
  // The page itself is the shop's.
  return { drawnMs, usableMs, requests: requests - 1 };
}

/** A browser without anything in its cache, and then the same tab once more. */
async function lap(browser: Browser, makePage: Contender): Promise<Lap> {
  const page = await browser.open({ width: 900, height: 900 });
  await page.goto('about:blank');
  await page.waitForTimeout(SETTLE_MS);
  const cold = await visit(page, await makePage());
  await page.waitForTimeout(SETTLE_MS / 2);
  const warm = await visit(page, await makePage());
  await browser.clear();
  return { cold, warm };
}

async function measure(rounds: number): Promise<readonly { readonly widget: Lap; readonly bare: Lap }[]> {
  const progress = createProgress();
  progress.step('a gateway, a bare server and a browser');
  const dataDir = temporaryFolder();
  const [gateway, shop, browser] = await Promise.all([startGateway({ dataDir }), startShop(), startBrowser()]);
  const { child } = startChild('widgetBare.ts');
  const [{ port: barePort }] = (await once(child, 'message')) as [{ readonly port: number }];
  const url = `http://127.0.0.1:${gateway.port}`;
  const client = createClient(url, OTHER);
  const widgetPage: Contender = async () => {
    const { body } = await client.send('POST', '/v1/checkouts', { amount: '92.00', currency: 'EUR', paymentType: 'DB' });
    const script = `<script src="${url}/v1/paymentWidgets.js?checkoutId=${body.id}"></script>`;
    return shop.put(`${script}<form action="/result" class="paymentWidgets" data-brands="VISA MASTER"></form>`);
  };
  const barePage: Contender = async () => shop.put(`<script src="http://127.0.0.1:${barePort}/script.js"></script>`);
  const found: { widget: Lap; bare: Lap }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    progress.step(`round ${round + 1} of ${rounds}`);
    found.push({ widget: await lap(browser, widgetPage), bare: await lap(browser, barePage) });
  }
  progress.end();
  shop.close();
  await browser.close();
  await stopAll();
  rmSync(dataDir, { recursive: true, force: true });
  return found;
}

const { values } = parseArgs({ options: { rounds: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help || noBrowser !== false) {
  console.log(noBrowser || usage);
  process.exit(noBrowser ? 1 : 0);
}
stopOnSignals();
const busy = await foreignLoad();
const laps = await measure(Number(values.rounds ?? 10));
const ms = (numbers: readonly number[]): string => `${Math.round(median(numbers) ?? 0)} ms`;
for (const [what, when] of [
  ['first visit', 'cold'],
  ['second visit', 'warm'],
] as const) {
  const widget = laps.map((one) => one.widget[when]);
  const bare = laps.map((one) => one.bare[when]);
  const ratio = median(widget.map(({ usableMs }, at) => usableMs / (bare[at]?.usableMs ?? usableMs))) ?? 0;
  const usable = `usable after ${ms(widget.map(({ usableMs }) => usableMs))} (drawn ${ms(widget.map(({ drawnMs }) => drawnMs))})`;
  const limit = `bare page ${ms(bare.map(({ usableMs }) => usableMs))}, ratio ${ratio.toFixed(2)}`;
  console.log(`${what}: ${usable}, ${limit}, requests ${widget[0]?.requests} to ${bare[0]?.requests}`);
}
if (busy !== null) console.log(`others used ${Math.round(busy * 100)} % of the machine before`);
process.exit(0);
