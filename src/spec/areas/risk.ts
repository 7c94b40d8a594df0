import { isRecord } from '../../runtime/json.ts';
import {
  admin,
  count,
  ENTITY,
  id,
  instant,
  type Kind,
  limit,
  matching,
  oneOf,
  optional,
  required,
  tagged,
  token,
} from '../admin/kinds.ts';
import { listPlace } from './stored.ts';

/** Risk: rules, back-tests, block and allow lists, manual reviews. */

export const listKinds = ['card', 'bin', 'email', 'emailDomain', 'ip', 'country', 'customer'] as const;
export const listNames = ['block', 'allow'] as const;
export const reviewStates = ['waiting', 'accepted', 'refused'] as const;

const DAYS_MAX = 3_650;

/** Risk settings. The handler reports the place of each fault. */
const riskObject: Kind<Readonly<Record<string, unknown>>> = {
  message: 'must be the setting risk as a JSON object',
  schema: { type: 'object' },
  parse: (value) => (isRecord(value) ? value : undefined),
  good: [{ mode: 'on', rules: [] }, {}],
  bad: ['', 'on', 1, null, []],
};

export const note = matching(/^(?=\S)[^\p{C}\p{Zl}\p{Zp}]{1,500}$/u, 'must be 1 to 500 characters on one line', {
  good: ['called the customer', 'Büro'],
  bad: ['', ' ', 'x'.repeat(501), 'two\nlines', 5, null],
});

/** The value may be a card number in the wrong field: it is not repeated. */
const listed: Kind<string> = {
  ...matching(/^(?=.*\S)[^\p{Cc}]{1,255}$/u, 'must be 1 to 255 characters on one line', {
    good: ['ann@shop.example', '203.0.113.0/24'],
    bad: ['', ' ', 'x'.repeat(256), 'two\nlines', 7, null],
  }),
  isSecret: true,
};

const lines: Kind<string> = {
  ...matching(
    /^(?=[\s\S]*\S)[^\0]{1,50000}$/,
    'must be lines such as email,ann@shop.example, together at most 50,000 characters',
    {
      good: ['email,ann@shop.example', 'bin,420000\ncountry,DE\n'],
      bad: ['', ' \n', 'x'.repeat(50_001), 7, null],
    },
  ),
  isSecret: true,
};

/** The search string is part of the URL, so it must not hold a number as long as a card's. */
const part = matching(
  /^(?!.*[0-9]{12})[^\p{Cc}]{1,64}$/u,
  'must be a part of a value, 1 to 64 characters and no number of a card',
  {
    good: ['shop.example', '4200'],
    bad: ['x'.repeat(65), '4200000000000000', 'two\nlines'],
  },
);

const place = token(/^[A-Za-z0-9_-]{1,600}$/, 'must be as it was answered', {
  good: ['WyJibG9jayIsImJpbiIsIjQyMDAwMCJd'],
  bad: ['x'.repeat(601), 'a b', '=='],
});

const LANGUAGE = 'Language of the explanations; default en.';
const language = optional(oneOf(['en', 'de']), LANGUAGE);
const entityId = (description: string) => required(id, description, ENTITY);
const MERCHANT = 'The merchant, or one of its channels.';
const risk = required(riskObject, 'The setting risk of this entity.');

export const riskEndpoints = {
  ...tagged('riskRules', {
    readRiskRules: admin(
      'GET',
      '/admin/v1/riskRules',
      'readRisk',
      'Read the active risk rules of an entity, and which are its own.',
    ),
    checkRiskRules: admin(
      'POST',
      '/admin/v1/riskRules/check',
      'readRisk',
      'Check risk rules without storing them; returns every error with its position.',
    ),
    saveRiskRules: admin(
      'POST',
      '/admin/v1/riskRules',
      'risk',
      'Store the setting risk of an entity; entities below it inherit it.',
    ),
    explainRisk: admin('GET', '/admin/v1/riskExplanations/{id}', 'readRisk', 'Explain the risk evaluation of a payment.'),
    startBacktest: admin(
      'POST',
      '/admin/v1/riskBacktest',
      'readRisk',
      'Back-test risk rules on the stored payments of a merchant or channel; one at a time.',
    ),
    readBacktest: admin(
      'GET',
      '/admin/v1/riskBacktest',
      'readRisk',
      'Read the progress or the result of the last back-test of an entity.',
    ),
    cancelBacktest: admin('DELETE', '/admin/v1/riskBacktest', 'readRisk', 'Cancel the back-test of an entity.'),
    listRiskEntries: admin(
      'GET',
      '/admin/v1/riskLists',
      'readRisk',
      'List the entries of the block and allow lists of a merchant.',
    ),
    putRiskEntry: admin(
      'POST',
      '/admin/v1/riskLists',
      'risk',
      'Add an entry to a list. Of a card number only a keyed hash is stored.',
    ),
    removeRiskEntry: admin('POST', '/admin/v1/riskLists/remove', 'risk', 'Remove an entry from a list.'),
    importRiskEntries: admin(
      'POST',
      '/admin/v1/riskLists/import',
      'risk',
      'Add many entries to a list, one per line; all or none.',
    ),
  }),
  ...tagged('reviews', {
    listReviews: admin('GET', '/admin/v1/reviews', 'readRisk', 'List payments flagged for manual review, newest first.'),
    acceptReview: admin('POST', '/admin/v1/reviews/{id}/accept', 'review', 'Accept a payment.'),
    refuseReview: admin('POST', '/admin/v1/reviews/{id}/refuse', 'review', 'Reject a payment and refund it.', {
      stepUp: true,
    }),
  }),
} as const;

export const riskFields = {
  readRiskRules: { entityId: entityId('Any entity.'), language },
  checkRiskRules: { entityId: entityId('The entity.'), risk, language },
  saveRiskRules: {
    entityId: entityId('The entity.'),
    risk: required(riskObject, 'The complete setting risk; an empty object inherits everything.'),
    revision: required(count(1, 1_000_000_000), 'The revision that you read.', 3),
  },
  explainRisk: { entityId: entityId('The channel of the payment, or an entity above it.'), language },
  startBacktest: {
    entityId: entityId('A merchant with all its channels, or one channel.'),
    risk,
    from: optional(instant, 'Only payments created at or after this instant; the month before fills the counters.'),
    to: optional(instant, 'Only payments created before this instant.'),
  },
  readBacktest: { entityId: entityId(MERCHANT) },
  cancelBacktest: { entityId: entityId(MERCHANT) },
  listRiskEntries: {
    entityId: entityId('The merchant, or one of its channels; lists belong to the merchant.'),
    list: optional(oneOf(listNames), 'Only this list.'),
    kind: optional(oneOf(listKinds), 'Only entries of this kind.'),
    search: optional(part, 'Only values that contain this.'),
    after: optional(place, '`next` of the previous page.'),
    limit,
  },
  putRiskEntry: {
    entityId: entityId(MERCHANT),
    list: required(oneOf(listNames), 'The list.'),
    kind: required(oneOf(listKinds), 'The kind of the value.'),
    value: optional(listed, 'The value; for a card its number, which is not stored.'),
    paymentId: optional(id, 'Take the value from this payment instead.'),
    days: optional(count(1, DAYS_MAX), 'Days until it expires; default: no expiry.', 30),
  },
  removeRiskEntry: {
    entityId: entityId(MERCHANT),
    list: required(oneOf(listNames), 'The list.'),
    kind: required(oneOf(listKinds), 'The kind of the value.'),
    value: required(listed, 'As returned by the list.'),
  },
  importRiskEntries: {
    entityId: entityId(MERCHANT),
    list: required(oneOf(listNames), 'The list.'),
    lines: required(lines, 'Each line: kind, comma, value.'),
    days: optional(count(1, DAYS_MAX), 'Days until they expire; default: no expiry.', 30),
  },
  listReviews: {
    entityId: entityId('Any entity.'),
    state: optional(oneOf(reviewStates), 'The decision; default waiting.'),
    after: optional(listPlace, '`next` of the previous page.'),
    limit,
  },
  acceptReview: {
    entityId: entityId('The channel of the payment, or an entity above it.'),
    note: required(note, 'The reason.'),
  },
  refuseReview: {
    entityId: entityId('The channel of the payment, or an entity above it.'),
    note: required(note, 'The reason.'),
  },
} as const;
