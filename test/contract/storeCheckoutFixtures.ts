import fc from 'fast-check';
import { CALL_AFTER_MS, CHECKOUT_MS, type Checkout } from '../../src/checkouts/checkout.ts';
import type { Asset } from '../../src/checkouts/ports.ts';
import { NOW, nextId } from './storeFixtures.ts';

/** A newly created checkout by default. */
export const checkout = (changes: Partial<Checkout> = {}): Checkout => ({
  id: `${nextId().toUpperCase()}.node01`,
  merchantId: 'merchant',
  entityId: 'channel',
  createdAt: NOW,
  expiresAt: NOW + CHECKOUT_MS,
  revision: 1,
  isRegistering: false,
  fields: { amount: '92.00', currency: 'EUR', paymentType: 'DB' },
  origin: 'https://gateway.example',
  build: 'build',
  sealed: null,
  submission: null,
  askedAt: null,
  callAt: NOW + CALL_AFTER_MS,
  ...changes,
});

/** The checkout one revision on. */
export const saved = (from: Checkout, changes: Partial<Checkout> = {}): Checkout => ({
  ...from,
  revision: from.revision + 1,
  ...changes,
});

export const asset = (changes: Partial<Asset> = {}): Asset => ({
  build: 'build',
  name: 'js/static.min.js',
  type: 'text/javascript; charset=utf-8',
  bytes: Uint8Array.of(0, 1, 254, 255),
  ...changes,
});

const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((value) => value.replaceAll('\0', ''));
/** What is kept inside JSON may be stranger than what a column holds. */
const anyText = fc.oneof(text, fc.constantFrom('\0', '\ud800', '\u2028', '"\\', '__proto__', 'constructor', ''));
const time = fc.integer({ min: 0, max: 8_640_000_000_000_000 });
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });

/** A checkout with everything in it that one may hold. */
export const checkouts: fc.Arbitrary<Checkout> = fc
  .record({
    merchantId: text.map((name) => `m${name}`),
    entityId: text.map((name) => `e${name}`),
    createdAt: time,
    expiresAt: time,
    isRegistering: fc.boolean(),
    fields: fc.array(fc.tuple(anyText, anyText), { maxLength: 8 }).map((pairs) => Object.fromEntries(pairs)),
    origin: anyText,
    build: anyText,
    sealed: orNull(anyText),
    click: orNull(
      fc
        .record({
          at: time,
          flow: fc.constantFrom('frame' as const, 'tab' as const),
          shopOrigin: orNull(anyText),
          language: orNull(anyText),
          shopperResultUrl: orNull(anyText),
        })
        .map((click) => ({ ...click })),
    ),
    askedAt: orNull(time),
    callAt: orNull(time),
  })
  .map((changes) => checkout({ ...changes }));
