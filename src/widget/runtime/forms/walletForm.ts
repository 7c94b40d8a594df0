import type { WidgetBrand } from '../../../spec/widget.ts';
import type { WalletOptions } from '../../options.ts';
import type { PaymentForm, Surroundings } from '../contract.ts';
import { asWidgetError, widgetError } from '../errors.ts';
import { brandName } from './brandNames.ts';
import { setShown } from './draw.ts';
import { createSheet, finish, type Sheet } from './sheet.ts';
import { appleDevice, googleDevice, type WalletDevice } from './walletDevices.ts';

const devices: Readonly<Record<string, (around: Surroundings) => WalletDevice>> = {
  APPLEPAY: appleDevice,
  GOOGLEPAY: googleDevice,
};

const optionsOf = ({ options }: Surroundings, brand: string): WalletOptions =>
  (brand === 'APPLEPAY' ? options().applePay : options().googlePay) ?? {};

/** The shop is told in its own hook that the sheet was closed; without one it is an event of the widget. */
function tellClosed(around: Surroundings, brand: string): void {
  const { onCancel } = optionsOf(around, brand);
  if (typeof onCancel === 'function') onCancel('CANCELED');
  else around.fail(widgetError('WidgetError', `${brandName(brand)} was closed`, { brand, event: 'closed' }));
}

function drawButton({ draw, around }: Sheet, brand: string): HTMLButtonElement {
  const text = around.text('payWith', { brand: brandName(brand) });
  const { buttonStyle, style } = optionsOf(around, brand);
  const look =
    brand === 'APPLEPAY' ? `wpwl-apple-pay-button wpwl-apple-pay-button-${String(buttonStyle ?? style ?? 'black')}` : '';
  return draw(
    'button',
    `wpwl-button wpwl-button-brand wpwl-button-${brand} ${look}`.trim(),
    // No submit: the wallet's sheet comes first, and must be opened in the click itself.
    { type: 'button', 'aria-label': text },
    draw('span', 'wpwl-button-text', {}, text),
  );
}

/** A button of a device's wallet, for a device that has it; elsewhere the container goes away and the shop is told. */
export function createWalletForm(around: Surroundings, { name }: WidgetBrand): PaymentForm | null {
  const device = devices[name]?.(around);
  if (!device) {
    around.fail(widgetError('WidgetError', `${brandName(name)} is not available`, { brand: name, event: 'unavailable' }));
    return null;
  }
  const key = `virtualAccount-${name}`;
  const sheet = createSheet(around, { key, formClasses: 'wpwl-form-virtualAccount', action: 'submit-payment-virtualAccount' });
  const { form, draw, container, life } = sheet;
  sheet.setHidden('paymentBrand', name);
  const button = drawButton(sheet, name);
  const wrapper = draw('div', 'wpwl-wrapper wpwl-wrapper-submit wpwl-wrapper-brand', {}, button);
  form.append(draw('div', 'wpwl-group wpwl-group-submit wpwl-group-button wpwl-clearfix', {}, wrapper));
  // The form, not the container: that one may wait behind stored details.
  setShown(form, false);
  device.isThere().then((isThere) => {
    if (life.isOver) return;
    setShown(form, isThere);
    if (isThere) return;
    container.remove();
    around.fail(
      widgetError('WidgetError', around.text('walletUnavailable', { brand: brandName(name) }), {
        brand: name,
        event: 'unavailable',
      }),
    );
  });
  let hasToken = false;
  async function ask(): Promise<boolean> {
    const got = await device?.ask();
    if (!got) {
      tellClosed(around, name);
      return false;
    }
    sheet.setHidden(got.wire, got.token);
    hasToken = true;
    return true;
  }
  life.listen(button, 'click', () => {
    ask().then(
      (isGiven) => isGiven && !life.isOver && form.requestSubmit(),
      (error) => around.fail(asWidgetError(error, { brand: name, event: 'error' })),
    );
  });
  const built = finish(sheet, { key, brands: [name], beforeHook: 'onBeforeSubmitVirtualAccount' });
  return {
    ...built,
    // Without a token there is nothing to send; executePayment opens the sheet as the button does.
    validate: async () => hasToken || ask().catch(() => false),
    renew() {
      hasToken = false;
      for (const wire of ['applePay.paymentToken', 'googlePay.paymentToken']) sheet.setHidden(wire, null);
    },
  };
}
