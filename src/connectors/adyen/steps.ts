import type { Payment, Redirect } from '../../payments/payment.ts';
import { paymentRefText } from '../../payments/paymentRef.ts';
import type { ShopperStep } from '../../payments/shopperStep.ts';
import { isRecord } from '../../spec/json.ts';
import type { AccountNeeds } from '../ports.ts';
import { componentFor } from './component.ts';
import type { AdyenSettings } from './settings.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Where a native authentication stands. `token` belongs to one action and is known to its page alone: a result without it is of an older
 * page or of a stranger. `posted`: the result is taken; it is sent to Adyen until Adyen answers, and no other result of this action is.
 */
export type Step =
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

export type KeptStep<Kind extends Step = Step> = { readonly revision: number; readonly step: Kind };
export type PostedStep = Extract<Step, { kind: 'posted' }>;

/** Fingerprint, challenge, and what an issuer may ask on top. A payment with more of them goes round in circles. */
export const STEPS_MAX = 8;
const GROUP = 'threeDS';
const TOKEN_BYTES = 16;
const ACTION_CHARACTERS_MAX = 65_536;

/** The members of an action that the component reads. Others stay away. */
const ACTION_MEMBERS = ['type', 'subtype', 'token', 'paymentData', 'authorisationToken', 'paymentMethodType', 'url'];

/** An action of native 3D Secure, with nothing but texts; null: it is none, or too long to be kept. */
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
  return document && { revision: document.revision, step: document.body as Step };
}

/** Keeps a step in the place of the one before; false: another request was faster. */
export function keepStep({ documents, clockOf }: Keeper, payment: Named, before: KeptStep | null, step: Step): Promise<boolean> {
  const at = clockOf(payment.merchantId).now();
  const revision = (before?.revision ?? 0) + 1;
  return documents.save([{ id: paymentRefText(payment), group: GROUP, at, revision, body: step }]);
}

/** Forgets action and result of a payment that is over, if there are any. */
export async function forgetStep(keeper: Keeper, payment: Named): Promise<void> {
  const kept = await findStep(keeper, payment);
  if (kept && kept.step.kind !== 'over') await keepStep(keeper, payment, kept, { kind: 'over' });
}

/** What the gateway's page shows. */
export function shownStep({ step }: KeptStep, settings: AdyenSettings, payment: Payment): ShopperStep {
  if (step.kind === 'redirect') return { is: 'redirect', redirect: step.redirect };
  if (step.kind !== 'action' || settings.clientKey === '') return { is: 'done' };
  const { token, wasRefused, action } = step;
  return { is: 'component', component: componentFor(settings, action, payment), token, wasRefused };
}
