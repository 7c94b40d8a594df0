import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECKOUT, type Mood } from './fieldFrames.ts';
import { type FrameStage, NUMBER } from './frameStage.ts';

/** What the fields of a page seal together, and what is not sealed. */
export function sealingTests(stage: FrameStage): void {
  const { openShop, add, until, tell, type, seal } = stage;

  test('number and code are sealed together, with what the page has asked for', async () => {
    const page = await openShop();
    await page.context().addCookies([{ name: 'secret', value: 'x', url: stage.gateway.url }]);
    await type(await add(page, 'card.number'), NUMBER);
    await type(await add(page, 'card.cvv', {}, 'other', 'two'), '999');
    await type(await add(page, 'card.cvv', { isMasked: true }), '123');
    const fields = { 'card.holder': 'Jane Jones', 'card.number': '4200000000000000', amount: '1.00' };
    await seal(page, 'number', { fields });
    assert.deepEqual(await until(page, 'number', 'sealed'), { is: 'sealed', turn: 7, sealed: 'sealed-1' });
    const sent = { 'card.holder': 'Jane Jones', 'card.number': NUMBER, 'card.cvv': '123' };
    assert.deepEqual(stage.gateway.sealed, [{ checkoutId: CHECKOUT, fields: sent, cookie: '' }]);
  });

  test('all four fields in frames', async () => {
    const page = await openShop();
    await type(await add(page, 'card.number'), NUMBER);
    await type(await add(page, 'card.expiry'), '1249');
    await type(await add(page, 'card.holder'), 'Zoë  Müller');
    await type(await add(page, 'card.cvv'), '123');
    await seal(page, 'number');
    await until(page, 'number', 'sealed');
    const sent = {
      'card.number': NUMBER,
      'card.expiryMonth': '12',
      'card.expiryYear': '2049',
      'card.holder': 'Zoë Müller',
      'card.cvv': '123',
    };
    assert.deepEqual(stage.gateway.sealed[0]?.fields, sent);
  });

  test('the code of a stored card is sealed alone, for another checkout where the first has expired', async () => {
    const page = await openShop();
    await type(await add(page, 'card.cvv', { cvvLength: 3 }), '1234');
    const renewed = `${'BADCAFEE'.repeat(4)}.node`;
    await seal(page, 'cvv', { checkoutId: renewed });
    await until(page, 'cvv', 'sealed');
    assert.deepEqual(stage.gateway.sealed, [
      { checkoutId: renewed, fields: { 'card.cvv': '123', openedFor: CHECKOUT }, cookie: '' },
    ]);
  });

  for (const [mood, because, tries] of [
    ['is gone once', null, 1],
    ['is gone', 'network', 0],
    ['knows no session', 'session', 1],
    ['finds fault', 'invalid', 1],
    ['has trouble', 'network', 2],
  ] as readonly [Mood, string | null, number][])
    test(`a gateway that ${mood}: ${because ?? 'sealed all the same'}`, async () => {
      const page = await openShop();
      await type(await add(page, 'card.number'), NUMBER);
      stage.gateway.mood = mood;
      await seal(page, 'number');
      if (because === null) await until(page, 'number', 'sealed');
      else assert.deepEqual(await until(page, 'number', 'unsealed'), { is: 'unsealed', turn: 7, because });
      assert.equal(stage.gateway.sealed.length, tries);
    });

  test('what is wrong is not sealed: a digit that is missing, a code that is missing, another group', async () => {
    const page = await openShop();
    const number = await add(page, 'card.number');
    await type(number, NUMBER.slice(0, -1));
    await seal(page, 'number');
    await until(page, 'number', 'unsealed', 1);
    await type(number, '7');
    await seal(page, 'number', { group: 'two' });
    await until(page, 'number', 'unsealed', 2);
    await add(page, 'card.cvv');
    await seal(page, 'number');
    assert.deepEqual(await until(page, 'number', 'unsealed', 3), { is: 'unsealed', turn: 7, because: 'invalid' });
    assert.equal(stage.gateway.sealed.length, 0);
    await tell(page, 'cvv', { is: 'change', setup: { isRequired: false } });
    await seal(page, 'number');
    await until(page, 'number', 'sealed');
    assert.deepEqual(stage.gateway.sealed[0]?.fields, { 'card.number': NUMBER });
  });

  test('a shop without checks leaves the judgement to the gateway', async () => {
    const page = await openShop();
    await type(await add(page, 'card.number', { isUnchecked: true }), '4200');
    await seal(page, 'number');
    await until(page, 'number', 'sealed');
    assert.deepEqual(stage.gateway.sealed[0]?.fields, { 'card.number': '4200' });
  });
}
