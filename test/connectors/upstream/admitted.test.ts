import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { upstream } from '../../../src/connectors/upstream/upstream.ts';
import { brands } from '../../../src/spec/cards/brands.ts';
import { paymentSections } from '../../../src/spec/endpoints.ts';
import { sections } from '../../../src/spec/parameters.ts';
import { paymentTypes } from '../../../src/spec/paymentTypes.ts';
import { brandExtras } from '../../http/brandExtras.ts';
import { CARD, type Fields, present, type Reply } from '../../http/client.ts';
import { isLongRun, sized } from '../../long.ts';
import { baseFor, nameOf, narrowed } from '../../parameterRequests.ts';
import { type Chain, startChain } from './chain.ts';
import { type Recorder, startRecorder } from './recorder.ts';

/**
 * Every request that the API admits is sent twice: to the platform itself, and through the connector. Both must end alike, and what the
 * platform received through the connector is compared with what was sent, parameter by parameter. The comparison knows the request, the
 * recorded form and the table on the connector's page; it shares no code with the connector.
 */
type Side = Readonly<{ send: Chain['client']['send'] }>;
type Tried = { readonly chain: Chain; readonly recorder: Recorder; readonly direct: Side; readonly through: Side };

async function startTried(settings: Readonly<Record<string, unknown>>): Promise<Tried> {
  let recorder: Recorder | undefined;
  const chain = await startChain({
    settings: { honoursIdempotencyKey: true, ...settings },
    far: { isQuiet: true },
    near: { isQuiet: true },
    between: async (url) => {
      recorder = await startRecorder(url);
      return recorder.url;
    },
  });
  if (!recorder) throw new Error('nothing stands between the gateways');
  const through: Side = {
    send: (method, path, fields) => chain.client.send(method, path, { ...fields, testMode: 'EXTERNAL' }),
  };
  return { chain, recorder, direct: chain.farClient, through };
}

let ours: Tried;
let theirs: Tried;
before(async () => {
  ours = await startTried({});
  theirs = await startTried({ registrations: 'theirs' });
});
after(async () => {
  for (const { chain, recorder } of [ours, theirs]) {
    await recorder.close();
    await chain.close();
  }
});

/** The names on the connector's page of what arrives otherwise than it was sent; `job.*` stands for all that begin so. */
const documented = (upstream.accounts === undefined ? [] : (upstream.parameters ?? [])).flatMap(({ names }) => names);
const isDocumented = (name: string): boolean =>
  documented.some((one) => one === name || (one.endsWith('.*') && name.startsWith(one.slice(0, -1))) || indexed(name) === one);
const indexed = (name: string): string => name.replace(/\[[0-9]+\]/g, '[n]');

/** What the connector adds: names for what the request said otherwise. */
const ADDED = [
  ...['entityId', 'merchantTransactionId', 'customParameters[SHOPPER_turnpike]', 'threeDSecure.disable', 'paymentBrand'],
  ...['tokenAccount.type', 'referenceUuid', 'applePay.source', 'googlePay.source', 'createRegistration'],
];
const isAdded = (name: string): boolean => ADDED.includes(name) || name.startsWith('standingInstruction.');

const seenOtherwise = new Set<string>();

/** Every parameter has arrived as it was sent, or the page says what becomes of it. */
function assertArrived({ recorder }: Tried, sent: Fields, reply: Reply, about: string, adds: readonly string[] = []): void {
  const received = recorder.of(reply.id)?.fields;
  assert.ok(received, `${about}: nothing reached the platform: ${JSON.stringify(reply.body)}`);
  for (const [name, text] of Object.entries(sent)) {
    if (received.get(name) === text) continue;
    assert.ok(isDocumented(name), `${about}: ${name} arrived as ${received.get(name)}`);
    seenOtherwise.add(name);
  }
  for (const name of received.keys())
    assert.ok(name in sent || isAdded(name) || adds.includes(name), `${about}: ${name} was never sent`);
}

/** A success has the code of the mode that it was made in. */
const outcomeOf = ({ status, code }: Reply): readonly unknown[] => [status, code.replace('000.100.112', '000.100.110')];

/** The gateway in between refuses by itself what the API refuses, with the same words. */
function assertAlike(direct: Reply, through: Reply, about: string): void {
  const said = `${about}: ${JSON.stringify(direct.body.result)} against ${JSON.stringify(through.body)}`;
  assert.deepEqual(outcomeOf(through), outcomeOf(direct), said);
}

let requests = 0;

async function both({ direct, through }: Tried, path: string, fields: Fields, about: string) {
  requests += 1;
  const replies = [await direct.send('POST', path, fields), await through.send('POST', path, fields)] as const;
  assertAlike(...replies, about);
  return { direct: replies[0], through: replies[1] };
}

type Sent = { readonly name: string; readonly request: Fields };

function sentWith(name: string, text: string): Sent {
  const request: Readonly<Record<string, string | null>> = { ...baseFor(name, text), [name]: text };
  const sent = Object.entries(request).filter((field): field is [string, string] => field[1] !== null && field[0] !== 'entityId');
  return { name, request: Object.fromEntries(sent) };
}

/** Sends parameters together; where the platform does not take them together, one by one. */
async function tryParameters(group: readonly Sent[]): Promise<void> {
  const sent: Fields = Object.assign({}, ...group.map(({ request }) => request));
  const names = group.map(({ name }) => name);
  if (group.length > 1) {
    requests += 1;
    const { status, body } = await ours.direct.send('POST', '/v1/payments', sent);
    if (status !== 200 || body.result.code !== '000.100.110') {
      for (const one of group) await tryParameters([one]);
      return;
    }
  }
  const { through } = await both(ours, '/v1/payments', sent, names.join());
  if (ours.recorder.of(through.id)) assertArrived(ours, { ...sent, testMode: 'EXTERNAL' }, through, names.join());
  else
    assert.ok(
      names.every((name) => refusedHere.includes(name)) || through.code.startsWith('100.'),
      `${names} got ${through.code}`,
    );
}

const together = sized({ quick: 16, assure: 1, reliability: 1 });

for (const section of paymentSections) {
  test(`${sections[section].heading}: every parameter arrives, or the page says why not`, async () => {
    const all = Object.entries(sections[section].rows).map(([rowName, { format }]) => {
      const name = nameOf(rowName);
      return sentWith(name, (narrowed[rowName]?.good ?? format.good)[0] ?? '');
    });
    // Beside a house number the API itself leaves the second line of a street out.
    const isAlone = (name: string): boolean => name.endsWith('.street2');
    const baseOf = ({ name, request }: Sent): string =>
      isAlone(name)
        ? name
        : Object.keys(request)
            .filter((other) => other !== name)
            .sort()
            .join();
    const alike = Map.groupBy(all, baseOf);
    for (const group of alike.values())
      for (let at = 0; at < group.length; at += together) await tryParameters(group.slice(at, at + together));
  });
}

/** Names that the gateway refuses before any acquirer is asked, as they stand in the requests above. */
const refusedHere = [
  ...['overridePaymentType[VISA_d3b1tVISA_d3b1tVISA_d3b1tVI]', 'authentication.entityId'],
  ...['walletA.paymentToken', 'walletB.paymentToken', 'walletC.paymentToken', 'walletA.cardType', 'walletA.cardNetwork'],
  ...['referenceUuid', 'standingInstruction.industryPractice'],
];

const ofEachShape = sized({ quick: 1, assure: 100, reliability: 100 });

const NO_CARD = Object.fromEntries(Object.keys(CARD).map((name) => [name, '']));
const BACK = { shopperResultUrl: 'https://shop.example/' } as const;
const order = { amount: '92.00', currency: 'EUR' } as const;

/** An account by its kind, for the brands of a method. */
const accounts: Readonly<Record<string, Fields>> = {
  card: CARD,
  giftCard: { 'giftCard.number': 'GIFT-10017', 'giftCard.pin': '1234' },
};

type BrandRow = (typeof brands)[string];
const shapeOf = ({ account, workflow, paidBy, extras }: BrandRow): string => `${account} ${workflow} ${paidBy} ${extras.join()}`;

/** For each method of the connector's table its brands without a token of a device; in the short form one of each shape. */
const methods = Object.keys(upstream.supports).map((method) => {
  const all = Object.entries(brands).filter(([, row]) => row.method === method && row.account !== 'wallet');
  const isTried = ([brand, row]: (typeof all)[number]): boolean =>
    row.account !== 'card' || ['VISA', 'VISADEBIT'].includes(brand);
  const shapes = Map.groupBy(all.filter(isTried), ([, row]) => shapeOf(row));
  return { method, brands: [...shapes.values()].flatMap((alike) => alike.slice(0, ofEachShape)).map(([brand]) => brand) };
});

function requestWith(brand: string, more: Fields): Fields {
  const { account, workflow } = brands[brand] ?? {};
  return present({
    ...NO_CARD,
    ...accounts[account ?? ''],
    ...brandExtras[brand],
    ...(workflow === 'async' && BACK),
    paymentBrand: brand,
    ...order,
    'customParameters[SIMULATOR_confirm]': 'before',
    ...more,
  });
}

/** The shopper pays at the bank that the redirect leads to, and returns. */
async function paidElsewhere(reply: Reply): Promise<void> {
  if (reply.body.redirect === undefined) return;
  const paid = await fetch(reply.body.redirect.url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ choice: 'pay' }),
  });
  // By the platform's address and that of the gateway to the shop.
  let at = paid.url;
  let back = paid.headers.get('location');
  while (back !== null && !back.startsWith('https://shop.example')) {
    at = new URL(back, at).href;
    back = (await fetch(at, { redirect: 'manual' })).headers.get('location');
  }
}

const followUps: readonly Fields[] = [
  { paymentType: 'CP', amount: '50.00', currency: 'EUR' },
  { paymentType: 'CP', amount: '50.00', currency: 'EUR' },
  { paymentType: 'CP', amount: '2.00', currency: 'EUR', sequence: 'FINAL' },
  { paymentType: 'CP', amount: '2.00', currency: 'EUR' },
  { paymentType: 'RV' },
  { paymentType: 'RF', amount: '20.00', currency: 'EUR' },
  { paymentType: 'RF', amount: '90.00', currency: 'EUR' },
];

for (const { method, brands: ofMethod } of methods) {
  test(`${method}: every type and its follow-ups end as at the platform`, async () => {
    assert.ok(ofMethod.length > 0);
    for (const brand of ofMethod)
      for (const paymentType of ['PA', 'DB', 'CD']) {
        const about = `${brand} ${paymentType}`;
        const first = await both(ours, '/v1/payments', requestWith(brand, { paymentType }), about);
        for (const reply of [first.direct, first.through]) await paidElsewhere(reply);
        const read = [await ours.chain.farClient.read(first.direct.id), await ours.chain.client.read(first.through.id)] as const;
        if (first.direct.status !== 200) continue;
        assertAlike(...read, `${about}, paid`);
        for (const fields of followUps) {
          const said = `${about}, then ${fields.paymentType} ${fields.amount ?? ''}`;
          requests += 1;
          const direct = await ours.direct.send('POST', `/v1/payments/${first.direct.id}`, fields);
          const through = await ours.through.send('POST', `/v1/payments/${first.through.id}`, fields);
          assertAlike(direct, through, said);
          if (ours.recorder.of(through.id))
            assertArrived(ours, { ...fields, testMode: 'EXTERNAL' }, through, said, ['amount', 'currency']);
        }
      }
  });
}

const PRACTICE = 'standingInstruction.industryPractice';
const practices: readonly string[] = sections.standingInstruction.rows[PRACTICE]?.format.values ?? [];
const series: Fields = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
  'standingInstruction.type': 'UNSCHEDULED',
};
/** The payments that a practice may follow, and one that none may. */
const originals: Readonly<Record<string, Fields>> = {
  authorised: { paymentType: 'PA' },
  debited: { paymentType: 'DB' },
  'of a series': { paymentType: 'DB', ...series },
  'short of money': { paymentType: 'DB', 'customParameters[forceResultCode]': '800.100.155' },
  'declined for good': { paymentType: 'DB', 'customParameters[forceResultCode]': '800.100.171' },
};

/** By a card, by what the named payment was paid with, and by what is stored. */
const byAll: Readonly<Record<string, Fields | null>> = { card: CARD, 'nothing else': {}, registration: null };

for (const [registrations, side, instruments] of [
  ['ours', () => ours, byAll],
  ['theirs', () => theirs, { registration: null }],
] as const)
  test(`every practice by every type, reference and instrument ends as at the platform (registrations=${registrations})`, async () => {
    const tried = side();
    const first = { ...CARD, ...order, paymentType: 'DB', createRegistration: 'true', ...series };
    const stored = await both(tried, '/v1/payments', first, 'stored');
    let accepted = 0;
    for (const [what, fields] of Object.entries(originals)) {
      const original = await both(tried, '/v1/payments', { ...CARD, ...order, ...fields }, what);
      for (const practice of practices)
        for (const paymentType of Object.keys(paymentTypes))
          for (const [how, instrument] of Object.entries(instruments))
            for (const isReferenced of [true, false]) {
              // Where no payment is named, or the type fits no practice, one original is as good as another.
              const isPlain = isReferenced && ['PA', 'DB', 'CD'].includes(paymentType);
              if (!isPlain && what !== 'authorised') continue;
              if (!isLongRun() && !/authorised|money/.test(what) && how === 'nothing else') continue;
              if (!isLongRun() && !isPlain && how !== 'card') continue;
              const about = `${practice} ${paymentType} by ${how} after ${what}${isReferenced ? '' : ', not named'}`;
              const send = async (side: 'direct' | 'through', of: Side) => {
                const path =
                  instrument === null ? `/v1/registrations/${stored[side].body.registrationId}/payments` : '/v1/payments';
                const sent: Fields = {
                  ...order,
                  amount: '8.00',
                  paymentType,
                  ...instrument,
                  [PRACTICE]: practice,
                  ...(isReferenced && { referenceUuid: original[side].id }),
                };
                return { sent, reply: await of.send('POST', path, sent) };
              };
              requests += 1;
              const direct = await send('direct', tried.direct);
              const { sent, reply } = await send('through', tried.through);
              assertAlike(direct.reply, reply, about);
              if (tried.recorder.of(reply.id))
                assertArrived(
                  tried,
                  { ...sent, testMode: 'EXTERNAL' },
                  reply,
                  about,
                  instrument === null ? Object.keys(CARD) : [],
                );
              if (reply.code !== '000.100.112') continue;
              accepted += 1;
              const there = (await tried.chain.farClient.read(reply.body.resultDetails.ConnectorTxID1)).body;
              assert.deepEqual([there.paymentType, there.amount], [paymentType, '8.00'], about);
              // A refund of an authorisation is one of its capture.
              if (!['PA', 'DB'].includes(paymentType)) continue;
              assert.equal(there.referencedId, isReferenced ? theirsOf(original.through) : undefined, about);
            }
    }
    assert.ok(accepted >= 10, `${accepted} practices were accepted`);
  });

const theirsOf = ({ body }: Reply): string => body.resultDetails.ConnectorTxID1;

test('the page names nothing that arrives as it was sent', () => {
  // Parameters of requests that reach no acquirer, or that the cases above cannot hold without an account of their own.
  const elsewhere =
    /^(?:entityId|authentication\.entityId|overridePaymentType|wallet|customParameters\[SHOPPER_turnpike\]|customer\.ip)/;
  for (const name of documented) {
    if (elsewhere.test(name)) continue;
    const isSeen = [...seenOtherwise].some(
      (one) => indexed(one) === name || (name.endsWith('.*') && one.startsWith(name.slice(0, -1))),
    );
    assert.ok(isSeen, `${name} is on the page`);
  }
  assert.ok(requests > 500, `${requests} requests`);
});

test('control: a parameter that is lost or altered on the way is found', async () => {
  const sent = { ...order, paymentType: 'DB', ...CARD, 'customer.givenName': 'Ann', 'customer.surname': 'Example' };
  const reply = await ours.through.send('POST', '/v1/payments', sent);
  const passed = ours.recorder.of(reply.id);
  assert.ok(passed);
  const arrivedAs = (fields: Fields) => () => {
    const recorder = { ...ours.recorder, of: () => ({ ...passed, fields: new Map(Object.entries(fields)) }) };
    assertArrived({ ...ours, recorder }, sent, reply, 'control');
  };
  const { 'customer.surname': surname, ...without } = Object.fromEntries(passed.fields);
  arrivedAs({ ...without, 'customer.surname': surname ?? '' })();
  assert.throws(arrivedAs(without), /customer\.surname arrived as undefined/);
  assert.throws(arrivedAs({ ...without, 'customer.surname': 'Other' }), /customer\.surname arrived as Other/);
  assert.throws(arrivedAs({ ...Object.fromEntries(passed.fields), 'customer.sex': 'F' }), /customer\.sex was never sent/);
});
