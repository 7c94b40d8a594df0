import { allowedWords, inWords } from '../spec/formats/formats.ts';
import { ABSENT, absent, type Finding, type Rule, type Sent } from '../spec/rules/rule.ts';

/** Whether the conditions of a rule hold, apart from `when`, which the caller has looked up. */
export function isConcerned(rule: Rule, sent: Sent): boolean {
  const { is, isNot, unless } = rule;
  if (unless?.some((name) => sent.has(name))) return false;
  for (const name in is) if (!is[name]?.includes(sent.text(name) ?? '')) return false;
  for (const name in isNot) {
    // A value with a fault of its own is neither the one nor the other.
    const text = sent.text(name);
    if (text === undefined ? sent.has(name) : isNot[name]?.includes(text)) return false;
  }
  return true;
}

/** The findings of a rule about a request that meets its conditions. */
export function judge(rule: Rule, sent: Sent): readonly Finding[] {
  if (rule.finds) return rule.finds(sent);
  if (rule.needs) return absent(sent, rule.needs, () => requirement(rule, sent));
  if (rule.needsOneOf) return missingAll(rule, rule.needsOneOf, sent);
  if (rule.forbids) {
    const names = rule.forbids.filter((name) => sent.has(name));
    return names.map((name) => ({ name, message: `must not be sent with ${sent.first(rule.when)}` }));
  }
  if (rule.refuses !== undefined) return refused(rule.when, rule.refuses, sent);
  return rule.allows ? disallowed(rule, rule.allows, sent) : mismatched(rule, sent);
}

/** `is required when paymentType is CP, unless …`: the conditions of the rule, which this request meets. */
function requirement(rule: Rule, sent: Sent, alternatives: readonly string[] = []): string {
  const conditions = [...triggerOf(rule, sent), ...valuesOf(rule, sent)];
  const exceptions = [
    ...Object.entries(rule.isNot ?? {}).map(([name, [value]]) => `${name} is ${value}`),
    ...sentWords([...(rule.unless ?? []), ...alternatives]),
  ];
  if (conditions.length === 0 && exceptions.length === 0) return ABSENT;
  const when = conditions.length === 0 ? '' : ` when ${inWords(conditions, 'and')}`;
  const unless = exceptions.length === 0 ? '' : `${when === '' ? '' : ','} unless ${inWords(exceptions, 'or')}`;
  return `is required${when}${unless}`;
}

/** The parameter that made the rule apply, unless a condition names its value anyway. */
function triggerOf({ when, is = {} }: Rule, sent: Sent): readonly string[] {
  const name = sent.first(when);
  return name === undefined || Object.hasOwn(is, name) ? [] : [`${name} is sent`];
}

const valuesOf = ({ is = {} }: Rule, sent: Sent): readonly string[] =>
  Object.keys(is).map((name) => `${sent.first([name]) ?? name} is ${sent.text(name)}`);

const sentWords = (names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`${inWords(names, 'or')} is sent`];

function missingAll(rule: Rule, names: readonly string[], sent: Sent): readonly Finding[] {
  const [first = '', ...others] = names;
  return names.some((name) => sent.has(name)) ? [] : [{ name: first, message: requirement(rule, sent, others) }];
}

function refused(names: readonly string[], message: string, sent: Sent): readonly Finding[] {
  const whole = names.flatMap((name) => (name.includes('[') ? sent.all(name).map((field) => field.name) : [name]));
  return whole.filter((name) => sent.has(name)).map((name) => ({ name, message }));
}

/** ` when paymentBrand is IDEAL`: the condition of a rule about a value; empty for a rule without one. */
function conditionWords(rule: Rule, sent: Sent): string {
  const conditions = valuesOf(rule, sent);
  return conditions.length === 0 ? '' : ` when ${inWords(conditions, 'and')}`;
}

/** A value that its row refuses is not one of these either: the shorter list is the better message. */
function disallowed(rule: Rule, allows: Readonly<Record<string, readonly string[]>>, sent: Sent): readonly Finding[] {
  const findings: Finding[] = [];
  for (const name in allows) {
    const values = allows[name] as readonly string[];
    if (sent.has(name) && !values.includes(sent.text(name) ?? '')) {
      findings.push({ name, message: allowedWords(values) + conditionWords(rule, sent) });
    }
  }
  return findings;
}

function mismatched(rule: Rule, sent: Sent): readonly Finding[] {
  const findings: Finding[] = [];
  for (const [name, { pattern, message }] of Object.entries(rule.matches ?? {})) {
    const text = sent.text(name);
    if (text !== undefined && !pattern.test(text)) findings.push({ name, message: message + conditionWords(rule, sent) });
  }
  return findings;
}
