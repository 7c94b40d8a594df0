import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Secrets } from '../../registrations/instrument.ts';
import type { Registration } from '../../registrations/registration.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import { examplePayment } from '../examples.ts';
import type { PaymentEvent } from '../lifecycle.ts';
import type { Attempt, Connector, World } from '../ports.ts';
import { fallbackAfter } from './fallback.ts';

const NOW = 1_000_000;
const number = '4200000000000000';
const networkToken = { number: '4895370000000006', expiryMonth: '12', expiryYear: '2036', cryptogram: 'once' };

const states: Readonly<Record<string, 'on' | 'off'>> = {
  first: 'on',
  second: 'on',
  third: 'on',
  one: 'on',
  twin: 'on',
  closed: 'off',
};
/** The accounts at the acquirer, where that is known. */
const there: Readonly<Record<string, string>> = { one: 'shared', twin: 'shared', third: 'own' };
const world = {
  clock: { now: () => NOW },
  channel: () => null,
  connector(name: string): Pick<Connector, 'name' | 'answerMsMax' | 'isOff' | 'acquirerAccount' | 'supports'> | null {
    const acquirerAccount = there[name];
    if (states[name] === undefined) return null;
    return {
      name,
      answerMsMax: 20_000,
      supports: {},
      isOff: states[name] === 'off',
      ...(acquirerAccount !== undefined && { acquirerAccount }),
    };
  },
} as unknown as World;

const attempt = (given: Partial<Attempt> = {}): Attempt => ({
  payment: examplePayment({ connector: 'first', phase: { at: 'acquirer', dueAt: NOW } }),
  secrets: { number, cvv: '123' },
  referenced: null,
  registration: null,
  series: null,
  others: { accounts: ['second', 'third'], secrets: { number, cvv: '123' } },
  ...given,
});

const declined = (code: NegativeCode): PaymentEvent => ({ is: 'declined', code, reference: 'theirs', details: {} });
const cryptogram = { secrets: { number, cryptogram: 'once' }, others: { accounts: ['second'], secrets: { number } } };

const atOne = { payment: examplePayment({ connector: 'one', phase: { at: 'acquirer', dueAt: NOW } }) };

const cases: readonly (readonly [what: string, PaymentEvent, Partial<Attempt>, to: string | null])[] = [
  ['nothing was sent', declined('900.100.600'), {}, 'second'],
  ['the account is not set up', declined('800.100.190'), {}, 'second'],
  ['a technical refusal', declined('900.100.200'), {}, 'second'],
  ['insufficient funds', declined('800.100.155'), {}, null],
  ['a stolen card', declined('800.100.159'), {}, null],
  ['authentication is demanded', declined('300.100.100'), {}, null],
  ['a timeout at the acquirer', declined('900.100.400'), {}, null],
  ['silence', { is: 'silence' }, {}, null],
  ['waiting', { is: 'waiting' }, {}, null],
  ['an approval', { is: 'approved', details: {} }, {}, null],
  ['no other account is left', declined('900.100.600'), { others: { accounts: [], secrets: {} } }, null],
  [
    'the next account is off, or gone',
    declined('900.100.600'),
    { others: { accounts: ['closed', 'gone', 'third'], secrets: {} } },
    'third',
  ],
  [
    'the next account is the same one at the acquirer',
    declined('900.100.600'),
    { ...atOne, others: { accounts: ['twin', 'third'], secrets: {} } },
    'third',
  ],
  ['the same account and no other', declined('900.100.600'), { ...atOne, others: { accounts: ['twin'], secrets: {} } }, null],
  ['a wallet payment that was never sent', declined('900.100.600'), cryptogram, 'second'],
  ['a wallet payment whose cryptogram may be used', declined('900.100.200'), cryptogram, null],
];

for (const [what, answer, given, to] of cases) {
  test(`${what}: ${to ?? 'no other account'}`, () => {
    const fallback = fallbackAfter(world, attempt(given), answer);
    assert.equal(fallback?.event.connector ?? null, to);
  });
}

test('the move keeps what the first account said and gives the next one its own time', () => {
  const fallback = fallbackAfter(world, attempt(), declined('900.100.600'));
  const kept = { connector: 'first', code: '900.100.600', declinedAt: NOW, reference: 'theirs' };
  const event = { is: 'rerouted', connector: 'second', declined: kept, dueAt: NOW + 25_000, hasOthers: true };
  assert.deepEqual(fallback?.event, event);
  assert.deepEqual(fallback?.attempt.others?.accounts, ['third']);
});

const stored = { connector: 'first' } as Registration;
const secretCases: readonly (readonly [what: string, account: string, sent: Secrets, expected: Secrets])[] = [
  ['the card', 'second', { number, cvv: '123' }, { number, cvv: '123' }],
  ['the number in the place of the token of another account', 'second', { cvv: '123', networkToken }, { number, cvv: '123' }],
  [
    'the proof of the authentication',
    'second',
    { number, verificationId: 'proof' },
    { number, cvv: '123', verificationId: 'proof' },
  ],
  ['the token of its own', 'first', { number, cvv: '123' }, { cvv: '123', networkToken }],
];

for (const [what, account, secrets, expected] of secretCases) {
  test(`the next account is sent ${what}`, () => {
    const others = { accounts: [account], secrets: { number, cvv: '123', ...(what.includes('token') && { networkToken }) } };
    const fallback = fallbackAfter(world, attempt({ secrets, registration: stored, others }), declined('900.100.600'));
    assert.deepEqual(fallback?.attempt.secrets, expected);
  });
}
