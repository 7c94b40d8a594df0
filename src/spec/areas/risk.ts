import { ENTITY, free, limit, needed } from '../admin/field.ts';
import { count, id, instant, type Kind, matching, oneOf } from '../admin/kinds.ts';
import { isRecord } from '../json.ts';
import { admin } from './row.ts';
import { listPlace } from './stored.ts';

/** Risk: rules and trying them on the past, block and allow lists, payments that a person should look at. */

export const listKinds = ['card', 'bin', 'email', 'emailDomain', 'ip', 'country', 'customer'] as const;
export const listNames = ['block', 'allow'] as const;
export const reviewStates = ['waiting', 'accepted', 'refused'] as const;

const DAYS_MAX = 3_650;

/** What is wrong inside is told by place, by whoever reads it. */
const riskObject: Kind<Readonly<Record<string, unknown>>> = {
  says: 'must be the setting risk as a JSON object',
  schema: { type: 'object' },
  read: (value) => (isRecord(value) ? value : undefined),
  good: [{ mode: 'on', rules: [] }, {}],
  bad: ['', 'on', 1, null, []],
};

export const note = matching(/^(?=\S)[^\p{C}\p{Zl}\p{Zp}]{1,500}$/u, 'must be 1 to 500 characters on one line', {
  good: ['called the customer', 'Büro'],
  bad: ['', ' ', 'x'.repeat(501), 'two\nlines', 5, null],
});

/** Somebody may put the number of a card where it does not belong: it is not repeated. */
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

/** A number would stand in the address: what is looked for has none as long as a card's. */
const part = matching(
  /^(?!.*[0-9]{12})[^\p{Cc}]{1,64}$/u,
  'must be a part of a value, 1 to 64 characters and no number of a card',
  {
    good: ['shop.example', '4200'],
    bad: ['x'.repeat(65), '4200000000000000', 'two\nlines'],
  },
);

const place = matching(/^[A-Za-z0-9_-]{1,600}$/, 'must be as it was answered', {
  good: ['WyJibG9jayIsImJpbiIsIjQyMDAwMCJd'],
  bad: ['x'.repeat(601), 'a b', '=='],
});

const LANGUAGE = 'In which language rules are explained; en where nothing is said.';
const language = free(oneOf(['en', 'de']), LANGUAGE);
const entityId = (says: string) => needed(id, says, ENTITY);
const MERCHANT = 'The merchant, or one of his channels.';
const risk = needed(riskObject, 'The setting risk as it would be on this entity.');

export const riskEndpoints = {
  readRiskRules: admin(
    'GET',
    '/admin/v1/riskRules',
    'readRisk',
    'Read the risk rules in force at an entity, and what is its own of them.',
  ),
  checkRiskRules: admin(
    'POST',
    '/admin/v1/riskRules/check',
    'readRisk',
    'Check risk rules without storing them: every fault by its place.',
  ),
  saveRiskRules: admin('POST', '/admin/v1/riskRules', 'risk', 'Store the setting risk of an entity; those below it inherit.'),
  explainRisk: admin(
    'GET',
    '/admin/v1/riskExplanations/{id}',
    'readRisk',
    'Say why the risk checks judged a payment as they did.',
  ),
  startBacktest: admin(
    'POST',
    '/admin/v1/riskBacktest',
    'readRisk',
    'Try risk rules on the stored payments of a merchant or channel; one at a time.',
  ),
  readBacktest: admin(
    'GET',
    '/admin/v1/riskBacktest',
    'readRisk',
    'How far the last back-test of an entity is, or what it found.',
  ),
  cancelBacktest: admin('DELETE', '/admin/v1/riskBacktest', 'readRisk', 'End the back-test of an entity.'),
  listRiskEntries: admin('GET', '/admin/v1/riskLists', 'readRisk', 'List entries of the block and allow lists of a merchant.'),
  putRiskEntry: admin(
    'POST',
    '/admin/v1/riskLists',
    'risk',
    'Put something on a list. The number of a card is not kept: a keyed hash of it is.',
  ),
  removeRiskEntry: admin('POST', '/admin/v1/riskLists/remove', 'risk', 'Take something off a list.'),
  importRiskEntries: admin(
    'POST',
    '/admin/v1/riskLists/import',
    'risk',
    'Put many things on a list, one in a line; all of them or none.',
  ),
  listReviews: admin(
    'GET',
    '/admin/v1/reviews',
    'readRisk',
    'List payments that a person should look at, or has; the newest first.',
  ),
  acceptReview: admin('POST', '/admin/v1/reviews/{id}/accept', 'review', 'Say that a payment is in order.'),
  refuseReview: admin(
    'POST',
    '/admin/v1/reviews/{id}/refuse',
    'review',
    'Say that a payment is not in order, and give its money back.',
    {
      stepUp: true,
    },
  ),
} as const;

export const riskFields = {
  readRiskRules: { entityId: entityId('Any node of the hierarchy.'), language },
  checkRiskRules: { entityId: entityId('The node they would stand at.'), risk, language },
  saveRiskRules: {
    entityId: entityId('The node they stand at.'),
    risk: needed(riskObject, 'The setting risk, whole; an empty object inherits everything.'),
    revision: needed(count(1, 1_000_000_000), 'The revision that was read.', 3),
  },
  explainRisk: { entityId: entityId('Whose payment it is: its channel, or a node above.'), language },
  startBacktest: {
    entityId: entityId('A merchant with all his channels, or one channel.'),
    risk,
    from: free(instant, 'Only payments begun at this instant or later; the month before it is remembered.'),
    to: free(instant, 'Only payments begun before this instant.'),
  },
  readBacktest: { entityId: entityId(MERCHANT) },
  cancelBacktest: { entityId: entityId(MERCHANT) },
  listRiskEntries: {
    entityId: entityId('The merchant, or one of his channels: the lists are those of the merchant.'),
    list: free(oneOf(listNames), 'Only this list.'),
    kind: free(oneOf(listKinds), 'Only entries of this kind.'),
    search: free(part, 'Only values with this in them.'),
    after: free(place, 'Where the page before ended: its next.'),
    limit,
  },
  putRiskEntry: {
    entityId: entityId(MERCHANT),
    list: needed(oneOf(listNames), 'Which list.'),
    kind: needed(oneOf(listKinds), 'What it names.'),
    value: free(listed, 'What is listed; of a card its number, which is not kept.'),
    paymentId: free(id, 'Take it from this payment instead.'),
    days: free(count(1, DAYS_MAX), 'It expires after so many days; it stays where nothing is said.', 30),
  },
  removeRiskEntry: {
    entityId: entityId(MERCHANT),
    list: needed(oneOf(listNames), 'Which list.'),
    kind: needed(oneOf(listKinds), 'What it names.'),
    value: needed(listed, 'As it was answered.'),
  },
  importRiskEntries: {
    entityId: entityId(MERCHANT),
    list: needed(oneOf(listNames), 'Which list.'),
    lines: needed(lines, 'In each line the kind, a comma and the value.'),
    days: free(count(1, DAYS_MAX), 'They expire after so many days; they stay where nothing is said.', 30),
  },
  listReviews: {
    entityId: entityId('Any node of the hierarchy.'),
    state: free(oneOf(reviewStates), 'What was decided; waiting where nothing is said.'),
    after: free(listPlace, 'Where the page before ended: its next.'),
    limit,
  },
  acceptReview: {
    entityId: entityId('Whose payment it is: its channel, or a node above.'),
    note: needed(note, 'Why, for whoever looks later.'),
  },
  refuseReview: {
    entityId: entityId('Whose payment it is: its channel, or a node above.'),
    note: needed(note, 'Why, for whoever looks later.'),
  },
} as const;
