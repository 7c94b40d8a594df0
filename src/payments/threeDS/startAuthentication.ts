import type { Fault } from '../../form/checked.ts';
import type { Channel } from '../../merchants/channel.ts';
import { AUTHENTICATION } from '../../spec/paymentTypes.ts';
import { type FinalCode, isFinal } from '../../spec/resultCodes.ts';
import type { Clock } from '../../spec/time.ts';
import { type Authentication, type AuthenticationEvent, dueAtOf } from '../../threeds/authentication.ts';
import {
  type AuthenticationParameters,
  type AuthenticationRequest,
  authenticationNeed,
  authenticationParameters,
} from '../../threeds/authenticationNeed.ts';
import { enrolmentOf } from '../../threeds/directory.ts';
import { codesByKind, type Outcome, verdictOf } from '../../threeds/outcome.ts';
import { prepare, transIdOf } from '../../threeds/prepare.ts';
import { policyOf, setupOf, skipsWithoutBrowser } from '../../threeds/settings.ts';
import { type StandaloneCode, standaloneCodeWithout } from '../../threeds/standalone.ts';
import type { Order } from '../order.ts';
import type { Payment } from '../payment.ts';
import type { Attempt, PendingSecrets, World } from '../ports.ts';

/**
 * How a payment continues. `goOn`: without an authentication; `fields` is what the acquirer learns about that. `begun`: the cardholder is
 * authenticated first. `unasked`: the risk checks demand a challenge, and none is possible.
 */
export type AuthenticationStart =
  | { readonly is: 'goOn'; readonly fields: Readonly<Record<string, string>> }
  | { readonly is: 'faulty'; readonly faults: readonly Fault[] }
  | { readonly is: 'stopped'; readonly code: FinalCode }
  | { readonly is: 'unasked' }
  | { readonly is: 'begun'; readonly state: Authentication; readonly dueAt: number };

type StartContext = { readonly order: Order; readonly channel: Channel; readonly isDemanded: boolean };

/** Without an authentication a payment goes on, unless a challenge is demanded; an authentication alone ends. */
function withoutAuthentication(
  { order, isDemanded }: StartContext,
  because: Parameters<typeof standaloneCodeWithout>[0],
): AuthenticationStart {
  if (order.paymentType === AUTHENTICATION) return { is: 'stopped', code: finalOf(standaloneCodeWithout(because)) };
  return isDemanded ? { is: 'unasked' } : { is: 'goOn', fields: {} };
}

/** An outcome is never pending. */
function finalOf(code: StandaloneCode): FinalCode {
  if (!isFinal(code)) throw new Error('an authentication that ended is not pending');
  return code;
}

const requestOf = (
  { paymentType, paymentBrand, amount, currency, read, instruction, instrument, secrets }: Order,
  { channel, isDemanded }: StartContext,
): AuthenticationRequest => ({
  paymentType,
  paymentBrand,
  amount: amount ?? 0n,
  currency: currency ?? '',
  read,
  instruction,
  isCard: instrument?.kind === 'card',
  // A network token of the gateway says nothing about the cardholder.
  hasCryptogram: secrets.cryptogram !== undefined,
  channel,
  isDemanded,
});

/** Decides whether the cardholder is authenticated before this payment, and how that begins. */
export async function startAuthentication(world: World, intent: Payment, begun: StartContext): Promise<AuthenticationStart> {
  const { order, channel } = begun;
  const { threeDS } = world;
  const { number, verificationId } = order.secrets;
  // The merchant brings the proof of another 3DS server.
  if (verificationId !== undefined && order.paymentType !== AUTHENTICATION) return { is: 'goOn', fields: {} };
  if (!threeDS || !channel.threeDSecure || number === undefined) return withoutAuthentication(begun, 'notSetUp');
  const authenticationRequest = requestOf(order, begun);
  const need = authenticationNeed(authenticationRequest);
  if (need.is !== 'yes') return withoutAuthentication(begun, 'notParticipating');
  const { network } = need;
  const enrolment = await enrolmentOf(threeDS.directory(order.origin), { number, read: order.read, network }, world.timers);
  if (enrolment.is === 'exempt') return withoutAuthentication(begun, 'notParticipating');
  const now = world.clock.now();
  const parameters = authenticationParameters(authenticationRequest, network);
  const { decoupledMinutes } = setupOf(channel.threeDS, threeDS.setup(channel.name, order.origin));
  const prepared = prepare(authenticationRequest, {
    parameters,
    enrolment,
    threeDSServerTransID: transIdOf(intent.id),
    decoupledMinutes,
    skipsWithoutBrowser: skipsWithoutBrowser(channel.threeDS),
    now,
  });
  switch (prepared.is) {
    case 'exempt':
      return withoutAuthentication(begun, 'notParticipating');
    case 'faults':
      return { is: 'faulty', faults: prepared.faults };
    case 'wrong':
      return { is: 'stopped', code: '600.200.810' };
    case 'ended':
      return startFrom(begun, parameters, prepared.outcome);
    case 'begun':
      return { is: 'begun', state: prepared.authentication, dueAt: dueAtOf(prepared.authentication) ?? now };
  }
}

/** The cardholder cannot be authenticated: the merchant's policy decides, and after it the demand of the risk checks. */
function startFrom(
  { order, channel, isDemanded }: StartContext,
  parameters: AuthenticationParameters,
  outcome: Outcome,
): AuthenticationStart {
  if (order.paymentType === AUTHENTICATION) return { is: 'stopped', code: finalOf(codesByKind[outcome.kind].standalone) };
  const verdict = verdictOf(outcome, { ...parameters, policy: policyOf(channel.threeDS), isDemanded: false });
  if (verdict.is === 'stop') return { is: 'stopped', code: verdict.code };
  return isDemanded ? { is: 'unasked' } : { is: 'goOn', fields: { 'threeDSecure.eci': verdict.eci } };
}

const ENTRIES_MAX = 100_000;

/**
 * Secrets of open authentications, in memory only. An entry expires by the clock of its merchant. Beyond `ENTRIES_MAX` the oldest is dropped:
 * a flood must not fill the memory.
 */
export function createPendingSecrets(clock: Clock, clockOf: (merchantId: string) => Clock = () => clock): PendingSecrets {
  const entries = new Map<string, { readonly attempt: Attempt; readonly until: number }>();
  const isExpired = ({ attempt, until }: { readonly attempt: Attempt; readonly until: number }): boolean =>
    until <= clockOf(attempt.payment.merchantId).now();
  // By the intent, which every copy of the attempt shares.
  const answers = new WeakMap<Payment, Promise<AuthenticationEvent>>();
  return {
    put(paymentId, attempt, until) {
      entries.delete(paymentId);
      entries.set(paymentId, { attempt, until });
      const [oldest] = entries.size > ENTRIES_MAX ? entries.keys() : [];
      if (oldest !== undefined) entries.delete(oldest);
    },
    get(paymentId) {
      const entry = entries.get(paymentId);
      return entry && !isExpired(entry) ? entry.attempt : null;
    },
    drop: (paymentId) => {
      entries.delete(paymentId);
    },
    askOnce({ payment }, ask) {
      const answer = answers.get(payment) ?? ask();
      answers.set(payment, answer);
      return answer;
    },
    ids() {
      // A job calls this every second, so expired entries go here.
      for (const [id, entry] of entries) if (isExpired(entry)) entries.delete(id);
      return [...entries.values()].map(({ attempt: { payment }, until }) => ({
        merchantId: payment.merchantId,
        paymentId: payment.id,
        until,
      }));
    },
  };
}
