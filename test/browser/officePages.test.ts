import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { reasonFor } from '../../src/spec/explain/explain.ts';
import { type ResultCode, resultCodes } from '../../src/spec/resultCodes.ts';
import { createClient, DEMO } from '../http/client.ts';
import { signedInAs } from '../http/userFixture.ts';
import { onlyLong } from '../long.ts';
import { createSample } from '../sample.ts';
import { noBrowser, type Office, type OfficePage, openOffice, type Seat } from './office.ts';

/** Every page of the table as the operator sees it, with things on it: in light, in dark, and on a phone in German. */

/** A row of the table, as far as this test reads it: its types are those of a browser, and these here are not. */
type Row = { readonly name: string; readonly path: string; readonly example?: string };

const table = new URL('../../src/backoffice/pages.ts', import.meta.url).href;
const { pageRows } = (await import(table)) as { readonly pageRows: readonly Row[] };

let office: Office;
/** What stands for `$id` in the address of a page; where nothing was made, the page shows that there is none. */
let ids: Readonly<Record<string, string>> = {};

const STORED = { createRegistration: 'true', 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' };
const SUBSCRIPTION = { 'standingInstruction.type': 'RECURRING', 'standingInstruction.recurringType': 'SUBSCRIPTION' };
const DAILY = { 'job.expression': '0 0 6 * * ?', 'standingInstruction.mode': 'REPEATED', 'standingInstruction.source': 'MIT' };
const PRICE = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };

/** The codes of declines that need the most room when their reason is told, in either language. */
const wordy = (['en', 'de'] as const).flatMap((language) => {
  const room = (code: ResultCode): number => reasonFor(code, language)?.length ?? 0;
  const declines = (Object.keys(resultCodes) as ResultCode[]).filter((code) => resultCodes[code].means === 'declined');
  return declines.sort((one, other) => room(other) - room(one)).slice(0, 2);
});

/** A few things of every kind, so that pages have something to show. */
async function create({ gateway }: Office): Promise<Readonly<Record<string, string>>> {
  const shop = createClient(gateway.url);
  const { ask } = await signedInAs(gateway);
  const [payment, checkout, webhook, me] = await Promise.all([
    shop.pay({ paymentType: 'PA', ...STORED, ...SUBSCRIPTION }),
    shop.send('POST', '/v1/checkouts', PRICE),
    ask('POST', '/webhooks', { entityId: DEMO.merchantId, name: 'Shop', url: 'http://127.0.0.1:1/hook' }),
    ask('GET', '/me'),
  ]);
  const registrationId: string = payment.body.registrationId;
  const plan = { ...PRICE, registrationId, ...SUBSCRIPTION, ...DAILY };
  const [schedule] = await Promise.all([
    shop.send('POST', '/scheduling/v1/schedules', plan),
    shop.capture(payment.id, '30.00'),
    shop.refund((await shop.pay()).id, '12.00'),
    shop.pay({ 'card.number': '4200000000000001' }),
    ...wordy.map((code) => shop.pay({ 'customParameters[forceResultCode]': code })),
  ]);
  const made = { payment: payment.id, riskWhy: payment.id, registration: registrationId, checkout: checkout.id };
  const all = { ...made, schedule: schedule.id, webhook: webhook.id, user: me.body.user.id as string };
  for (const [name, id] of Object.entries(all)) assert.match(String(id), /^[0-9a-zA-Z.-]{20,}$/, name);
  return all as Readonly<Record<string, string>>;
}

before(async () => {
  if (noBrowser) return;
  office = await openOffice();
  ids = await create(office);
  await office.gateway.work('aggregate statistics');
});
afterEach(() => office?.release());
after(() => office?.close());

type Scheme = 'light' | 'dark';
type Look = (seat: OfficePage, schemes: readonly Scheme[]) => Promise<void>;

/** Both colour schemes for every page in the long run; one for each page, in turn, in the quick one. */
const schemesOf = (at: number): readonly Scheme[] => (onlyLong === false ? ['light', 'dark'] : [at % 2 === 0 ? 'light' : 'dark']);

/** Of the pages, a whole `npm test` takes half. */
const isSampled = createSample(2);
const pages = pageRows.filter(() => isSampled());

const [SCREEN, PHONE] = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

const engine: Look = async ({ page, axe, fits }, [, second]) => {
  await fits();
  await axe();
  if (second) {
    await page.emulateMedia({ colorScheme: second });
    await axe(['color-contrast']);
  }
  await page.setViewportSize(PHONE);
  await fits();
  await page.setViewportSize(SCREEN);
};

const phone: Look = async ({ axe, fits }) => {
  await fits();
  await axe();
};

/** The phone again in German, and by axe, in the long run. */
const looks: readonly (readonly [name: string, seat: Seat, look: Look, isSkipped: string | false])[] = [
  ['light and dark, wide and narrow', {}, engine, noBrowser],
  ['a phone in German', { viewport: PHONE, language: 'de' }, phone, noBrowser || onlyLong],
];

for (const [name, seat, look, isSkipped] of looks) {
  test(`${name}: every page renders, fits and is accessible`, { skip: isSkipped }, async () => {
    const seated = await office.sit(seat);
    const { page, troubles } = seated;
    const found: string[] = [];
    for (const [at, row] of pages.entries()) {
      const schemes = schemesOf(at);
      const before = troubles.length;
      const id = ids[row.name];
      // A page says in words that a thing does not exist: that is no fault of the page.
      const isFault = (trouble: string) => id !== undefined || row.example === undefined || !trouble.startsWith('404:');
      try {
        await page.emulateMedia({ colorScheme: schemes[0] ?? 'light' });
        await seated.go(row.path.replaceAll(/\$\w+/g, id ?? row.example ?? '0'.repeat(32)));
        await seated.shot(`${row.name}-${name.split(' ').at(-1)}`);
        assert.match(await page.title(), / · Turnpike$/);
        await look(seated, schemes);
      } catch (error) {
        found.push(`${row.name}: ${(error as Error).message}`);
      }
      found.push(
        ...troubles
          .slice(before)
          .filter(isFault)
          .map((trouble) => `${row.name}: ${trouble}`),
      );
    }
    assert.deepEqual(found, []);
  });
}
