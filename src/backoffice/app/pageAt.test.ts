import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageAt, paramsIn } from './pageAt.ts';

const pages = ['/', '/payments', '/payments/$id', '/scenarios/$name', '/scenarios/new'].map((path) => ({ path }));

for (const [path, pattern, params] of [
  ['/', '/', {}],
  ['/payments', '/payments', {}],
  ['/payments/', '/payments', {}],
  ['/payments/a1', '/payments/$id', { id: 'a1' }],
  ['/payments/a%2Fb', '/payments/$id', { id: 'a/b' }],
  ['/payments/100%', '/payments/$id', { id: '100%' }],
  ['/scenarios/new', '/scenarios/new', {}],
  ['/scenarios/old', '/scenarios/$name', { name: 'old' }],
  ['/payments/a1/b', undefined, null],
  ['/nowhere', undefined, null],
] as const) {
  test(`the page at ${path}`, () => {
    const page = pageAt(pages, path);
    assert.deepEqual([page?.path, page ? paramsIn(page.path, path) : null], [pattern, params]);
  });
}
