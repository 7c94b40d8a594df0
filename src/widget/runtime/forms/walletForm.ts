import type { WidgetBrand } from '../../../spec/widget.ts';
import type { PaymentForm, Surroundings } from '../contract.ts';
import { widgetError } from '../errors.ts';
import { readResult } from '../results.ts';
import { brandName } from './brandNames.ts';
import { setShown } from './draw.ts';
import { createSheet, finish, type Sheet } from './sheet.ts';
import { type Fields, type Loose, loose, type WalletDevice, word } from './walletDevice.ts';
import { isKnownWallet, loadDevice } from './walletLoad.ts';

/** Words of Apple's buttons come into class names and styles. */
const look = (value: unknown, otherwise: string): string => (/^[a-z-]+$/.test(String(value)) ? String(value) : otherwise);

/** Safari draws the button itself, in the language of the element. */
function drawn(button: HTMLElement, { buttonStyle, style, buttonType }: Loose): void {
  button.replaceChildren();
  for (const [name, value] of [
    ['-webkit-appearance', '-apple-pay-button'],
    ['-apple-pay-button-style', look(buttonStyle ?? style, 'black').replace('with-line', 'outline')],
    ['-apple-pay-button-type', look(buttonType, 'plain')],
  ] as const)
    button.style.setProperty(name, value);
}

/** The button of a wallet: no submit button, so that a page that looks for those of cards does not find it. */
function drawWalletButton({ draw, around }: Pick<Sheet, 'draw' | 'around'>, brand: string, options: Loose): HTMLElement {
  const { document, language } = around;
  const text = around.text('payWith', { brand: brandName(brand) });
  if (brand !== 'APPLEPAY')
    return draw(
      'button',
      `wpwl-button wpwl-button-brand wpwl-button-${brand}`,
      { type: 'button', 'aria-label': text },
      draw('span', 'wpwl-button-text', {}, text),
    );
  const style = look(options.buttonStyle ?? options.style, 'black');
  const classes = `wpwl-apple-pay-button wpwl-apple-pay-button-${style.replace('outline', 'with-line')}`;
  if (options.buttonSource === 'js' && customElements.get('apple-pay-button')) {
    const theirs = document.createElement('apple-pay-button');
    theirs.className = classes;
    theirs.setAttribute('buttonstyle', style.replace('with-line', 'outline'));
    theirs.setAttribute('type', look(options.buttonType, 'plain'));
    theirs.setAttribute('locale', word(around.options().locale, language));
    return theirs;
  }
  const button = draw(
    'button',
    `wpwl-button wpwl-button-brand wpwl-button-APPLEPAY ${classes}`,
    { type: 'button', 'aria-label': text, lang: language },
    draw('span', 'wpwl-button-text', {}, text),
  );
  if (CSS.supports('-webkit-appearance: -apple-pay-button')) drawn(button, options);
  return button;
}

const optionsOf = ({ options }: Surroundings, brand: string): Loose =>
  loose(brand === 'APPLEPAY' ? options().applePay : options().googlePay);

const tell = (around: Surroundings, brand: string, event: string, text: string): void =>
  around.fail(widgetError('WidgetError', text, { brand, event }));

/** Calls the shop's hook when the sheet is closed; without a hook it is an event of the widget. */
function tellClosed(around: Surroundings, brand: string, statusCode: string): void {
  const { onCancel } = optionsOf(around, brand);
  try {
    if (typeof onCancel === 'function') onCancel(statusCode);
    else tell(around, brand, 'closed', `${brandName(brand)} was closed`);
  } catch (error) {
    reportError(error);
  }
}

/** Shows the button once the device can pay; otherwise removes the container and reports it to the shop. */
function showButton({ form, draw, container, life, around }: Sheet, device: WalletDevice, name: string): void {
  const wrapper = draw('div', 'wpwl-wrapper wpwl-wrapper-submit wpwl-wrapper-brand');
  form.append(draw('div', 'wpwl-group wpwl-group-submit wpwl-group-button wpwl-clearfix', {}, wrapper));
  // The form, not the container: that one may wait behind stored details.
  setShown(form, false);
  const press = (): void => form.requestSubmit();
  const own = drawWalletButton({ draw, around }, name, optionsOf(around, name));
  life.listen(own, 'click', press);
  wrapper.append(own);
  device.isThere().then((isThere) => {
    if (life.isOver) return;
    const theirs = isThere ? device.button(press) : null;
    if (theirs) {
      theirs.classList.add('wpwl-wallet-button');
      theirs.style.setProperty('height', '48px');
      own.replaceWith(theirs);
    }
    setShown(form, isThere);
    if (isThere) return;
    container.remove();
    tell(around, name, 'unavailable', around.text('walletUnavailable', { brand: brandName(name) }));
  });
}

/** What the wallet has given, in the form. */
function createPurse({ setHidden }: Sheet) {
  let names: readonly string[] = [];
  const empty = (): void => {
    for (const wire of names) setHidden(wire, null);
    names = [];
  };
  return {
    empty,
    take(fields: Fields): void {
      empty();
      names = Object.keys(fields);
      for (const [wire, value] of Object.entries(fields)) setHidden(wire, value);
    },
  };
}

/** Hears how a payment ended that was sent into the form's own frame. */
function listenForResult({ life, around, container }: Sheet, onResult: (isGood: boolean) => void): void {
  life.listen(around.window, 'message', (event) => {
    const message = event as MessageEvent;
    const frame = container.querySelector<HTMLIFrameElement>('iframe.wpwl-target');
    const { origin, checkoutId } = around.given;
    const result = frame?.contentWindow === message.source && readResult(message, origin, checkoutId);
    if (result) onResult(result.outcome === 'success' || result.outcome === 'pending');
  });
}

/** What one submission has of the wallet. */
type Attempt = {
  /** What the shopper says on the sheet; whether there is a token. */
  readonly answer: () => Promise<boolean>;
  /** The form was taken, or is free again. */
  readonly setBusy: (isBusy: boolean) => void;
  readonly forget: () => void;
};

/** The sheet opens when the engine takes the form, within the click itself: a moment later no device would open it any more. */
function attempts(sheet: Sheet, device: WalletDevice, name: string): Attempt {
  const { form, around, life } = sheet;
  const purse = createPurse(sheet);
  let asked: Promise<boolean> | null = null;
  let isPressed = false;
  /** Ignores the result of a sheet that the form no longer waits for. */
  let turn = 0;
  function again(fields: Fields): void {
    purse.take(fields);
    asked = Promise.resolve(true);
    form.requestSubmit();
    if (!sheet.isBusy) device.end(false);
  }
  async function open(): Promise<boolean> {
    turn += 1;
    const ours = turn;
    const fields = await device.open({ closed: (code) => tellClosed(around, name, code), again });
    if (!fields || ours !== turn) return false;
    purse.take(fields);
    return true;
  }
  function answer(): Promise<boolean> {
    asked ??= open();
    // A hook may stop the submission before this is awaited.
    asked.catch(() => {});
    return asked;
  }
  const pressed = (): void => {
    isPressed = true;
    life.after(0, () => (isPressed = false));
  };
  life.onEnd(() => device.drop());
  life.listen(form, 'submit', pressed, true);
  listenForResult(sheet, (isGood) => asked && device.end(isGood));
  return {
    answer,
    forget: purse.empty,
    setBusy(isBusy) {
      if (isBusy && isPressed) answer();
      isPressed = false;
      if (isBusy) return;
      // Nothing was sent, unless the shop keeps it to send it later.
      device.end(around.flag(around.options().useSummaryPage, false));
      asked = null;
      turn += 1;
    },
  };
}

/** A button of a device's wallet, for a device that has it. */
export function createWalletForm(around: Surroundings, brand: WidgetBrand): PaymentForm | null {
  const { name } = brand;
  if (!isKnownWallet(name)) {
    tell(around, name, 'unavailable', `${brandName(name)} is not available`);
    return null;
  }
  const key = `virtualAccount-${name}`;
  const sheet = createSheet(around, { key, formClasses: 'wpwl-form-virtualAccount', action: 'submit-payment-virtualAccount' });
  const { form, container, life } = sheet;
  const device = loadDevice(name, { around, brand, life });
  sheet.setHidden('paymentBrand', name);
  showButton(sheet, device, name);
  const attempt = attempts(sheet, device, name);
  const built = finish(sheet, { key, brands: [name], beforeHook: 'onBeforeSubmitVirtualAccount', renew: attempt.forget });
  return {
    ...built,
    validate: attempt.answer,
    async prepare() {
      await built.prepare();
      // The whole tab is redirected, so no result will arrive here.
      if (form.getAttribute('target') !== container.id) device.end(true);
    },
    setBusy(isBusy) {
      built.setBusy(isBusy);
      attempt.setBusy(isBusy);
    },
  };
}
