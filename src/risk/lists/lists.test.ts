import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleFacts } from '../examples.ts';
import type { FactSources, RiskFacts } from '../facts.ts';
import type { ListEntry, ListKind, ListName, ListSubject } from '../ports.ts';
import { createLists, entryOf } from './lists.ts';

const T0 = 1_790_000_000_000;
const merchantId = '5eed00000000000000000000000000f1';
const clock = { now: () => T0 };

type Put = readonly [list: ListName, kind: ListKind, value: string, expiresAt?: number];
const entry = ([list, kind, value, expiresAt = null as unknown as number]: Put): ListEntry => ({
  merchantId,
  list,
  kind,
  value,
  expiresAt,
});

async function answer(entries: readonly Put[], subject: ListSubject, facts: RiskFacts = exampleFacts()) {
  const lists = createLists(clock);
  for (const one of entries) assert.equal(await lists.put(entry(one)), true);
  return lists.listed(
    [
      { list: 'block', subject },
      { list: 'allow', subject },
    ],
    facts,
  );
}

/** Ann pays with a German card of BIN 420000 from 203.0.113.7 in Austria. */
const cases: [what: string, entries: readonly Put[], subject: ListSubject, blocked: boolean, allowed: boolean][] = [
  ['empty lists match nothing', [], 'card', false, false],
  ['a card', [['block', 'card', 'fingerprint-of-a-card']], 'card', true, false],
  ['another card', [['block', 'card', 'other']], 'card', false, false],
  ['a BIN', [['block', 'bin', '420000']], 'bin', true, false],
  ['a BIN is no card', [['block', 'bin', '420000']], 'card', false, false],
  ['a blocked card blocks no BIN', [['block', 'card', 'fingerprint-of-a-card']], 'bin', false, false],
  ['an e-mail address in whatever case', [['block', 'email', ' ANN@shop.Example']], 'email', true, false],
  ['the domain of an address', [['block', 'emailDomain', '@Shop.example']], 'email', true, false],
  ['a domain above it is another one', [['block', 'emailDomain', 'example']], 'email', false, false],
  ['an address of the network', [['block', 'ip', '203.0.113.7']], 'ip', true, false],
  ['the same written as v6', [['block', 'ip', '::ffff:203.0.113.7']], 'ip', true, false],
  ['its network', [['block', 'ip', '203.0.113.0/24']], 'ip', true, false],
  ['another network', [['block', 'ip', '203.0.112.0/24']], 'ip', false, false],
  ['every v6 address', [['block', 'ip', '::/0']], 'ip', false, false],
  ['every v4 address', [['block', 'ip', '0.0.0.0/0']], 'ip', true, false],
  ['the country of the card', [['block', 'country', 'de']], 'country', true, false],
  ['the country of the line', [['block', 'country', 'AT']], 'country', true, false],
  ['another country', [['block', 'country', 'FR']], 'country', false, false],
  ['a customer', [['block', 'customer', 'c-1']], 'customer', true, false],
  ['what is allowed', [['allow', 'card', 'fingerprint-of-a-card']], 'card', false, true],
  [
    'allowed and blocked alike is allowed',
    [
      ['block', 'card', 'fingerprint-of-a-card'],
      ['allow', 'card', 'fingerprint-of-a-card'],
    ],
    'card',
    false,
    true,
  ],
  [
    'an allowed address of a blocked domain',
    [
      ['block', 'emailDomain', 'shop.example'],
      ['allow', 'email', 'ann@shop.example'],
    ],
    'email',
    false,
    true,
  ],
  [
    'a blocked address of an allowed domain',
    [
      ['allow', 'emailDomain', 'shop.example'],
      ['block', 'email', 'ann@shop.example'],
    ],
    'email',
    true,
    true,
  ],
  [
    'an allowed host of a blocked network',
    [
      ['block', 'ip', '203.0.113.0/24'],
      ['allow', 'ip', '203.0.113.7'],
    ],
    'ip',
    false,
    true,
  ],
  [
    'a blocked host of an allowed network',
    [
      ['allow', 'ip', '203.0.113.0/24'],
      ['block', 'ip', '203.0.113.7'],
    ],
    'ip',
    true,
    true,
  ],
  [
    'an allowed card of a blocked BIN',
    [
      ['block', 'bin', '420000'],
      ['allow', 'card', 'fingerprint-of-a-card'],
    ],
    'bin',
    false,
    false,
  ],
  [
    'an allowed BIN of a blocked card',
    [
      ['allow', 'bin', '420000'],
      ['block', 'card', 'fingerprint-of-a-card'],
    ],
    'card',
    true,
    false,
  ],
  [
    'an allowed card says nothing about a blocked address',
    [
      ['allow', 'card', 'fingerprint-of-a-card'],
      ['block', 'email', 'ann@shop.example'],
    ],
    'email',
    true,
    false,
  ],
  [
    'one allowed country does not clear another',
    [
      ['allow', 'country', 'DE'],
      ['block', 'country', 'AT'],
    ],
    'country',
    true,
    true,
  ],
  ['what has expired', [['block', 'card', 'fingerprint-of-a-card', T0]], 'card', false, false],
  ['what expires in a moment', [['block', 'card', 'fingerprint-of-a-card', T0 + 1]], 'card', true, false],
  [
    'an expired permission',
    [
      ['block', 'card', 'fingerprint-of-a-card'],
      ['allow', 'card', 'fingerprint-of-a-card', T0],
    ],
    'card',
    true,
    false,
  ],
];
for (const [what, entries, subject, blocked, allowed] of cases) {
  test(`${what}: ${blocked ? 'blocked' : 'not blocked'}, ${allowed ? 'allowed' : 'not allowed'}`, async () => {
    assert.deepEqual(await answer(entries, subject), [blocked, allowed]);
  });
}

const unknown: [subject: ListSubject, fields: Record<string, string>, about: Partial<FactSources>][] = [
  ['card', {}, { fingerprint: null }],
  ['bin', {}, { instrument: null }],
  ['email', { 'customer.email': '' }, {}],
  ['ip', { 'customer.ip': '' }, {}],
  ['country', { 'billing.country': '' }, { issuer: null, ipCountry: null }],
  ['customer', { 'customer.merchantCustomerId': '' }, {}],
];
for (const [subject, fields, about] of unknown) {
  test(`a request without ${subject} is on no list and off none`, async () => {
    assert.deepEqual(await answer([], subject, exampleFacts(fields, about)), [null, null]);
  });
}

test('the lists of one merchant say nothing about the shoppers of another', async () => {
  const lists = createLists(clock);
  await lists.put(entry(['block', 'card', 'fingerprint-of-a-card']));
  assert.deepEqual(await lists.listed([{ list: 'block', subject: 'card' }], exampleFacts({}, { merchantId: 'other' })), [false]);
});

test('what is removed is gone, however it was written', async () => {
  const lists = createLists(clock);
  await lists.put(entry(['block', 'ip', '203.0.113.7']));
  const listed = () => lists.listed([{ list: 'block', subject: 'ip' }], exampleFacts());
  assert.deepEqual(await listed(), [true]);
  assert.equal(await lists.remove(entry(['block', 'ip', '::ffff:203.0.113.7'])), true);
  assert.deepEqual(await listed(), [false]);
  assert.equal(await lists.remove(entry(['block', 'ip', '203.0.113.7'])), false);
});

test('full lists take no more, but what has expired makes room', async () => {
  const lists = createLists(clock, 2);
  assert.equal(await lists.put(entry(['block', 'card', 'a'])), true);
  assert.equal(await lists.put(entry(['block', 'card', 'b'])), true);
  assert.equal(await lists.put(entry(['block', 'card', 'c'])), false);
  assert.equal(await lists.put(entry(['block', 'card', 'b', T0])), true);
  assert.equal(await lists.put(entry(['block', 'card', 'c'])), true);
});

const values: [kind: ListKind, value: string, kept: string | null][] = [
  ['bin', '420000', '420000'],
  ['bin', '42000', null],
  ['bin', '4200000000000000', null],
  ['card', 'with blank', null],
  ['email', 'ann', null],
  ['emailDomain', '@Shop.Example', 'shop.example'],
  ['emailDomain', 'ann@shop.example', null],
  ['ip', '10.1.2.3/8', '10.0.0.0/8'],
  ['ip', '10.0.0.0/40', null],
  ['country', 'at', 'AT'],
  ['country', 'Austria', null],
  ['customer', '', null],
];
for (const [kind, value, kept] of values) {
  test(`an entry of ${kind} "${value}" is kept as ${kept}`, () => {
    assert.equal(entryOf(entry(['block', kind, value]))?.value ?? null, kept);
  });
}
