import { after, afterEach, before, describe, test } from 'node:test';
import { buildWidget } from '../../src/assets/build.ts';
import { answerChallenge, fillCard, submitCard } from '../../src/testing/playwright.ts';
import { allTexts } from '../../src/widget/allTexts.ts';
import { startGateway, type TestGateway } from '../http/gateway.ts';
import { type Browser, noBrowser, startBrowser } from './browser.ts';

/** The helpers of `turnpike/testing` for Playwright, in the demo shop: the whole widget in a real browser. */

const { resultSuccess, resultCancelled, resultDeclinedAuth } = allTexts.en.labels;

describe('the helpers for Playwright', { skip: noBrowser }, () => {
  let gateway: TestGateway;
  let browser: Browser;
  before(async () => {
    gateway = await startGateway({ patienceMs: 5_000, build: await buildWidget() });
    browser = await startBrowser();
  });
  afterEach(() => browser.release());
  after(() => Promise.all([gateway.close(), browser.close()]));

  const cases = [
    ['a card is typed and paid', {}, null, resultSuccess],
    ['a challenge is answered', { number: '4200000000000018' }, {}, resultSuccess],
    [
      'a challenge is cancelled',
      { number: '4200000000000018' },
      { isCancelled: true },
      new RegExp(`${resultCancelled}|${resultDeclinedAuth}`),
    ],
  ] as const;
  for (const [what, card, challenge, said] of cases)
    test(what, async () => {
      const page = await browser.open({ width: 1280, height: 900 });
      await page.goto(`${gateway.url}/demo/checkout?language=en`);
      await page.locator('html[data-ready=yes]').waitFor({ state: 'attached' });
      await fillCard(page, card);
      await submitCard(page);
      if (challenge) await answerChallenge(page, challenge);
      await page.getByText(said).first().waitFor();
    });
});
