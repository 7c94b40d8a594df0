import type { FinalCode } from '../resultCodes.ts';
import type { Scenario } from './language.ts';

/** The instrument of a trial: a card, a redirect brand, a card with 3D Secure, or a schedule of stored details. */
export type TriedWith = 'card' | 'bank' | 'secure';

export type Ready = Scenario & {
  /** The subject, for the list. */
  readonly about: 'answer' | 'conversation' | 'bank' | '3D Secure' | 'webhook' | 'money';
  readonly with: TriedWith;
  /** The result of each attempt; the last one of all that follow. Null: the seed decides. */
  readonly ends: readonly FinalCode[] | null;
};

const PAID = '000.100.110';
const OVER: FinalCode = '900.100.301';
const approved = { says: 'approved' } as const;
const declined = (code: NonNullable<Scenario['acquirer']>[number]['code'], advice?: string) =>
  ({ says: 'declined', ...(code && { code }), ...(advice && { advice }) }) as const;

/** The stories that every gateway of the test environment knows. The reference, the command line and the tests read this table. */
export const readyScenarios: readonly Ready[] = [
  {
    name: 'paid',
    says: 'The acquirer approves at once, overriding the scenario of the channel or the card.',
    about: 'answer',
    with: 'card',
    ends: [PAID],
    acquirer: [approved],
  },
  {
    name: 'insufficient-funds',
    says: 'Insufficient funds, in every attempt.',
    about: 'answer',
    with: 'card',
    ends: ['800.100.155'],
    acquirer: [declined('800.100.155')],
  },
  {
    name: 'throttled-then-paid',
    says: 'Too many requests in the first attempt, approved in the second.',
    about: 'answer',
    with: 'card',
    ends: ['800.120.100', PAID],
    acquirer: [declined('800.120.100'), approved],
  },
  {
    name: 'insufficient-funds-then-paid',
    says: 'Insufficient funds in the first attempt, approved in the second.',
    about: 'answer',
    with: 'card',
    ends: ['800.100.155', PAID],
    acquirer: [declined('800.100.155', '25'), approved],
  },
  {
    name: 'declined-twice-then-paid',
    says: 'A daily limit stops two attempts, the third is approved.',
    about: 'answer',
    with: 'card',
    ends: ['800.100.162', '800.100.162', PAID],
    acquirer: [declined('800.100.162', '24'), declined('800.100.162', '24'), approved],
  },
  {
    name: 'issuer-unreachable-then-paid',
    says: 'The issuer is unreachable; an hour later it approves.',
    about: 'answer',
    with: 'card',
    ends: ['800.100.176', PAID],
    acquirer: [declined('800.100.176', '24'), approved],
  },
  {
    name: 'card-stolen',
    says: 'The card was reported stolen: do not retry.',
    about: 'answer',
    with: 'card',
    ends: ['800.100.159'],
    acquirer: [declined('800.100.159', '03')],
  },
  {
    name: 'card-expired',
    says: 'The issuer says that the card has expired; new card data may help.',
    about: 'answer',
    with: 'card',
    ends: ['800.100.157'],
    acquirer: [declined('800.100.157', '01')],
  },
  {
    name: 'wrong-security-code',
    says: 'The security code is wrong.',
    about: 'answer',
    with: 'card',
    ends: ['800.100.153'],
    acquirer: [{ says: 'declined', code: '800.100.153', cvv: 'N' }],
  },
  {
    name: 'suspected-fraud',
    says: 'The issuer suspects fraud.',
    about: 'answer',
    with: 'card',
    ends: ['800.100.158'],
    acquirer: [declined('800.100.158', '03')],
  },
  {
    name: 'mandate-stopped',
    says: 'The cardholder has stopped this series of payments: its schedule ends.',
    about: 'answer',
    with: 'card',
    ends: ['800.100.500'],
    acquirer: [declined('800.100.500', '21')],
  },
  {
    name: 'address-does-not-match',
    says: 'Approved, although the address does not match.',
    about: 'answer',
    with: 'card',
    ends: [PAID],
    acquirer: [{ says: 'approved', avs: 'N' }],
  },
  {
    name: 'soft-decline',
    says: 'Declined without 3D Secure, approved with it.',
    about: 'answer',
    with: 'card',
    ends: ['300.100.100'],
    acquirer: [{ says: 'declined', code: '300.100.100', unless: 'authenticated' }],
  },
  {
    name: 'pending-then-paid',
    says: 'Pending for two minutes, then approved.',
    about: 'answer',
    with: 'card',
    ends: [PAID],
    acquirer: [{ says: 'pending', for: '2m' }],
  },
  {
    name: 'pending-then-declined',
    says: 'Pending for two minutes, then declined.',
    about: 'answer',
    with: 'card',
    ends: ['800.100.152'],
    acquirer: [{ says: 'pending', for: '2m', code: '800.100.152' }],
  },
  {
    name: 'capture-declined',
    says: 'The preauthorization is approved, its capture is declined.',
    about: 'answer',
    with: 'card',
    ends: [PAID],
    later: { CP: declined('800.100.151') },
  },
  {
    name: 'refund-declined',
    says: 'The payment is approved, its refund is declined: the account is closed.',
    about: 'answer',
    with: 'card',
    ends: [PAID],
    later: { RF: declined('800.100.172') },
  },
  {
    name: 'one-in-ten-declined',
    says: 'Nine payments of ten succeed; the seed decides which.',
    about: 'answer',
    with: 'card',
    ends: null,
    oneOf: [
      { weight: 9, acquirer: [approved] },
      { weight: 1, acquirer: [declined('800.100.151')] },
    ],
  },
  {
    name: 'slow-answer',
    says: 'The acquirer takes between half a second and two seconds to answer.',
    about: 'conversation',
    with: 'card',
    ends: [PAID],
    acquirer: [{ says: 'approved', takes: '500ms..2s' }],
  },
  {
    name: 'booked-but-silent',
    says: 'The payment is booked and the reply is lost; an inquiry finds the booking.',
    about: 'conversation',
    with: 'card',
    ends: [PAID],
    acquirer: [{ says: 'approved', goes: 'lost' }],
  },
  {
    name: 'declined-but-silent',
    says: 'The payment is declined and the reply is lost; an inquiry finds the decline.',
    about: 'conversation',
    with: 'card',
    ends: ['800.100.152'],
    acquirer: [{ says: 'declined', code: '800.100.152', goes: 'lost' }],
  },
  {
    name: 'never-arrived',
    says: 'The request is lost: nothing is booked, and the cancellation is confirmed.',
    about: 'conversation',
    with: 'card',
    ends: [OVER],
    acquirer: [{ says: 'approved', goes: 'lost-request' }],
  },
  {
    name: 'unreadable-answer',
    says: 'The payment is booked, and the reply is unreadable.',
    about: 'conversation',
    with: 'card',
    ends: [PAID],
    acquirer: [{ says: 'approved', goes: 'garbled' }],
  },
  {
    name: 'delivered-twice',
    says: 'The request reaches the acquirer twice and is booked once.',
    about: 'conversation',
    with: 'card',
    ends: [PAID],
    acquirer: [{ says: 'approved', goes: 'twice' }],
  },
  {
    name: 'booked-too-late',
    says: 'The acquirer books two minutes after the time-out.',
    about: 'conversation',
    with: 'card',
    ends: [PAID],
    acquirer: [{ says: 'approved', goes: 'late', for: '2m' }],
  },
  {
    name: 'acquirer-down',
    says: 'The acquirer is down for five minutes and does not know the payment afterwards.',
    about: 'conversation',
    with: 'card',
    ends: [OVER],
    acquirer: [{ says: 'approved', goes: 'down', for: '5m' }],
  },
  {
    name: 'flaky-acquirer',
    says: 'Half of the payments meet connection problems; the seed decides which.',
    about: 'conversation',
    with: 'card',
    ends: null,
    oneOf: [
      { weight: 5, acquirer: [approved] },
      { weight: 2, acquirer: [{ says: 'approved', goes: 'lost' }] },
      { weight: 1, acquirer: [{ says: 'approved', goes: 'garbled' }] },
      { weight: 1, acquirer: [{ says: 'approved', goes: 'lost-request' }] },
      { weight: 1, acquirer: [{ says: 'approved', goes: 'late', for: '10s..3m' }] },
    ],
  },
  {
    name: 'shopper-pays-alone',
    says: 'The simulated shopper pays at the bank without a click, and the bank confirms it.',
    about: 'bank',
    with: 'bank',
    ends: [PAID],
    bank: { shopper: 'pays' },
  },
  {
    name: 'shopper-cancels',
    says: 'The shopper cancels at the bank.',
    about: 'bank',
    with: 'bank',
    ends: ['100.396.101'],
    bank: { shopper: 'cancels' },
  },
  {
    name: 'bank-confirms-twice',
    says: 'The bank confirms the payment twice.',
    about: 'bank',
    with: 'bank',
    ends: [PAID],
    bank: { shopper: 'pays', confirms: 'twice' },
  },
  {
    name: 'bank-confirms-late',
    says: 'The shopper pays, and the bank confirms it ten minutes later.',
    about: 'bank',
    with: 'bank',
    ends: [PAID],
    bank: { shopper: 'pays', confirms: 'after', late: '10m' },
  },
  {
    name: 'bank-never-confirms',
    says: 'The shopper pays after ten minutes and the bank never confirms: only an inquiry finds it.',
    about: 'bank',
    with: 'bank',
    ends: [PAID],
    bank: { shopper: 'pays', after: '10m', confirms: 'never' },
  },
  {
    name: 'authentication-fails',
    says: 'The issuer does not authenticate the cardholder.',
    about: '3D Secure',
    with: 'secure',
    ends: ['100.390.109'],
    threeDS: { enrolled: true, flow: 'frictionless', status: 'N' },
  },
  {
    name: 'authenticated-then-declined',
    says: 'The cardholder is authenticated; then insufficient funds.',
    about: '3D Secure',
    with: 'secure',
    ends: ['800.100.155'],
    threeDS: { enrolled: true, flow: 'frictionless', status: 'Y' },
    acquirer: [declined('800.100.155')],
  },
  {
    name: 'receiver-dead-for-a-day',
    says: 'No webhook receiver answers for a day.',
    about: 'webhook',
    with: 'card',
    ends: [PAID],
    receiver: [{ answers: 'nothing', for: '1d' }],
  },
  {
    name: 'receiver-broken-then-well',
    says: 'Webhook receivers answer 500 for ten minutes, then normally.',
    about: 'webhook',
    with: 'card',
    ends: [PAID],
    receiver: [{ answers: '500', for: '10m' }],
  },
  {
    name: 'receiver-overrun',
    says: 'Webhook receivers answer 429 with Retry-After of two hours.',
    about: 'webhook',
    with: 'card',
    ends: [PAID],
    receiver: [{ answers: '429', for: '2h', retryAfter: '2h' }],
  },
  {
    name: 'chargeback-day-40',
    says: 'Chargeback on day 40: goods not received.',
    about: 'money',
    with: 'card',
    ends: [PAID],
    chargebacks: [{ after: '40d', code: '000.100.221' }],
  },
  {
    name: 'chargeback-won-back',
    says: 'Chargeback for fraud on day 12, reversed 30 days later.',
    about: 'money',
    with: 'card',
    ends: [PAID],
    chargebacks: [{ after: '12d', code: '000.100.220', reversed: '30d' }],
  },
  {
    name: 'settled-in-parts',
    says: '60 percent are settled after two days, the rest five days later, with a fee of 1.4 percent and 0.25.',
    about: 'money',
    with: 'card',
    ends: [PAID],
    settlement: { pays: 'part', share: 60, rest: '5d', feePercent: '1.4', feeFixed: '0.25' },
  },
  {
    name: 'never-settled',
    says: 'Approved and never settled.',
    about: 'money',
    with: 'card',
    ends: [PAID],
    settlement: { pays: 'nothing' },
  },
];

const byName: ReadonlyMap<string, Ready> = new Map(readyScenarios.map((scenario) => [scenario.name, scenario]));

/** A ready scenario without what the list says about it; undefined when none has this name. */
export function readyScenario(name: string): Scenario | undefined {
  const found = byName.get(name);
  if (!found) return undefined;
  const { about: _about, with: _with, ends: _ends, ...scenario } = found;
  return scenario;
}
