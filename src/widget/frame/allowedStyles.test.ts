import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedStyles, isSafeValue } from './frame.ts';

const SAFE = [
  '#14181f',
  'rgb(20, 24, 31)',
  'rgba(0 0 0 / 50%)',
  'oklch(62.8% 0.25 29.23)',
  'color-mix(in srgb, red 20%, blue)',
  '16px',
  '-0.5px',
  '0.02em',
  '550',
  '"Helvetica Neue", Arial, sans-serif',
  "'Font 2000px', serif",
  'tabular-nums',
  '"kern" 1, "liga" 0',
  '8px 12px',
  'none',
];
const UNSAFE = [
  '',
  'url(https://thief.example/x)',
  'URL("//thief.example")',
  'u\\72l(//thief.example)',
  'image-set("x.png" 1x)',
  'image(red)',
  '-webkit-image-set(url(x) 1x)',
  'cross-fade(url(x), url(y))',
  'element(#x)',
  'paint(x)',
  'src("x")',
  'attr(value)',
  'attr(value type(<url>))',
  'env(x)',
  'var(--tp-x)',
  'expression(alert(1))',
  'calc(1px * 99999)',
  'red; background: blue',
  'red } input { color: blue',
  '/* */ red',
  '//thief.example',
  'red !important',
  '@import "x"',
  '101px',
  '-9999px',
  '1e9px',
  '10vw',
  '50cqw',
  '7em',
  'x'.repeat(201),
];

for (const value of SAFE) test(`${value} may stand in a style`, () => assert.equal(isSafeValue(value), true));
for (const value of UNSAFE) test(`${value.slice(0, 40) || 'nothing'} may not`, () => assert.equal(isSafeValue(value), false));

test('properties by either way of writing, variables of the theme, and nothing else', () => {
  const style = {
    color: 'red',
    fontSize: '17px',
    'letter-spacing': '1px',
    '--tp-ink': '#fff',
    '--other': 'red',
    '--tp-': 'red',
    background: 'red',
    'background-image': 'red',
    content: '"x"',
    transition: 'color 1s',
    animation: 'none',
    position: 'fixed',
    '-webkit-text-security': 'none',
    cursor: 'none',
    constructor: 'red',
  };
  assert.deepEqual(allowedStyles(style), [
    ['color', 'red'],
    ['font-size', '17px'],
    ['letter-spacing', '1px'],
    ['--tp-ink', '#fff'],
  ]);
});
