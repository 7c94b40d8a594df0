import { widgetFields } from '../../spec/widget.ts';
import type { WidgetError } from '../options.ts';
import { browserFields } from './browserFields.ts';
import type { PaymentForm, Surroundings } from './contract.ts';
import { asWidgetError, widgetError } from './errors.ts';
import { cleanData, setHidden } from './fields.ts';
import type { ShopHooks } from './hooks.ts';
import type { Life } from './life.ts';
import { hasSheet, type TargetFrame } from './targetFrame.ts';
import { flowOf, targetOf } from './where.ts';
import { wrap } from './wrapped.ts';

/** What a submission asks of the checkout it belongs to. */
export interface Counter {
  readonly life: Life;
  readonly hooks: ShopHooks;
  readonly around: Surroundings;
  /** The shop's result page; null when only the gateway knows it. */
  readonly shopperResultUrl: () => string | null;
  readonly isBlocked: () => boolean;
  /** Our own frame beside the form, made when it is first needed. */
  readonly frame: () => TargetFrame;
  /** False: another submission is under way. */
  readonly begin: () => boolean;
  /** Nothing was sent. */
  readonly free: () => void;
  readonly sent: (target: string) => void;
  readonly trouble: (error: WidgetError) => void;
}

const context = (form: PaymentForm) => ({ $form: wrap(form.form), $container: wrap(form.container) });

/** The form's own method, which no field of the page named `submit` can hide. */
const send = (form: HTMLFormElement): void => HTMLFormElement.prototype.submit.call(form);

async function mayGo(hooks: ShopHooks, form: PaymentForm, event: Event): Promise<boolean> {
  const self = context(form);
  if (!(await hooks.allows(form.beforeHook, self, event))) return false;
  return form.beforeHook !== 'onBeforeSubmitCard' || hooks.allows('onBeforeSubmitCardPromise', self, event);
}

/** The shop executes later: it is handed what its server has to send, with the card's fields sealed. */
function saveForSummary({ hooks, around }: Counter, form: PaymentForm): void {
  if (!hooks.has('onSaveTransactionData'))
    throw widgetError('WidgetError', 'useSummaryPage needs the hook onSaveTransactionData', { event: 'useSummaryPage' });
  const data = new FormData(form.form);
  cleanData(data);
  const { id, endpoint, resourcePath } = around.session;
  const fields = Object.fromEntries([...data].map(([name, value]) => [name, String(value)]));
  hooks.call('onSaveTransactionData', context(form), { id, checkoutId: id, endpoint, resourcePath, fields });
}

/** One form's way to the gateway. */
export class Submission {
  readonly #counter: Counter;
  readonly #form: PaymentForm;
  /** What we have set last; null: nothing yet. */
  #target: string | null = null;

  constructor(counter: Counter, form: PaymentForm) {
    this.#counter = counter;
    this.#form = form;
    counter.life.listen(form.form, 'formdata', (event) => {
      const { formData } = event as FormDataEvent;
      cleanData(formData);
      // Where it goes is certain only now: pages take the target away right before they submit.
      formData.set(widgetFields.flow, flowOf(this.#targetNow(), document));
      if (this.#targetNow() === form.container.id) counter.frame().expect(true);
    });
  }

  #targetNow(): string {
    return this.#form.form.getAttribute('target') ?? '';
  }

  /** As the options ask for it now; but a page that has changed the target itself means it. */
  #retarget(): string {
    const { around, isBlocked } = this.#counter;
    const { form, container } = this.#form;
    const isOurs = this.#target === null || form.getAttribute('target') === this.#target;
    if (isOurs) {
      const { session, window } = around;
      const asking = {
        form: this.#form,
        session,
        window,
        options: around.options(),
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
    const { around, frame, shopperResultUrl } = this.#counter;
    const { form, container } = this.#form;
    const { given, session, language, window } = around;
    const target = this.#retarget();
    if (target === container.id) frame();
    form.setAttribute('action', `${given.origin}/v1/checkouts/${encodeURIComponent(given.checkoutId)}${session.endpoint}`);
    form.setAttribute('method', 'POST');
    form.setAttribute('accept-charset', 'UTF-8');
    form.lang ||= language;
    setHidden(form, 'shopperResultUrl', shopperResultUrl());
    setHidden(form, widgetFields.shopOrigin, window.location.origin);
    setHidden(form, widgetFields.flow, flowOf(target, around.document));
    setHidden(form, widgetFields.language, language);
    if (session.threeDSecure) {
      const { width } = container.getBoundingClientRect();
      const fields = browserFields(window, around.options(), hasSheet(container) ? window.innerWidth : width);
      for (const [name, value] of Object.entries(fields)) setHidden(form, name, value);
    }
    return target;
  }

  /** Hooks, checks, sealing, and then the browser's own submission. Whether anything was sent. */
  async submit(event: Event): Promise<boolean> {
    const { begin, trouble, free } = this.#counter;
    if (!begin()) return false;
    let isSent = false;
    try {
      isSent = await this.#run(event);
    } catch (error) {
      trouble(asWidgetError(error, { event: 'submit', brand: this.#form.brands[0] ?? '' }));
    }
    if (!isSent) free();
    return isSent;
  }

  async #run(event: Event): Promise<boolean> {
    const { life, around, hooks, frame, sent } = this.#counter;
    const form = this.#form;
    const options = around.options;
    if (!(await mayGo(hooks, form, event)) || life.isOver) return false;
    if (!(await form.validate()) || life.isOver) return false;
    await form.prepare();
    if (life.isOver) return false;
    if (this.complete() === form.container.id) await frame().settled;
    if (life.isOver) return false;
    if (around.flag(options().useSummaryPage, false)) {
      saveForSummary(this.#counter, form);
      return false;
    }
    // The page may have turned out to block our frame while it was loading.
    sent(this.complete());
    send(form.form);
    hooks.call('onAfterSubmit', context(form), event);
    return true;
  }

  /** Sends the same once more with the whole tab for it. */
  sendToTab(): void {
    this.#target = '_top';
    this.#form.form.setAttribute('target', this.#target);
    send(this.#form.form);
  }
}
