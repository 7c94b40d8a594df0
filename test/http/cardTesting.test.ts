import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { tokenHash } from '../../src/merchants/tokens.ts';
import { reportFigure } from '../figures.ts';
import { createClient } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

/** R41 over HTTP: an attacker tries a thousand stolen numbers among ordinary shoppers, with the default settings of the risk checks. */

const merchantId = '5eed00000000000000000000000000e9';
const entityId = '5eed0000000000000000000000000e10';
const token = Buffer.from('5eed00000000000000000000000000ea|guard').toString('base64');

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({
    rows: {
      entities: [
        { id: merchantId, kind: 'merchant', parentId: sandbox.division, name: 'Shop', settings: { risk: { mode: 'on' } } },
        { id: entityId, kind: 'channel', parentId: merchantId, name: 'Shop', settings: {} },
      ],
      tokens: [{ userId: '5eed00000000000000000000000000ea', tokenHash: tokenHash(token), entityId: merchantId, createdAt: 0 }],
    },
  });
});
after(() => gateway.close());

const withLuhn = (front: string): string => {
  const sum = [...front].reverse().reduce((all, digit, at) => {
    const twice = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return all + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return `${front}${(10 - (sum % 10)) % 10}`;
};

/** The fifteen digits before the last one: BIN and a number. */
const cardOf = (bin: string, number: number): string => withLuhn(`${bin}${String(number).padStart(15 - bin.length, '0')}`);
const GUARDED = /^(?:800\.|100\.400\.)/;

test('R41: a thousand numbers of one BIN from fifty addresses, among good shoppers', async () => {
  const { pay } = createClient(gateway.url, { entityId, token });
  const shopper = (number: number, at: number) => ({
    'card.number': cardOf(`42${String(1_000 + (number % 100))}`, number),
    'customer.givenName': 'Ann',
    'customer.surname': 'Example',
    'customer.email': `shopper${number}@example.org`,
    'customer.ip': `198.51.${number % 250}.${1 + (number % 200)}`,
    amount: `${10 + (at % 50)}.00`,
    merchantTransactionId: `good order ${number} ${at}`,
  });
  const attacker = (number: number) => ({
    'card.number': cardOf('400010', 700_000 + number * 7),
    'card.holder': '800.100.151',
    'customer.givenName': 'Eve',
    'customer.surname': 'Example',
    'customer.email': `x${number}@mail.example`,
    'customer.ip': `203.0.113.${number % 50}`,
    amount: '1.00',
    merchantTransactionId: `bad order ${number}`,
  });
  const tally = { good: 0, goodBlocked: 0, through: [] as number[] };
  const MINUTES = 10;
  for (let minute = 0; minute < MINUTES; minute += 1) {
    for (let second = 0; second < 60; second += 6) {
      const attack = Array.from({ length: 10 }, (_, at) => pay(attacker(minute * 100 + (second / 6) * 10 + at)));
      const good = Array.from({ length: 4 }, (_, at) => pay(shopper(minute * 40 + (second / 6) * 4 + at, minute)));
      for (const { code } of await Promise.all(attack)) {
        // The simulator's own decline costs the attacker a call; everything else never reached an acquirer.
        if (code === '800.100.151') tally.through.push(minute);
        else assert.match(code, GUARDED);
      }
      for (const { code } of await Promise.all(good)) {
        tally.good += 1;
        if (code !== '000.100.110') tally.goodBlocked += 1;
      }
      gateway.pass(6_000);
    }
  }
  assert.equal(tally.good, 400);
  assert.ok(tally.through.length > 0, 'the first ones must get through: nobody knows yet');
  assert.ok(tally.through.length <= 20, `${tally.through.length} attempts reached the acquirer within ten minutes`);
  assert.ok(tally.goodBlocked <= 4, `${tally.goodBlocked} of ${tally.good} good shoppers were blocked`);
  reportFigure('R41', 'attempts', MINUTES * 100);
  reportFigure('R41', 'attempts that reached the acquirer', tally.through.length);
  reportFigure('R41', 'good shoppers blocked', tally.goodBlocked);
});

test('R41: another merchant is not touched by the attack', async () => {
  const { pay } = createClient(gateway.url);
  assert.equal((await pay({ 'card.number': cardOf('400010', 42) })).code, '000.100.110');
});
