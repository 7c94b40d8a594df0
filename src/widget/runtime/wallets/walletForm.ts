import type { WidgetBrand } from '../../../spec/widget.ts';
import { type Registry, registryOf, trusted, type WalletName } from '../../loader/registry.ts';
import type { Environment, PaymentForm } from '../contract.ts';
import { widgetError } from '../errors.ts';
import { brandName } from '../forms/brandNames.ts';
import { setShown } from '../forms/draw.ts';
import { createFormBuilder, type FormBuilder, finishForm } from '../forms/formBuilder.ts';
import { readResult } from '../results.ts';
import { asRecord, type Fields, stringOr, type UnknownRecord, type WalletContext, type WalletDevice } from './device.ts';

/** Names of Apple's button styles, which go into class names and styles. */
const look = (value: unknown, otherwise: string): string => (/^[a-z-]+$/.test(String(value)) ? String(value) : otherwise);

/** Safari draws the button itself, in the language of the element. */
function drawn(button: HTMLElement, { buttonStyle, style, buttonType }: UnknownRecord): void {
  button.replaceChildren();
  for (const [name, value] of [
    ['-webkit-appearance', '-apple-pay-button'],
    ['-apple-pay-button-style', look(buttonStyle ?? style, 'black').replace('with-line', 'outline')],
    ['-apple-pay-button-type', look(buttonType, 'plain')],
  ] as const)
    button.style.setProperty(name, value);
}

/** The button of a wallet: no submit button, so that a page that looks for the buttons of cards does not find it. */
function drawWalletButton(
  { draw, environment }: Pick<FormBuilder, 'draw' | 'environment'>,
  brand: string,
  options: UnknownRecord,
): HTMLElement {
  const { document, language } = environment;
  const text = environment.text('payWith', { brand: brandName(brand) });
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
    theirs.setAttribute('locale', stringOr(environment.options().locale, language));
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

const optionsOf = ({ options }: Environment, brand: string): UnknownRecord =>
  asRecord(brand === 'APPLEPAY' ? options().applePay : options().googlePay);

const tell = (environment: Environment, brand: string, event: string, text: string): void =>
  environment.fail(widgetError('WidgetError', text, { brand, event }));

/** Calls the shop's hook when the sheet is closed; without a hook it is an event of the widget. */
function tellClosed(environment: Environment, brand: string, statusCode: string): void {
  const { onCancel } = optionsOf(environment, brand);
  try {
    if (typeof onCancel === 'function') onCancel(statusCode);
    else tell(environment, brand, 'closed', `${brandName(brand)} was closed`);
  } catch (error) {
    reportError(error);
  }
}

/** Shows the button once the device can pay; otherwise removes the container and reports it to the shop. */
function showButton({ form, draw, container, lifetime, environment }: FormBuilder, device: WalletDevice, name: string): void {
  const wrapper = draw('div', 'wpwl-wrapper wpwl-wrapper-submit wpwl-wrapper-brand');
  form.append(draw('div', 'wpwl-group wpwl-group-submit wpwl-group-button wpwl-clearfix', {}, wrapper));
  // The form, not the container: that one may wait behind stored details.
  setShown(form, false);
  const press = (): void => form.requestSubmit();
  const own = drawWalletButton({ draw, environment }, name, optionsOf(environment, name));
  lifetime.listen(own, 'click', press);
  wrapper.append(own);
  device.isAvailable().then((isAvailable) => {
    if (lifetime.isOver) return;
    const theirs = isAvailable ? device.button(press) : null;
    if (theirs) {
      theirs.classList.add('wpwl-wallet-button');
      theirs.style.setProperty('height', '48px');
      own.replaceWith(theirs);
    }
    setShown(form, isAvailable);
    if (isAvailable) return;
    container.remove();
    tell(environment, name, 'unavailable', environment.text('walletUnavailable', { brand: brandName(name) }));
  });
}

/** Hidden fields of a form for the wallet's token and data. */
function createTokenFields({ setHidden }: FormBuilder) {
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

/** Listens for the result of a payment that was sent into the form's own frame. */
function listenForResult({ lifetime, environment, container }: FormBuilder, onResult: (isGood: boolean) => void): void {
  lifetime.listen(environment.window, 'message', (event) => {
    const message = event as MessageEvent;
    const frame = container.querySelector<HTMLIFrameElement>('iframe.wpwl-target');
    const { origin, checkoutId } = environment.config;
    const result = frame?.contentWindow === message.source && readResult(message, origin, checkoutId);
    if (result) onResult(result.outcome === 'success' || result.outcome === 'pending');
  });
}

/** The wallet's part in one submission. */
type Attempt = {
  /** The shopper's answer on the sheet; whether there is a token. */
  readonly answer: () => Promise<boolean>;
  /** The form is being submitted, or is usable again. */
  readonly setBusy: (isBusy: boolean) => void;
  readonly forget: () => void;
};

/** The sheet opens within the click itself: a moment later no device would open it. */
function attempts(builder: FormBuilder, device: WalletDevice, name: string): Attempt {
  const { form, environment, lifetime } = builder;
  const tokenFields = createTokenFields(builder);
  let asked: Promise<boolean> | null = null;
  let isPressed = false;
  /** Ignores the result of a sheet that the form no longer waits for. */
  let turn = 0;
  function again(fields: Fields): void {
    tokenFields.take(fields);
    asked = Promise.resolve(true);
    form.requestSubmit();
    if (!builder.isBusy) device.end(false);
  }
  async function open(): Promise<boolean> {
    turn += 1;
    const ours = turn;
    const fields = await device.open({ closed: (code) => tellClosed(environment, name, code), again });
    if (!fields || ours !== turn) return false;
    tokenFields.take(fields);
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
    lifetime.after(0, () => (isPressed = false));
  };
  lifetime.onEnd(() => device.drop());
  lifetime.listen(form, 'submit', pressed, true);
  listenForResult(builder, (isGood) => asked && device.end(isGood));
  return {
    answer,
    forget: tokenFields.empty,
    setBusy(isBusy) {
      if (isBusy && isPressed) answer();
      isPressed = false;
      if (isBusy) return;
      // Nothing was sent, unless the shop keeps it to send it later.
      device.end(environment.flag(environment.options().useSummaryPage, false));
      asked = null;
      turn += 1;
    },
  };
}

/** A button of a device's wallet, for a device that has it. */
export function createWalletForm(environment: Environment, brand: WidgetBrand): PaymentForm | null {
  const { name } = brand;
  if (!isKnownWallet(name)) {
    tell(environment, name, 'unavailable', `${brandName(name)} is not available`);
    return null;
  }
  const key = `virtualAccount-${name}`;
  const builder = createFormBuilder(environment, {
    key,
    formClasses: 'wpwl-form-virtualAccount',
    action: 'submit-payment-virtualAccount',
  });
  const { form, container, lifetime } = builder;
  const device = loadDevice(name, { environment, brand, lifetime });
  builder.setHidden('paymentBrand', name);
  showButton(builder, device, name);
  const attempt = attempts(builder, device, name);
  const built = finishForm(builder, {
    key,
    brands: [name],
    beforeHook: 'onBeforeSubmitVirtualAccount',
    resetForRetry: attempt.forget,
  });
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

/** Filled in when the widget is built. */
declare const WALLETS_INTEGRITY: string;

const TRIES_MAX = 3;
const PAUSE_MS = 700;

const names: Readonly<Record<WalletName, true>> = { APPLEPAY: true, GOOGLEPAY: true };
const isKnownWallet = (name: string): name is WalletName => Object.hasOwn(names, name);

function loadScript(environment: Environment, registry: Registry, triesLeft: number): Promise<void> {
  const { document, config, window } = environment;
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = trusted(registry, `${config.origin}/v1/static/`, `${config.cacheVersion}/js/wallets.min.js`);
    script.async = true;
    script.crossOrigin = 'anonymous';
    script.integrity = WALLETS_INTEGRITY;
    // Tells the script which of several builds it is.
    script.dataset.build = config.cacheVersion;
    if (config.nonce) script.nonce = config.nonce;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      if (triesLeft > 1)
        window.setTimeout(() => loadScript(environment, registry, triesLeft - 1).then(resolve, reject), PAUSE_MS);
      else reject(new Error('the script of the wallets could not be loaded'));
    };
    (document.head ?? document.documentElement).append(script);
  });
}

/** The wallet of the device. Its button is shown once its script has loaded; without the script the wallet is unavailable. */
function loadDevice(name: WalletName, context: WalletContext): WalletDevice {
  const registry = registryOf(context.environment.window);
  let device: WalletDevice | null = null;
  return {
    async isAvailable() {
      const { cacheVersion } = context.environment.config;
      registry.walletScripts ??= {};
      // Loaded once for all forms of a page that this build drives.
      const { walletScripts } = registry;
      walletScripts[cacheVersion] ??= loadScript(context.environment, registry, TRIES_MAX);
      try {
        await walletScripts[cacheVersion];
      } catch {
        delete walletScripts[cacheVersion];
        return false;
      }
      device = registry.wallets?.[cacheVersion]?.[name](context) ?? null;
      return (await device?.isAvailable()) ?? false;
    },
    button: (press) => device?.button(press) ?? null,
    open: async (events) => device?.open(events) ?? null,
    end: (isGood) => device?.end(isGood),
    drop: () => device?.drop(),
  };
}
