import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';

import { noBrowser } from './browser.ts';
import { CARD, FORM, HOLDER, options, type Shopper, startShopper } from './widgetShopper.ts';
import { SLOW_MS } from './widgetStage.ts';

describe('the widget pays', { skip: noBrowser }, () => {
  let shopper: Shopper;
  before(async () => {
    shopper = await startShopper();
  });
  after(() => shopper.close());
  afterEach(() => shopper.forget());

  describe('paying', () => {
    const logging = '{ onResult(r) { log.push(r.outcome); return false } }';
    /** What a hook answers, and whether the payment goes on. */
    const hooks: readonly (readonly [hook: string, isSent: boolean])[] = [
      ['onBeforeSubmitCard() { return false }', false],
      ['onBeforeSubmitCard() {}', true],
      ['onBeforeSubmitCard() { return true }', true],
      ["onBeforeSubmitCard() { return 'no' }", true],
      ['onBeforeSubmitCard: async () => false', false],
      ['onBeforeSubmitCard: () => Promise.resolve(true)', true],
      ["onBeforeSubmitCard: () => Promise.reject('no')", false],
      ['onBeforeSubmitCard(e) { e.preventDefault(); return e.target.tagName === "FORM" }', true],
      ['onBeforeSubmitCardPromise: () => Promise.resolve()', true],
      ["onBeforeSubmitCardPromise: () => Promise.reject('no')", false],
      ['onBeforeSubmitCard: () => true, onBeforeSubmitCardPromise: () => Promise.reject(0)', false],
      [
        "onBeforeSubmitCard() { return this.$form.find('.wpwl-control-cardHolder').val() === 'Ada' && this.$form[0] === this.$form.get(0) }",
        true,
      ],
      ['onBeforeSubmitOneClickCard() { return false }', true],
    ];
    for (const [hook, isSent] of hooks) {
      test(`${hook}: ${isSent ? 'goes on' : 'stops'}`, async () => {
        const page = await shopper.open(
          `${options(`{ ${hook}, onResult() { return false } }`)}${shopper.stage.tag(shopper.checkout())}${FORM}`,
        );
        await shopper.ready(page);
        await page.locator(HOLDER).fill('Ada');
        assert.equal(await page.evaluate('wpwl.executePayment("wpwl-container-card")'), isSent);
        if (isSent) await page.waitForFunction('document.querySelector("iframe.wpwl-target")');
        else assert.equal(await page.locator('[name=pay]').isEnabled(), true);
        if (!isSent) assert.equal(shopper.stage.posts.length, 0);
      });
    }

    test('a hook that is put in place only in onReady is heard, and one that throws stops', async () => {
      const late = `{ onReady() { wpwlOptions.onBeforeSubmitCard = () => { log.push('asked'); throw new Error('mine') } } }`;
      const page = await shopper.open(`${options(late)}${shopper.stage.tag(shopper.checkout())}${FORM}`);
      await shopper.ready(page);
      assert.equal(await page.evaluate('wpwl.executePayment("wpwl-container.wpwl-container-card")'), false);
      assert.deepEqual([await shopper.log(page), shopper.stage.posts.length, shopper.faults.splice(0)], [['asked'], 0, ['mine']]);
    });

    test('in our own frame: what is sent, and where the shopper goes', async () => {
      const id = shopper.checkout();
      const inject = `onReady() { document.querySelector('.wpwl-button-pay').insertAdjacentHTML('beforebegin',
        '<input name=form_key value=x><input name="customParameters[SHOPPER_a]" value=1><input name="customParameters[b]" value=2>' +
        '<input name="billing.city" value=Wien><input name=createRegistration type=checkbox checked value=true><input name="card.number" value=4>') }`;
      const page = await shopper.open(
        `${options(`{ ${inject}, onAfterSubmit() { sessionStorage.sent = 1 } }`)}${shopper.stage.tag(id)}${FORM}`,
      );
      await shopper.ready(page);
      await page.locator(HOLDER).fill('Ada');
      await page.locator('[name=pay]').dblclick();
      const url = await shopper.arrive(page);
      assert.deepEqual(
        [...url.searchParams],
        [
          ['order', '17'],
          ['id', id],
          ['resourcePath', `/v1/checkouts/${id}/payment`],
        ],
      );
      assert.equal(await page.evaluate('sessionStorage.sent'), '1');
      const [post, ...more] = shopper.stage.posts;
      assert.deepEqual([more.length, post?.path, post?.dest], [0, `/v1/checkouts/${id}/payment`, 'iframe']);
      const fields = Object.fromEntries(post?.fields ?? []);
      const browserNames = Object.keys(fields).filter((name) => name.startsWith('customer.browser.'));
      assert.equal(browserNames.length, 8);
      assert.match(fields['customer.browser.timezone'] ?? '', /^-?\d{1,4}$/);
      for (const name of browserNames) delete fields[name];
      assert.deepEqual(fields, {
        paymentBrand: 'VISA',
        'card.holder': 'Ada',
        sealedFields: `sealed for ${id}`,
        'customParameters[SHOPPER_a]': '1',
        'billing.city': 'Wien',
        createRegistration: 'true',
        shopperResultUrl: `${shopper.stage.shop}/result?order=17`,
        shopOrigin: shopper.stage.shop,
        widgetFlow: 'frame',
        widgetLanguage: 'en',
      });
    });

    const targets: readonly (readonly [name: string, options: string, dest: string, flow: string])[] = [
      ['the whole tab', "{ paymentTarget: '_top' }", 'document', 'tab'],
      ['a frame of the page', "{ paymentTarget: 'mine' }", 'iframe', 'frame'],
      ['a frame, and a frame for the result', "{ paymentTarget: 'mine', shopperResultTarget: 'theirs' }", 'iframe', 'frame'],
    ];
    for (const [name, text, dest, flow] of targets) {
      test(`the target is ${name}`, async () => {
        const page = await shopper.open(
          `${options(text)}${shopper.stage.tag(shopper.checkout())}${FORM}<iframe name="mine"></iframe><iframe name="theirs"></iframe>`,
        );
        await shopper.ready(page);
        await shopper.pay(page);
        if (text.includes('theirs')) {
          await page.frameLocator('[name=theirs]').getByText('Back at the shop').waitFor();
          assert.match(page.url(), /\/page/);
        } else await shopper.arrive(page);
        assert.deepEqual(shopper.flows(), [[dest, flow]]);
        assert.equal(shopper.stage.arrivals[0]?.searchParams.get('order'), '17');
      });
    }

    for (const change of ['', "form.removeAttribute('target');", "form.target = '_self';"]) {
      test(`a page that submits a redirect form itself ${change}`, async () => {
        const self = `{ onReady() { const form = document.getElementsByClassName('wpwl-form')[0]; ${change} form.submit() } }`;
        const page = await shopper.open(
          `${options(self)}<form class="paymentWidgets" data-brands="EPS" action="/result"></form>${shopper.stage.tag(shopper.checkout())}`,
        );
        const url = await shopper.arrive(page);
        assert.match(url.searchParams.get('resourcePath') ?? '', /\/payment$/);
        assert.deepEqual(
          shopper.stage.posts.map((post) => [post.dest, post.fields.get('widgetFlow'), post.fields.get('paymentBrand')]),
          [['document', 'tab', 'EPS']],
        );
      });
    }

    test('a brand that is wanted inline stays in the page', async () => {
      const page = await shopper.open(
        `${options("{ inlineFlow: ['EPS'] }")}<form class="paymentWidgets" data-brands="EPS" action="/result"></form>${shopper.stage.tag(shopper.checkout())}`,
      );
      await page.locator('[name=pay]').click();
      await shopper.arrive(page);
      assert.equal(shopper.stage.posts[0]?.dest, 'iframe');
    });

    test('a decline with onResult: told, the form renewed, tried again in the same session', async () => {
      const page = await shopper.open(
        `${options('{ onResult(r) { log.push(r.outcome + r.code) } }')}${shopper.stage.tag(shopper.checkout())}${FORM}`,
      );
      await shopper.ready(page);
      await page.locator(HOLDER).fill('DECLINED');
      await shopper.pay(page);
      await page.locator('.wpwl-message.wpwl-has-error').waitFor();
      assert.equal(await page.locator('.wpwl-message').textContent(), 'Text of declined');
      assert.deepEqual(
        [await shopper.log(page), await page.locator(CARD).getAttribute('data-renewed')],
        [['declined800.100.152'], '1'],
      );
      // The page in the frame is complete only after its result was taken: it must not come up then.
      await page.waitForTimeout(SLOW_MS + 500);
      assert.equal(await page.locator('dialog[open]').count(), 0);
      await page.locator(HOLDER).fill('Ada');
      await shopper.pay(page);
      await shopper.arrive(page);
    });

    test('a decline on a page that knows no onResult goes to the result page', async () => {
      const page = await shopper.open(`${shopper.stage.tag(shopper.checkout())}${FORM}`);
      await shopper.ready(page);
      await page.locator(HOLDER).fill('DECLINED');
      await shopper.pay(page);
      await shopper.arrive(page);
    });

    test('faults: not valid, and not sealed', async () => {
      const page = await shopper.open(
        `${options('{ onError(e) { log.push(e.name) } }')}${shopper.stage.tag(shopper.checkout())}${FORM}`,
      );
      await shopper.ready(page);
      await page.locator(HOLDER).fill('BAD');
      assert.equal(await page.evaluate('wpwl.executePayment("wpwl-container-card")'), false);
      await page.locator(HOLDER).fill('BROKEN');
      assert.equal(await page.evaluate('wpwl.executePayment("wpwl-container-card")'), false);
      assert.equal(await page.evaluate('wpwl.executePayment("wpwl-container-nowhere")'), false);
      assert.deepEqual([await shopper.log(page), shopper.stage.posts.length], [['PciIframeSubmitError', 'WidgetError'], 0]);
    });

    test('useSummaryPage has the form kept, hands the data over and pays nothing', async () => {
      const id = shopper.checkout();
      const page = await shopper.open(
        `${options("{ useSummaryPage: 'true', onSaveTransactionData(d) { log.push(d.checkoutId, d.fields.sealedFields) } }")}${shopper.stage.tag(id)}${FORM}`,
      );
      await shopper.ready(page);
      await shopper.pay(page);
      await page.waitForFunction('log.length === 2');
      assert.deepEqual(await shopper.log(page), [id, `sealed for ${id}`]);
      const posts = shopper.stage.posts.map(({ dest, fields }) => [dest, fields.get('widgetSummary'), fields.get('widgetFlow')]);
      assert.deepEqual(posts, [['empty', '1', 'tab']]);
    });

    for (const [width, isSheet] of [
      [900, false],
      [400, true],
    ] as const) {
      test(`a challenge at ${width} pixels: shown, closed after a question, and confirmed the second time`, async () => {
        const hooks = `onLoadThreeDIframe() { log.push(this.tagName) }, onLightboxCancel() { log.push('closed') }`;
        const id = shopper.checkout();
        const page = await shopper.open(`${options(`{ ${hooks} }`)}${shopper.stage.tag(id)}${FORM}`, {}, { width });
        await shopper.ready(page);
        await page.locator(HOLDER).fill('CHALLENGE');
        await shopper.pay(page);
        const frame = page.frameLocator('iframe.wpwl-target');
        await frame.getByText('Your bank').waitFor();
        await page.locator('iframe.wpwl-target').waitFor({ state: 'visible' });
        const box = await page.locator('iframe.wpwl-target').boundingBox();
        assert.deepEqual(
          [(await page.locator('dialog:modal').count()) === 1, await page.locator(HOLDER).isVisible()],
          [isSheet, false],
        );
        assert.ok(isSheet ? (box?.height ?? 0) > 600 && box?.width === 400 : box?.height === 580, JSON.stringify(box));
        await page.locator('.wpwl-target-close').focus();
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
        await page.locator('.wpwl-target-stay').click();
        await page.locator('.wpwl-target-close').click();
        await page.locator('.wpwl-target-leave').click();
        await page.locator(HOLDER).waitFor({ state: 'visible' });
        assert.deepEqual(await shopper.log(page), ['IFRAME', 'closed']);
        await shopper.pay(page);
        await page.locator('iframe.wpwl-target').waitFor({ state: 'visible' });
        await frame.getByText('Confirm').click();
        await shopper.arrive(page);
      });
    }

    test('nobody else is believed about a result', async () => {
      const id = shopper.checkout();
      const forged = {
        turnpike: 1,
        result: {
          checkoutId: id,
          resourcePath: '/x',
          url: `${shopper.stage.shop}/evil`,
          outcome: 'success',
          code: '0',
          text: 't',
        },
      };
      const page =
        await shopper.open(`${options(logging)}${shopper.stage.tag(id)}${FORM}<iframe name="other" src="${shopper.stage.gateway}/v1/widgetTarget.html"></iframe>
        <iframe name="shopframe" src="/bank"></iframe>`);
      await shopper.ready(page);
      await page.evaluate(
        `postMessage(${JSON.stringify(forged)}, '*'); dispatchEvent(new MessageEvent('message', { data: ${JSON.stringify(forged)}, origin: '${shopper.stage.gateway}' }))`,
      );
      for (const frame of page.frames().slice(1)) {
        if (frame.name() === 'other' || frame.name() === 'shopframe')
          await frame.evaluate(`parent.postMessage(${JSON.stringify(forged)}, '*')`);
        else {
          const wrong = [
            { ...forged, turnpike: 2 },
            { ...forged, result: { ...forged.result, checkoutId: 'B' } },
            { ...forged, result: { ...forged.result, url: 'javascript:alert(1)' } },
            null,
            'x',
          ];
          for (const one of wrong) await frame.evaluate(`parent.postMessage(${JSON.stringify(one)}, '*')`);
        }
      }
      await page.waitForTimeout(300);
      assert.deepEqual([await shopper.log(page), /\/page/.test(page.url())], [[], true]);
    });
  });
});
