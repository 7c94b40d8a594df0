import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { appOf, challenge, codeOn, DEVICE_INFO, goBack, isShifted, listenAt, visit } from './cardholder.ts';
import { createClient, type Fields, present, type Reply, SHOPPER } from './client.ts';
import { startGateway } from './gateway.ts';

/** Every transStatus in every flow and version, end to end: what the merchant gets, and whether an acquirer was asked. */

const gateway = await startGateway({ patienceMs: 500 });
after(() => gateway.close());
const shop = createClient(gateway.url);
const acquirerAsked = listenAt(gateway);

const BROWSER = { ...SHOPPER, shopperResultUrl: 'https://shop.example/result' };
const APP = {
  'threeDSecure.deviceInfo': DEVICE_INFO,
  'billing.street1': '17 Market Street',
  'billing.city': 'Springfield',
  'billing.postcode': '12345',
  'billing.country': 'DE',
};
const SERIES = {
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.expiry': '2035-01-31',
  'standingInstruction.frequency': '0030',
  'standingInstruction.recurringType': 'SUBSCRIPTION',
};
const MERCHANT = {
  ...SERIES,
  'threeDSecure.channel': '03',
  'threeDSecure.threeRIInd': 'RECURRING',
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.source': 'MIT',
  'card.cvv': '',
};
const NPA = { 'threeDSecure.npa': 'true' };
const FRICTIONLESS = { 'customParameters[3DS2_flow]': 'frictionless' };
const ASKED = { 'customParameters[3DS2_flow]': 'challenge' };
const APART = { ...ASKED, 'threeDSecure.decoupled': 'true', 'customParameters[SIMULATOR_3dsDecides]': '3600' };

type Kind = 'payment' | 'alone' | 'stored';
type Asks = (pending: Reply) => Promise<unknown>;

/** The cardholder authenticates, where there is a challenge. */
const inBrowser: Asks = async (pending) => goBack(await challenge(pending, 'submit', codeOn), pending);
const inApp: Asks = (pending) => appOf(pending).answer();
const atHisTelephone: Asks = async (pending) => {
  const page = await visit(pending.body.threeDSecure.challenge.acsURL);
  const state = /name="state" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
  await visit(`${gateway.url}/sandbox/acs/challenge/action`, { state, action: 'confirm' });
};

type Flow = {
  readonly kind: Kind;
  readonly fields: Fields;
  /** The cardholder's answer to the challenge; null: there is none. */
  readonly asks: Asks | null;
  readonly shows: 'frictionless' | 'challenge' | 'decoupled';
};
const flow = (kind: Kind, fields: Fields, asks: Asks | null = null, shows: Flow['shows'] | null = null): Flow => ({
  kind,
  fields,
  asks,
  shows: shows ?? (asks ? 'challenge' : 'frictionless'),
});

const flows: Readonly<Record<string, Flow>> = {
  'a browser': flow('payment', { ...BROWSER, ...FRICTIONLESS }),
  'a browser, challenged': flow('payment', { ...BROWSER, ...ASKED }, inBrowser),
  'a browser, asked apart': flow('payment', { ...BROWSER, ...APART }, atHisTelephone, 'decoupled'),
  'an app': flow('payment', { ...APP, ...FRICTIONLESS }),
  'an app, challenged': flow('payment', { ...APP, ...ASKED }, inApp),
  'an app, asked apart': flow('payment', { ...APP, ...APART }, atHisTelephone, 'decoupled'),
  '3RI': flow('payment', { ...MERCHANT, ...FRICTIONLESS }),
  '3RI, asked apart': flow('payment', { ...MERCHANT, ...APART }, atHisTelephone, 'decoupled'),
  '3RI without a payment': flow('payment', { ...MERCHANT, ...NPA, ...FRICTIONLESS }),
  npa: flow('payment', { ...BROWSER, ...NPA, ...FRICTIONLESS }),
  'npa, challenged': flow('payment', { ...BROWSER, ...NPA, ...ASKED }, inBrowser),
  alone: flow('alone', { ...BROWSER, ...FRICTIONLESS }),
  'alone, challenged': flow('alone', { ...BROWSER, ...ASKED }, inBrowser),
  'alone, asked apart': flow('alone', { ...BROWSER, ...APART }, atHisTelephone, 'decoupled'),
  'alone, in an app': flow('alone', { ...APP, ...ASKED }, inApp),
  'alone, 3RI': flow('alone', { ...MERCHANT, ...FRICTIONLESS }),
  'alone, 3RI without a payment': flow('alone', { ...MERCHANT, ...NPA, ...FRICTIONLESS }),
  storing: flow('stored', { ...BROWSER, ...NPA, ...FRICTIONLESS }),
  'storing, challenged': flow('stored', { ...BROWSER, ...NPA, ...ASKED }, inBrowser),
  'storing, in an app': flow('stored', { ...APP, ...NPA, ...ASKED }, inApp),
};

const versions = ['2.1.0', '2.2.0'] as const;
const statuses = ['Y', 'A', 'N', 'U', 'R', 'C', 'D', 'I'] as const;
type Status = (typeof statuses)[number];
type Version = (typeof versions)[number];

const PAID = '000.100.110';
/** The result of a payment or a registration, and of an authentication alone; each at once, and after a challenge. */
const codes: Readonly<
  Record<Exclude<Status, 'C' | 'D'>, readonly [once: string, asked: string, aloneOnce: string, aloneAsked: string]>
> = {
  Y: [PAID, PAID, '000.400.110', '000.400.120'],
  A: [PAID, PAID, '000.400.110', '000.400.110'],
  N: ['100.390.109', '100.380.401', '100.390.109', '100.380.401'],
  U: ['100.390.107', '100.390.107', '000.400.101', '000.400.101'],
  R: ['100.390.100', '100.390.100', '100.390.100', '100.390.100'],
  I: [PAID, '', '000.400.101', ''],
};

const cards = {
  VISA: { number: '4200000000000000', eci: { Y: '05', A: '06', I: '07' } },
  MASTER: { number: '5454545454545454', eci: { Y: '02', A: '01', I: '04' } },
} as const;
type Brand = keyof typeof cards;

/** Why a pair cannot be; null when it can. */
function impossible(status: Status, name: string, version: Version): string | null {
  const { asks, fields, shows } = flows[name] as Flow;
  if (version === '2.1.0' && shows === 'decoupled') return 'nobody is asked apart before 2.2: see below what becomes of the wish';
  if (version === '2.1.0' && status === 'D') return 'D is of 2.2';
  if (version === '2.1.0' && status === 'I') return 'I is of 2.2: the issuer says U instead';
  if (version === '2.1.0' && fields['threeDSecure.channel'] && !fields['threeDSecure.npa']) {
    return 'the merchant starts a payment since 2.2: see below';
  }
  if (status === 'C' && shows !== 'challenge') return 'C is how a challenge begins; the merchant alone cannot be challenged';
  if (status === 'D' && shows !== 'decoupled') return 'D is how it begins where the cardholder is asked apart';
  if (status === 'I' && asks) return 'I is said at once, without asking anybody';
  return null;
}

const places: Readonly<Record<Kind, string>> = { payment: 'payments', alone: 'threeDSecure', stored: 'registrations' };

/** The series that a merchant continues, by brand: begun once, with the cardholder present. */
const series = new Map<Brand, Promise<string>>();
async function beginSeries(brand: Brand): Promise<string> {
  const begun = await shop.pay({
    paymentBrand: brand,
    'card.number': cards[brand].number,
    ...SERIES,
    'standingInstruction.mode': 'INITIAL',
    'standingInstruction.source': 'CIT',
  });
  return begun.body.standingInstruction.initialTransactionId;
}
async function seriesOf(brand: Brand): Promise<Fields> {
  const begun = series.get(brand) ?? beginSeries(brand);
  series.set(brand, begun);
  return { 'standingInstruction.initialTransactionId': await begun };
}

async function send(kind: Kind, brand: Brand, fields: Fields): Promise<Reply> {
  const card = {
    paymentBrand: brand,
    'card.number': cards[brand].number,
    'card.holder': 'Ann Example',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'card.cvv': '123',
  };
  const money: Fields = kind === 'stored' ? {} : { amount: '92.00', currency: 'EUR' };
  const type: Fields = kind === 'payment' ? { paymentType: 'DB' } : {};
  const before = fields['standingInstruction.mode'] === 'REPEATED' ? await seriesOf(brand) : {};
  return shop.send('POST', `/v1/${places[kind]}`, present({ ...card, ...money, ...type, ...before, ...fields }));
}

const read = (kind: Kind, id: string): Promise<Reply> => shop.send('GET', `/v1/${places[kind]}/${id}`, {});
const directives = (version: string, status: string): Fields => ({
  'customParameters[3DS2_enrolled]': 'true',
  'customParameters[SIMULATOR_3dsVersion]': version,
  'customParameters[SIMULATOR_3dsStatus]': status,
});

/** The pending reply during a challenge. */
function assertPending({ status, code, body }: Reply, { shows, fields }: Flow): void {
  assert.deepEqual([status, code], [200, '000.200.000'], JSON.stringify(body));
  const isElsewhere = shows === 'decoupled' || fields['threeDSecure.deviceInfo'] !== undefined;
  assert.equal(body.redirect === undefined, isElsewhere);
  assert.equal(body.threeDSecure.challenge === undefined, !isElsewhere);
  assert.equal(body.threeDSecure.authenticationStatus, undefined);
}

async function assertUse(registrationId: string, isGood: boolean): Promise<void> {
  const fields = { paymentType: 'DB', amount: '5.00', currency: 'EUR', 'threeDSecure.disable': 'true' };
  const used = await shop.send('POST', `/v1/registrations/${registrationId}/payments`, fields);
  assert.equal(used.code, isGood ? PAID : '100.150.203', 'whether it can be charged');
}

/** What the merchant reads at the end, and what the acquirer got. */
async function assertEnd(
  id: string,
  way: Flow,
  { status, brand, version }: { status: keyof typeof codes; brand: Brand; version: string },
) {
  const at = (way.asks ? 1 : 0) + (way.kind === 'alone' ? 2 : 0);
  const expected = codes[status][at];
  const end = await read(way.kind, id);
  assert.equal(end.code, expected, JSON.stringify(end.body));
  const asked = acquirerAsked(id);
  assert.equal(asked !== null, way.kind !== 'alone' && expected === PAID, 'whether the acquirer was asked');
  const isProven = status === 'Y' || status === 'A';
  if (asked) assert.equal(isShifted(asked), isProven, 'whether the issuer is liable');
  if (asked) assert.equal(asked.secrets.cvv, way.fields['card.cvv'] === '' ? undefined : '123');
  if (way.kind === 'stored') return assertUse(id, expected === PAID);
  const { eci, flow: shown, authenticationStatus, verificationId, version: spoken } = end.body.threeDSecure;
  assert.deepEqual([shown, authenticationStatus, spoken], [way.shows, status, version]);
  const known: Readonly<Record<string, string>> = cards[brand].eci;
  if (expected === PAID || way.kind === 'alone') assert.equal(eci, known[status] ?? (brand === 'VISA' ? '07' : '00'));
  const isShown = isProven && (way.kind === 'alone' || expected === PAID);
  assert.equal(verificationId !== undefined, isShown, 'the merchant reads the proof');
}

for (const [name, way] of Object.entries(flows)) {
  for (const version of versions) {
    for (const status of statuses) {
      const why = impossible(status, name, version);
      if (why !== null) {
        test(`${name}, ${version}, ${status}`, { skip: why }, () => {});
        continue;
      }
      for (const brand of Object.keys(cards) as Brand[]) {
        test(`${name}, ${version}, ${status}, ${brand}`, async () => {
          const isBeginning = status === 'C' || status === 'D';
          const reply = await send(way.kind, brand, { ...way.fields, ...directives(version, isBeginning ? 'Y' : status) });
          if (way.asks) assertPending(reply, way);
          if (isBeginning)
            return assertPending(await read('payment', reply.id).then((got) => (way.kind === 'payment' ? got : reply)), way);
          if (way.asks) await way.asks(reply);
          await assertEnd(reply.id, way, { status, brand, version });
        });
      }
    }
  }
}

test('in 2.1.0 a decoupled request becomes a challenge in the browser', async () => {
  const pending = await send('payment', 'VISA', { ...BROWSER, ...APART, ...directives('2.1.0', 'Y') });
  assertPending(pending, flows['a browser, challenged'] as Flow);
  await inBrowser(pending);
  assert.equal((await read('payment', pending.id)).code, PAID);
});

test('in 2.1.0 the merchant cannot start a payment', async () => {
  const fields = { ...MERCHANT, ...directives('2.1.0', 'Y') };
  const paid = await send('payment', 'VISA', fields);
  assert.deepEqual([paid.status, paid.code, acquirerAsked(paid.id)], [400, '100.390.107', null]);
  assert.equal((await send('alone', 'VISA', fields)).code, '000.400.109');
});

test('in 2.1.0 an issuer that would take note says U', async () => {
  const fields = { ...BROWSER, ...directives('2.1.0', 'I') };
  const paid = await send('payment', 'VISA', fields);
  assert.deepEqual([paid.code, paid.body.threeDSecure.authenticationStatus], ['100.390.107', 'U']);
});

test('the kinds of 3RI: what each needs', async () => {
  const threeRI = (fields: Fields) => send('payment', 'VISA', { ...MERCHANT, ...directives('2.2.0', 'Y'), ...fields });
  for (const threeRIInd of ['SPLIT_SHIPMENT', 'DELAYED_SHIPMENT']) {
    const paid = await threeRI({
      'threeDSecure.threeRIInd': threeRIInd,
      'standingInstruction.type': 'UNSCHEDULED',
      'standingInstruction.expiry': '',
      'standingInstruction.frequency': '',
    });
    assert.deepEqual([paid.code, paid.body.threeDSecure.eci], [PAID, '05'], JSON.stringify(paid.body));
  }
  const unframed = await threeRI({ 'standingInstruction.expiry': '', 'standingInstruction.frequency': '' });
  const names = unframed.body.result.parameterErrors.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ['standingInstruction.expiry', 'standingInstruction.frequency']);
});
