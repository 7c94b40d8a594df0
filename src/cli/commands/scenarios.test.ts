import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readyScenarios } from '../../spec/scenarios/ready.ts';
import { scenarios } from './scenarios.ts';

const files: Readonly<Record<string, string>> = {
  'own.json': '{"name":"mine","says":"Mine.","acquirer":[{"says":"pending","for":"1s..9h"}]}',
  'bad.json': '{"name":"mine","acquirer":[{"says":"perhaps"}]}',
  'no.json': '{',
};

function said(line: string): string {
  const lines: string[] = [];
  const readText = (path: string): string => files[path] ?? '';
  assert.equal(scenarios(line.split(' ').filter(Boolean), { print: (one) => lines.push(one), readText }), 0);
  return lines.join('\n');
}

test('every ready scenario is listed, shown and has a log', () => {
  assert.equal(said('list').split('\n').length, readyScenarios.length);
  assert.match(said('list'), /booked-but-silent .* 000\.100\.110/);
  assert.equal(said(''), said('list'), 'without words');
  assert.equal(JSON.parse(said('show chargeback-day-40')).chargebacks[0].after, '40d');
  assert.match(said('log chargeback-day-40'), /^\{"since":"payment","at":3456000000,"who":"payer","does":"chargeback"/);
});

test('a log is the same for the same seed, and a scenario may come from a file', () => {
  assert.equal(said('log --file own.json --seed 4'), said('log --file own.json --seed 4'));
  assert.notEqual(said('log --file own.json --seed 4'), said('log --file own.json --seed 5'));
});

const wrong: readonly (readonly [line: string, says: RegExp])[] = [
  ['play paid', /say what to do/],
  ['list paid', /list takes nothing else/],
  ['show', /either the name/],
  ['show nobody', /there is no ready scenario "nobody"/],
  ['show paid --seed 1', /--seed: goes with log/],
  ['show paid --file own.json', /either the name/],
  ['log paid --seed x', /--seed: give a whole number/],
  ['show --file bad.json', /acquirer\[0\]\.says must be one of[\s\S]*says may not be empty/],
  ['show --file no.json', /cannot be read as JSON/],
];
for (const [line, says] of wrong) test(`scenarios ${line} is refused`, () => assert.throws(() => said(line), says));
