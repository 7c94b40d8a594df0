import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FrameSetup } from '../protocol.ts';
import { acceptMessage } from './acceptMessage.ts';

const PAGE = { name: 'the page around the frame' };
const SHOP = 'https://shop.example';
const setup: FrameSetup = {
  field: 'card.number',
  language: 'de',
  isRtl: false,
  label: 'Kartennummer',
  placeholder: '',
  title: 'Kartennummer',
  isRequired: true,
  isMasked: false,
  isGrouped: true,
  brands: ['VISA'],
  brand: null,
  cvvLength: null,
  style: {},
  placeholderStyle: {},
  autofocus: false,
  isExpiryFree: false,
};
const fresh = { parent: PAGE, key: 'k1', field: 'card.number', origin: null, mayLackOrigin: false } as const;
const known = { ...fresh, origin: SHOP } as const;
const said = (message: unknown, more: object = {}) => ({
  data: { turnpike: 1, key: 'k1', message, ...more },
  source: PAGE,
  origin: SHOP,
});

test('the first setup, and from then on everything from the same place', () => {
  assert.deepEqual(acceptMessage(said({ is: 'setup', setup }), fresh), { is: 'setup', setup });
  for (const message of [
    { is: 'setup', setup },
    { is: 'change', setup: { brand: 'VISA' } },
    { is: 'focus' },
    { is: 'clear' },
    { is: 'describe', error: null },
    { is: 'describe', error: 'A digit may be missing' },
    { is: 'validate', turn: 1 },
    { is: 'seal', turn: 2, group: 'g', fields: {} },
    { is: 'seal', turn: 2, group: 'g', fields: {}, checkoutId: `${'A1'.repeat(16)}.node-1` },
  ])
    assert.deepEqual(acceptMessage(said(message), known), message);
});

test('what a message has beyond its shape is dropped', () => {
  assert.deepEqual(acceptMessage(said({ is: 'focus', more: 1 }), known), { is: 'focus' });
  assert.deepEqual(acceptMessage(said({ is: 'change', setup: { brand: 'VISA', more: 1 } }), known), {
    is: 'change',
    setup: { brand: 'VISA' },
  });
});

const GOOD = { is: 'setup', setup };
for (const [what, spoken, trusted] of [
  ['another window', { ...said(GOOD), source: { name: 'the page around the frame' } }, fresh],
  ['no window', { ...said(GOOD), source: null }, { ...fresh, parent: null }],
  ['another key', said(GOOD, { key: 'k2' }), fresh],
  ['no key', said(GOOD, { key: '' }), { ...fresh, key: '' }],
  ['another mark', said(GOOD, { turnpike: 2 }), fresh],
  ['another origin after the first setup', { ...said(GOOD), origin: 'https://thief.example' }, known],
  ['a page without an origin', { ...said(GOOD), origin: 'null' }, fresh],
  ['anything before the setup', said({ is: 'validate', turn: 1 }), fresh],
  ['a seal before the setup', said({ is: 'seal', turn: 1, group: 'g', fields: {} }), fresh],
  ['the setup of another field', said({ is: 'setup', setup: { ...setup, field: 'card.cvv' } }), fresh],
  ['half a setup', said({ is: 'setup', setup: { field: 'card.number' } }), fresh],
  ['a setup with a wrong part', said({ is: 'setup', setup: { ...setup, brands: 'VISA' } }), fresh],
  ['a change to another field', said({ is: 'change', setup: { field: 'card.cvv' } }), known],
  ['a style that is no text', said({ is: 'change', setup: { style: { color: { toString: 1 } } } }), known],
  ['a turn that is no number', said({ is: 'validate', turn: '1' }), known],
  ['a checkout that leads elsewhere', said({ is: 'seal', turn: 1, group: 'g', fields: {}, checkoutId: '../../x' }), known],
  ['a name that every object has', said({ is: 'constructor' }), known],
  ['no message', said(null), known],
] as const)
  test(`refused: ${what}`, () => assert.equal(acceptMessage(spoken, trusted), null));

test('ten thousand messages of any shape from elsewhere: none is accepted, and none breaks anything', () => {
  const data = fc.oneof(
    fc.anything(),
    fc.record({ turnpike: fc.constantFrom(1, 2), key: fc.constantFrom('k1', 'k2'), message: fc.anything() }),
  );
  fc.assert(
    fc.property(data, (one) => {
      assert.equal(acceptMessage({ data: one, source: {}, origin: SHOP }, known), null);
      assert.equal(acceptMessage({ data: one, source: PAGE, origin: 'https://thief.example' }, known), null);
      assert.equal(acceptMessage({ data: one, source: PAGE, origin: SHOP }, fresh), null);
    }),
    { numRuns: 10_000 },
  );
});

test('a page without an origin is accepted only where it may lack one, and then it alone', () => {
  const open = { ...fresh, mayLackOrigin: true };
  assert.equal(acceptMessage({ ...said(GOOD), origin: 'null' }, open)?.is, 'setup');
  assert.equal(acceptMessage({ ...said(GOOD), origin: '' }, open), null);
  assert.equal(acceptMessage({ ...said(GOOD), origin: 'null', source: {} }, open), null);
  assert.equal(acceptMessage({ ...said(GOOD), origin: 'null' }, { ...open, key: 'k2' }), null);
  assert.equal(acceptMessage({ ...said(GOOD), origin: SHOP }, { ...open, origin: 'null' }), null);
  assert.equal(acceptMessage({ ...said(GOOD), origin: 'null' }, { ...open, origin: SHOP }), null);
});
