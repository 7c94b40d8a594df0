import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNavigation, pageAt, paramsIn } from './navigation.ts';

/** A browser's history of some entries, with a page that is scrolled. */
function browserAt(href: string) {
  const entries: { state: unknown; href: string }[] = [{ state: null, href }];
  let [at, onPop] = [0, () => {}];
  const url = () => new URL(entries[at]?.href ?? '/', 'https://office.example');
  const browser = {
    scrollY: 0,
    history: {
      scrollRestoration: 'auto',
      get state() {
        return entries[at]?.state ?? null;
      },
      pushState(state: unknown, _: string, to: string) {
        entries.splice(at + 1, entries.length, { state, href: to });
        at += 1;
      },
      replaceState(state: unknown, _: string, to = entries[at]?.href ?? '') {
        entries[at] = { state, href: to };
      },
    },
    location: {
      get pathname() {
        return url().pathname;
      },
      get search() {
        return url().search;
      },
    },
    addEventListener: (_: string, listener: () => void) => {
      onPop = listener;
    },
  };
  const step = (by: number) => {
    at += by;
    onPop();
  };
  return { browser, step, size: () => entries.length };
}

const open = (href: string) => {
  const made = browserAt(href);
  return { ...made, navigation: createNavigation(made.browser as never) };
};

test('the entity stays in the address unless it is changed; empty values are left out', () => {
  const { navigation } = open('/payments?entity=a1&q=x');
  assert.equal(navigation.hrefTo('/ledger'), '/ledger?entity=a1');
  assert.equal(navigation.hrefTo('/ledger', { entity: undefined, q: '' }), '/ledger');
  assert.equal(navigation.hrefTo('/ledger', { entity: 'b2', at: 'a & b' }), '/ledger?entity=b2&at=a+%26+b');
});

test('a change of the query adds no entry; a page does, and each listener hears of both', () => {
  const { navigation, size } = open('/payments');
  const arrivals: string[] = [];
  const stop = navigation.onChange(() => arrivals.push(`${navigation.current().arrival} ${navigation.current().href}`));
  const { key } = navigation.current();
  navigation.go('/payments?q=1', { isReplaced: true });
  assert.equal(navigation.current().key, key);
  navigation.go('/ledger');
  stop();
  navigation.go('/audit');
  assert.deepEqual(arrivals, ['replace /payments?q=1', 'push /ledger']);
  assert.equal(size(), 3);
});

test('on the way back, a page is where it was left', () => {
  const { navigation, browser, step } = open('/payments');
  browser.scrollY = 700;
  const { key } = navigation.current();
  navigation.go('/payments/a1');
  browser.scrollY = 40;
  step(-1);
  assert.deepEqual(
    [navigation.current().path, navigation.current().arrival, navigation.scrolledTo(key)],
    ['/payments', 'back', 700],
  );
  browser.scrollY = 710;
  step(1);
  assert.equal(navigation.scrolledTo(navigation.current().key), 40);
});

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
