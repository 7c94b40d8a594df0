import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AdminEndpointName, adminFields, fieldsOf, isAdmin, takesFile } from '../spec/admin/admin.ts';
import { id } from '../spec/admin/kinds.ts';
import { endpoints } from '../spec/endpoints.ts';
import { rights } from '../spec/rights.ts';
import { eventTypes } from '../webhooks/webhook.ts';
import { adminBytesMax, checkAdmin } from './checkAdmin.ts';

/** Requests of the administration API, made from the table that describes them. */

const names = Object.keys(adminFields) as AdminEndpointName[];
const isPost = (name: AdminEndpointName): boolean => endpoints[name].method === 'POST' && !takesFile(name);
const TYPE = 'application/json';

function sent(name: AdminEndpointName, values: Readonly<Record<string, unknown>>, contentType: string | undefined = TYPE) {
  if (isPost(name)) return checkAdmin(name, { query: '', body: Buffer.from(JSON.stringify(values)), contentType });
  const query = new URLSearchParams(Object.entries(values).map(([field, value]) => [field, String(value)])).toString();
  return checkAdmin(name, { query, body: Buffer.alloc(0), contentType: undefined });
}

const faultsOf = (checked: ReturnType<typeof sent>) => (checked.is === 'faulty' ? checked.faults : []);
const whole = (name: AdminEndpointName) =>
  Object.fromEntries(Object.entries(fieldsOf(name)).map(([field, { example }]) => [field, example]));
const needed = (name: AdminEndpointName) =>
  Object.fromEntries(Object.entries(whole(name)).filter(([field]) => fieldsOf(name)[field]?.isRequired));

test('every endpoint that is administered by has a table and a right that is known', () => {
  const admin = Object.entries(endpoints).filter(([name]) => isAdmin(name as keyof typeof endpoints));
  assert.deepEqual(admin.map(([name]) => name).sort(), [...names].sort());
  for (const [name, endpoint] of admin) {
    assert.equal('right' in endpoint && Object.hasOwn(rights, endpoint.right), endpoint.access === 'admin', name);
    assert.ok(endpoint.path.startsWith('/admin/v1/') && endpoint.answers === 'admin', name);
  }
  assert.deepEqual(fieldsOf('createWebhook').types?.kind.good[0], eventTypes, 'the types are those of the webhooks');
});

for (const name of names) {
  test(`${name}: everything that may be sent passes, and so does what must be`, () => {
    for (const values of [whole(name), needed(name)]) assert.deepEqual(faultsOf(sent(name, values)), []);
  });

  test(`${name}: what is missing is named, all of it at once`, () => {
    assert.deepEqual(
      faultsOf(sent(name, {})).map((fault) => [fault.name, fault.value]),
      Object.keys(needed(name)).map((field) => [field, null]),
    );
  });

  test(`${name}: a name that is not known is refused, and its value not repeated`, () => {
    for (const odd of ['entityid', 'url2', '__proto__', 'constructor', 'toString']) {
      const values = { ...needed(name), [odd]: 'secret-value' };
      // A literal would set the prototype instead of a member of that name.
      if (odd === '__proto__') Object.defineProperty(values, odd, { value: 'secret-value', enumerable: true });
      const faults = faultsOf(sent(name, values));
      assert.deepEqual(
        faults.map((fault) => [fault.name, fault.message]),
        [[odd, 'is not known here']],
      );
      assert.doesNotMatch(JSON.stringify(faults), /secret-value/);
    }
  });

  for (const [field, { kind, isSecret }] of Object.entries(fieldsOf(name))) {
    test(`${name}.${field} ${kind.message}`, () => {
      for (const good of kind.good) assert.deepEqual(faultsOf(sent(name, { ...needed(name), [field]: good })), [], String(good));
      const isText = (value: unknown) => value !== '' && value !== null && typeof value !== 'object';
      const bad = isPost(name) ? kind.bad : kind.bad.filter(isText);
      assert.ok(bad.length >= 3);
      for (const value of bad) {
        const faults = faultsOf(sent(name, { ...needed(name), [field]: value }));
        assert.deepEqual(
          faults.map((fault) => [fault.name, fault.message]),
          [[field, kind.message]],
          JSON.stringify(value),
        );
        if (isSecret) assert.equal(faults[0]?.value, '***');
      }
    });
  }
}

const bodies: readonly (readonly [what: string, body: Buffer, contentType: string | undefined, fault: string])[] = [
  ['a form', Buffer.from('name=x'), 'application/x-www-form-urlencoded', 'Content-Type'],
  ['JSON by another name', Buffer.from('{}'), 'text/json', 'Content-Type'],
  ['no name at all', Buffer.from('{}'), undefined, 'Content-Type'],
  ['another alphabet', Buffer.from('{}'), 'application/json; charset=iso-8859-1', 'Content-Type'],
  ['half of it', Buffer.from('{"name":'), TYPE, 'body'],
  ['a list', Buffer.from('[]'), TYPE, 'body'],
  ['nothing', Buffer.from('null'), TYPE, 'body'],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), TYPE, 'body'],
  ['too much', Buffer.from(`{"name":"${'x'.repeat(adminBytesMax)}"}`), TYPE, 'body'],
];
for (const [what, body, contentType, fault] of bodies) {
  test(`a body that is ${what} is refused`, () => {
    const checked = checkAdmin('changeWebhook', { query: '', body, contentType });
    assert.deepEqual(checked.is === 'faulty' && checked.faults.map(({ name }) => name), [fault]);
    assert.doesNotMatch(JSON.stringify(checked), /x{100}/);
  });
}

test('a value that is nested deeper than the stack is refused, in every field', () => {
  for (const value of ['['.repeat(32_000) + ']'.repeat(32_000), `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`]) {
    for (const name of names.filter(isPost)) {
      for (const field of Object.keys(fieldsOf(name))) {
        const body = Buffer.from(`{"${field}":${value}}`);
        const outcome = checkAdmin(name, { query: '', body, contentType: 'application/json' });
        assert.ok(outcome.is === 'faulty');
        assert.equal(outcome.faults[0]?.message, 'must not be nested more than 64 deep');
      }
    }
  }
});

/** Values in which the finder sees a card number, in the shapes of ids, cursors, keys, amounts and addresses. */
const PANS = ['4200000000000000', '5441122339784652', '4222222222222'];
const cardLike = (pan: string): readonly unknown[] => [
  pan,
  pan.padStart(32, '0'),
  `1790000000000-${pan}`,
  `${pan}-a`,
  `a-${pan}`,
  `a${pan}`,
  `${pan}.00`,
  `${pan}@shop.example`,
  `https://shop.example/${pan}`,
  `${pan}.xml`,
  Number(pan),
  [pan.padStart(32, '0')],
];
/** Texts for people. Everything else is used as it was sent, or refused. */
const forPeople =
  /^(?:name|note|reason|says|holder|descriptor|text|who|email|agent|word|version|fault|merchantTransactionId|rules)$/;

for (const name of names) {
  test(`${name}: what looks like a card number is kept as it is, or refused; only texts for people are shortened`, () => {
    for (const [field, { kind }] of Object.entries(fieldsOf(name))) {
      for (const value of PANS.flatMap(cardLike).filter((one) => kind.parse(one) !== undefined)) {
        const outcome = sent(name, { ...needed(name), [field]: value });
        const isRefused = faultsOf(outcome).some((fault) => fault.name === field);
        if (isRefused || forPeople.test(field)) continue;
        assert.ok(outcome.is === 'checked', JSON.stringify(outcome));
        const used = (outcome.values as Readonly<Record<string, unknown>>)[field];
        assert.deepEqual(used, kind.parse(value), `${field}: ${JSON.stringify(value)}`);
      }
      // The gateway's own ids, cursors and keys are never refused.
      const isToken = kind === id || /^(?:after|newer|key|ids)$/.test(field);
      if (isToken) {
        for (const value of PANS.flatMap(cardLike).filter((one) => kind.parse(one) !== undefined)) {
          assert.deepEqual(faultsOf(sent(name, { ...needed(name), [field]: value })), [], `${field}: ${JSON.stringify(value)}`);
        }
      }
    }
  });
}

test('a body that is not there is an empty one, and the alphabet may be named', () => {
  assert.equal(checkAdmin('testWebhook', { query: '', body: Buffer.alloc(0), contentType: undefined }).is, 'checked');
  const body = Buffer.from('{"name":"Büro"}');
  const checked = checkAdmin('changeWebhook', { query: 'name=other', body, contentType: 'application/json; charset="UTF-8"' });
  assert.deepEqual(checked.is === 'checked' && { ...checked.values }, { name: 'Büro' });
});

test('the same field twice in a query is refused; an empty one counts as absent', () => {
  const asked = (query: string) => checkAdmin('listDeliveries', { query, body: Buffer.alloc(0), contentType: undefined });
  const twice = asked('state=due&state=dead');
  assert.deepEqual(twice.is === 'faulty' && twice.faults.map(({ name, message }) => [name, message]), [
    ['state', 'was sent twice'],
  ]);
  const meant = asked('state=&limit=200&from=2031-10-02T09%3A15%3A31%2B02%3A00');
  assert.deepEqual(meant.is === 'checked' && { ...meant.values }, { limit: 200, from: Date.parse('2031-10-02T07:15:31Z') });
});
