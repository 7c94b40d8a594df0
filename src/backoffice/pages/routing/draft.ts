import type { MethodCode } from '../../../spec/paymentTypes.ts';
import type { RoutingCondition, RoutingOtherwise, RoutingRule } from '../../../spec/routing.ts';
import type { routingTexts } from '../../texts/routing.ts';

/** A rule in the editor. Its key stays the same while the rule moves. */
type DraftRule = { readonly key: string; readonly rule: RoutingRule };

type Step = { readonly rules: readonly DraftRule[]; readonly label: string };

/** Unsaved rules, the revision that they are based on, and the steps that can be undone, the latest last. */
export type Draft = { readonly rules: readonly DraftRule[]; readonly revision: number; readonly past: readonly Step[] };

export const draftOf = (rules: readonly RoutingRule[], revision: number): Draft => ({
  rules: rules.map((rule, at) => ({ key: `stored ${at}`, rule })),
  revision,
  past: [],
});

/** The rules after a step. Consecutive steps with the same label, such as typing in one field, are undone together. */
export function stepOf({ rules: before, revision, past }: Draft, rules: readonly DraftRule[], label: string): Draft {
  const isSameStep = past.at(-1)?.label === label;
  return { rules, revision, past: isSameStep ? past : [...past, { rules: before, label }] };
}

export function undone({ rules, revision, past }: Draft): Draft {
  return { rules: past.at(-1)?.rules ?? rules, revision, past: past.slice(0, -1) };
}

/** Moves one item of a list by `by` places; at an end the list stays the same. */
export function moved<One>(list: readonly One[], at: number, by: -1 | 1): readonly One[] {
  const one = list[at];
  const to = at + by;
  if (one === undefined || to < 0 || to >= list.length) return list;
  return list.toSpliced(at, 1).toSpliced(to, 0, one);
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** A rule with one condition replaced; nothing in it: the condition is left out. */
export function withCondition<Name extends keyof RoutingCondition>(
  { when = {}, ...rule }: RoutingRule,
  name: Name,
  value: RoutingCondition[Name],
): RoutingRule {
  const { [name]: _, ...others } = when;
  const conditions = isNothing(value) ? others : { ...others, [name]: value };
  return Object.keys(conditions).length === 0 ? rule : { ...rule, when: conditions };
}

export function withName({ name: _, ...rule }: RoutingRule, name: string): RoutingRule {
  return name === '' ? rule : { name, ...rule };
}

export function withShare({ share: _, ...rule }: RoutingRule, share: number | null): RoutingRule {
  return share === null ? rule : { ...rule, share };
}

/** `channel` is the default and is left out. */
export function withOtherwise({ otherwise: _, ...rule }: RoutingRule, otherwise: RoutingOtherwise): RoutingRule {
  return otherwise === 'channel' ? rule : { ...rule, otherwise };
}

export const rulesOf = ({ rules }: Pick<Draft, 'rules'>): readonly RoutingRule[] => rules.map(({ rule }) => rule);

export type Words = (typeof routingTexts)['en'];

const LISTED_MAX = 6;

/** The name of a payment method in the language of the user. */
export const methodText = (t: Words, method: string): string => t[`method.${method as MethodCode}`] ?? method;

/** A rule in one sentence: which payments, how many of them, to which accounts. */
export function ruleText(rule: RoutingRule, t: Words, locale: string): string {
  const { when = {}, share, to, otherwise } = rule;
  const conditions = conditionTexts(when, t, locale);
  const which = conditions.length === 0 ? t.everyPayment : conditions.join(', ');
  const where = to.length === 0 ? t.noAccountYet : to.join(t.thenTo);
  const sentence =
    share === undefined ? t.ruleAll(which, where) : t.ruleShare(which, new Intl.NumberFormat(locale).format(share), where);
  return otherwise === 'refuse' ? sentence + t.otherwiseRefused : sentence;
}

function conditionTexts(when: RoutingCondition, t: Words, locale: string): readonly string[] {
  const {
    methods = [],
    brands = [],
    currencies = [],
    amountFrom,
    amountTo,
    bins = [],
    cardCountries = [],
    cardTypes = [],
  } = when;
  const list = (items: readonly string[]): string => {
    const more = items.length - LISTED_MAX;
    const shown = more > 0 ? [...items.slice(0, LISTED_MAX), t.more(more)] : items;
    return new Intl.ListFormat(locale, { type: 'conjunction' }).format(shown);
  };
  const named = (items: readonly string[], text: (items: string) => string) => (items.length === 0 ? [] : [text(list(items))]);
  const plain = (items: string): string => items;
  return [
    ...named(
      methods.map((method) => methodText(t, method)),
      plain,
    ),
    ...named(brands, plain),
    ...named(currencies, plain),
    ...amountText(amountFrom, amountTo, t),
    ...named(bins, t.withBins),
    ...named(cardCountries, t.ofCountries),
    ...named(cardTypes, t.ofTypes),
  ];
}

function amountText(from: string | undefined, to: string | undefined, t: Words): readonly string[] {
  if (from !== undefined && to !== undefined) return [t.amountBetween(from, to)];
  if (from !== undefined) return [t.amountAbove(from)];
  return to === undefined ? [] : [t.amountBelow(to)];
}
