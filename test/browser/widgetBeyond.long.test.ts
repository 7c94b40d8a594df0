import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';

import { noBrowser } from './browser.ts';
import { CARD, FORM, HOLDER, options, type Shopper, startShopper } from './widgetShopper.ts';

describe('what the widget has of its own', { skip: noBrowser }, () => {
  let shopper: Shopper;
  before(async () => {
    shopper = await startShopper();
  });
  after(() => shopper.close());
  afterEach(() => shopper.forget());

  describe('what only we have', () => {
    test('an end in sight is told; a new checkout takes its place in the same form', async () => {
      const [id, next] = [shopper.checkout({ leftMs: 1500 }), shopper.checkout()];
      const page = await shopper.open(`${options(`{ onExpired: async () => '${next}' }`)}${shopper.stage.tag(id)}${FORM}`);
      await page.getByText('Time left').waitFor();
      await page.locator(HOLDER).fill('Ada');
      await page.locator(`form[action*="${next}"]`).waitFor();
      assert.equal(await page.locator(HOLDER).inputValue(), 'Ada');
      assert.equal(await page.evaluate('wpwl.checkout.id'), next);
      await shopper.pay(page);
      await shopper.arrive(page);
      assert.equal(shopper.stage.posts[0]?.fields.get('sealedFields'), `sealed for ${next}`);
    });

    test('an end without a new checkout', async () => {
      const page = await shopper.open(
        `${options('{ onError(e) { log.push(e.name) } }')}${shopper.stage.tag(shopper.checkout({ leftMs: 300 }))}${FORM}`,
      );
      await page.getByText('This payment form has expired').waitFor();
      assert.deepEqual(
        [await shopper.log(page), await page.locator('[name=pay]').isDisabled()],
        [['InvalidCheckoutIdError'], true],
      );
      assert.equal(await shopper.execute(page, 'wpwl-container-card'), false);
    });

    test('options are changed on the way', async () => {
      const page = await shopper.open(`${shopper.stage.tag(shopper.checkout())}${FORM}`);
      await shopper.ready(page);
      await page.evaluate(`wpwl.update({ locale: 'de', style: 'plain', labels: { cvv: 'x' } })`);
      await page.getByText('Jetzt bezahlen').waitFor();
      assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('${CARD} form')).outlineColor`), 'rgb(4, 5, 6)');
    });

    test('mounted twice, inside a form of the shop, with options of its own', async () => {
      const [id, other] = [shopper.checkout(), shopper.checkout()];
      const page =
        await shopper.open(`<form id="outer" action="/outer"><input name="street" value="x"><div id="a"></div><div id="b"></div></form>${shopper.stage.tag(id)}
        <script>const say = (name) => ({ onReady() { log.push(name) } });
        const a = turnpike.mount(document.getElementById('a'), { checkoutId: '${id}', brands: 'VISA', action: '/result?a=1', ...say('a') });
        const b = turnpike.mount(document.getElementById('b'), { checkoutId: '${other}', brands: ['MASTER'], action: '/result?b=1', locale: 'de', ...say('b') });
        document.getElementById('outer').addEventListener('submit', () => log.push('outer'))</script>`);
      await page.locator('#b form').waitFor();
      await page.locator('#a form').waitFor();
      assert.deepEqual(
        [(await shopper.log(page)).sort(), await page.locator('#b [name=pay]').textContent()],
        [['a', 'b'], 'Jetzt bezahlen'],
      );
      await page.evaluate('a.unmount()');
      await page.locator('#a form').waitFor({ state: 'detached' });
      await page.locator('#b .wpwl-control-cardHolder').fill('Ada');
      await page.locator('#b .wpwl-control-cardHolder').press('Enter');
      assert.equal((await shopper.arrive(page)).searchParams.get('b'), '1');
      assert.deepEqual(
        shopper.stage.posts.map(({ path, fields }) => [path, fields.get('card.holder'), fields.has('street')]),
        [[`/v1/checkouts/${other}/payment`, 'Ada', false]],
      );
    });
  });
});
