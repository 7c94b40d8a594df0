import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testCards } from '../cards/testCards.ts';
import { endpoints } from '../endpoints.ts';
import { parameters, sections } from '../parameters.ts';
import { resultCodes } from '../resultCodes.ts';
import { rules } from '../rules/rules.ts';
import { referenceBody } from './page.ts';
import { shown } from './parts.ts';

const page = referenceBody('https://pay.example');
const absent = (texts: readonly string[]): string[] => texts.filter((text) => !page.includes(shown(text)));

test('the page has every endpoint, parameter, rule, result code and test card', () => {
  assert.deepEqual(absent(Object.values(endpoints).flatMap(({ path, summary }) => [path, summary])), []);
  assert.deepEqual(absent(Object.keys(parameters).map((name) => name)), []);
  assert.deepEqual(
    absent(
      Object.values(sections).flatMap(({ heading, rows }) => [heading, ...Object.values(rows).map(({ format }) => format.label)]),
    ),
    [],
  );
  assert.deepEqual(absent(rules.map(({ title }) => title)), []);
  assert.deepEqual(absent(Object.entries(resultCodes).flatMap(([code, { text }]) => [code, text])), []);
  assert.deepEqual(absent(testCards.map(({ number }) => number)), []);
});

test('a rule is told once, though it may stand in the table for several endpoints', () => {
  const chapter = page.slice(page.indexOf('<h2 id="rules">'), page.indexOf('<h2 id="answer">'));
  const items = [...chapter.matchAll(/<li>(.*?)<\/li>/g)].map((match) => match[1]);
  assert.equal(new Set(items).size, items.length);
});

test('stored payment details are shown with commands that can be pasted', () => {
  assert.ok(page.includes(shown('curl "https://pay.example/v1/registrations/$REGISTRATION_ID/payments"')));
  assert.ok(page.includes(shown('curl -G -X DELETE "https://pay.example/v1/registrations/$REGISTRATION_ID"')));
  assert.ok(page.includes(shown('-d "standingInstruction.source=MIT"')));
});

test('every parameter can be linked to, and no two things have one id', () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] as string);
  assert.equal(new Set(ids).size, ids.length);
  const known = new Set(ids);
  assert.deepEqual(
    Object.keys(parameters).filter((name) => !known.has(shown(name))),
    [],
  );
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1] as string);
  assert.deepEqual(
    links.filter((link) => !known.has(link)),
    [],
  );
});

test('the page runs nothing', () => {
  assert.doesNotMatch(page, /<script|<iframe|<object|<img|@import|url\(|\son\w+=|\sstyle=|javascript:/i);
});

test('tags are closed in order', () => {
  const open: string[] = [];
  for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*?>/g)) {
    if (['meta', 'link', 'path'].includes(name)) continue;
    if (slash) assert.equal(open.pop(), name);
    else open.push(name);
  }
  assert.deepEqual(open, []);
});
