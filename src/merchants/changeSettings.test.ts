import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingNames } from '../spec/settingRows.ts';
import { valueAt, withValue } from './accounts.ts';
import { applySettingsChange, type ChangeNeeds, type SettingsChange } from './changeSettings.ts';
import { isModuleName, moduleNames, noModuleFaults } from './moduleSettings.ts';
import { defaultSettings } from './settings.ts';

const needs: ChangeNeeds = { services: noModuleFaults, connectors: ['simulator'], environment: 'live' };
const own = { timeZone: 'Europe/Vienna', risk: { mode: 'report', velocity: 'off' } };
const change = (settingsChange: SettingsChange, kind: 'merchant' | 'channel' = 'channel') =>
  applySettingsChange({ kind, settings: own }, settingsChange, needs);

test('every setting that a node may have has a row, and every row is a setting', () => {
  const named = new Set(settingNames.map((name) => name.split('.')[0]));
  assert.deepEqual([...named].toSorted(), [...new Set([...Object.keys(defaultSettings), ...moduleNames])].toSorted());
});

test('a table of settings is set by its members, everything else as a whole', () => {
  for (const name of settingNames) {
    const [first = '', member] = name.split('.');
    const isTable =
      first === 'wallets' || (isModuleName(first) && first !== 'scenarios' && first !== 'reconciliation' && first !== 'accounts');
    assert.equal(member !== undefined, isTable, name);
  }
});

test('a value is read, put and taken away by its name, and an empty table is not kept', () => {
  assert.equal(valueAt(own, 'risk.mode'), 'report');
  assert.equal(valueAt(own, 'risk.lists'), undefined);
  assert.equal(valueAt(own, 'toString'), undefined);
  assert.deepEqual(withValue(own, 'risk.mode', 'on'), { ...own, risk: { mode: 'on', velocity: 'off' } });
  assert.deepEqual(withValue(withValue(own, 'risk.mode', undefined), 'risk.velocity', undefined), { timeZone: 'Europe/Vienna' });
  assert.deepEqual(withValue({}, 'schedules.days', 3), { schedules: { days: 3 } });
  assert.deepEqual(withValue(own, 'timeZone', undefined), { risk: own.risk });
});

test('the fault of a part of a setting names that part, without the name in the sentence', () => {
  const services = {
    ...noModuleFaults,
    risk: () => ['in the setting "risk", "rules": rule "x" stands there twice'],
    threeDS: () => ['the setting "threeDS.policy": "x" cannot be decided about'],
  };
  const set = { 'wallets.walletA': { keys: [], roots: [] }, 'risk.rules': [], 'threeDS.policy': {}, timeZone: 'Mars' };
  const changed = applySettingsChange({ kind: 'channel', settings: {} }, { set }, { ...needs, services });
  assert.ok(changed.is === 'faulty');
  const found = changed.faults.map(({ name, message }) => `${name} ${message.split(/[;:,]/)[0]}`);
  assert.deepEqual(found, [
    'wallets.walletA.merchantIdentifier is missing',
    'wallets.walletA.keys must be a list of key ids such as "2026"',
    'wallets.walletA.roots must be a list of certificates in PEM',
    'wallets.walletA.windowSeconds is missing',
    'risk.rules rule "x" stands there twice',
    'threeDS.policy "x" cannot be decided about',
    'timeZone must be the name of a time zone such as Europe/Vienna',
  ]);
});

test('values are set and others inherited in one change', () => {
  const changed = change({ set: { currencies: ['EUR'], 'risk.mode': 'on' }, inherit: ['timeZone'] });
  assert.deepEqual(changed, { is: 'changed', settings: { currencies: ['EUR'], risk: { mode: 'on', velocity: 'off' } } });
  assert.deepEqual(change({}), { is: 'changed', settings: own });
});

const faulty: readonly (readonly [what: string, settingsChange: SettingsChange, faults: readonly string[]])[] = [
  ['an unknown name', { set: { timezone: 'UTC' } }, ['timezone']],
  ['an unknown member', { inherit: ['risk.colour'] }, ['risk.colour']],
  ['a whole table', { set: { risk: {} } }, ['risk']],
  ['set and inherited at once', { set: { brands: null }, inherit: ['brands'] }, ['brands']],
  ['at a node that cannot have it', { set: { dispatch: true } }, ['dispatch']],
  ['a connector that is not there', { set: { connectors: { CC: 'nobody' } } }, ['connectors']],
  ['a brand with a typing error', { set: { brands: ['VISA', 'MASTR'] } }, ['brands']],
  ['currencies of yesterday', { set: { currencies: ['HRK'], approvals: { XXX: '5.00' } } }, ['currencies', 'approvals']],
  ['the sandbox in live', { set: { 'wallets.walletA': 'sandbox' } }, ['wallets.walletA']],
  ['an amount that is none', { set: { approvals: { EUR: '5,00' } } }, ['approvals']],
  ['a part of a setup', { set: { 'wallets.walletA': { keys: ['x'] } } }, Array(3).fill('wallets.walletA')],
];
for (const [what, settingsChange, names] of faulty) {
  test(`a change is refused by the name of its setting: ${what}`, () => {
    const changed = change(settingsChange);
    assert.ok(changed.is === 'faulty');
    const found = changed.faults.map(({ name }) => name.split('.').slice(0, 2).join('.'));
    assert.deepEqual(found, names);
    for (const { value, message } of changed.faults) assert.ok(value === null && message.length > 3);
  });
}
