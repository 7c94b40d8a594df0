import type { WidgetSession } from '../../spec/widget.ts';
import { languageOf } from '../languages.ts';
import type { Instance, Registry } from '../loader/registry.ts';
import type { Options, Wpwl } from '../options.ts';
import { fetchTexts } from './askGateway.ts';
import { CheckoutSession, pay } from './checkoutSession.ts';
import { claim } from './claim.ts';
import type { FormsMaker, Given, Surroundings } from './contract.ts';
import { tellAsked, tellMissing, tellNested } from './developers.ts';
import { Ending } from './ending.ts';
import { asWidgetError, widgetError } from './errors.ts';
import { createFormController, type FormController, type FormControllerOf, shopFormController } from './formController.ts';
import { createHooks, type ShopHooks } from './hooks.ts';
import { createLife } from './life.ts';
import { type LoadedCheckout, loadCheckout } from './loadCheckout.ts';
import { say } from './message.ts';
import { isSeen } from './readOptions.ts';
import { knownBrands, shopForms } from './shopForms.ts';

const SAYS =
  'This page has no origin: it is in a sandbox, or was handed to an app as text. The fields for cards do not answer it. ' +
  "Load it from an address of its own, or name null in the channel's setting widgetOrigins";

/** Whether the fields for cards will not answer this page: they answer by name, and it has none. */
const isFramesRefused = ({ window, session }: Pick<Surroundings, 'window' | 'session'>): boolean =>
  window.origin === 'null' && !session.mayLackOrigin;

/** Tells those who build the page why no card can be paid with in it. */
function tellRefusal({ fail }: Pick<Surroundings, 'fail'>): void {
  fail(widgetError('PciIframeCommunicationError', SAYS, { event: 'origin' }));
}

/** The brands whose forms have no such fields. */
const withoutFrames = ({ session }: Pick<Surroundings, 'session'>, brands: readonly string[]): readonly string[] =>
  brands.filter((brand) => session.brands.some(({ name, form }) => name === brand && form !== 'card'));

export type InstanceOf = {
  readonly window: Window;
  readonly registry: Registry;
  readonly given: Given;
  readonly makeForms: FormsMaker;
  /** The options where the page keeps them, as they are at this moment. */
  readonly options: () => Options;
  /** Null for what is mounted. */
  readonly wpwl: Wpwl | null;
};

/** One checkout on the page, from its script to the end. */
export class Running implements Instance {
  readonly isMounted: boolean;
  readonly #of: InstanceOf;
  readonly #life = createLife();
  readonly #hooks: ShopHooks;
  readonly #boards = new Set<FormController>();
  readonly #described: Set<Wpwl>;
  #overlay: Options = {};
  #checkout: LoadedCheckout | null = null;
  #session: CheckoutSession | null = null;
  #ending: Ending | null = null;
  #isLoading = false;

  constructor(of: InstanceOf) {
    this.#of = of;
    this.isMounted = of.wpwl === null;
    this.#described = new Set(of.wpwl ? [of.wpwl] : []);
    this.#hooks = createHooks(() => this.#options());
  }

  #options(): Options {
    return { ...this.#of.options(), ...this.#overlay };
  }

  checkoutId(): string {
    return (this.#checkout?.around.given ?? this.#of.given).checkoutId;
  }

  owns(shopForm: Element): boolean {
    return [...this.#boards].some(({ anchor }) => anchor === shopForm);
  }

  release(shopForm: Element): void {
    for (const controller of [...this.#boards]) {
      if (controller.anchor !== shopForm) continue;
      this.#boards.delete(controller);
      controller.remove();
    }
  }

  /** Looks after the places there are, and for new ones. */
  scan(): void {
    if (this.#life.isOver) return;
    for (const controller of [...this.#boards]) {
      if (controller.anchor.isConnected) controller.stay();
      else if (!this.isMounted) this.release(controller.anchor);
    }
    if (this.isMounted) return;
    const { registry, window } = this.#of;
    const places = claim(registry, this, window.document);
    places.forEach(tellNested);
    this.place(places.map(shopFormController));
  }

  /** Looks for places, and tells developers when the page has none for long. */
  start(): void {
    this.scan();
    if (this.#boards.size > 0) return;
    this.#life.after(MISSING_MS, () => {
      if (this.#boards.size === 0 && shopForms(this.#of.window.document).length === 0) tellMissing();
    });
  }

  /** Takes places, and fills them as soon as it is known with what. */
  place(places: readonly FormControllerOf[]): void {
    if (places.length === 0) return;
    const boards = places.map(createFormController);
    for (const controller of boards) this.#boards.add(controller);
    if (this.#checkout) this.#render(boards);
    else void this.#load();
  }

  async #load(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const { window, given } = this.#of;
    try {
      const options = (): Options => this.#options();
      const checkout = await loadCheckout({ life: this.#life, window, given, options, hooks: this.#hooks });
      if (!this.#life.isOver) this.#open(checkout);
    } catch (error) {
      if (!this.#life.isOver) await this.#showTrouble(error);
    }
    this.#isLoading = false;
  }

  #open(checkout: LoadedCheckout): void {
    const shared = { life: this.#life, hooks: this.#hooks, checkout, boards: () => [...this.#boards] };
    const ending = new Ending({ ...shared, session: () => this.#session, changed: () => this.#tellPage() });
    this.#checkout = checkout;
    this.#ending = ending;
    this.#session = new CheckoutSession({ ...shared, expire: () => ending.expire(), look: () => ending.look() });
    this.#tellPage();
    if (isFramesRefused(checkout.around)) tellRefusal(checkout.around);
    this.#render([...this.#boards]);
    if (!checkout.around.session.isDone) ending.watch();
  }

  #render(fresh: readonly FormController[]): void {
    const [checkout, session] = [this.#checkout, this.#session];
    if (!checkout || !session || fresh.length === 0) return;
    const { around } = checkout;
    if (around.session.isDone) {
      this.#ending?.showDone();
      return;
    }
    const isRefused = isFramesRefused(around);
    for (const controller of fresh) {
      // Stored details are offered once, however many forms the page has.
      const registrations = [...this.#boards][0] === controller && !isRefused ? around.session.registrations : [];
      const known = knownBrands(controller.brands, around.session);
      const brands = isRefused ? withoutFrames(around, known) : known;
      this.#applyTheme(controller);
      controller.place(this.#of.makeForms(around, { brands, registrations }), (form) => session.equip(form, controller));
      if (brands.length < known.length) say(controller.wrapper, { text: around.text('unavailable'), isError: true });
    }
    this.#of.given.early?.end();
    const forms = fresh.flatMap(({ placed }) => placed.map(({ form }) => form));
    for (const form of forms) tellAsked(around, form);
    this.#hooks.call(
      'onReady',
      {},
      forms.map(({ key, brands }) => ({ containerKey: key, ccMethods: [...brands] })),
    );
    // The shop has had its turn with the forms, and may have said meanwhile where they go.
    for (const { placed } of fresh) for (const { submission } of placed) submission.complete();
  }

  #applyTheme({ wrapper }: FormController): void {
    const { language, isRtl } = this.#checkout?.around ?? { language: 'en', isRtl: false };
    const { theme, variables = {} } = this.#options();
    wrapper.lang = language;
    wrapper.dir = isRtl ? 'rtl' : 'ltr';
    if (theme === 'light' || theme === 'dark') wrapper.dataset.tpTheme = theme;
    for (const [name, value] of Object.entries(variables)) {
      if (/^(?:--)?tp-[\w-]+$/.test(name)) wrapper.style.setProperty(`--${name.replace(/^--/, '')}`, value);
    }
  }

  /** Loading failed. The shopper sees a message, also when the texts are missing. */
  async #showTrouble(thrown: unknown): Promise<void> {
    this.#of.given.early?.end();
    const error = asWidgetError(thrown, { event: 'load' });
    this.#hooks.fail(error);
    const isInvalid = error.name === 'InvalidCheckoutIdError';
    const { locale } = this.#options();
    const texts = isInvalid ? await fetchTexts(this.#life, this.#of.given, languageOf(locale)).catch(() => null) : null;
    if (this.#life.isOver) return;
    const text = texts ? `${texts.labels.expired}. ${texts.labels.expiredHint}` : UNREACHABLE;
    const retry = { text: AGAIN, act: () => this.#retry() };
    for (const controller of this.#boards) {
      controller.clear();
      say(controller.wrapper, { text, isError: true, ...(!isInvalid && { action: retry }) });
    }
  }

  #retry(): void {
    for (const controller of this.#boards) controller.wait();
    void this.#load();
  }

  #tellPage(): void {
    const around = this.#checkout?.around;
    if (around) for (const wpwl of this.#described) describe(wpwl, around.session, around.given);
  }

  /** Another script of the same checkout: its `wpwl` is filled too. */
  join(wpwl: Wpwl): void {
    this.#described.add(wpwl);
    this.#tellPage();
    if (this.#boards.size > 0 && !this.#checkout && !this.#isLoading) this.#retry();
    this.scan();
  }

  update(changed: Options): void {
    this.#overlay = { ...this.#overlay, ...changed };
    const [checkout, session] = [this.#checkout, this.#session];
    if (!checkout || !session || !isSeen(changed)) return;
    const again = (): void => {
      if (!this.#life.isOver) this.#render([...this.#boards]);
    };
    session.whenFree(() => void checkout.reword().then(again, this.#hooks.fail));
  }

  execute(container: string): Promise<boolean> | null {
    const names = container.split(/[.\s]+/).filter(Boolean);
    const forms = [...this.#boards].flatMap(({ placed }) => placed.map(({ form }) => form));
    const isNamed = ({ classList }: Element): boolean => names.length > 0 && names.every((name) => classList.contains(name));
    const found = forms.find((form) => form.key === container || isNamed(form.container));
    return found ? pay(found.form) : null;
  }

  /** The first form there is; for pages with one. */
  executeAny(): Promise<boolean> | null {
    const [first] = [...this.#boards].flatMap(({ placed }) => placed);
    return first ? pay(first.form.form) : null;
  }

  fail(error: Parameters<ShopHooks['fail']>[0]): void {
    this.#hooks.fail(error);
  }

  unload(): void {
    const { instances } = this.#of.registry;
    const at = instances.indexOf(this);
    if (at >= 0) instances.splice(at, 1);
    this.#life.end();
    this.#of.given.early?.end();
    for (const controller of [...this.#boards].reverse()) controller.remove();
    this.#boards.clear();
  }
}

/** Pages that build themselves have their forms by then. */
const MISSING_MS = 5_000;

/** For a page that not even a language could be loaded on. */
const UNREACHABLE = 'The payment form could not be loaded. Please check your connection and try again.';
const AGAIN = 'Try again';

/** Tells pages of the checkout what they look for in `wpwl.checkout`. */
function describe({ checkout }: Wpwl, session: WidgetSession, { origin, cacheVersion }: Given): void {
  const { id, amount, currency, paymentType, endpoint, resourcePath, registrations, brands, overrideHolder, isTest } = session;
  Object.assign(checkout, { id, amount, currency, paymentType, endpoint, resourcePath });
  Object.assign(checkout.config as object, {
    registrations,
    overrideHolder,
    brandConfig: { brands: brands.map(({ name }) => name), overrideShopBrands: false, activateBrands: true },
    environmentConfig: { url: origin, defaultPaymentMode: isTest ? 'TEST' : 'LIVE', cacheVersion },
  });
}
