import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { CARD, createClient, DEMO, type Fields, OTHER, type Reply } from './client.ts';
import { startGateway, type TestGateway } from './gateway.ts';

const ABSENT = '0'.repeat(32);
const SEPA = {
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Ann Example',
  'bankAccount.iban': 'DE23100000001234567890',
  'bankAccount.bic': 'MARKDEF1100',
  'bankAccount.country': 'DE',
} as const;
const TOKEN_ACCOUNT = {
  paymentBrand: 'VISA',
  'tokenAccount.number': '4111111111111111',
  'tokenAccount.type': 'EXTERNAL',
} as const;
const ACCOUNT = { paymentBrand: 'VIRTUAL_ACCOUNT', 'virtualAccount.accountId': 'ann-1' } as const;
const CHARGE = { paymentType: 'DB', amount: '12.50', currency: 'EUR' } as const;
const MIT = {
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.source': 'MIT',
  'standingInstruction.type': 'RECURRING',
} as const;
const FIRST = { ...MIT, 'standingInstruction.mode': 'INITIAL', 'standingInstruction.source': 'CIT' } as const;
const { 'card.cvv': _cvv, ...STORED_CARD } = CARD;

/** Registrations over HTTP, on any store. */
export function registrationStories(name: string, openStore: () => Promise<Store>): void {
  describe(`stored details on ${name}`, () => {
    let gateway: TestGateway;
    let send: ReturnType<typeof createClient>['send'];
    let shop: ReturnType<typeof createClient>;
    let other: ReturnType<typeof createClient>;
    before(async () => {
      gateway = await startGateway({ store: await openStore(), patienceMs: 200 });
      shop = createClient(gateway.url);
      other = createClient(gateway.url, OTHER);
      send = shop.send;
    });
    after(() => gateway.close());

    const register = (fields: Fields = CARD, headers?: Fields) => send('POST', '/v1/registrations', fields, headers);
    const charge = (id: string, fields: Fields = {}, headers?: Fields) =>
      send('POST', `/v1/registrations/${id}/payments`, { ...CHARGE, ...fields }, headers);
    const show = (id: string, fields: Fields = {}) => send('GET', `/v1/registrations/${id}`, fields);
    const remove = (id: string, fields: Fields = {}, headers?: Fields) =>
      send('DELETE', `/v1/registrations/${id}`, fields, headers);
    const extend = (id: string, fields: Fields = {}) => send('POST', `/v1/registrations/${id}/extendlife`, fields);
    const isRefused = (reply: Reply, code: string, status = 400) => assert.deepEqual([reply.status, reply.code], [status, code]);

    describe('storing', () => {
      const instruments: Readonly<Record<string, [fields: Fields, shown: object]>> = {
        'a card': [CARD, { card: { bin: '420000', last4Digits: '0000', holder: 'Ann Example' } }],
        'a card without a name': [{ ...CARD, 'card.holder': '' }, { card: { last4Digits: '0000', expiryYear: '2034' } }],
        'a bank account': [SEPA, { bankAccount: { last4Digits: '7890', holder: 'Ann Example' } }],
        'a virtual account': [ACCOUNT, { virtualAccount: { accountId: 'ann-1' } }],
        'a token account': [TOKEN_ACCOUNT, { tokenAccount: { type: 'EXTERNAL', last4Digits: '1111' } }],
      };
      for (const [what, [fields, shown]] of Object.entries(instruments)) {
        test(`${what}: stored, charged, shown and deleted`, async () => {
          const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
          const stored = await register(present);
          assert.deepEqual([stored.status, stored.code], [200, '000.100.110']);
          assert.match(stored.id, /^[0-9a-f]{32}$/);
          assert.equal(stored.body.paymentType, undefined);
          assert.equal(stored.body.amount, undefined);
          assert.partialDeepStrictEqual(stored.body, shown);
          const paid = await charge(stored.id);
          assert.deepEqual([paid.status, paid.code, paid.body.registrationId], [200, '000.100.110', stored.id]);
          assert.deepEqual([paid.body.paymentType, paid.body.amount], ['DB', '12.50']);
          assert.partialDeepStrictEqual(paid.body, shown);
          assert.partialDeepStrictEqual((await show(stored.id)).body, { id: stored.id, ...shown });
          const removed = await remove(stored.id);
          assert.deepEqual([removed.status, removed.code, removed.body.referencedId], [200, '000.100.110', stored.id]);
          assert.notEqual(removed.id, stored.id);
          isRefused(await charge(stored.id), '100.150.202');
        });
      }

      test('a number that cannot be right is refused, with an id that cannot be charged', async () => {
        const refused = await register({ ...CARD, 'card.number': '4200000000000001' });
        isRefused(refused, '100.100.101');
        assert.match(refused.id, /^[0-9a-f]{32}$/);
        isRefused(await charge(refused.id), '100.150.203');
        isRefused(await show(refused.id), '100.100.101');
      });

      test('the issuer may refuse it', async () => {
        const refused = await register({ ...CARD, 'customParameters[forceResultCode]': '800.100.151' });
        isRefused(refused, '800.100.151');
        isRefused(await charge(refused.id), '100.150.203');
      });

      test('without an instrument there is nothing to store', async () => {
        const refused = await register({ paymentBrand: 'VISA' });
        isRefused(refused, '200.300.404');
        assert.ok(refused.body.result.parameterErrors.some((fault: { name: string }) => fault.name === 'card.number'));
      });

      test('a retry under the same key stores nothing twice', async () => {
        const key = { 'idempotency-key': `store-${name}` };
        const [one, two] = [await register(CARD, key), await register(CARD, key)];
        assert.equal(two.id, one.id);
        isRefused(await register(SEPA, key), '200.200.107');
      });
    });

    test('the details of a customer are listed, the newest first, without those that cannot be charged', async () => {
      const id = { 'customer.merchantCustomerId': `ann "the first"` };
      const customer = { ...id, 'customer.givenName': 'Ann', 'customer.surname': 'Example' };
      const list = (client = shop, fields: Fields = id) => client.send('GET', '/v1/registrations', fields);
      const ids: string[] = [];
      for (const fields of [CARD, SEPA, CARD]) ids.push((await register({ ...fields, ...customer })).id);
      const paid = await shop.pay({ createRegistration: 'true', ...customer });
      await register({ ...CARD, ...customer, 'customer.merchantCustomerId': 'another' });
      await remove(ids[0] ?? '');
      const { status, body } = await list();
      assert.deepEqual([status, body.result.code], [200, '000.000.100'], JSON.stringify(body));
      const listed = body.registrations.map(({ id }: { id: string }) => id);
      assert.deepEqual(listed.toSorted(), [ids[1], ids[2], paid.body.registrationId].toSorted());
      assert.equal(body.registrations.find(({ id }: { id: string }) => id === ids[2]).card.last4Digits, '0000');
      assert.doesNotMatch(JSON.stringify(body), /4200000000000000/);
      assert.deepEqual((await list(other)).body.registrations, [], 'of another merchant');
      isRefused(await list(shop, {}), '200.300.404');
    });

    describe('storing with a payment', () => {
      for (const yes of ['true', '1', 'on']) {
        test(`createRegistration=${yes}: the payment has the id of the registration`, async () => {
          const paid = await shop.pay({ createRegistration: yes });
          assert.match(paid.body.registrationId, /^[0-9a-f]{32}$/);
          assert.notEqual(paid.body.registrationId, paid.id);
          assert.equal((await charge(paid.body.registrationId)).code, '000.100.110');
        });
      }

      test('createRegistration=false stores nothing', async () => {
        assert.equal((await shop.pay({ createRegistration: 'false' })).body.registrationId, undefined);
      });

      test('what belongs to a declined payment cannot be used', async () => {
        const declined = await shop.pay({ createRegistration: 'true', 'customParameters[forceResultCode]': '800.100.155' });
        isRefused(declined, '800.100.155');
        isRefused(await charge(declined.body.registrationId), '100.150.203');
      });

      for (const [answer, code] of [
        ['lost', '000.100.110'],
        ['lost-request', '100.150.203'],
      ] as const) {
        test(`an answer that is ${answer}: it can be used once its payment is decided, not before`, async () => {
          const open = await shop.pay({ createRegistration: 'true', 'customParameters[SIMULATOR_answer]': answer });
          assert.equal(open.code, '000.200.000');
          const id = open.body.registrationId;
          isRefused(await charge(id), '100.150.201');
          await gateway.settle();
          assert.equal((await charge(id)).code, code);
        });
      }

      test('deleted while its payment is under way, it stays deleted', async () => {
        const open = await shop.pay({ createRegistration: 'true', 'customParameters[SIMULATOR_answer]': 'lost' });
        assert.equal((await remove(open.body.registrationId)).status, 200);
        await gateway.settle();
        assert.equal((await shop.read(open.id)).code, '000.100.110');
        isRefused(await charge(open.body.registrationId), '100.150.202');
      });
    });

    describe('charging', () => {
      test('every channel of the merchant may use it, no other may, and for others it does not exist', async () => {
        const { id } = await register();
        assert.equal((await charge(id, { entityId: DEMO.lenientId })).code, '000.100.110');
        assert.equal((await charge(id, { entityId: DEMO.merchantId })).code, '000.100.110');
        const [foreign, absent] = await Promise.all(
          [id, ABSENT].map((one) => other.send('POST', `/v1/registrations/${one}/payments`, CHARGE)),
        );
        isRefused(foreign as Reply, '100.150.200');
        isRefused(absent as Reply, '100.150.200');
        assert.deepEqual(shape(foreign), shape(absent));
      });

      const unusable: Readonly<Record<string, string>> = { 'an id of another form': 'no-id', 'an unknown id': ABSENT };
      const codes = { 'an id of another form': '100.150.101', 'an unknown id': '100.150.200' } as Readonly<
        Record<string, string>
      >;
      for (const [what, id] of Object.entries(unusable)) {
        test(`${what} is refused`, async () => isRefused(await charge(id), codes[what] ?? ''));
      }

      test('a payment is no registration', async () => {
        isRefused(await charge((await shop.pay()).id), '100.150.204');
      });

      test('a security code may come along, another card may not', async () => {
        const { id } = await register(STORED_CARD);
        assert.equal((await charge(id, { 'card.cvv': '123' })).body.result.cvvResponse, 'M');
        isRefused(await charge(id, { 'card.number': '4111111111111111' }), '200.300.404');
      });

      test('overrideHolder fills an empty holder, for one payment only', async () => {
        const { 'card.holder': _, ...nameless } = CARD;
        const { id } = await register(nameless);
        const holder = { 'card.holder': 'Ben Example' };
        assert.equal((await charge(id, { ...holder, overrideHolder: 'true' })).body.card.holder, 'Ben Example');
        assert.equal((await charge(id, holder)).body.card.holder, undefined);
        assert.equal((await charge(id)).body.card.holder, undefined);
        const { id: named } = await register();
        assert.equal((await charge(named, { ...holder, overrideHolder: 'true' })).body.card.holder, 'Ann Example');
      });

      test('a preauthorization by stored details is captured and refunded like any other', async () => {
        const { id } = await register();
        const authorised = await charge(id, { paymentType: 'PA' });
        const captured = await shop.capture(authorised.id, '12.50');
        assert.equal(captured.code, '000.100.110');
        assert.equal((await shop.refund(captured.id, '2.50')).code, '000.100.110');
        isRefused(await charge(id, { paymentType: 'CP' }), '200.300.404');
      });

      test('an expired card is refused, and its number is gone 14 months later', async () => {
        const late = await startGateway({ store: await openStore(), patienceMs: 200 });
        const its = createClient(late.url);
        const year = String(new Date().getUTCFullYear());
        const { id } = await its.send('POST', '/v1/registrations', {
          ...CARD,
          'card.expiryMonth': '12',
          'card.expiryYear': year,
        });
        late.pass(80 * 86_400_000);
        assert.equal((await its.send('POST', `/v1/registrations/${id}/payments`, CHARGE)).code, '100.100.303');
        late.pass(440 * 86_400_000);
        await late.work('delete expired registrations');
        assert.equal((await its.send('POST', `/v1/registrations/${id}/payments`, CHARGE)).code, '100.150.202');
        await late.close();
      });
    });

    describe('reading, deleting, extending', () => {
      test('GET /v1/payments/{registrationId} shows the state of a registration too', async () => {
        const { id } = await register();
        const { registrationId } = (await shop.pay({ createRegistration: 'true' })).body;
        for (const one of [id, registrationId]) {
          const read = await shop.read(one);
          assert.deepEqual([read.status, read.code, read.id], [200, '000.100.110', one]);
          await remove(one);
          isRefused(await shop.read(one), '100.150.202');
          isRefused(await show(one), '100.150.202');
        }
      });

      test('what another merchant stored cannot be seen, deleted or extended', async () => {
        const { id } = await register();
        isRefused(await other.send('GET', `/v1/registrations/${id}`, {}), '700.400.580', 404);
        isRefused(await other.send('GET', `/v1/payments/${id}`, {}), '700.400.580', 404);
        isRefused(await other.send('DELETE', `/v1/registrations/${id}`, {}), '100.350.303');
        isRefused(await other.send('POST', `/v1/registrations/${id}/extendlife`, {}), '100.350.316');
        assert.equal((await show(id)).code, '000.100.110');
      });

      test('deleting twice, or an unknown one, is refused; with a key a retry gets the first reply', async () => {
        const { id } = await register();
        const key = { 'idempotency-key': `delete-${name}` };
        const [first, again] = [await remove(id, {}, key), await remove(id, {}, key)];
        assert.deepEqual([again.status, again.id], [200, first.id]);
        isRefused(await remove(id), '100.150.202');
        isRefused(await remove(ABSENT), '100.350.303');
        isRefused(await remove('x'), '100.150.101');
      });

      test('a delete is answered with the code that clients compare, whatever testMode says', async () => {
        const { id } = await register();
        assert.equal((await remove(id, { testMode: 'EXTERNAL' })).code, '000.100.110');
      });

      test('extending keeps an account longer', async () => {
        const { id } = await register(SEPA);
        const before = await gateway.world.store.registration(DEMO.merchantId, id);
        const extended = await extend(id);
        assert.deepEqual([extended.status, extended.code, extended.body.referencedId], [200, '000.100.110', id]);
        const after24 = await gateway.world.store.registration(DEMO.merchantId, id);
        const DAY_MS = 86_400_000;
        assert.ok((after24?.registration.expiresAt ?? 0) > (before?.registration.expiresAt ?? 0) + 290 * DAY_MS);
        await remove(id);
        isRefused(await extend(id), '100.350.316');
        isRefused(await extend(ABSENT), '100.350.316');
      });
    });

    describe('card on file', () => {
      test('the merchant charges again what the shopper agreed to, and names nothing', async () => {
        const first = await shop.pay({ createRegistration: 'true', ...FIRST });
        assert.ok(first.body.standingInstruction.initialTransactionId);
        assert.equal(
          first.body.resultDetails.CardholderInitiatedTransactionID,
          first.body.standingInstruction.initialTransactionId,
        );
        assert.equal((await charge(first.body.registrationId, MIT)).code, '000.100.110');
      });

      test('an agreement can be made later, with a payment by stored details', async () => {
        const { id } = await register(STORED_CARD);
        isRefused(await charge(id, MIT), '100.150.300');
        assert.equal((await charge(id, { ...FIRST, 'card.cvv': '123' })).code, '000.100.110');
        assert.equal((await charge(id, MIT)).code, '000.100.110');
      });

      test('a merchant who stores cards names the first payment, and only the right one is accepted', async () => {
        const first = await shop.pay(FIRST);
        const { initialTransactionId } = first.body.standingInstruction;
        const again = (id: string, fields: Fields = {}) =>
          shop.pay({ ...MIT, 'card.cvv': '', 'standingInstruction.initialTransactionId': id, ...fields });
        assert.equal((await again(initialTransactionId)).code, '000.100.110');
        isRefused(await again('ABCDEFGHIJKLMNO'), '800.100.167');
        isRefused(await again(initialTransactionId, { 'card.number': '4111111111111111' }), '800.100.167');
        isRefused(await shop.pay({ ...MIT, 'card.cvv': '' }), '200.300.404');
      });

      test('one network links a series by its agreement, and wants to know what kind of series it is', async () => {
        const master = { paymentBrand: 'MASTER', 'card.number': '5454545454545454' };
        const kind = { 'standingInstruction.recurringType': 'SUBSCRIPTION' };
        isRefused(await shop.pay({ ...master, ...FIRST }), '200.300.404');
        const first = await shop.pay({ ...master, ...FIRST, ...kind, createRegistration: 'true' });
        const { initialTransactionId, agreementId } = first.body.standingInstruction;
        assert.ok(initialTransactionId && agreementId);
        // What the first payment said is remembered with the card.
        assert.equal((await charge(first.body.registrationId, MIT)).code, '000.100.110');
        const named = { ...master, ...MIT, ...kind, 'card.cvv': '', 'standingInstruction.agreementId': agreementId };
        assert.equal((await shop.pay(named)).code, '000.100.110');
        isRefused(await shop.pay({ ...named, 'standingInstruction.agreementId': `${agreementId}X` }), '800.100.167');
        const { id } = await register({ ...STORED_CARD, ...master });
        isRefused(await charge(id, MIT), '200.300.404');
      });

      test('the old recurringType is understood and echoed', async () => {
        const first = await shop.pay({ createRegistration: 'true', recurringType: 'INITIAL' });
        const again = await charge(first.body.registrationId, { recurringType: 'REPEATED' });
        assert.deepEqual([again.code, again.body.recurringType], ['000.100.110', 'REPEATED']);
        const click = await charge(first.body.registrationId, { recurringType: 'REGISTRATION_BASED' });
        assert.equal(click.code, '000.100.110');
      });

      test('a series that began elsewhere goes on here', async () => {
        const { id } = await register({
          ...STORED_CARD,
          'recurringMigration.paymentType': 'DB',
          'recurringMigration.amount': '9.90',
          'recurringMigration.requestTimestamp': '2024-01-31 10:00:00',
          'recurringMigration.connectorTxId1': 'elsewhere-1',
        });
        assert.equal((await charge(id, MIT)).code, '000.100.110');
      });

      for (const practice of ['REAUTHORIZATION', 'DELAYED_CHARGES', 'NO_SHOW']) {
        test(`${practice} goes on with the scheme data of the first authorisation`, async () => {
          const { id } = await register();
          const original = await charge(id, { paymentType: 'PA' });
          const again = await charge(id, {
            paymentType: 'PA',
            referenceUuid: original.id,
            'standingInstruction.industryPractice': practice,
          });
          assert.deepEqual([again.status, again.code], [200, '000.100.110'], JSON.stringify(again.body.result));
        });
      }
    });

    describe('network tokens', () => {
      test('the scheme gives a token in the background, and it pays in the place of the number', async () => {
        const { id } = await register();
        assert.equal((await show(id)).body.networkToken, undefined);
        await gateway.work('request network tokens');
        const { networkToken } = (await show(id)).body;
        assert.match(networkToken.last4Digits, /^[0-9]{4}$/);
        const paid = await charge(id);
        assert.equal(paid.code, '000.100.110');
        assert.ok(
          Object.keys(paid.body.resultDetails).some((key) => /token/i.test(key)),
          JSON.stringify(paid.body.resultDetails),
        );
        assert.equal(paid.body.card.last4Digits, '0000');
        assert.equal((await charge(id, { ...FIRST, 'card.cvv': '123' })).code, '000.100.110');
        assert.equal((await charge(id, MIT)).code, '000.100.110');
      });
    });
  });
}

/** What differs between two replies only because they are two. */
function shape(reply: Reply | undefined): object {
  const { id: _id, ndc: _ndc, timestamp: _timestamp, ...rest } = reply?.body ?? {};
  return rest;
}
