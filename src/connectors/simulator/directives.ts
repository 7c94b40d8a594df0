import type { Payment } from '../../payments/payment.ts';
import { duration, msOf } from '../../spec/scenarios/language.ts';

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
      'Approves or declines with this code. A pending code is approved 60 seconds later. ' +
      'A chargeback code or an unknown code is declined with 600.200.810. The code of a decline or refusal as card.holder ' +
      'or bankAccount.holder has the same effect for PA, DB, CD and RG.',
  },
  avs: {
    parameter: 'customParameters[SIMULATOR_avs]',
    takes: 'A, Z, N, U or F',
    pattern: /^[AZNUF]$/,
    effect: 'result.avsResponse of a card payment. Default: F when billing.street1 or billing.postcode is sent.',
  },
  cvv: {
    parameter: 'customParameters[SIMULATOR_cvv]',
    takes: 'M, N, P, S or U',
    pattern: /^[MNPSU]$/,
    effect: 'result.cvvResponse of a card payment. Default: M when card.cvv is sent.',
  },
  advice: {
    parameter: 'customParameters[SIMULATOR_advice]',
    takes: 'two digits',
    pattern: /^[0-9]{2}$/,
    effect: 'resultDetails.MerchantAdviceCode of a decline. Default: the one that suits the result code.',
  },
  latency: {
    parameter: 'customParameters[SIMULATOR_latency]',
    takes: 'milliseconds, 0 to 30000',
    pattern: /^(?:30000|[12]?[0-9]{1,4})$/,
    effect: 'Latency of the reply; the payment is booked before.',
  },
  answer: {
    parameter: 'customParameters[SIMULATOR_answer]',
    takes: 'lost, lost-request, late, twice, garbled or down',
    pattern: /^(?:lost|lost-request|late|twice|garbled|down)$/,
    effect: 'Connection problems: see the table below.',
  },
  confirm: {
    parameter: 'customParameters[SIMULATOR_confirm]',
    takes: 'before, after, twice or never',
    pattern: /^(?:before|after|twice|never)$/,
    effect:
      'When the bank of a redirect brand confirms by itself: before the shopper returns (default), ' +
      'two seconds after, twice before, or never.',
  },
  for: {
    parameter: 'customParameters[SIMULATOR_for]',
    takes: 'a duration such as 90s, 10m, 12h or 40d',
    pattern: duration,
    effect: 'Duration of down or pending (default 60 seconds), or delay of late (default five).',
  },
  ending: {
    parameter: 'customParameters[SIMULATOR_then]',
    takes: 'a result code',
    pattern: /^/,
    effect: 'With a pending code: the final result code. Default: approved.',
  },
  unauthenticated: {
    parameter: 'customParameters[SIMULATOR_unauthenticated]',
    takes: 'a result code',
    pattern: /^/,
    effect:
      'A PA, DB or CD by card is declined with this code without 3D Secure (no threeDSecure.eci of an ' +
      'authentication or an attempt), unless it is merchant-initiated.',
  },
  shopper: {
    parameter: 'customParameters[SIMULATOR_shopper]',
    takes: 'pays, declines or cancels',
    pattern: /^(?:pays|declines|cancels)$/,
    effect: 'What the simulated shopper of a redirect brand does at the bank.',
  },
  shopperAfter: {
    parameter: 'customParameters[SIMULATOR_shopperAfter]',
    takes: 'a duration such as 90s',
    pattern: duration,
    effect: 'When, counted from the payment. Default: two seconds.',
  },
  confirmAfter: {
    parameter: 'customParameters[SIMULATOR_confirmAfter]',
    takes: 'a duration such as 10m',
    pattern: duration,
    effect: 'With SIMULATOR_confirm=after: the delay. Default: two seconds.',
  },
  mandate: {
    parameter: 'customParameters[SIMULATOR_mandate]',
    takes: 'revoked or revoked-all',
    pattern: /^revoked(?:-all)?$/,
    effect:
      'The cardholder has stopped this series, or all series of the merchant: a merchant-initiated PA or DB by card is ' +
      'declined with 800.100.500 or 800.100.501. Other payments are not affected.',
  },
  networkToken: {
    parameter: 'customParameters[SIMULATOR_networkToken]',
    takes: 'none or later',
    pattern: /^(?:none|later)$/,
    effect:
      'Sent when a card is stored. none: its scheme never issues a token. later: the scheme is not available in the first ' +
      '60 seconds.',
  },
} as const satisfies Record<string, Directive>;

/** The effect of each value of SIMULATOR_answer. The documentation prints this table too. */
export const wrongAnswers = {
  lost: 'Booked; the reply is lost.',
  'lost-request': 'Not received: not booked, no reply.',
  late: 'No reply, and booked five seconds after the time-out; until then an inquiry returns pending.',
  twice: 'Received twice, booked once.',
  garbled: 'Booked; the reply is unreadable.',
  down: 'Unreachable for 60 seconds: requests, inquiries and cancellations fail.',
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
    if (!text) continue;
    directives = pattern.test(text) ? { ...directives, [name]: text } : { ...directives, wrong: parameter };
  }
  return directives;
}
