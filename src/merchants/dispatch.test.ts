import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DispatchRequest, dispatch } from './channel.ts';
import { hierarchy } from './directory.ts';
import type { EntityRow } from './ports.ts';

const row = (end: string, kind: EntityRow['kind'], parent: string | null, settings: EntityRow['settings'] = {}): EntityRow => ({
  id: end.padStart(32, '0'),
  kind,
  parentId: parent?.padStart(32, '0') ?? null,
  name: end,
  settings,
});

const tree = hierarchy([
  row('a0', 'psp', null),
  row('a1', 'division', 'a0'),
  row('b1', 'merchant', 'a1', { dispatch: true }),
  row('c1', 'channel', 'b1', { brands: ['VISA'], currencies: ['EUR'] }),
  row('c2', 'channel', 'b1', { currencies: ['EUR', 'USD'] }),
  row('c3', 'channel', 'b1', { brands: ['MASTER'], priority: 1 }),
  row('c4', 'channel', 'b1', { state: 'disabled' }),
  row('c5', 'channel', 'b1', { state: 'new' }),
  row('b2', 'merchant', 'a1'),
  row('d1', 'channel', 'b2', { state: 'closed' }),
  row('b3', 'merchant', 'a1', { dispatch: true, state: 'disabled' }),
  row('e1', 'channel', 'b3'),
]);

const pay = (brand: string | null, currency: string | null): DispatchRequest => ({ is: 'new', brand, currency });
const about = (channel: string | null): DispatchRequest => ({ is: 'reference', entityId: channel?.padStart(32, '0') ?? null });

const cases: [what: string, entity: string, wanted: DispatchRequest, expected: string][] = [
  ['a channel takes what names it, whatever its lists say', 'c1', pay('MASTER', 'JPY'), 'c1'],
  ['brand and currency fit the first', 'b1', pay('VISA', 'EUR'), 'c1'],
  ['the currency fits only the second', 'b1', pay('VISA', 'USD'), 'c2'],
  ['a lower priority goes first', 'b1', pay('MASTER', 'EUR'), 'c3'],
  ['without a brand only a channel for all brands', 'b1', pay(null, 'EUR'), 'c2'],
  ['no channel takes it', 'b1', pay('VISA', 'JPY'), '800.160.110'],
  ['neither brand nor currency', 'b1', pay(null, null), '800.160.110'],
  ['a reference goes to the channel of its payment', 'b1', about('c2'), 'c2'],
  ['a reference into a disabled channel', 'b1', about('c4'), '500.100.201'],
  ['an unknown reference goes to the first', 'b1', about(null), 'c3'],
  ["another merchant's channel is no channel of this one", 'b1', about('d1'), 'c3'],
  ['a disabled channel', 'c4', pay('VISA', 'EUR'), '500.100.201'],
  ['a channel that is not open yet', 'c5', pay('VISA', 'EUR'), '500.100.202'],
  ['a closed channel', 'd1', about(null), '500.100.203'],
  ['a merchant without dispatching', 'b2', pay('VISA', 'EUR'), '800.900.201'],
  ['a disabled merchant', 'b3', pay('VISA', 'EUR'), '500.100.201'],
  ['a channel of a disabled merchant', 'e1', pay('VISA', 'EUR'), '500.100.201'],
  ['a division', 'a1', pay('VISA', 'EUR'), '800.900.201'],
  ['a PSP', 'a0', about('c1'), '800.900.201'],
];
for (const [what, entity, wanted, expected] of cases) {
  test(`${what}: ${expected}`, () => {
    const found = tree.get(entity.padStart(32, '0'));
    assert.ok(found);
    const dispatched = dispatch(found, wanted);
    assert.equal(dispatched.is === 'refused' ? dispatched.refusal : dispatched.channel.name, expected);
  });
}
