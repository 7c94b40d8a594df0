import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Choice, digitsOf, type Edit, editDigits, grouped, layoutOf, type Value } from './fields.ts';

const CARDS: Choice = { brands: ['VISA', 'MASTER', 'AMEX', 'DINERS', 'UNIONPAY'], brand: null, isGrouped: true };
const edit = (given: Edit): Value => editDigits(given, (digits) => layoutOf(digits, CARDS));

/** A bar marks the caret. */
function marked(text: string, kind: string, before: string): string {
  const caret = text.indexOf('|');
  const after = edit({ text: text.replace('|', ''), caret, kind, before });
  return `${after.text.slice(0, after.caret)}|${after.text.slice(after.caret)}`;
}

for (const [what, text, kind, before, after] of [
  ['the fourth digit', '4200|', 'insertText', '420', '4200|'],
  ['the fifth digit gets a blank before it', '42000|', 'insertText', '4200', '4200 0|'],
  ['a digit in the middle moves the others', '42|1 0000 0000 0000', 'insertText', '4 0000 0000 0000', '42|10 0000 0000 000'],
  ['at the end of a group the caret goes on to the next', '4200|1 111', 'insertText', '420 1111', '4200 |1111'],
  ['a letter is nothing', '420x|', 'insertText', '420', '420|'],
  ['backspace after a blank takes the digit before it', '4200|1234', 'deleteContentBackward', '4200 1234', '420|1 234'],
  ['delete before a blank takes the digit after it', '4200|1234', 'deleteContentForward', '4200 1234', '4200| 234'],
  ['backspace at the end', '4200 |', 'deleteContentBackward', '4200 1', '4200|'],
  ['pasted with blanks', '4200 0000 0000 0000|', 'insertFromPaste', '', '4200 0000 0000 0000|'],
  ['pasted with hyphens', '4200-0000-0000-0000|', 'insertFromPaste', '', '4200 0000 0000 0000|'],
  ['pasted with words', 'Card no.: 4200 0000 0000 0000.|', 'insertFromPaste', '', '4200 0000 0000 0000|'],
  ['Arabic digits', '٤٢٠٠٠|', 'insertText', '٤٢٠٠', '4200 0|'],
  ['Persian digits', '۴۲۰۰۰|', 'insertText', '4200', '4200 0|'],
  ['digits of an East Asian keyboard', '４２００１|', 'insertCompositionText', '4200', '4200 1|'],
  ['American Express', '370000000000002|', 'insertFromPaste', '', '3700 000000 00002|'],
  ['Diners Club', '36000000000008|', 'insertFromPaste', '', '3600 000000 0008|'],
  ['Diners Club, long', '3600000000000800|', 'insertFromPaste', '', '3600 0000 0000 0800|'],
  ['nineteen digits', '6200000000000000000|', 'insertFromPaste', '', '6200 0000 0000 0000 000|'],
  ['one digit too many is not taken', '5100 0000 0000 00001|', 'insertText', '5100 0000 0000 0000', '5100 0000 0000 0000|'],
  ['nor in the middle', '51009| 0000 0000 0000', 'insertText', '5100 0000 0000 0000', '5100 |0000 0000 0000'],
  ['what is pasted stays whole and wrong', '37000000000000210|', 'insertFromPaste', '', '3700 0000 0000 0021 0|'],
  ['but never more than a card has', '420000000000000000000000|', 'insertFromPaste', '', '4200 0000 0000 0000 000|'],
  ['filled in by the browser', '4200000000000000|', '', '', '4200 0000 0000 0000|'],
] as const)
  test(what, () => assert.equal(marked(text, kind, before), after));

test('without groups there are no blanks', () => {
  const plain = { ...CARDS, isGrouped: false };
  const after = editDigits({ text: '4200 0000', caret: 9, kind: '', before: '' }, (digits) => layoutOf(digits, plain));
  assert.deepEqual(after, { text: '42000000', caret: 8 });
});

/** An input as a browser has it, and beside it the digits alone, which know of no blanks. */
type Both = { readonly shown: Value; readonly digits: string };
type Act =
  | { readonly is: 'type' | 'paste'; readonly text: string }
  | { readonly is: 'back' | 'forward' }
  | { readonly is: 'select'; readonly from: number; readonly to: number };

const acts = fc.array(
  fc.oneof(
    fc.record({ is: fc.constant('type' as const), text: fc.constantFrom(...'0123456789') }),
    fc.record({ is: fc.constant('paste' as const), text: fc.stringMatching(/^[0-9 -]{0,6}$/) }),
    fc.record({ is: fc.constantFrom('back' as const, 'forward' as const) }),
    fc.record({ is: fc.constant('select' as const), from: fc.nat(25), to: fc.nat(25) }),
  ),
  { maxLength: 40 },
);

/** As a browser does it, without us; null where it would not tell anybody. */
function browser(text: string, [from, to]: readonly [number, number], act: Act): (Value & { readonly kind: string }) | null {
  const cut = (start: number, end: number, more = '') => ({
    text: text.slice(0, start) + more + text.slice(end),
    caret: start + more.length,
  });
  if (act.is === 'type') return { ...cut(from, to, act.text), kind: 'insertText' };
  if (act.is === 'paste') return { ...cut(from, to, act.text), kind: 'insertFromPaste' };
  if (act.is === 'back')
    return from + to === 0 ? null : { ...cut(from === to ? from - 1 : from, to), kind: 'deleteContentBackward' };
  if (act.is === 'forward')
    return from === to && to === text.length ? null : { ...cut(from, from === to ? to + 1 : to), kind: 'deleteContentForward' };
  return null;
}

/** The same act on digits alone. */
function model(digits: string, [from, to]: readonly [number, number], act: Act): string {
  const cut = (start: number, end: number, more = '') => digits.slice(0, Math.max(0, start)) + more + digits.slice(end);
  const isNothing = from === to;
  if (act.is === 'type' || act.is === 'paste') return cut(from, to, digitsOf(act.text));
  if (act.is === 'back') return isNothing ? cut(from - 1, from) : cut(from, to);
  return isNothing ? cut(from, from + 1) : cut(from, to);
}

test('whatever is done to it, the digits are those that were typed, and the caret stands between the same two', () => {
  const unlimited = (digits: string) => ({ ...layoutOf(digits, CARDS), limit: 19 });
  fc.assert(
    fc.property(acts, (all) => {
      let both: Both = { shown: { text: '', caret: 0 }, digits: '' };
      let selection: readonly [number, number] = [0, 0];
      for (const act of all) {
        const { text } = both.shown;
        if (act.is === 'select') {
          const [from, to] = [Math.min(act.from, text.length), Math.min(act.to, text.length)];
          selection = [Math.min(from, to), Math.max(from, to)];
          continue;
        }
        const raw = browser(text, selection, act);
        if (!raw) continue;
        const places = [digitsOf(text.slice(0, selection[0])).length, digitsOf(text.slice(0, selection[1])).length] as const;
        const wanted = model(both.digits, places, act);
        const shown = editDigits({ ...raw, before: text }, unlimited);
        if (wanted.length <= 19) {
          assert.equal(digitsOf(shown.text), wanted);
          const added = act.is === 'type' || act.is === 'paste' ? digitsOf(act.text).length : 0;
          const isBack = act.is === 'back' && places[0] === places[1];
          assert.equal(digitsOf(shown.text.slice(0, shown.caret)).length, Math.max(0, places[0] + added - (isBack ? 1 : 0)));
        } else assert.equal(digitsOf(shown.text).length, 19);
        assert.equal(shown.text, grouped(digitsOf(shown.text), unlimited(digitsOf(shown.text)).groups));
        both = { shown, digits: digitsOf(shown.text) };
        selection = [shown.caret, shown.caret];
      }
    }),
    { numRuns: 3_000 },
  );
});
