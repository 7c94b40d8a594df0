import type { Payment } from '../../payments/payment.ts';
import { duration, msOf } from '../../spec/scenarios/durations.ts';

type Directive = {
  readonly parameter: string;
  /** The allowed values, in words and as a pattern. */
  readonly takes: string;
  readonly pattern: RegExp;
  readonly effect: string;
};

/** Parameters that direct the simulator in the test environment. The documentation prints this table. */
export const directives = {
  code: {
    parameter: 'customParameters[forceResultCode]',
    takes: 'a result code',
    pattern: /^/,
    effect:
      'Approves or declines with that code. A pending code: received, and approved 60 seconds later. ' +
      'A chargeback code or none of the catalogue: declined with 600.200.810. The code of a decline or refusal as card.holder ' +
      'or bankAccount.holder does the same for PA, DB, CD and RG.',
  },
  avs: {
    parameter: 'customParameters[SIMULATOR_avs]',
    takes: 'A, Z, N, U or F',
    pattern: /^[AZNUF]$/,
    effect: 'The result.avsResponse of a card payment. Without it: F when billing.street1 or billing.postcode is sent.',
  },
  cvv: {
    parameter: 'customParameters[SIMULATOR_cvv]',
    takes: 'M, N, P, S or U',
    pattern: /^[MNPSU]$/,
    effect: 'The result.cvvResponse of a card payment. Without it: M when card.cvv is sent.',
  },
  advice: {
    parameter: 'customParameters[SIMULATOR_advice]',
    takes: 'two digits',
    pattern: /^[0-9]{2}$/,
    effect: 'The resultDetails.MerchantAdviceCode of a decline. Without it: what suits the result code of a card.',
  },
  latency: {
    parameter: 'customParameters[SIMULATOR_latency]',
    takes: 'milliseconds, 0 to 30000',
    pattern: /^(?:30000|[12]?[0-9]{1,4})$/,
    effect: 'The answer takes that long; the payment is booked before.',
  },
  answer: {
    parameter: 'customParameters[SIMULATOR_answer]',
    takes: 'lost, lost-request, late, twice, garbled or down',
    pattern: /^(?:lost|lost-request|late|twice|garbled|down)$/,
    effect: 'The conversation goes wrong: see the table of answers.',
  },
  confirm: {
    parameter: 'customParameters[SIMULATOR_confirm]',
    takes: 'before, after, twice or never',
    pattern: /^(?:before|after|twice|never)$/,
    effect:
      'When the bank of an asynchronous brand tells the gateway by itself what the shopper did: before he is back (as without it), ' +
      'two seconds after, before and twice, or never.',
  },
  for: {
    parameter: 'customParameters[SIMULATOR_for]',
    takes: 'a length of time such as 90s, 10m, 12h or 40d',
    pattern: duration,
    effect: 'How long it is down or pending, in the place of 60 seconds, or by how much late, in the place of five.',
  },
  ending: {
    parameter: 'customParameters[SIMULATOR_then]',
    takes: 'a result code',
    pattern: /^/,
    effect: 'With a pending code: what it ends with, in the place of an approval.',
  },
  unauthenticated: {
    parameter: 'customParameters[SIMULATOR_unauthenticated]',
    takes: 'a result code',
    pattern: /^/,
    effect:
      'A PA, DB or CD by card is declined with that code when nobody authenticated the cardholder (no threeDSecure.eci of an ' +
      'authentication or an attempt), unless the merchant starts it.',
  },
  shopper: {
    parameter: 'customParameters[SIMULATOR_shopper]',
    takes: 'pays, declines or cancels',
    pattern: /^(?:pays|declines|cancels)$/,
    effect: 'What the shopper of an asynchronous brand does at his bank by himself, when nobody is there to click.',
  },
  shopperAfter: {
    parameter: 'customParameters[SIMULATOR_shopperAfter]',
    takes: 'a length of time such as 90s',
    pattern: duration,
    effect: 'When he does it, counted from the payment. Without it: after two seconds.',
  },
  confirmAfter: {
    parameter: 'customParameters[SIMULATOR_confirmAfter]',
    takes: 'a length of time such as 10m',
    pattern: duration,
    effect: 'With SIMULATOR_confirm=after: how long after the shopper, in the place of two seconds.',
  },
  mandate: {
    parameter: 'customParameters[SIMULATOR_mandate]',
    takes: 'revoked or revoked-all',
    pattern: /^revoked(?:-all)?$/,
    effect:
      'The cardholder has stopped this series, or all series of the merchant: a PA or DB of a card that the merchant starts is ' +
      'declined with 800.100.500 or 800.100.501. What the shopper starts is not touched.',
  },
  networkToken: {
    parameter: 'customParameters[SIMULATOR_networkToken]',
    takes: 'none or later',
    pattern: /^(?:none|later)$/,
    effect:
      'Sent when a card is stored. none: its scheme never gives a token for it. later: the scheme cannot be asked in the first ' +
      '60 seconds.',
  },
} as const satisfies Record<string, Directive>;

/** The effect of each value of SIMULATOR_answer. The documentation prints this table too. */
export const wrongAnswers = {
  lost: 'Booked, and the answer never comes.',
  'lost-request': 'Never received: not booked, no answer.',
  late: 'Received, no answer, and booked five seconds after the time to answer is over; until then an inquiry says: waiting.',
  twice: 'Delivered twice, and booked once.',
  garbled: 'Booked, and the answer cannot be read.',
  down: 'Neither request, inquiry nor cancellation gets through for 60 seconds.',
} as const;

export type Directives = { readonly [Name in keyof typeof directives]?: string } & {
  readonly answer?: keyof typeof wrongAnswers;
  /** The parameter with an invalid value. */
  readonly wrong?: string;
};

const directiveList = Object.entries(directives) as [keyof typeof directives, Directive][];
const NOTHING: Directives = {};

/** A duration in milliseconds, or the default. */
export const durationMs = (asked: string | undefined, otherwise: number): number =>
  (asked === undefined ? null : msOf(asked)) ?? otherwise;

/** The directives of a request; none in live mode. */
export function directivesOf({ fields, mode }: Pick<Payment, 'fields' | 'mode'>): Directives {
  if (mode === 'LIVE') return NOTHING;
  let directives: Directives = NOTHING;
  for (const [name, { parameter, pattern }] of directiveList) {
    const text = fields[parameter];
    if (text === undefined) continue;
    directives = pattern.test(text) ? { ...directives, [name]: text } : { ...directives, wrong: parameter };
  }
  return directives;
}
