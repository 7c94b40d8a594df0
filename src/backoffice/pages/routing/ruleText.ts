import type { MethodCode } from '../../../spec/paymentTypes.ts';
import type { RoutingCondition, RoutingRule } from '../../../spec/routing.ts';
import type { routingTexts } from '../../texts/routing.ts';

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
