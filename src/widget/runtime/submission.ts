import { widgetFields } from '../../spec/widget.ts';
import type { WidgetError } from '../options.ts';
import { browserFields } from './browserFields.ts';
import type { PaymentForm, Surroundings } from './contract.ts';
import { asWidgetError } from './errors.ts';
import { cleanData, setHidden } from './fields.ts';
import type { ShopHooks } from './hooks.ts';
import type { Life } from './life.ts';
import { saveForm } from './summary.ts';
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

/** What the gateway wants the shopper to be asked for with the brands of a form. */
const askedIn = ({ session }: Surroundings, { brands }: PaymentForm): readonly string[] =>
  session.brands.flatMap(({ name, asks }) => (brands.includes(name) ? asks : []));

const isSummary = ({ flag, options }: Surroundings): boolean => flag(options().useSummaryPage, false);

/** `sent`: it is the gateway's. `saved`: kept there for the shop. */
type Became = 'sent' | 'saved' | 'stopped';

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
      cleanData(formData, askedIn(counter.around, form));
      // Where it goes is certain only now: pages take the target away right before they submit.
      formData.set(widgetFields.flow, flowOf(this.#targetNow(), document));
      if (this.#targetNow() === form.container.id && !isSummary(counter.around)) counter.frame().expect(true);
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
    setHidden(form, widgetFields.shopOrigin, window.origin);
    setHidden(form, widgetFields.flow, flowOf(target, around.document));
    setHidden(form, widgetFields.language, language);
    setHidden(form, widgetFields.summary, isSummary(around) ? '1' : null);
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
    let became: Became = 'stopped';
    try {
      became = await this.#run(event);
    } catch (error) {
      trouble(asWidgetError(error, { event: 'submit', brand: this.#form.brands[0] ?? '' }));
    }
    if (became !== 'sent') free();
    return became !== 'stopped';
  }

  async #run(event: Event): Promise<Became> {
    const { life, around, hooks, frame, sent } = this.#counter;
    const form = this.#form;
    if (!(await mayGo(hooks, form, event)) || life.isOver) return 'stopped';
    if (!(await form.validate()) || life.isOver) return 'stopped';
    await form.prepare();
    if (life.isOver) return 'stopped';
    const isOwn = this.complete() === form.container.id;
    if (isSummary(around)) {
      await saveForm(this.#counter, form, context(form));
      return 'saved';
    }
    if (isOwn) await frame().settled;
    if (life.isOver) return 'stopped';
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
