import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parameters } from '../spec/parameters.ts';
import { decode, knownName } from './decode.ts';

const names = Object.keys(parameters);
const plain = names.filter((name) => !name.includes('['));
const foundIn = (text: string) => knownName(`before&${text}=after`, 7, 7 + text.length);

test('every name without an index is found wherever it stands, and is taken by the decoder', () => {
  assert.deepEqual(
    plain.filter((name) => foundIn(name) !== name),
    [],
  );
  assert.deepEqual(
    plain.filter((name) => knownName(name, 0, name.length) !== name),
    [],
  );
  const { fields, faults } = decode(plain.map((name) => `${name}=x`).join('&'));
  assert.deepEqual([[...fields.keys()], faults], [plain, []]);
});

test('nothing else is found: another case, one character more, less or different, an index, an empty name', () => {
  const near = plain.flatMap((name) => [
    name.toUpperCase(),
    `${name}x`,
    `x${name}`,
    name.slice(1),
    name.slice(0, -1),
    ...Array.from(name, (_, at) => `${name.slice(0, at)}#${name.slice(at + 1)}`),
  ]);
  const others = [...near, ...names.filter((name) => name.includes('[')), '', '__proto__', 'constructor'];
  const wrong = others.filter((name) => foundIn(name) !== (plain.includes(name) ? name : null));
  assert.deepEqual(wrong, []);
});
