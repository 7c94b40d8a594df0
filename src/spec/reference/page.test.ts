import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testCards } from '../cards/testCards.ts';
import { endpoints } from '../endpoints.ts';
import { parameters, sections } from '../parameters.ts';
import { resultCodes } from '../resultCodes.ts';
import { rules } from '../rules.ts';
import { referencePage } from './page.ts';
import { shown } from './parts.ts';
import { referenceStyles } from './styles.ts';

const page = referencePage('https://pay.example');
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
  assert.ok(links.length >= 10);
  assert.deepEqual(
    links.filter((link) => !known.has(link)),
    [],
  );
});

test('the page brings everything with it and runs nothing', () => {
  assert.doesNotMatch(page, /<script|<iframe|<object|<img|@import|url\(|\son\w+=|\sstyle=|javascript:/i);
  const outside = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map((match) => match[1] as string);
  assert.deepEqual([...new Set(outside.filter((target) => !target.startsWith('#')))].sort(), ['/openapi.json', 'data:,']);
  assert.ok(page.includes(`<style>${referenceStyles}</style>`), 'the hash of the style sheet is that of the file');
});

test('tags are closed in order', () => {
  const open: string[] = [];
  for (const [, slash, name = ''] of page.replace(/<style>[\s\S]*?<\/style>/, '').matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*?>/g)) {
    if (['meta', 'link', 'path'].includes(name)) continue;
    if (slash) assert.equal(open.pop(), name);
    else open.push(name);
  }
  assert.deepEqual(open, []);
});

const bases: readonly (readonly [base: string, inCommand: string])[] = [
  ['https://pay.example', 'curl &quot;https://pay.example/v1/payments&quot;'],
  ['http://127.0.0.1:8080/', 'curl &quot;http://127.0.0.1:8080/v1/payments&quot;'],
  ['http://[::1]:8080', 'curl &quot;http://[::1]:8080/v1/payments&quot;'],
  ['https://x.example/"; rm -r . #', 'curl &quot;{base}/v1/payments&quot;'],
  ['https://$(id).example', 'curl &quot;{base}/v1/payments&quot;'],
  ['"><script>', 'curl &quot;{base}/v1/payments&quot;'],
];

for (const [base, inCommand] of bases) {
  test(`the command for ${base} is safe to paste`, () => assert.ok(referencePage(base).includes(inCommand)));
}

/** Relative luminance and contrast as WCAG 2 defines them. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [one, other].map(luminance).sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const hex = colour.length === 4 ? colour.slice(1).replace(/./g, '$&$&') : colour.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('every text colour stands out from both grounds, in light and in dark', () => {
  const [light = '', dark = ''] = referenceStyles.split('prefers-color-scheme: dark');
  for (const [name, sheet] of Object.entries({ light, dark })) {
    const colour = (token: string): string => new RegExp(`--${token}: (#[0-9a-f]+)`).exec(sheet)?.[1] ?? '#000';
    for (const ink of ['ink', 'muted', 'accent', 'good', 'warn', 'bad']) {
      for (const ground of ['ground', 'raised']) {
        const ratio = contrast(colour(ink), colour(ground));
        assert.ok(ratio >= 4.5, `${name}: ${ink} on ${ground} is ${ratio}`);
      }
    }
  }
});
