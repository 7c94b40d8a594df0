import type { WidgetSession } from '../../spec/widget.ts';
import { languageOf } from '../languages.ts';
import type { Instance, Registry } from '../loader/registry.ts';
import type { Options, Wpwl } from '../options.ts';
import { CheckoutEnd } from './checkoutEnd.ts';
import { CheckoutSession } from './checkoutSession.ts';
import type { Environment, FormsMaker, LoaderConfig } from './contract.ts';
import { asWidgetError, hintRequiredFields, warnAboutMissingPlace, warnAboutNesting, widgetError } from './errors.ts';
import { createFormController, type FormController, type FormPlace, shopFormController } from './formController.ts';
import { createLifetime } from './lifetime.ts';
import { fetchTexts, type LoadedCheckout, loadCheckout } from './loadCheckout.ts';
import { showMessage } from './message.ts';
import { createHooks, isSeen, type ShopHooks } from './readOptions.ts';
import { claim, knownBrands, shopForms } from './shopForms.ts';

const SAYS =
  'This page has no origin: it is in a sandbox, or was handed to an app as text. The fields for cards do not answer it. ' +
  "Load it from an address of its own, or name null in the channel's setting widgetOrigins";

/** Whether the card fields will refuse this page, because it has no origin that they could answer. */
const isFramesRefused = ({ window, session }: Pick<Environment, 'window' | 'session'>): boolean =>
  window.origin === 'null' && !session.mayLackOrigin;

/** Tells the page's developers why no card can be paid with in it. */
function reportRefusal({ fail }: Pick<Environment, 'fail'>): void {
  fail(widgetError('PciIframeCommunicationError', SAYS, { event: 'origin' }));
}

/** The brands whose forms have no card fields. */
const withoutFrames = ({ session }: Pick<Environment, 'session'>, brands: readonly string[]): readonly string[] =>
  brands.filter((brand) => session.brands.some(({ name, form }) => name === brand && form !== 'card'));

export type InstanceOptions = {
  readonly window: Window;
  readonly registry: Registry;
  readonly config: LoaderConfig;
  readonly makeForms: FormsMaker;
  /** The page's current options. */
  readonly options: () => Options;
  /** Null for a mounted checkout. */
  readonly wpwl: Wpwl | null;
};

/** One checkout on the page, from its script to the end. */
export class CheckoutInstance implements Instance {
  readonly isMounted: boolean;
  readonly #deps: InstanceOptions;
  readonly #lifetime = createLifetime();
  readonly #hooks: ShopHooks;
  readonly #controllers = new Set<FormController>();
  readonly #described: Set<Wpwl>;
  #overlay: Options = {};
  #checkout: LoadedCheckout | null = null;
  #session: CheckoutSession | null = null;
  #end: CheckoutEnd | null = null;
  #isLoading = false;

  constructor(deps: InstanceOptions) {
    this.#deps = deps;
    this.isMounted = deps.wpwl === null;
    this.#described = new Set(deps.wpwl ? [deps.wpwl] : []);
    this.#hooks = createHooks(() => this.#options());
  }

  #options(): Options {
    return { ...this.#deps.options(), ...this.#overlay };
  }

  checkoutId(): string {
    return (this.#checkout?.environment.config ?? this.#deps.config).checkoutId;
  }

  owns(shopForm: Element): boolean {
    return [...this.#controllers].some(({ anchor }) => anchor === shopForm);
  }

  release(shopForm: Element): void {
    for (const controller of [...this.#controllers]) {
      if (controller.anchor !== shopForm) continue;
      this.#controllers.delete(controller);
      controller.remove();
    }
  }

  /** Checks the known places and finds new ones. */
  scan(): void {
    if (this.#lifetime.isOver) return;
    for (const controller of [...this.#controllers]) {
      if (controller.anchor.isConnected) controller.stay();
      else if (!this.isMounted) this.release(controller.anchor);
    }
    if (this.isMounted) return;
    const { registry, window } = this.#deps;
    const places = claim(registry, this, window.document);
    places.forEach(warnAboutNesting);
    this.place(places.map(shopFormController));
  }

  /** Finds places, and warns developers if the page has none for long. */
  start(): void {
    this.scan();
    if (this.#controllers.size > 0) return;
    this.#lifetime.after(MISSING_MS, () => {
      if (this.#controllers.size === 0 && shopForms(this.#deps.window.document).length === 0) warnAboutMissingPlace();
    });
  }

  /** Takes places, and fills them as soon as the checkout has loaded. */
  place(places: readonly FormPlace[]): void {
    if (places.length === 0) return;
    const controllers = places.map(createFormController);
    for (const controller of controllers) this.#controllers.add(controller);
    if (this.#checkout) this.#render(controllers);
    else void this.#load();
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const { window, config } = this.#deps;
    try {
      const options = (): Options => this.#options();
      const checkout = await loadCheckout({ lifetime: this.#lifetime, window, config, options, hooks: this.#hooks });
      if (!this.#lifetime.isOver) this.#open(checkout);
    } catch (error) {
      if (!this.#lifetime.isOver) await this.#showLoadFailure(error);
    }
    this.#isLoading = false;
  }

  #open(checkout: LoadedCheckout): void {
    const shared = { lifetime: this.#lifetime, hooks: this.#hooks, checkout, forms: () => [...this.#controllers] };
    const end = new CheckoutEnd({ ...shared, session: () => this.#session, changed: () => this.#describeCheckout() });
    this.#checkout = checkout;
    this.#end = end;
    this.#session = new CheckoutSession({ ...shared, expire: () => end.expire(), reload: () => end.reload() });
    this.#describeCheckout();
    if (isFramesRefused(checkout.environment)) reportRefusal(checkout.environment);
    this.#render([...this.#controllers]);
    if (!checkout.environment.session.isDone) end.watch();
  }

  #render(fresh: readonly FormController[]): void {
    const [checkout, session] = [this.#checkout, this.#session];
    if (!checkout || !session || fresh.length === 0) return;
    const { environment } = checkout;
    if (environment.session.isDone) {
      this.#end?.showDone();
      return;
    }
    const isRefused = isFramesRefused(environment);
    for (const controller of fresh) {
      // Stored details are offered once, however many forms the page has.
      const registrations = [...this.#controllers][0] === controller && !isRefused ? environment.session.registrations : [];
      const known = knownBrands(controller.brands, environment.session);
      const brands = isRefused ? withoutFrames(environment, known) : known;
      this.#applyTheme(controller);
      controller.place(this.#deps.makeForms(environment, { brands, registrations }), (form) => session.attach(form, controller));
      if (brands.length < known.length) showMessage(controller.wrapper, { text: environment.text('unavailable'), isError: true });
    }
    this.#deps.config.early?.end();
    const forms = fresh.flatMap(({ placed }) => placed.map(({ form }) => form));
    for (const form of forms) hintRequiredFields(environment, form);
    this.#hooks.call(
      'onReady',
      {},
      forms.map(({ key, brands }) => ({ containerKey: key, ccMethods: [...brands] })),
    );
    // In `onReady` the shop may have changed the targets of the forms.
    for (const { placed } of fresh) for (const { submission } of placed) submission.complete();
  }

  #applyTheme({ wrapper }: FormController): void {
    const { language, isRtl } = this.#checkout?.environment ?? { language: 'en', isRtl: false };
    const { theme, variables = {} } = this.#options();
    wrapper.lang = language;
    wrapper.dir = isRtl ? 'rtl' : 'ltr';
    if (theme === 'light' || theme === 'dark') wrapper.dataset.tpTheme = theme;
    for (const [name, value] of Object.entries(variables)) {
      if (/^(?:--)?tp-[\w-]+$/.test(name)) wrapper.style.setProperty(`--${name.replace(/^--/, '')}`, value);
    }
  }

  /** Loading failed. The shopper sees a message, also when the texts are missing. */
  async #showLoadFailure(thrown: unknown): Promise<void> {
    this.#deps.config.early?.end();
    const error = asWidgetError(thrown, { event: 'load' });
    this.#hooks.fail(error);
    const isInvalid = error.name === 'InvalidCheckoutIdError';
    const { locale } = this.#options();
    const texts = isInvalid ? await fetchTexts(this.#lifetime, this.#deps.config, languageOf(locale)).catch(() => null) : null;
    if (this.#lifetime.isOver) return;
    const text = texts ? `${texts.labels.expired}. ${texts.labels.expiredHint}` : UNREACHABLE;
    const retry = { text: AGAIN, act: () => this.#retry() };
    for (const controller of this.#controllers) {
      controller.clear();
      showMessage(controller.wrapper, { text, isError: true, ...(!isInvalid && { action: retry }) });
    }
  }

  #retry(): void {
    for (const controller of this.#controllers) controller.wait();
    void this.#load();
  }

  #describeCheckout(): void {
    const environment = this.#checkout?.environment;
    if (environment) for (const wpwl of this.#described) describe(wpwl, environment.session, environment.config);
  }

  /** Adds another script of the same checkout, whose `wpwl` is filled, too. */
  join(wpwl: Wpwl): void {
    this.#described.add(wpwl);
    this.#describeCheckout();
    if (this.#controllers.size > 0 && !this.#checkout && !this.#isLoading) this.#retry();
    this.scan();
  }

  update(changed: Options): void {
    this.#overlay = { ...this.#overlay, ...changed };
    const [checkout, session] = [this.#checkout, this.#session];
    if (!checkout || !session || !isSeen(changed)) return;
    const render = (): void => {
      if (!this.#lifetime.isOver) this.#render([...this.#controllers]);
    };
    session.whenFree(() => void checkout.reloadTexts().then(render, this.#hooks.fail));
  }

  execute(container: string): Promise<boolean> | null {
    const names = container.split(/[.\s]+/).filter(Boolean);
    const all = [...this.#controllers].flatMap(({ placed }) => placed);
    const isNamed = ({ classList }: Element): boolean => names.length > 0 && names.every((name) => classList.contains(name));
    const found = all.find(({ form }) => form.key === container || isNamed(form.container));
    return found?.pay() ?? null;
  }

  /** The first form there is; for pages with one. */
  executeAny(): Promise<boolean> | null {
    const [first] = [...this.#controllers].flatMap(({ placed }) => placed);
    return first?.pay() ?? null;
  }

  fail(error: Parameters<ShopHooks['fail']>[0]): void {
    this.#hooks.fail(error);
  }

  unload(): void {
    const { instances } = this.#deps.registry;
    const at = instances.indexOf(this);
    if (at >= 0) instances.splice(at, 1);
    this.#lifetime.end();
    this.#deps.config.early?.end();
    for (const controller of [...this.#controllers].reverse()) controller.remove();
    this.#controllers.clear();
  }
}

/** Single-page applications have rendered their forms by then. */
const MISSING_MS = 5_000;

/** The text when not even the translations could be loaded. */
const UNREACHABLE = 'The payment form could not be loaded. Please check your connection and try again.';
const AGAIN = 'Try again';

/** Fills `wpwl.checkout`, which pages read. */
function describe({ checkout }: Wpwl, session: WidgetSession, { origin, cacheVersion }: LoaderConfig): void {
  const { id, amount, currency, paymentType, endpoint, resourcePath, registrations, brands, overrideHolder, isTest } = session;
  Object.assign(checkout, { id, amount, currency, paymentType, endpoint, resourcePath });
  Object.assign(checkout.config as object, {
    registrations,
    overrideHolder,
    brandConfig: { brands: brands.map(({ name }) => name), overrideShopBrands: false, activateBrands: true },
    environmentConfig: { url: origin, defaultPaymentMode: isTest ? 'TEST' : 'LIVE', cacheVersion },
  });
}
