import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInRules } from './defaultRules.ts';
import { ruleBookOf, USUAL } from './ruleBook.ts';
import { type Rule, ruleFaults } from './rules.ts';
import { defaultRiskSettings, inheritRiskSettings, type RiskSettings, riskSettingFaults } from './settings.ts';

const rule: Rule = { id: 'own', says: 'Ours.', when: 'amount > 1', gives: { verdict: 'review' }, mode: 'on' };

const faulty: [what: string, risk: unknown, says: RegExp][] = [
  ['no object', [], /must be an object/],
  ['a name that is unknown', { mod: 'on' }, /has no "mod"/],
  ['a mode that is unknown', { mode: 'maybe' }, /"mode" must be on, report or off/],
  ['a switch that is a flag', { cardTesting: true }, /"cardTesting" must be/],
  ['a negative window', { duplicateSeconds: -1 }, /"duplicateSeconds" must be/],
  ['a window of two days', { duplicateSeconds: 172_800 }, /"duplicateSeconds" must be/],
  ['a limit as a number', { limits: { EUR: { amountMax: 5 } } }, /"limits" must be/],
  ['a limit of no currency', { limits: { Euro: { amountMax: '5.00' } } }, /"limits" must be/],
  ['a limit that is unknown', { limits: { EUR: { max: '5.00' } } }, /"limits" must be/],
  ['half of the thresholds', { thresholds: { review: 1 } }, /"thresholds" must be/],
  ['a threshold out of range', { thresholds: { review: 100_000, challenge: null, decline: null } }, /"thresholds" must be/],
  ['rules that are no list', { rules: {} }, /"rules" must be a list/],
  ['a rule that cannot be read', { rules: [{ ...rule, when: 'x' }] }, /"rules": rule "own": "when", character 1/],
  ['a rule twice', { rules: [rule, rule] }, /"rules": rule "own" stands there twice/],
  ['sets that are no object', { ruleSets: [] }, /"ruleSets" must be an object/],
  ['a set that is no list', { ruleSets: { ch: 1 } }, /"ruleSets\.ch" must be a list/],
  ['a fault in a set', { ruleSets: { ch: [{ ...rule, mode: 'x' }] } }, /"ruleSets\.ch": rule "own": "mode"/],
  ['a screening without a word on silence', { screening: { provider: 'shield', waitMs: 100 } }, /"screening" must be/],
  [
    'a screening that waits for ever',
    { screening: { provider: 'shield', silence: 'accept', waitMs: 60_000 } },
    /"screening" must be/,
  ],
];
for (const [what, risk, says] of faulty) {
  test(`settings with ${what} are refused`, () => {
    const faults = riskSettingFaults(risk);
    assert.equal(faults.length, 1, faults.join('; '));
    assert.match(faults[0] as string, says);
  });
}

const good: [what: string, risk: Partial<RiskSettings>][] = [
  ['nothing', {}],
  ['what stands there by default', defaultRiskSettings],
  ['a reporting channel', { mode: 'report' }],
  ['limits', { limits: { EUR: { amountMax: '500.00', cardDayMax: '1000' } } }],
  ['rules and sets', { rules: [rule], ruleSets: { 'ch/S': [rule], ch: [] } }],
  ['a screening', { screening: { provider: 'shield', silence: 'review', waitMs: 2_000 } }],
];
for (const [what, risk] of good) test(`settings with ${what} are taken`, () => assert.deepEqual(riskSettingFaults(risk), []));

test('every built-in rule is in order, whatever the settings', () => {
  const all = builtInRules({ ...defaultRiskSettings, limits: { EUR: { amountMax: '1', cardDayMax: '2.50' } } });
  assert.deepEqual(all.flatMap(ruleFaults), []);
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
});

const selected: [channelId: string | null, serviceId: string | null, id: string][] = [
  [null, null, USUAL],
  [null, 'S', USUAL],
  ['ch', null, 'ch'],
  ['ch', 'T', 'ch'],
  ['ch', 'S', 'ch/S'],
  ['elsewhere', 'S', USUAL],
  ['constructor', null, USUAL],
];
const book = ruleBookOf({ ...defaultRiskSettings, rules: [rule], ruleSets: { ch: [], 'ch/S': [{ ...rule, mode: 'shadow' }] } });
for (const [channelId, serviceId, id] of selected) {
  test(`channel ${channelId} and service ${serviceId} are evaluated by ${id}`, () =>
    assert.equal(book.select({ channelId, serviceId }).id, id));
}

test('another set has all the usual rules, its own in their place', () => {
  const modes = (channelId: string | null, serviceId: string | null) =>
    book.select({ channelId, serviceId }).rules.map((one) => `${one.rule.id} ${one.rule.mode}`);
  assert.deepEqual(modes('ch', null), modes(null, null));
  assert.deepEqual(
    modes('ch', 'S'),
    modes(null, null).map((one) => (one === 'own on' ? 'own shadow' : one)),
  );
});

test('a rule of the merchant replaces a built-in one of the same name', () => {
  const own = { ...rule, id: 'velocity.card' };
  const { rules } = ruleBookOf({ ...defaultRiskSettings, rules: [own] }).select({ channelId: null, serviceId: null });
  assert.deepEqual(
    rules.filter((one) => one.rule.id === own.id).map((one) => one.rule),
    [own],
  );
});

test('settings that were not looked at do not become rules', () => {
  assert.throws(() => ruleBookOf({ ...defaultRiskSettings, rules: [{ ...rule, when: 'x' }] }), /not in order/);
});

test('a setting of a node stands over that of the node above', () => {
  const own = inheritRiskSettings({ ...defaultRiskSettings, mode: 'report' }, { duplicateSeconds: 5 });
  assert.deepEqual([own.mode, own.duplicateSeconds], ['report', 5]);
});
