import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel } from '../../merchants/channel.ts';
import { hierarchy } from '../../merchants/directory.ts';
import { sandbox, sandboxRows } from '../../merchants/sandbox.ts';
import type { RoutingRule } from '../../spec/routing.ts';
import { examplePayment } from '../examples.ts';
import type { Payment } from '../payment.ts';
import type { Capability, Connector } from '../ports.ts';
import type { SearchFound, SearchQuery } from '../search/search.ts';
import { backtestRouting, createRoutingCount, drawnNumber, isRouted, READ_MAX } from './routingCount.ts';

const capability: Capability = {
  redirects: false,
  types: ['PA', 'DB'],
  partialCapture: true,
  multipleCaptures: true,
  reversal: null,
};
const far = (): never => assert.fail('a back-test asks no acquirer');
const connectorOf = (name: string): Connector => ({
  name,
  modes: ['INTERNAL'],
  supports: name === 'bank' ? { DD: capability } : { CC: capability },
  ...(name === 'closed' && { isOff: true }),
  answerMsMax: 1_000,
  uncertainty: { learnedBy: 'id', lateMs: 0, cancelBindsLate: true, absenceIsProof: true },
  send: far,
  inquire: far,
  cancel: far,
});
const names = ['base', 'second', 'closed', 'bank'];
const connector = (name: string) => (names.includes(name) ? connectorOf(name) : null);

const { channel: found } = hierarchy(sandboxRows(0).entities).get(sandbox.demoShop.channelId) ?? {};
const channel: Channel = { ...(found ?? assert.fail('the sandbox has no channel')), connectors: { default: 'base' } };
const { entityId, merchantId } = channel;
const issuer = (bin: string) => (bin === '420000' ? { country: 'DE', type: 'CREDIT' } : null);
const trialOf = (proposed: readonly RoutingRule[], given: Partial<Channel> = {}) => ({
  channel: { ...channel, ...given },
  present: [],
  proposed,
  connector,
  issuer,
});

const paid = (given: Partial<Payment> = {}): Payment => examplePayment({ entityId, merchantId, connector: 'base', ...given });

function counted(payments: readonly Payment[], rules: readonly RoutingRule[], given: Partial<Channel> = {}) {
  const count = createRoutingCount(trialOf(rules, given));
  for (const payment of payments.filter(isRouted)) count.add(payment);
  return count.result();
}

const places: readonly (readonly [what: string, rules: readonly RoutingRule[], rule: number, account: string | null])[] = [
  ['no rules: the account of the channel', [], -1, 'base'],
  ['the first rule that matches', [{ when: { currencies: ['USD'] }, to: ['base'] }, { to: ['second'] }], 1, 'second'],
  ['an account that is off is passed over', [{ to: ['closed', 'second'] }], 0, 'second'],
  ['an account that cannot take it: that of the channel', [{ to: ['bank'] }], 0, 'base'],
  ['this account or none: refused', [{ to: ['bank'], otherwise: 'refuse' }], 0, null],
  ['one of these accounts or none: the second', [{ to: ['closed', 'second'], otherwise: 'refuse' }], 0, 'second'],
  ['a rule that names the account of the channel', [{ to: ['bank'], otherwise: 'channel' }], 0, 'base'],
  ['the country of the card', [{ when: { cardCountries: ['DE'] }, to: ['second'] }], 0, 'second'],
  ['all of them', [{ share: 100, to: ['second'] }], 0, 'second'],
];

for (const [what, rules, rule, account] of places) {
  test(what, () => {
    const { proposed } = counted([paid()], rules);
    assert.deepEqual([...proposed.rules.keys()], [rules[rule] ?? null]);
    assert.deepEqual([...proposed.accounts.keys()], [account]);
  });
}

test('a payment that no account can take has none', () => {
  const { proposed } = counted([paid()], [{ to: ['closed'] }], { connectors: {} });
  assert.deepEqual([...proposed.accounts], [[null, { count: 1, amounts: new Map([['EUR', 9200n]]) }]]);
});

test('a payment that a rule refused is counted, and belongs to no account', () => {
  const refused = paid({ connector: '', phase: { at: 'final', code: '500.100.401' } });
  const { payments, proposed, accounts } = counted([refused], [{ to: ['second'] }]);
  assert.deepEqual([payments, [...proposed.accounts.keys()], accounts.size], [1, ['second'], 0]);
});

test('only first payments that an account got are counted', () => {
  const payments = [
    paid(),
    paid({ paymentType: 'PA' }),
    paid({ paymentType: 'RF', referencedId: '1' }),
    paid({ paymentType: 'PA', referencedId: '1' }),
    paid({ connector: '' }),
    paid({ paymentType: 'RG' }),
  ];
  assert.equal(counted(payments, []).payments, 2);
});

test('amounts add up by currency, and an account has the approvals of its own payments', () => {
  const payments = [
    paid({ amount: 100n }),
    paid({ amount: 50n, currency: 'USD', phase: { at: 'final', code: '800.100.151' } }),
    paid({ amount: 1n, phase: { at: 'final', code: '900.100.300' } }),
    paid({ amount: 2n, phase: { at: 'acquirer', dueAt: 0 } }),
    paid({ connector: 'second', amount: 7n }),
  ];
  const { proposed, accounts } = counted(payments, [{ to: ['second'] }]);
  assert.deepEqual(
    [...proposed.accounts],
    [
      [
        'second',
        {
          count: 5,
          amounts: new Map([
            ['EUR', 110n],
            ['USD', 50n],
          ]),
        },
      ],
    ],
  );
  assert.deepEqual(
    [...accounts],
    [
      ['base', { count: 4, decided: 2, approved: 1 }],
      ['second', { count: 1, decided: 1, approved: 1 }],
    ],
  );
});

const MANY = 4_000;
const many = Array.from({ length: MANY }, (_, at) =>
  paid({ id: (0x018f2b7c9a3d4e5fn + BigInt(at)).toString(16).padStart(32, '0') }),
);

test('a share takes about its part, the same payments in every run, and shares of two rules are drawn apart', () => {
  const rules: readonly RoutingRule[] = [
    { share: 30, to: ['second'] },
    { share: 50, to: ['closed', 'base'] },
  ];
  const { proposed } = counted(many, rules);
  assert.deepEqual(counted(many, rules).proposed, proposed);
  const [first = 0, second = 0] = rules.map((rule) => proposed.rules.get(rule)?.count);
  assert.ok(Math.abs(first / MANY - 0.3) < 0.03, String(first));
  assert.ok(Math.abs(second / (MANY - first) - 0.5) < 0.03, String(second));
  for (const { id } of many) assert.ok(drawnNumber(id) >= 0 && drawnNumber(id) < 100);
});

/** A search that has a payment for every millisecond. */
function pastSince(first: number) {
  const asked: SearchQuery[] = [];
  const search = async (query: SearchQuery): Promise<SearchFound> => {
    asked.push(query);
    const end = query.after?.createdAt ?? query.to ?? assert.fail('without an end');
    const begin = Math.max(first, query.from ?? 0, end - query.limit);
    const payments = Array.from({ length: Math.max(0, end - begin) }, (_, at) => paid({ createdAt: end - at - 1 }));
    return { payments, next: begin > Math.max(first, query.from ?? 0) ? { createdAt: begin, id: '' } : null };
  };
  return { asked, search };
}

const BEFORE = 9_000_000;
const reads: readonly (readonly [
  what: string,
  first: number,
  from: number,
  expected: Readonly<{ payments: number; isCut: boolean; since: number }>,
])[] = [
  ['nothing', BEFORE, 1_000, { payments: 0, isCut: false, since: 1_000 }],
  ['all of a few', BEFORE - 700, 1_000, { payments: 700, isCut: false, since: 1_000 }],
  ['all, at the limit', BEFORE - READ_MAX, 1_000, { payments: READ_MAX, isCut: false, since: 1_000 }],
  ['the newest of more', 0, 1_000, { payments: READ_MAX, isCut: true, since: BEFORE - READ_MAX }],
];

for (const [what, first, from, expected] of reads) {
  test(`the past is read from the newest payment on: ${what}`, async () => {
    const { asked, search } = pastSince(first);
    let rested = 0;
    const rest = async () => {
      rested += 1;
    };
    const { payments, isCut, since } = await backtestRouting(trialOf([]), { from, before: BEFORE }, { search, rest });
    assert.deepEqual({ payments, isCut, since }, expected);
    assert.equal(rested, asked.length - (isCut ? 0 : 1));
    for (const query of asked)
      assert.deepEqual([query.merchantIds, query.entityId, query.types], [[merchantId], entityId, ['PA', 'DB', 'CD']]);
  });
}
