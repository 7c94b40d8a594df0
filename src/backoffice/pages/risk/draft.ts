import type { RiskMode, RiskRule, RiskRules } from '../../../spec/answers/risk.ts';
import type { riskTexts } from '../../texts/risk.ts';

/** A draft of the setting `risk` of an entity. Missing values are inherited. */
export type Draft = Readonly<Record<string, unknown>>;

export const rulesIn = (draft: Draft): readonly RiskRule[] => (Array.isArray(draft.rules) ? (draft.rules as RiskRule[]) : []);

export const draftOf = ({ own }: Pick<RiskRules, 'own'>): Draft => own ?? {};

/** A member of a draft; undefined takes it away, and it is inherited. */
export function withMember(draft: Draft, name: string, value: unknown): Draft {
  const { [name]: _, ...others } = draft;
  return value === undefined ? others : { ...others, [name]: value };
}

export const withRules = (draft: Draft, rules: readonly RiskRule[]): Draft =>
  withMember(draft, 'rules', rules.length === 0 ? undefined : rules);

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const FRESH = 'my-rule';

/** A name that no rule has yet. */
function freshName(taken: readonly string[]): string {
  for (let at = 1; ; at += 1) {
    const name = at === 1 ? FRESH : `${FRESH}-${at}`;
    if (!taken.includes(name)) return name;
  }
}

export const newRule = (taken: readonly string[], says: string): RiskRule => ({
  id: freshName(taken),
  says,
  when: 'amount > 500.00',
  gives: { verdict: 'review' },
  mode: 'on',
});

/** The built-in checks and their defaults. */
export const switches = {
  cardTesting: 'on',
  velocity: 'on',
  lists: 'on',
  countryMismatch: 'on',
  holderMismatch: 'off',
  uniqueTransactionIds: 'off',
} as const satisfies Readonly<Record<string, RiskMode>>;

export type SwitchName = keyof typeof switches;

export const modes: readonly RiskMode[] = ['on', 'report', 'off'];

export const modeIn = (from: Draft, name: string): RiskMode | null => modes.find((mode) => mode === from[name]) ?? null;

/** Ready pieces of a condition. */
export const pieces: readonly string[] = [
  'count(card, 1h)',
  'count(email, 24h, declined)',
  'share(bin, 10m, failed)',
  'sum(card, 24h)',
  'total(card, 24h)',
  'distinct(card per ip, 1h)',
  'distinct(card per email, 24h)',
  'listed(block, email)',
  'listed(allow, card)',
  'known(customer.email)',
  'age(registration) < 1h',
];

export type Words = (typeof riskTexts)['en'];
