import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editExpiry } from './fields.ts';

/** A bar marks the caret. */
function marked(text: string, kind: string, before: string): string {
  const after = editExpiry({ text: text.replace('|', ''), caret: text.indexOf('|'), kind, before });
  return `${after.text.slice(0, after.caret)}|${after.text.slice(after.caret)}`;
}

const TYPED = 'insertText';
const BACK = 'deleteContentBackward';
const FORWARD = 'deleteContentForward';

for (const [what, text, kind, before, after] of [
  ['a first digit', '1|', TYPED, '', '1|'],
  ['no month begins with two', '2|', TYPED, '', '02 / |'],
  ['a month brings the slash', '12|', TYPED, '1', '12 / |'],
  ['a year', '12 / 3|', TYPED, '12 / ', '12 / 3|'],
  ['both', '12 / 34|', TYPED, '12 / 3', '12 / 34|'],
  ['no third digit', '12 / 345|', TYPED, '12 / 34', '12 / 34|'],
  ['a year of four digits', '12 / 2034|', TYPED, '12 / 203', '12 / 2034|'],
  ['and no fifth', '12 / 20345|', TYPED, '12 / 2034', '12 / 2034|'],
  ['a month that he ends himself', '1/|', TYPED, '1', '01 / |'],
  ['a slash after the slash', '12 / /|', TYPED, '12 / ', '12 / |'],
  ['four digits at once', '1234|', 'insertFromPaste', '', '12 / 34|'],
  ['six digits at once', '122034|', 'insertFromPaste', '', '12 / 2034|'],
  ['with a hyphen', '12-34|', 'insertFromPaste', '', '12 / 34|'],
  ['a short month', '3/34|', 'insertFromPaste', '', '03 / 34|'],
  ['as a browser fills it in', '2034-03|', '', '', '03 / 34|'],
  ['as another does', '03/2034|', '', '', '03 / 2034|'],
  ['Arabic digits', '٠٣٣٤|', '', '', '03 / 34|'],
  ['backspace takes the year', '12 / 3|', BACK, '12 / 34', '12 / 3|'],
  ['and its last digit with the slash', '12 / |', BACK, '12 / 3', '12|'],
  ['backspace in a lone slash takes the month', '12 /|', BACK, '12 / ', '1|'],
  ['backspace after the slash takes a digit of the month', '12 /|34', BACK, '12 / 34', '1| / 34'],
  ['which he writes anew', '11| / 34', TYPED, '1 / 34', '11 / |34'],
  ['a third digit of the month is not taken', '121| / 34', TYPED, '12 / 34', '12 / |34'],
  ['nor in its middle', '17|2 / 34', TYPED, '12 / 34', '1|2 / 34'],
  ['nor of the year', '12 / 35|4', TYPED, '12 / 34', '12 / 3|4'],
  ['delete before the slash takes the year', '12|/ 34', FORWARD, '12 / 34', '12| / 4'],
  ['a month that is gone leaves the year', '| / 34', BACK, '1 / 34', '| / 34'],
  ['and comes again', '0| / 34', TYPED, ' / 34', '0| / 34'],
  ['nothing left', '|', 'deleteByCut', '12 / 34', '|'],
  ['leaving the field completes the month', '1 / 34|', '', '1 / 34', '01 / 34|'],
  ['letters are nothing', 'x|', TYPED, '', '|'],
] as const)
  test(what, () => assert.equal(marked(text, kind, before), after));

for (const sequence of ['1234', '0934', '122034', '934'])
  test(`${sequence}, key by key, and away again`, () => {
    let value = { text: '', caret: 0 };
    for (const key of sequence)
      value = editExpiry({ text: value.text + key, caret: value.text.length + 1, kind: TYPED, before: value.text });
    assert.match(value.text, /^(?:12|09) \/ (?:20)?34$/);
    for (let tries = 0; value.text !== '' && tries < 8; tries += 1)
      value = editExpiry({ text: value.text.slice(0, -1), caret: value.text.length - 1, kind: BACK, before: value.text });
    assert.equal(value.text, '');
  });
