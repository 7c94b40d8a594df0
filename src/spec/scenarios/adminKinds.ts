import type { Kind } from '../admin/kinds.ts';
import { isRecord } from '../json.ts';

/** A scenario as a JSON object. The handler reports its faults member by member. */
export const scenarioObject: Kind<Readonly<Record<string, unknown>>> = {
  message: 'must be a scenario as a JSON object',
  schema: { $ref: '#/components/schemas/Scenario' },
  parse: (value) => (isRecord(value) ? value : undefined),
  good: [{ name: 'broke-twice', says: 'Two attempts find no money.', acquirer: [{ says: 'declined', code: '800.100.155' }] }],
  bad: ['', 'paid', 1, null, [], [{}]],
};

const CARD = /^[0-9]{8,19}$/;

/** The number of a card: used for its fingerprint and kept nowhere. */
export const cardNumber: Kind<string> = {
  message: 'must be a card number of 8 to 19 digits',
  schema: { type: 'string', pattern: CARD.source },
  parse: (value) => (typeof value === 'string' && CARD.test(value) ? value : undefined),
  good: ['4200000000000042', '42000000'],
  bad: ['', '4200', '4200 0000 0000 0042', '4'.repeat(20), 4_200_000_000_000_042, null],
  isSecret: true,
};
