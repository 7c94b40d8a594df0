import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applePayTests } from './applePay.ts';
import { noBrowser } from './browser.ts';
import { googlePayTests } from './googlePay.ts';
import { errors, PAID, stageWallets } from './walletStage.ts';
import { googleStandIn } from './walletStandIns.ts';

/** Wallets of devices in the payment widget: stand-ins of their sheets, real tokens of the sandbox's issuer, the whole gateway behind it. */

describe('wallets of devices', { skip: noBrowser }, () => {
  const stage = stageWallets();
  const { shopPage, apple, google, active, does, sent } = stage;
  applePayTests(stage);
  googlePayTests(stage);

  test('both stand on one page beside cards, and one payment is taken', async () => {
    const { id, page } = await shopPage('APPLEPAY GOOGLEPAY VISA', `{ ${errors} }`, {
      script: googleStandIn.replace('window.wallet =', 'window.other ='),
    });
    await Promise.all([apple(page).waitFor(), google(page).waitFor(), stage.compat.ready(page)]);
    await apple(page).click();
    await active(page);
    await does(page, 'agree()');
    assert.equal((await stage.compat.outcome(page)).code, PAID);
    assert.deepEqual(await sent(id), [1, 1]);
  });
});
