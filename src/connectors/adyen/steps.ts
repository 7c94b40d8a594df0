import { type Component, type Payment, paymentRefText, type Redirect, type ShopperStep } from '../../payments/payment.ts';
import { isRecord } from '../../runtime/json.ts';
import { endpoints } from '../../spec/endpoints.ts';
import { DAY_MS } from '../../spec/time.ts';
import type { AccountNeeds, ConnectorDocuments } from '../ports.ts';
import { type AdyenSettings, liveEnvironments } from './settings.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Where a native authentication stands. `token` belongs to one action and is known to its page alone: a result without it is of an older
 * page or of a stranger. `posted`: the result is taken; it is sent to Adyen until Adyen answers, and no other result of this action is.
 */
type Step =
  | {
      readonly kind: 'action';
      readonly number: number;
      readonly token: string;
      readonly action: Json;
      readonly wasRefused: boolean;
    }
  | {
      readonly kind: 'posted';
      readonly number: number;
      readonly token: string;
      readonly action: Json;
      readonly result: string;
    }
  | { readonly kind: 'redirect'; readonly number: number; readonly redirect: Redirect }
  /** Nothing is left to do, and nothing of it is kept. */
  | { readonly kind: 'over' };

/** `group`: the day on which the authentication began. */
export type KeptStep<Kind extends Step = Step> = { readonly revision: number; readonly group: string; readonly step: Kind };
export type PostedStep = Extract<Step, { kind: 'posted' }>;

/** Fingerprint, challenge, and what an issuer may ask on top. A payment with more of them goes round in circles. */
export const STEPS_MAX = 8;
/** Adyen knows an idempotency key for seven days, and no shopper has longer. */
const KEPT_DAYS = 8;
/** A gateway that was down for so long still forgets what it has missed. */
const MISSED_DAYS = 7;
const PAGE = 200;
const TOKEN_BYTES = 16;
const ACTION_CHARACTERS_MAX = 65_536;

/** The members of an action that the component reads. Others stay away. */
const ACTION_MEMBERS = ['type', 'subtype', 'token', 'paymentData', 'authorisationToken', 'paymentMethodType', 'url'];

/** An action of native 3D Secure, reduced to its string members; null: it is none, or too long to be kept. */
export function actionIn(action: unknown): Json | null {
  if (!isRecord(action) || action.type !== 'threeDS2') return null;
  const members = ACTION_MEMBERS.flatMap((name) => (typeof action[name] === 'string' ? [[name, action[name]] as const] : []));
  const kept = Object.fromEntries(members);
  return JSON.stringify(kept).length <= ACTION_CHARACTERS_MAX ? kept : null;
}

/** The next action, with a token of its own. */
export const actionStep = ({ random }: Pick<AccountNeeds, 'random'>, number: number, action: Json): Step => ({
  kind: 'action',
  number,
  token: Buffer.from(random(TOKEN_BYTES)).toString('hex'),
  action,
  wasRefused: false,
});

type Keeper = Pick<AccountNeeds, 'documents' | 'clockOf'>;
type Named = Pick<Payment, 'merchantId' | 'id'>;

export async function findStep({ documents }: Keeper, payment: Named): Promise<KeptStep | null> {
  const document = await documents.find(paymentRefText(payment));
  return document && { revision: document.revision, group: document.group, step: document.body as Step };
}

const groupAt = (instant: number): string => `threeDS/${new Date(instant).toISOString().slice(0, 10)}`;

/** Keeps a step in the place of the one before; false: another request was faster. */
export function keepStep({ documents, clockOf }: Keeper, payment: Named, before: KeptStep | null, step: Step): Promise<boolean> {
  const at = clockOf(payment.merchantId).now();
  const { revision, group } = before ?? { revision: 0, group: groupAt(at) };
  return documents.save([{ id: paymentRefText(payment), group, at, revision: revision + 1, body: step }]);
}

/** Forgets action and result of a payment that is over, if there are any. */
export async function forgetStep(keeper: Keeper, payment: Named): Promise<void> {
  const kept = await findStep(keeper, payment);
  if (kept && kept.step.kind !== 'over') await keepStep(keeper, payment, kept, { kind: 'over' });
}

/**
 * Forgets what shoppers and notifications left behind: a payment that a notification has decided is never asked about again. Each day is
 * gone through once by each process; the returned function is called at intervals.
 */
export function createForgetting(
  { documents }: Pick<AccountNeeds, 'documents'>,
  now: () => number,
): (signal: AbortSignal) => Promise<void> {
  const done = new Set<string>();
  return async (signal) => {
    for (let missed = 0; missed < MISSED_DAYS && !signal.aborted; missed += 1) {
      const group = groupAt(now() - (KEPT_DAYS + missed) * DAY_MS);
      if (!done.has(group)) await forgetGroup(documents, group, signal);
      if (!signal.aborted) done.add(group);
    }
  };
}

async function forgetGroup(documents: ConnectorDocuments, group: string, signal: AbortSignal): Promise<void> {
  for (let before: { readonly at: number; readonly id: string } | undefined; !signal.aborted; ) {
    const page = await documents.list(group, { limit: PAGE, ...(before && { before }) });
    const left = page.filter(({ body }) => (body as Step).kind !== 'over');
    const body: Step = { kind: 'over' };
    for (const one of left) await documents.save([{ ...one, revision: one.revision + 1, body }]);
    before = page.at(-1);
    if (page.length < PAGE) return;
  }
}

/** The step that the gateway's page shows. */
export function shownStep({ step }: KeptStep, settings: AdyenSettings, payment: Payment): ShopperStep {
  if (step.kind === 'redirect') return { is: 'redirect', redirect: step.redirect };
  if (step.kind !== 'action' || settings.clientKey === '') return { is: 'done' };
  const { token, wasRefused, action } = step;
  return { is: 'component', component: componentFor(settings, action, payment), token, wasRefused };
}

/** The version of Adyen Web that `BEGIN` was written for. */
const VERSION = '6.45.2';

/** The gateway's page for a payment. */
export const componentPath = (payment: Pick<Payment, 'merchantId' | 'id'>): string =>
  endpoints.componentPage.path.replace('{id}', paymentRefText(payment));

/** Whether the shopper was sent to that page. */
export const isAtComponent = (payment: Payment): boolean =>
  payment.phase.at === 'shopper' && payment.phase.redirect.url === componentPath(payment);

/**
 * Runs one action. Adyen Web takes the fingerprint and shows the challenge; it may do both for one action, and then asks its own server
 * between them. The window of the challenge is the largest of those agreed between issuers that fits.
 */
const BEGIN = `async (data, place, done, failed) => {
  const create = window.AdyenWeb?.AdyenCheckout ?? window.AdyenCheckout;
  const checkout = await create({
    clientKey: data.clientKey,
    environment: data.environment,
    locale: data.locale,
    countryCode: data.countryCode,
    analytics: { enabled: false },
    onAdditionalDetails: (state) => done(state?.data?.details?.threeDSResult),
    onError: failed,
  });
  const width = document.documentElement.clientWidth;
  const challengeWindowSize = width >= 532 ? '03' : width >= 390 ? '02' : '01';
  checkout.createFromAction(data.action, { challengeWindowSize }).mount(place);
}`;

/** The page's script for an action and its configuration. The client key tells the environment. */
export function componentFor(settings: AdyenSettings, action: Json, { fields }: Payment): Component {
  const { clientKey, componentRegion, componentUrl, componentIntegrity, componentStyleIntegrity } = settings;
  const environment = clientKey.startsWith('live_') ? liveEnvironments[componentRegion] : 'test';
  const files = `https://checkoutshopper-${environment}.cdn.adyen.com`;
  const script = componentUrl === '' ? `${files}/checkoutshopper/sdk/${VERSION}/adyen.js` : componentUrl;
  const origins = [new URL(script).origin, files, `https://checkoutshopper-${environment}.adyen.com`];
  return {
    script: { url: script, integrity: componentIntegrity || null },
    style: { url: script.replace(/\.js$/, '.css'), integrity: componentStyleIntegrity || null },
    origins: [...new Set(origins)],
    begin: BEGIN,
    data: {
      clientKey,
      environment,
      locale: localeOf(fields['customer.browser.language'] ?? fields['customer.language'] ?? ''),
      // Adyen Web asks for one. It matters to lists of payment methods alone.
      countryCode: /^[A-Z]{2}$/.test(fields['billing.country'] ?? '') ? fields['billing.country'] : 'NL',
      action,
    },
  };
}

const localeOf = (text: string): string => (/^[a-z]{2}(?:-[A-Z]{2})?$/.test(text) ? text : 'en-US');
