import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parameters } from '../parameters.ts';
import { referenceBody } from '../reference/page.ts';
import type { Advice } from '../resultCodes/advice.ts';
import { type ResultCode, resultCodes } from '../resultCodes.ts';
import type { Row } from '../row.ts';
import { explainAnswer, explainCode, reasonFor } from './explain.ts';
import { explainedIn } from './explainCodes.ts';
import { explainFault, faultKindOf, faultKinds } from './explainFaults.ts';

const codes = Object.keys(resultCodes) as ResultCode[];

for (const language of explainedIn) {
  test(`${language}: every result code says what happened, who should act and what to do`, () => {
    for (const code of codes) {
      const { what, actor, next, turn } = explainCode(code, language);
      for (const text of [what, actor, next]) assert.match(text, /^[\p{Lu}3][^{}]{3,}$/u, code);
      assert.ok(what.endsWith('.') && next.endsWith('.'), code);
      const { means, advice } = resultCodes[code];
      if (means === 'approved' && advice === 'none') assert.ok(['nobody', 'merchant'].includes(turn), code);
    }
  });
}

/** Words that the next step has for each advice. The advice on a chargeback is about charging again, its next step about the dispute. */
const adviceWords: Readonly<Record<Advice, RegExp>> = {
  none: /./,
  wait: /wait/i,
  'retry later': /later|retry|wait/i,
  'fix data': /correct|check|send|open|compare/i,
  'ask shopper': /shopper|again/i,
  'other instrument': /another/i,
  'do not retry': /do not retry/i,
  'contact support': /operator|settings/i,
};

test('the next step of every code agrees with its advice', () => {
  const contrary = codes.filter((code) => {
    const { means, advice } = resultCodes[code];
    return means !== 'chargeback' && !adviceWords[advice].test(explainCode(code, 'en').next);
  });
  assert.deepEqual(contrary, []);
});

test('every outcome that is no plain approval has a reason for lists, in both languages', () => {
  for (const code of codes) {
    const [en, de] = explainedIn.map((language) => reasonFor(code, language));
    assert.equal(en === null, de === null, code);
    assert.equal(en === null, resultCodes[code].means === 'approved' && resultCodes[code].advice === 'none', code);
  }
  assert.equal(reasonFor('800.100.159', 'en'), 'The card was reported stolen.');
  assert.equal(reasonFor('800.100.159', 'de'), 'Die Karte ist als gestohlen gemeldet.');
});

test('the two languages are not the same', () => {
  for (const code of codes) {
    const [en, de] = explainedIn.map((language) => explainCode(code, language));
    assert.notEqual(en?.what, de?.what);
    assert.notEqual(en?.next, de?.next);
    assert.equal(en?.turn, de?.turn);
  }
});

test('every anchor leads into the reference', () => {
  const page = referenceBody('http://localhost');
  for (const code of codes) assert.ok(page.includes(` id="${code}"`), code);
  for (const name of ['amount', 'card.number', 'cart.items[0].name', 'customParameters[x]', 'nonsense']) {
    const { anchor } = explainFault({ name, message: 'may not be empty' }, 'en');
    assert.ok(page.includes(` id="${anchor.slice('/docs/reference#'.length)}"`), anchor);
  }
});

test('every message about the format of a parameter is explained', () => {
  const rows = Object.entries<Row<unknown>>(parameters);
  const unexplained = rows.flatMap(([name, { format }]) =>
    faultKindOf(format.message) === null ? [`${name}: ${format.message}`] : [],
  );
  assert.deepEqual(unexplained, []);
});

test('the capture of the pattern is part of the explanation', () => {
  const fault = explainFault({ name: 'paymentType', message: 'must be one of PA, DB, CD' }, 'en');
  assert.equal(fault.says, 'paymentType must be one of: PA, DB, CD.');
  assert.equal(explainFault({ name: 'x', message: 'goes with $&' }, 'de').says.startsWith('x passt'), true);
  for (const { words } of faultKinds) assert.ok(words.en !== words.de);
});

test('no explanation in German ends a list in English', () => {
  const cut = Object.entries<Row<unknown>>(parameters).filter(([, { format }]) => format.message.endsWith(' others'));
  assert.ok(cut.length > 0);
  for (const [name, { format }] of cut) {
    const { says } = explainFault({ name, message: format.message }, 'de');
    assert.match(says, / und [0-9]+ weitere\.$/, name);
    assert.doesNotMatch(says, / and | others/, name);
  }
});

test('an answer without a code is explained by its status', () => {
  assert.equal(explainAnswer(200, '', 'en').turn, 'nobody');
  assert.equal(explainAnswer(405, '', 'en').turn, 'developer');
  assert.equal(explainAnswer(500, 'nonsense', 'de').turn, 'operator');
});
