import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EndpointName, endpoints } from '../spec/endpoints.ts';
import { catalogues, readsLists } from './catalogue.ts';

test('an endpoint reads lists exactly when its catalogue has rows with an index', () => {
  const names = Object.keys(endpoints) as EndpointName[];
  const withIndex = names.filter((name) => catalogues.ofEndpoint(name).indexed.groups.size > 0);
  assert.ok(withIndex.length > 0);
  assert.deepEqual(names.filter(readsLists), withIndex);
});
