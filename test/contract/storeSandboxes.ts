import { sandbox } from '../../src/merchants/sandbox.ts';

type Entity = { readonly id: string; readonly settings: string };

const own = '{"connectors":{"default":"simulator"},"throttle":{"pay":{"requests":1,"perSeconds":1}}}';
const report = { risk: { mode: 'report' } };

/** Sandboxes as older programs and their operators have left them, and what their settings are after the risk checks have come. */
export const sandboxesBefore: readonly (readonly [
  what: string,
  before: readonly Entity[],
  after: Readonly<Record<string, unknown>>,
])[] = [
  ['as it was seeded', [{ id: sandbox.psp, settings: own }], { [sandbox.psp]: { ...JSON.parse(own), ...report } }],
  ['without settings', [{ id: sandbox.psp, settings: '{}' }], { [sandbox.psp]: report }],
  ['without settings, written wide', [{ id: sandbox.psp, settings: '{ }' }], { [sandbox.psp]: report }],
  ['written wide', [{ id: sandbox.psp, settings: '{ "a": 1 }' }], { [sandbox.psp]: { a: 1, ...report } }],
  [
    'with risk checks of its own',
    [{ id: sandbox.psp, settings: '{"a":1,"risk":{"mode":"on"}}' }],
    { [sandbox.psp]: { a: 1, risk: { mode: 'on' } } },
  ],
  ['and other entities stay as they are', [{ id: sandbox.division, settings: own }], { [sandbox.division]: JSON.parse(own) }],
];
