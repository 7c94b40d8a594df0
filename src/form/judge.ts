import { ABSENT, absent, type Finding, type Rule, type Sent } from '../spec/rules/rule.ts';

/** Whether the conditions of a rule hold, apart from the one that brought it here. */
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

/** What a rule has to say about a request it is concerned with. */
export function judge(rule: Rule, sent: Sent): readonly Finding[] {
  if (rule.finds) return rule.finds(sent);
  if (rule.needs) return absent(sent, rule.needs);
  if (rule.needsOneOf) return oneOf(rule.needsOneOf, sent);
  if (rule.forbids) {
    const trigger = rule.when.find((name) => sent.has(name));
    return rule.forbids.filter((name) => sent.has(name)).map((name) => ({ name, says: `must not be sent with ${trigger}` }));
  }
  if (rule.refuses !== undefined) return refused(rule.when, rule.refuses, sent);
  return rule.allows ? strange(rule.allows, sent) : unlike(rule.matches ?? {}, sent);
}

function oneOf(names: readonly string[], sent: Sent): readonly Finding[] {
  const [first = ''] = names;
  return names.some((name) => sent.has(name)) ? [] : [{ name: first, says: `${ABSENT}: one of [${names.join(', ')}] is needed` }];
}

function refused(names: readonly string[], says: string, sent: Sent): readonly Finding[] {
  const whole = names.flatMap((name) => (name.includes('[') ? sent.all(name).map((field) => field.name) : [name]));
  return whole.filter((name) => sent.has(name)).map((name) => ({ name, says }));
}

/** A value that no format of the row allows is not one of these either: the shorter list is the better message. */
function strange(allows: Readonly<Record<string, readonly string[]>>, sent: Sent): readonly Finding[] {
  const findings: Finding[] = [];
  for (const name in allows) {
    const values = allows[name] as readonly string[];
    if (sent.has(name) && !values.includes(sent.text(name) ?? '')) {
      findings.push({ name, says: `must be one of [${values.join(', ')}]` });
    }
  }
  return findings;
}

function unlike(matches: Readonly<Record<string, RegExp>>, sent: Sent): readonly Finding[] {
  const findings: Finding[] = [];
  for (const name in matches) {
    const pattern = matches[name] as RegExp;
    const text = sent.text(name);
    if (text !== undefined && !pattern.test(text)) findings.push({ name, says: `must match ${pattern.source}` });
  }
  return findings;
}
