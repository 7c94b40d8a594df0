import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../test/anyCharacter.ts';
import { brands } from '../../../spec/cards/brands.ts';
import { shown } from '../../../spec/reference/parts.ts';
import type { Ticket } from './choices.ts';
import { brandName } from './labels/brandNames.ts';
import { type Labels, languages, writtenAmount, writtenTime } from './languages.ts';
import { bankPage, notFoundPage } from './page.ts';

const ticket: Ticket = {
  merchantId: '8ac7a4c9',
  paymentId: '8ac7a4a1',
  entityId: '8ac7a4ca',
  paymentType: 'DB',
  brand: 'PAYPAL',
  amount: '9200',
  currency: 'EUR',
  descriptor: '4821.0937.1152 Demo_Shop',
  reference: '4821.0937.1152',
  until: Date.UTC(2026, 10, 15, 1, 20),
  confirms: 'before',
  isOfWidget: false,
  language: null,
};

const states = ['open', 'paid', 'refused', 'over'] as const;
type State = (typeof states)[number];
const spoken = Object.entries(languages);

function shownPage(page: ReturnType<typeof bankPage>) {
  assert.ok(page.is === 'page');
  return page;
}
const bank = (state: State, changed: Partial<Ticket> = {}, accepted = '') =>
  shownPage(bankPage({ ticket: { ...ticket, ...changed }, state, languages: accepted }));

const tagsOf = (html: string): string[] => html.replace(/<style>[^<]*<\/style>/, '').match(/<[^>]*>/g) ?? [];
const choicesOf = (html: string): string[] =>
  [...html.matchAll(/<button name="choice" value="(\w+)"/g)].map(([, value = '']) => value);
const textOf = (html: string): string => html.replace(/<style>[^<]*<\/style>/, '').replace(/<[^>]*>/g, '');

const choicesIn: Readonly<Record<State, readonly string[]>> = {
  open: ['pay', 'decline', 'cancel', 'later'],
  paid: ['later'],
  refused: ['later'],
  over: [],
};
const statusOf: Readonly<Record<State, number>> = { open: 200, paid: 200, refused: 200, over: 410 };

for (const [code, language] of spoken) {
  const { labels } = language;
  for (const state of states) {
    test(`${code}, ${state}: says how it stands, to whom, how much, by what, and that it is a simulation`, () => {
      const { status, html } = bank(state, { language: code.toUpperCase() });
      assert.equal(status, statusOf[state]);
      assert.deepEqual(choicesOf(html), choicesIn[state]);
      const text = textOf(html);
      const amount = writtenAmount(language, 9200n, 'EUR');
      const said = [
        labels[state].title,
        labels[state].text,
        labels.simulator,
        labels.notice,
        amount,
        ticket.descriptor,
        'PayPal',
      ];
      const offered = [labels.pay.replace('{amount}', amount), labels.decline, labels.cancel, labels.later];
      const open = [...offered, labels.laterHint.replace('{time}', writtenTime(language, ticket.until))];
      const expected = { open, paid: [labels.back], refused: [labels.back], over: [] }[state];
      for (const words of [...said, ...expected]) assert.ok(text.includes(shown(words)), words);
      assert.match(html, new RegExp(`<html lang="${language.tag}" dir="${language.direction}">`));
    });
  }
}

/** A brand of each kind, what the page says instead, and what can be done there. */
const kinds = [
  ['SIBS_MULTIBANCO', { open: 'instructions' }, ['havePaid', 'payLater', 'cancel'], ['pay', 'later', 'cancel']],
  ['PREPAYMENT', { open: 'instructions' }, ['havePaid', 'payLater', 'cancel'], ['pay', 'later', 'cancel']],
  [
    'KLARNA_INVOICE',
    { open: 'invoice', paid: 'agreed' },
    ['agree', 'disagree', 'decline', 'later'],
    ['pay', 'cancel', 'decline', 'later'],
  ],
] as const;

for (const [code, language] of spoken) {
  const { labels } = language;
  for (const [brand, saying, offered, choices] of kinds) {
    test(`${code}, ${brand}: says how it is paid and what can be done`, () => {
      for (const state of states) {
        const { status, html } = bank(state, { brand, language: code.toUpperCase() });
        const said = labels[state in saying ? saying[state as 'open'] : state];
        const text = textOf(html);
        assert.equal(status, statusOf[state]);
        for (const words of [said.title, said.text, brandName(brand)]) assert.ok(text.includes(shown(words)), words);
        assert.deepEqual(choicesOf(html), state === 'open' ? choices : choicesIn[state]);
        if (state !== 'open') continue;
        for (const name of offered) assert.ok(html.includes(`>${shown(labels[name])}</button>`), name);
        assert.ok(text.includes(shown(labels.laterHint.replace('{time}', writtenTime(language, ticket.until)))));
      }
    });
  }

  test(`${code}: a bank transfer shows account, reference and due date while it is open`, () => {
    const names = [labels.account, labels.reference, labels.payBy].map((name) => `<dt>${shown(name)}</dt>`);
    const slip = bank('open', { brand: 'PREPAYMENT', language: code.toUpperCase(), descriptor: '' });
    for (const name of names) assert.equal(slip.html.split(name).length, 2, name);
    for (const fact of ['XX00 0000 0000 0000 0000', ticket.reference, writtenTime(language, ticket.until)])
      assert.ok(slip.html.includes(`<bdi>${fact}</bdi>`), fact);
    for (const state of states.filter((one) => one !== 'open'))
      assert.ok(names.every((name) => !bank(state, { brand: 'PREPAYMENT', language: code.toUpperCase() }).html.includes(name)));
    assert.ok(names.every((name) => !bank('open', { language: code.toUpperCase() }).html.includes(name)));
  });
}

test('storing an account is approved at once, for every brand', () => {
  for (const [brand] of kinds) assert.deepEqual(choicesOf(bank('open', { brand, paymentType: 'RG' }).html), choicesIn.open);
});

for (const [code, language] of spoken) {
  test(`${code}: an unknown address`, () => {
    const { status, html } = shownPage(notFoundPage(language.tag));
    const { lost, simulator, notice } = language.labels;
    assert.equal(status, 404);
    for (const words of [lost.title, lost.text, simulator, notice]) assert.ok(textOf(html).includes(shown(words)), words);
    assert.deepEqual(choicesOf(html), []);
  });
}

test('every label is written, with its gaps, and no language borrows the sentences of another', () => {
  for (const [code, { labels }] of spoken) {
    const texts = Object.entries(labels).flatMap(([key, label]) =>
      typeof label === 'string' ? [[key, label]] : Object.values(label).map((text) => [key, text]),
    );
    assert.equal(texts.length, 34, code);
    for (const [key = '', text = ''] of texts) {
      assert.ok(text.length > 1 && text.trim() === text, `${code} ${key}`);
      const gaps = { pay: ['{amount}'], laterHint: ['{time}'] }[key] ?? [];
      assert.deepEqual(text.match(/\{[^}]*\}?/g) ?? [], gaps, `${code} ${key}`);
    }
  }
  const sentences: readonly ((labels: Labels) => string)[] = [
    ({ notice }) => notice,
    ({ laterHint }) => laterHint,
    ({ instructions }) => instructions.text,
    ({ invoice }) => invoice.text,
    ({ agreed }) => agreed.text,
  ];
  for (const sentence of sentences)
    assert.equal(new Set(spoken.map(([, { labels }]) => sentence(labels))).size, spoken.length, String(sentence));
});

test('every brand that sends shoppers away has a name of its own; any other is called by its code', () => {
  const away = Object.entries(brands).filter(([, { workflow }]) => workflow === 'async');
  assert.ok(away.length > 50);
  for (const [code] of away) assert.doesNotMatch(brandName(code), /_/, code);
  assert.equal(brandName('SOFORTUEBERWEISUNG'), 'Sofort');
  assert.equal(brandName('NEW_BRAND'), 'NEW_BRAND');
  assert.equal(brandName('constructor'), 'constructor');
});

test('what a ticket does not have is left out', () => {
  const { html } = bank('open', { brand: '', descriptor: '' });
  assert.equal(html.match(/<dt>/g)?.length, 1);
  assert.equal(bank('open').html.match(/<dt>/g)?.length, 3);
});

test('a long amount is written smaller', () => {
  assert.match(bank('open').html, /<div class="sum">/);
  assert.match(
    bank('open', { amount: '999999999999999' }).html,
    /<div class="sum long"><dt>Amount<\/dt><dd><bdi>€9,999,999,999,999\.99</,
  );
});

for (const [name, { html, policy }] of [
  ...states.map((state) => [state, bank(state, { language: 'AR' })] as const),
  ...kinds.map(([brand]) => [brand, bank('open', { language: 'AR', brand })] as const),
  ['lost', shownPage(notFoundPage(''))] as const,
]) {
  test(`${name}: is accessible, and loads nothing`, () => {
    const tags = tagsOf(html);
    for (const once of ['<html ', '<title>', '<header>', '<main>', '<h1 ', '<meta charset="utf-8">', '<meta name="viewport"'])
      assert.equal(tags.filter((tag) => tag.startsWith(once)).length, 1, once);
    assert.ok(html.startsWith('<!doctype html>'));
    assert.ok(html.indexOf('<header>') < html.indexOf('<main>') && html.indexOf('<main>') < html.indexOf('<h1'));
    assert.doesNotMatch(html, /<h[2-6]|tabindex|autofocus/);
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const [, id = ''] of html.matchAll(/ aria-(?:labelledby|describedby)="([^"]*)"/g)) assert.ok(ids.includes(id), id);
    for (const [, words = ''] of html.matchAll(/<button[^>]*>(.*?)<\/button>/g)) assert.ok(textOf(words).length > 1);
    const open = tags
      .filter((tag) => /^<[a-z]/.test(tag) && !/^<(?:meta|link|path)/.test(tag))
      .map((tag) => /^<(\w+)/.exec(tag)?.[1]);
    const closed = tags.filter((tag) => tag.startsWith('</')).map((tag) => tag.slice(2, -1));
    assert.deepEqual(open.sort(), closed.sort());
    assert.ok(tags.every((tag) => !/ on\w+=| style=|<script|<img|<iframe|<base| src=| action=|https?:/.test(tag)));
    const style = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? '';
    assert.equal(policy, `style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src data:;`);
    assert.doesNotMatch(style, /url\(|@import/);
  });
}

/** Snippets that break out of text, of attributes and of templates, between any other signs. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 8 }),
      fc.constantFrom('<script>', '</dd>', '"', "'", '>', '<', '&', '&lt;', '$&', "$'", '$`', '{amount}', '{time}', '-->', ']]>'),
      fc.constantFrom('</style>', '\u202e', '\u0000', '\u2028', '\ud800', '__proto__', 'de;q=', 'ar,', '\r\n'),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

test('with any ticket or browser language, the page keeps its structure and escapes texts', () => {
  const shape = (html: string) => tagsOf(html).filter((tag) => !tag.startsWith('<html '));
  const plain = new Map(states.map((state) => [state, shape(bank(state, { currency: 'X' }).html)]));
  const slipShape = shape(bank('open', { brand: 'PREPAYMENT' }).html);
  const words = hostile.filter((text) => text !== '');
  fc.assert(
    fc.property(words, words, hostile, hostile, fc.constantFrom(...states), (descriptor, brand, accepted, language, state) => {
      const slip = bank('open', { brand: 'PREPAYMENT', reference: descriptor });
      assert.ok(slip.html.includes(`<dd><bdi>${shown(descriptor)}</bdi></dd>`));
      assert.deepEqual(shape(slip.html), slipShape);
      const { html } = bank(state, { descriptor, brand, language, currency: 'X' }, accepted);
      assert.deepEqual(shape(html), plain.get(state));
      assert.ok(html.includes(`<dd><bdi>${shown(descriptor)}</bdi></dd>`));
      assert.ok(html.includes(`<dd><bdi>${shown(brandName(brand))}</bdi></dd>`));
      assert.doesNotMatch(html.slice(0, html.indexOf('>', 20)), /[^\w\s<>!="-]/);
    }),
  );
});

test('a hostile currency is text like any other', () => {
  fc.assert(
    fc.property(hostile, (currency) => {
      const { html } = bank('open', { currency });
      const written = `<bdi>${shown(`92.00 ${currency}`)}</bdi>`;
      assert.ok(html.includes(`<dd>${written}</dd>`));
      assert.ok(html.includes(`>Pay ${written}</button>`));
      assert.deepEqual(choicesOf(html), choicesIn.open);
    }),
  );
});

test('a lost page keeps its shape too', () => {
  const shape = (html: string) => tagsOf(html).filter((tag) => !tag.startsWith('<html '));
  const plain = shape(shownPage(notFoundPage('')).html);
  fc.assert(fc.property(hostile, (accepted) => assert.deepEqual(shape(shownPage(notFoundPage(accepted)).html), plain)));
});
