import { type WidgetSession, widgetFields } from '../../spec/widget.ts';
import type { Options, WidgetError } from '../options.ts';
import type { Environment, PaymentForm } from './contract.ts';
import { asWidgetError, widgetError } from './errors.ts';
import { cleanData, setHidden } from './fields.ts';
import type { Lifetime } from './lifetime.ts';
import { type ShopHooks, wrap } from './readOptions.ts';
import { redirect, resultTarget, resultUrl } from './results.ts';
import { hasSheet, type TargetFrame } from './targetFrame.ts';

/** A frame inside the page, or a tab that is ours alone: the gateway answers them differently. */
type Flow = 'frame' | 'tab';

/** Everything that decides about the target of a form. */
type TargetQuery = {
  readonly form: PaymentForm;
  readonly session: WidgetSession;
  readonly options: Options;
  readonly window: Window;
  /** The name of our own frame beside the form. */
  readonly ownName: string;
  /** The page lets no frame of ours in. */
  readonly isBlocked: boolean;
};

/** Brands whose own pages take the shopper away. Most of them refuse to be shown inside another page. */
const away: ReadonlySet<string> = new Set(['onlineTransfer', 'virtualAccount', 'invoice', 'prepayment']);
const cards: ReadonlySet<string> = new Set(['card', 'registration']);

/** Where a form is sent to: cards as the shop wishes, brands with a page of their own into the tab unless the shop wants them inline. */
function targetOf({ form, session, options, window, ownName, isBlocked }: TargetQuery): string {
  const wished = cards.has(form.key) ? options.paymentTarget : undefined;
  if (wished) return wished === window.name ? '_self' : wished;
  const [brand] = form.brands;
  const kind = session.brands.find(({ name }) => name === brand)?.form;
  const isInline = form.brands.some((name) => options.inlineFlow?.includes(name));
  const isAway = !cards.has(form.key) && kind !== undefined && away.has(kind) && !isInline;
  return isBlocked || isAway ? '_top' : ownName;
}

/** How the gateway has to answer into a target: only a frame right inside this page can tell this page. */
function flowOf(target: string, document: Document): Flow {
  if (target === '' || target.startsWith('_')) return 'tab';
  const frames = [...document.querySelectorAll<HTMLIFrameElement>('iframe, frame')];
  return frames.some(({ name }) => name === target) ? 'frame' : 'tab';
}

/** The sizes an issuer's window may have, by their codes: width and height in pixels. 5 is the whole window. */
const windows = { 1: 250, 2: 390, 3: 500, 4: 600 } as const;

/** The largest of the agreed windows that fits into a width. */
function challengeWindow(options: Options, width: number): string {
  const wished = String(options.browser?.threeDChallengeWindow ?? '');
  if (/^[1-5]$/.test(wished)) return wished;
  if (width >= windows[4]) return '4';
  if (width >= windows[3]) return '3';
  return width >= windows[2] ? '2' : '1';
}

/** Browser data for 3D Secure, by wire names; the gateway sees the rest in the request itself. */
function browserFields(window: Window, options: Options, width: number): Readonly<Record<string, string>> {
  const { navigator, screen } = window;
  const values = {
    language: navigator.language.slice(0, 8),
    screenHeight: String(screen.height),
    screenWidth: String(screen.width),
    screenColorDepth: String(screen.colorDepth),
    timezone: String(new Date(performance.timeOrigin).getTimezoneOffset()),
    userAgent: navigator.userAgent.slice(0, 2048),
    // Browsers have none any more, and some have even forgotten how to say so.
    javaEnabled: String(typeof navigator.javaEnabled === 'function' && navigator.javaEnabled()),
    challengeWindow: challengeWindow(options, width),
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`customer.browser.${name}`, value]));
}

/** The part of a checkout that a submission needs. */
export interface SubmissionDeps {
  readonly lifetime: Lifetime;
  readonly hooks: ShopHooks;
  readonly environment: Environment;
  /** The shop's result page; null when only the gateway knows it. */
  readonly shopperResultUrl: () => string | null;
  readonly isBlocked: () => boolean;
  /** Our own frame beside the form, made when it is first needed. */
  readonly frame: () => TargetFrame;
  /** False: another submission is under way. */
  readonly begin: () => boolean;
  /** Nothing was sent. */
  readonly release: () => void;
  readonly sent: (target: string) => void;
  readonly reportFailure: (error: WidgetError) => void;
}

const context = (form: PaymentForm) => ({ $form: wrap(form.form), $container: wrap(form.container) });

/** The form's own method, which no field of the page named `submit` can hide. */
const send = (form: HTMLFormElement): void => HTMLFormElement.prototype.submit.call(form);

async function hooksAllow(hooks: ShopHooks, form: PaymentForm, event: Event): Promise<boolean> {
  const self = context(form);
  if (!(await hooks.allows(form.beforeHook, self, event))) return false;
  return form.beforeHook !== 'onBeforeSubmitCard' || hooks.allows('onBeforeSubmitCardPromise', self, event);
}

/** The parameters that the gateway requires from the shopper for the brands of a form. */
const requiredFieldsOf = ({ session }: Environment, { brands }: PaymentForm): readonly string[] =>
  session.brands.flatMap(({ name, asks }) => (brands.includes(name) ? asks : []));

const isSummary = ({ flag, options }: Environment): boolean => flag(options().useSummaryPage, false);

/** `sent`: it is the gateway's. `saved`: kept there for the shop. */
type SubmitOutcome = 'sent' | 'saved' | 'stopped';

/** One form's way to the gateway. */
export class Submission {
  readonly #deps: SubmissionDeps;
  readonly #form: PaymentForm;
  /** The target that the widget has set last; null: none yet. */
  #target: string | null = null;

  constructor(deps: SubmissionDeps, form: PaymentForm) {
    this.#deps = deps;
    this.#form = form;
    deps.lifetime.listen(form.form, 'formdata', (event) => {
      const { formData } = event as FormDataEvent;
      cleanData(formData, requiredFieldsOf(deps.environment, form));
      // Where it goes is certain only now: pages take the target away right before they submit.
      formData.set(widgetFields.flow, flowOf(this.#targetNow(), document));
      if (this.#targetNow() === form.container.id && !isSummary(deps.environment)) deps.frame().expect(true);
    });
  }

  #targetNow(): string {
    return this.#form.form.getAttribute('target') ?? '';
  }

  /** As the options ask for it now; but a page that has changed the target itself means it. */
  #retarget(): string {
    const { environment, isBlocked } = this.#deps;
    const { form, container } = this.#form;
    const isOurs = this.#target === null || form.getAttribute('target') === this.#target;
    if (isOurs) {
      const { session, window } = environment;
      const asking = {
        form: this.#form,
        session,
        window,
        options: environment.options(),
        ownName: container.id,
        isBlocked: isBlocked(),
      };
      this.#target = targetOf(asking);
      form.setAttribute('target', this.#target);
    }
    return this.#targetNow();
  }

  /** Action, target and hidden fields: complete at any time, since pages submit redirect forms themselves. Answers the target. */
  complete(): string {
    const { environment, frame, shopperResultUrl } = this.#deps;
    const { form, container } = this.#form;
    const { config, session, language, window } = environment;
    const target = this.#retarget();
    if (target === container.id) frame();
    form.setAttribute('action', `${config.origin}/v1/checkouts/${encodeURIComponent(config.checkoutId)}${session.endpoint}`);
    form.setAttribute('method', 'POST');
    form.setAttribute('accept-charset', 'UTF-8');
    form.lang ||= language;
    setHidden(form, 'shopperResultUrl', shopperResultUrl());
    setHidden(form, widgetFields.shopOrigin, window.origin);
    setHidden(form, widgetFields.flow, flowOf(target, environment.document));
    setHidden(form, widgetFields.language, language);
    setHidden(form, widgetFields.summary, isSummary(environment) ? '1' : null);
    if (session.threeDSecure) {
      const { width } = container.getBoundingClientRect();
      const fields = browserFields(window, environment.options(), hasSheet(container) ? window.innerWidth : width);
      for (const [name, value] of Object.entries(fields)) setHidden(form, name, value);
    }
    return target;
  }

  /** Hooks, checks, sealing, and then the browser's own submission. Whether anything was sent. */
  async submit(event: Event): Promise<boolean> {
    const { begin, reportFailure, release } = this.#deps;
    if (!begin()) return false;
    let outcome: SubmitOutcome = 'stopped';
    try {
      outcome = await this.#run(event);
    } catch (error) {
      reportFailure(asWidgetError(error, { event: 'submit', brand: this.#form.brands[0] ?? '' }));
    }
    if (outcome !== 'sent') release();
    return outcome !== 'stopped';
  }

  async #run(event: Event): Promise<SubmitOutcome> {
    const { lifetime, environment, hooks, frame, sent } = this.#deps;
    const form = this.#form;
    if (!(await hooksAllow(hooks, form, event)) || lifetime.isOver) return 'stopped';
    if (!(await form.validate()) || lifetime.isOver) return 'stopped';
    await form.prepare();
    if (lifetime.isOver) return 'stopped';
    const isOwn = this.complete() === form.container.id;
    if (isSummary(environment)) {
      await saveForm(this.#deps, form, context(form));
      return 'saved';
    }
    if (isOwn) await frame().settled;
    if (lifetime.isOver) return 'stopped';
    // The page may have turned out to block our frame while it was loading.
    sent(this.complete());
    send(form.form);
    hooks.call('onAfterSubmit', context(form), event);
    return 'sent';
  }

  /** Sends the same once more with the whole tab for it. */
  sendToTab(): void {
    this.#target = '_top';
    this.#form.form.setAttribute('target', this.#target);
    send(this.#form.form);
  }
}

type Refused = { readonly result?: { readonly code?: string; readonly description?: string } };

/** Why the gateway does not keep it, as the shop knows errors. */
async function refusalOf(response: Response): Promise<Error> {
  const { result = {} } = (await response.json().catch(() => ({}))) as Refused;
  const { code = String(response.status), description = 'The form was not saved' } = result;
  return description.includes('No payment session found')
    ? widgetError('InvalidCheckoutIdError', description)
    : widgetError('WidgetError', description, { event: 'useSummaryPage', code });
}

/**
 * The gateway stores the entered data with the checkout and carries nothing out. The shop is notified and goes on as it likes; a shop
 * without the hook gets the shopper at its result page.
 */
async function saveForm(
  { hooks, environment, lifetime, shopperResultUrl }: SubmissionDeps,
  form: PaymentForm,
  self: object,
): Promise<void> {
  const { session, window, options } = environment;
  // A field of the page may be called `action`, and would hide the form's own.
  const address = form.form.getAttribute('action') ?? '';
  const body = new URLSearchParams([...new FormData(form.form)].map(([name, value]) => [name, String(value)]));
  // Wherever the shopper is asked something later, it is not in a frame of this page.
  body.set(widgetFields.flow, 'tab');
  const headers = { accept: 'application/json' };
  const response = await window.fetch(address, {
    method: 'POST',
    body,
    headers,
    credentials: 'omit',
    signal: lifetime.signal,
  });
  if (!response.ok) throw await refusalOf(response);
  const { id, endpoint, resourcePath } = session;
  body.delete(widgetFields.summary);
  form.resetForRetry();
  if (hooks.has('onSaveTransactionData')) {
    hooks.call('onSaveTransactionData', self, { id, checkoutId: id, endpoint, resourcePath, fields: Object.fromEntries(body) });
    return;
  }
  const url = shopperResultUrl();
  if (url === null)
    throw widgetError('WidgetError', 'useSummaryPage needs onSaveTransactionData or a result page', { event: 'useSummaryPage' });
  redirect(window, resultUrl(url, id, resourcePath), resultTarget(options()));
}
