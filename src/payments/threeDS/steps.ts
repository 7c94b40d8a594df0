import { AUTHENTICATION } from '../../spec/paymentTypes.ts';
import { isFinal } from '../../spec/resultCodes.ts';
import {
  ANSWER_MS_MAX,
  type Authentication,
  type AuthenticationEvent,
  dueAtOf,
  dueEarlier,
  next,
  withoutProof,
  withProof,
} from '../../threeds/authentication.ts';
import {
  type AuthenticationRequest,
  authenticationNeed,
  authenticationParameters,
  type Card,
  createParameterReader,
} from '../../threeds/authenticationNeed.ts';
import { areqFor } from '../../threeds/buildAReq.ts';
import { answerResults, requestAuthentication } from '../../threeds/directory.ts';
import { defaultPolicy, type Outcome, type Verdict, verdictOf } from '../../threeds/outcome.ts';
import { type Addresses, policyOf, type Setup, setupOf } from '../../threeds/settings.ts';
import { proofFields, standaloneCode } from '../../threeds/standalone.ts';
import { sealedFields } from '../../vault/ports.ts';
import { VaultRefused } from '../../vault/sealedText.ts';
import { patienceMs, secretsForAcquirer } from '../draft.ts';
import type { PaymentEvent } from '../lifecycle.ts';
import { isMisdated, type Payment, paymentRefText, type ThreeDS } from '../payment.ts';
import type { Attempt, ThreeDSServer, World } from '../ports.ts';
import { instructionIn } from '../series.ts';

/** The steps of an authentication within the life of its payment. */

const SILENCE: PaymentEvent = { is: 'silence' };
/** How long the node that holds the secrets may take to continue an authentication that another node has finished. */
const HOLDER_MS = 30_000;
/** The sweep finds an expired authentication a little later. */
const HELD_MS_MORE = 120_000;

/** The next step without the shopper. Only the node that holds the secrets asks the directory server and continues to the acquirer. */
export async function nextStep(world: World, payment: Payment): Promise<PaymentEvent> {
  const { threeDS } = payment;
  if (!threeDS) return SILENCE;
  const { state } = threeDS;
  const { at } = state.phase;
  const attempt = world.pendingSecrets.get(payment.id);
  if (at === 'done') return finish(world, payment, { state: await openProof(world, payment, threeDS), attempt });
  if (at === 'asking' && attempt) return askDirectoryServer(world, payment, attempt);
  const after = pollIssuer(world, threeDS);
  if (after !== state) return stepTo(world, payment, after);
  const now = world.clock.now();
  // A clock that was ahead set the end that much too late. The cardholder gets the rest of the time from now on.
  if (isMisdated(payment, now)) return stepTo(world, payment, dueEarlier(state, payment.movedAt - now));
  return applyAuthenticationEvent(world, payment, { is: 'elapsed' });
}

/**
 * Whether a step is possible immediately: a request to send, an answer to fetch or an outcome to continue with, by the node that holds the
 * secrets. A failed authentication, and one without a payment, end without them.
 */
export function canStep(world: World, payment: Payment): boolean {
  const { id, threeDS, paymentType } = payment;
  if (!threeDS) return false;
  const { phase } = threeDS.state;
  if (phase.at === 'browser' || phase.at === 'method' || phase.at === 'challenge') return false;
  if (phase.at === 'done' && (paymentType === AUTHENTICATION || isStopped(world, payment, phase.outcome))) return true;
  return world.pendingSecrets.get(id) !== null && (phase.at !== 'decoupled' || pollIssuer(world, threeDS) !== threeDS.state);
}

/** The payment ends here, whatever its proof. */
const isStopped = (world: World, payment: Payment, outcome: Outcome): boolean =>
  outcome.kind !== 'authenticated' && outcome.kind !== 'attempted' && verdictFor(world, payment, outcome)?.is === 'stop';

/** The verdict of the merchant's policy on an outcome. */
function verdictFor({ channel }: World, payment: Payment, outcome: Outcome): Verdict | null {
  if (!payment.threeDS) return null;
  const found = channel(payment.entityId);
  const policy = found ? policyOf(found.threeDS) : defaultPolicy;
  return verdictOf(outcome, { ...payment.threeDS.state.parameters, policy, isDemanded: isDemandedBy(payment) });
}

/**
 * The state of a decoupled authentication after polling the issuer. The node that holds the secrets polls whenever the payment's turn
 * comes, which writes nothing, and once more when the time is over. A later decision does not count.
 */
function pollIssuer({ threeDS: server, clock }: World, { state, origin }: ThreeDS): Authentication {
  const { phase } = state;
  if (phase.at !== 'decoupled' || phase.acsUrl === null) return state;
  const rreq = server?.poll(origin, phase.acsUrl, Math.min(clock.now(), phase.dueAt)) ?? null;
  return rreq === null ? state : answerResults(state, rreq, clock.now()).authentication;
}

/** Asks the directory server. During a challenge the secrets are held for as long as it may take. */
async function askDirectoryServer(world: World, payment: Payment, attempt: Attempt): Promise<PaymentEvent> {
  const event = await applyAuthenticationEvent(world, payment, await requestAuthenticationOnce(world, payment, attempt));
  const until = event.is === 'stepped' ? secretsNeededUntil(event.threeDS.state) : null;
  if (until !== null && world.pendingSecrets.get(payment.id))
    world.pendingSecrets.put(payment.id, withoutDeviceInfo(attempt), until);
  return event;
}

/** Until when the secrets are needed during a challenge or a decoupled authentication; null: there is none. */
function secretsNeededUntil({ phase }: Authentication): number | null {
  return phase.at === 'challenge' || phase.at === 'decoupled' ? phase.dueAt + HELD_MS_MORE : null;
}

/** Applies an event to the authentication. Returns the event for the payment; silence when nothing changes. */
export async function applyAuthenticationEvent(
  world: World,
  payment: Payment,
  event: AuthenticationEvent,
): Promise<PaymentEvent> {
  const { threeDS } = payment;
  if (!threeDS) return SILENCE;
  const state = next(threeDS.state, event, world.clock.now());
  return state === threeDS.state ? SILENCE : stepTo(world, payment, state);
}

/**
 * The event for the payment when its authentication has changed. An outcome is committed first, its proof sealed: only `drive` continues to
 * the acquirer, and only where the secrets are held.
 */
export async function stepTo(world: World, payment: Payment, state: Authentication): Promise<PaymentEvent> {
  const { threeDS } = payment;
  if (!threeDS) return SILENCE;
  const dueAt = dueAtOf(state) ?? world.clock.now() + HOLDER_MS;
  return { is: 'stepped', threeDS: await sealProof(world, payment, { threeDS, state }), dueAt };
}

/** The secrets ended with the process that held them, and nothing is charged without them. */
const secretsLost = (threeDS: ThreeDS): PaymentEvent => ({ is: 'unproven', threeDS, code: '800.400.200' });

type Finished = { readonly state: Authentication; readonly attempt: Attempt | null };

/** The end of an authentication. A failed one needs no secrets; every other one does. */
async function finish(world: World, payment: Payment, { state, attempt }: Finished): Promise<PaymentEvent> {
  const { threeDS } = payment;
  if (!threeDS || state.phase.at !== 'done') return SILENCE;
  if (payment.paymentType === AUTHENTICATION) return finishWithoutPayment(world, payment, state);
  const verdict = verdictFor(world, payment, state.phase.outcome);
  const { open, proof } = withoutProof(state);
  const kept: ThreeDS = { ...threeDS, state: open, sealedProof: null };
  if (verdict === null) return SILENCE;
  if (verdict.is === 'stop') {
    world.pendingSecrets.drop(payment.id);
    return { is: 'unproven', threeDS: kept, code: verdict.code };
  }
  if (!attempt) return secretsLost(kept);
  const connector = world.connector(payment.connector, payment.entityId);
  const until = world.clock.now() + HOLDER_MS;
  const charged = secretsForAcquirer(attempt.secrets);
  const secrets = proof === null ? charged : { ...charged, verificationId: proof };
  world.pendingSecrets.put(payment.id, { ...attempt, secrets }, until);
  const dueAt = world.clock.now() + (connector ? patienceMs(connector) : HOLDER_MS);
  // The merchant reads the proof with the payment.
  const proven = { ...kept, sealedProof: threeDS.sealedProof };
  const hasOthers = attempt.others !== undefined;
  return { is: 'proven', threeDS: proven, fields: proofFields(state, verdict.eci), dueAt, hasOthers };
}

/** Without a payment the outcome is the result, and the merchant fetches the proof. */
async function finishWithoutPayment(world: World, payment: Payment, state: Authentication): Promise<PaymentEvent> {
  const { threeDS } = payment;
  const code = standaloneCode(state);
  if (!threeDS || !isFinal(code)) return SILENCE;
  world.pendingSecrets.drop(payment.id);
  return { is: 'unproven', threeDS: await sealProof(world, payment, { threeDS, state }), code };
}

const proofRecord = ({ merchantId, entityId, id }: Payment) => ({
  merchantId,
  entityId,
  recordId: id,
  field: sealedFields.proof,
});

async function sealProof(
  world: World,
  payment: Payment,
  { threeDS, state }: { readonly threeDS: ThreeDS; readonly state: Authentication },
): Promise<ThreeDS> {
  const { open, proof } = withoutProof(state);
  if (proof === null) return { ...threeDS, state: open };
  const keys = world.vault.ready(payment.merchantId);
  if (keys) await keys;
  const text = Buffer.from(world.vault.seal(proofRecord(payment), proof)).toString('base64');
  return { ...threeDS, state: open, sealedProof: text };
}

/** The authentication with its proof, as it was before it was stored. */
export async function openProof(
  world: Pick<World, 'vault'>,
  payment: Payment,
  { state, sealedProof }: ThreeDS,
): Promise<Authentication> {
  if (sealedProof === null) return state;
  return withProof(state, await world.vault.open(proofRecord(payment), Buffer.from(sealedProof, 'base64')));
}

/** The payment as its merchant reads it: with the proof of a finished authentication, unless the sealed text was tampered with. */
export async function withOpenProof(world: Pick<World, 'vault' | 'alarm'>, payment: Payment): Promise<Payment> {
  const { threeDS, phase } = payment;
  if (!threeDS?.sealedProof || phase.at !== 'final') return payment;
  try {
    return { ...payment, threeDS: { ...threeDS, state: await openProof(world, payment, threeDS) } };
  } catch (error) {
    if (!(error instanceof VaultRefused)) throw error;
    world.alarm(error.message, { paymentId: payment.id, entityId: payment.entityId });
    return payment;
  }
}

const UNREACHABLE: AuthenticationEvent = { is: 'unreachable' };

/** Asks the directory server, once for an attempt however often this is called. Never rejects. */
const requestAuthenticationOnce = (world: World, payment: Payment, attempt: Attempt): Promise<AuthenticationEvent> =>
  world.pendingSecrets.askOnce(attempt, () =>
    world.timers.within(ANSWER_MS_MAX, sendAReq(world, payment, attempt)).catch(() => UNREACHABLE),
  );

/** The attempt without the device data, which only the directory server needs. */
function withoutDeviceInfo(attempt: Attempt): Attempt {
  const { deviceInfo, ...secrets } = attempt.secrets;
  return deviceInfo === undefined ? attempt : { ...attempt, secrets };
}

/** Whether the risk checks demand a challenge. */
const isDemandedBy = ({ risk }: Pick<Payment, 'risk'>): boolean => risk?.verdict.is === 'challenge';

async function sendAReq(world: World, payment: Payment, attempt: Attempt): Promise<AuthenticationEvent> {
  const { threeDS: server } = world;
  const { threeDS, instrument, paymentBrand } = payment;
  const { number } = attempt.secrets;
  if (!server || !threeDS || number === undefined || instrument?.kind !== 'card') return { is: 'unreachable' };
  const { origin, state } = threeDS;
  const authenticationRequest = authenticationRequestOf(payment, attempt);
  const { read } = authenticationRequest;
  const need = authenticationNeed(authenticationRequest);
  if (need.is !== 'yes') return { is: 'unreachable' };
  const { expiryMonth, expiryYear, holder } = instrument;
  const card: Card = { number, expiryMonth, expiryYear, holder };
  const areq = areqFor(state, {
    parameters: authenticationParameters(authenticationRequest, need.network),
    card,
    paymentBrand: paymentBrand ?? '',
    read,
    registration: attempt.registration,
    setup: setupFor(world, payment, server.setup),
    addresses: addressesAt(origin, payment),
    extensions: server.extensions(read),
    now: world.clock.now(),
  });
  return requestAuthentication(server.directory(origin), { areq, network: need.network });
}

/** The setup of the channel, or the defaults when the channel is gone. */
function setupFor({ channel }: World, { entityId, descriptor, threeDS }: Payment, setup: ThreeDSServer['setup']): Setup {
  const found = channel(entityId);
  const otherwise = setup(found?.name ?? descriptor, threeDS?.origin ?? '');
  return found ? setupOf(found.threeDS, otherwise) : otherwise;
}

/** The request, rebuilt from the stored payment, with the collected browser data or, for an app, with the held device data. */
function authenticationRequestOf(payment: Payment, { secrets }: Attempt): AuthenticationRequest {
  const { paymentType, paymentBrand, amount, currency, threeDS } = payment;
  const { deviceInfo } = secrets;
  const fields = { ...payment.fields, ...threeDS?.state.browser };
  return {
    paymentType,
    paymentBrand,
    amount,
    currency,
    read: createParameterReader(deviceInfo === undefined ? fields : { ...fields, 'threeDSecure.deviceInfo': deviceInfo }),
    instruction: instructionIn(payment),
    isCard: true,
    hasCryptogram: false,
    isDemanded: isDemandedBy(payment),
    channel: { threeDSecure: true, isLenient: true },
  };
}

type PaymentKey = Pick<Payment, 'merchantId' | 'id'>;

/** Where a payment's authentication goes on: the page that the shopper is sent to. */
export const pagePath = (key: PaymentKey): string => `/v1/3ds/${paymentRefText(key)}`;

export const browserPath = (key: PaymentKey): string => `${pagePath(key)}/browser`;

export const continuePath = (key: PaymentKey): string => `${pagePath(key)}/continue`;

/** Where the outside world finds one authentication. */
export const addressesAt = (origin: string, key: PaymentKey): Addresses => ({
  results: `${origin}${pagePath(key)}/results`,
  notification: `${origin}${pagePath(key)}/return`,
  methodNotification: `${origin}${pagePath(key)}/method`,
});
