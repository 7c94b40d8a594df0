import type { Fault } from '../form/checked.ts';
import type { Channel } from '../merchants/channel.ts';
import { AUTHENTICATION } from '../spec/paymentTypes.ts';
import { type FinalCode, isFinal } from '../spec/resultCodes.ts';
import type { Asked } from '../threeds/asked.ts';
import { type Authentication, dueAtOf } from '../threeds/authentication.ts';
import { needed } from '../threeds/needed.ts';
import { codesByKind, verdictOf } from '../threeds/outcome.ts';
import { defaultPolicy } from '../threeds/policy.ts';
import { prepare, transIdOf } from '../threeds/prepare.ts';
import { type StandaloneCode, standaloneCodeWithout } from '../threeds/standalone.ts';
import type { World } from './needs.ts';
import type { Order } from './order.ts';
import type { Payment } from './payment.ts';

/**
 * What comes before the money is asked for. `goOn`: nothing, or nothing that could be asked; `fields` is what the acquirer is told about
 * it. `begun`: the cardholder is asked first.
 */
export type Beginning =
  | { readonly is: 'goOn'; readonly fields: Readonly<Record<string, string>> }
  | { readonly is: 'faulty'; readonly faults: readonly Fault[] }
  | { readonly is: 'stopped'; readonly code: FinalCode }
  | { readonly is: 'begun'; readonly state: Authentication; readonly dueAt: number };

const NOTHING: Beginning = { is: 'goOn', fields: {} };

/** Nobody was asked: a payment goes on without, an authentication alone ends with that. */
const nobodyAsked = ({ paymentType }: Order, because: Parameters<typeof standaloneCodeWithout>[0]): Beginning =>
  paymentType === AUTHENTICATION ? { is: 'stopped', code: finalOf(standaloneCodeWithout(because)) } : NOTHING;

/** What is decided is not pending. */
function finalOf(code: StandaloneCode): FinalCode {
  if (!isFinal(code)) throw new Error('an authentication that ended is not pending');
  return code;
}

const asked = ({
  paymentType,
  paymentBrand,
  amount,
  currency,
  read,
  instruction,
  instrument,
  secrets,
}: Order): Omit<Asked, 'channel'> => ({
  paymentType,
  paymentBrand,
  amount: amount ?? 0n,
  currency: currency ?? '',
  read,
  instruction,
  isCard: instrument?.kind === 'card',
  hasCryptogram: secrets.cryptogram !== undefined || secrets.networkToken !== undefined,
});

/** Whether the cardholder is authenticated before this payment, and how that begins. */
export async function authenticationFor(
  world: World,
  intent: Payment,
  { order, channel }: { readonly order: Order; readonly channel: Channel },
): Promise<Beginning> {
  const { number } = order.secrets;
  if (!world.threeDS || !channel.threeDSecure || number === undefined) return nobodyAsked(order, 'notSetUp');
  const wish: Asked = { ...asked(order), channel };
  const need = needed(wish);
  if (need.is !== 'yes') return nobodyAsked(order, 'notParticipating');
  const { plan } = need;
  const enrolment = await world.threeDS.directory(order.origin).versions({ number, read: order.read });
  const now = world.clock.now();
  const { decoupledMinutes } = world.threeDS.setup(channel.name, order.origin);
  const prepared = prepare(wish, { plan, enrolment, threeDSServerTransID: transIdOf(intent.id), decoupledMinutes, now });
  switch (prepared.is) {
    case 'exempt':
      return nobodyAsked(order, 'notParticipating');
    case 'faults':
      return { is: 'faulty', faults: prepared.faults };
    case 'wrong':
      return { is: 'stopped', code: '600.200.810' };
    case 'ended': {
      if (order.paymentType === AUTHENTICATION)
        return { is: 'stopped', code: finalOf(codesByKind[prepared.outcome.kind].standalone) };
      const verdict = verdictOf(prepared.outcome, { ...plan, policy: defaultPolicy });
      return verdict.is === 'stop'
        ? { is: 'stopped', code: verdict.code }
        : { is: 'goOn', fields: { 'threeDSecure.eci': verdict.eci } };
    }
    case 'begun':
      return { is: 'begun', state: prepared.authentication, dueAt: dueAtOf(prepared.authentication) ?? now };
  }
}
