import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derivedDocuments, read } from './docs.ts';

for (const { path, text } of derivedDocuments()) {
  test(`${path} is what the sources say; npm run docs writes it anew`, () => assert.ok(read(path) === text));
}
