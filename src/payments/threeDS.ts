import { AUTHENTICATION } from '../spec/paymentTypes.ts';
import { isFinal } from '../spec/resultCodes.ts';
import { type Asked, type Card, readerOf } from '../threeds/asked.ts';
import {
  type Authentication,
  type AuthenticationEvent,
  dueAtOf,
  next,
  withoutProof,
  withProof,
} from '../threeds/authentication.ts';
import { areqFor } from '../threeds/buildAReq.ts';
import { consult } from '../threeds/directory.ts';
import { needed } from '../threeds/needed.ts';
import { verdictOf } from '../threeds/outcome.ts';
import { defaultPolicy } from '../threeds/policy.ts';
import { answerResults } from '../threeds/results.ts';
import { proofFields, standaloneCode } from '../threeds/standalone.ts';
import { patienceMs } from './draft.ts';
import type { PaymentEvent } from './lifecycle.ts';
import type { Attempt, World } from './needs.ts';
import type { Payment, ThreeDS } from './payment.ts';
import { instructionIn } from './series.ts';
import { addressesAt } from './threeDSAddresses.ts';

/** The steps of an authentication within the life of its payment. */

const SILENCE: PaymentEvent = { is: 'silence' };
/** How long whoever holds the secrets may take to go on with an authentication that another node has finished. */
const HOLDER_MS = 30_000;

/** The next step that can be made without the shopper. Only who holds the secrets asks, and goes on to the acquirer. */
export async function stepOf(world: World, payment: Payment): Promise<PaymentEvent> {
  const { threeDS } = payment;
  if (!threeDS) return SILENCE;
  const { state, origin } = threeDS;
  const { phase } = state;
  const attempt = world.held.get(payment.id);
  if (phase.at === 'done') {
    return attempt ? settled(world, payment, { state: await withItsProof(world, payment, threeDS), attempt }) : lost(threeDS);
  }
  if (phase.at === 'asking' && attempt) return moved(world, payment, await ask(world, payment, attempt));
  if (phase.at === 'decoupled') {
    const now = world.clock.now();
    const told = world.threeDS?.poll(origin, phase.acsUrl ?? '', now) ?? null;
    const after = told === null ? state : answerResults(state, told, now).authentication;
    if (after !== state) return became(world, payment, after);
  }
  return moved(world, payment, { is: 'elapsed' });
}

/** Whether something can be done at once: a question to ask, or an outcome to go on with, by who holds the secrets. */
export function canStep({ held }: World, { id, threeDS }: Payment): boolean {
  const at = threeDS?.state.phase.at;
  return (at === 'asking' || at === 'done') && held.get(id) !== null;
}

/** What an event makes of the authentication, as an event of the payment; silence when it means nothing. */
export async function moved(world: World, payment: Payment, event: AuthenticationEvent): Promise<PaymentEvent> {
  const { threeDS } = payment;
  if (!threeDS) return SILENCE;
  const state = next(threeDS.state, event, world.clock.now());
  return state === threeDS.state ? SILENCE : became(world, payment, state);
}

/**
 * What the payment makes of an authentication that has moved. An outcome is written down first, its proof sealed: only the loop that
 * asks the acquirer goes on from there, and only where the secrets are held.
 */
export async function became(world: World, payment: Payment, state: Authentication): Promise<PaymentEvent> {
  const { threeDS } = payment;
  if (!threeDS) return SILENCE;
  const dueAt = dueAtOf(state) ?? world.clock.now() + HOLDER_MS;
  return { is: 'stepped', threeDS: await sealed(world, payment, { threeDS, state }), dueAt };
}

/** The secrets are gone with the process that held them: nothing is charged without them. */
const lost = (threeDS: ThreeDS): PaymentEvent => ({ is: 'unproven', threeDS, code: '800.400.200' });

type Done = { readonly state: Authentication; readonly attempt: Attempt };

async function settled(world: World, payment: Payment, { state, attempt }: Done): Promise<PaymentEvent> {
  const { threeDS } = payment;
  if (!threeDS || state.phase.at !== 'done') return SILENCE;
  if (payment.paymentType === AUTHENTICATION) return alone(world, payment, state);
  const verdict = verdictOf(state.phase.outcome, { ...state.plan, policy: defaultPolicy });
  const { open, proof } = withoutProof(state);
  const kept: ThreeDS = { ...threeDS, state: open, sealedProof: null };
  if (verdict.is === 'stop') {
    world.held.drop(payment.id);
    return { is: 'unproven', threeDS: kept, code: verdict.code };
  }
  const connector = world.connector(payment.connector);
  const until = world.clock.now() + HOLDER_MS;
  const secrets = proof === null ? attempt.secrets : { ...attempt.secrets, verificationId: proof };
  world.held.put(payment.id, { ...attempt, secrets }, until);
  const dueAt = world.clock.now() + (connector ? patienceMs(connector) : HOLDER_MS);
  return { is: 'proven', threeDS: kept, fields: proofFields(state, verdict.eci), dueAt };
}

/** Without a payment the outcome is the end, and the proof is for the merchant to fetch. */
async function alone(world: World, payment: Payment, state: Authentication): Promise<PaymentEvent> {
  const { threeDS } = payment;
  const code = standaloneCode(state);
  if (!threeDS || !isFinal(code)) return SILENCE;
  world.held.drop(payment.id);
  return { is: 'unproven', threeDS: await sealed(world, payment, { threeDS, state }), code };
}

async function ask(world: World, payment: Payment, { secrets, registration }: Attempt): Promise<AuthenticationEvent> {
  const { threeDS: server } = world;
  const { threeDS, instrument, paymentBrand, fields } = payment;
  const { number } = secrets;
  if (!server || !threeDS || number === undefined || instrument?.kind !== 'card') return { is: 'unreachable' };
  const { origin, state } = threeDS;
  const read = readerOf(fields);
  const wish: Asked = {
    paymentType: payment.paymentType,
    paymentBrand,
    amount: payment.amount,
    currency: payment.currency,
    read,
    instruction: instructionIn(payment),
    isCard: true,
    hasCryptogram: false,
    channel: { threeDSecure: true },
  };
  const need = needed(wish);
  if (need.is !== 'yes') return { is: 'unreachable' };
  const card: Card = {
    number,
    expiryMonth: instrument.expiryMonth,
    expiryYear: instrument.expiryYear,
    holder: instrument.holder,
  };
  const areq = areqFor(state, {
    plan: need.plan,
    card,
    paymentBrand: paymentBrand ?? '',
    read,
    registration,
    setup: server.setup(payment.descriptor, origin),
    addresses: addressesAt(origin, payment),
    extensions: server.extensions(read),
    now: world.clock.now(),
  });
  return consult(server.directory(origin), { areq, network: need.plan.network });
}

const placeOf = ({ merchantId, entityId, id }: Payment) => ({ merchantId, entityId, recordId: id, field: 'proof' });

async function sealed(
  world: World,
  payment: Payment,
  { threeDS, state }: { readonly threeDS: ThreeDS; readonly state: Authentication },
): Promise<ThreeDS> {
  const { open, proof } = withoutProof(state);
  if (proof === null) return { ...threeDS, state: open };
  const keys = world.vault.ready(payment.merchantId);
  if (keys) await keys;
  const text = Buffer.from(world.vault.seal(placeOf(payment), proof)).toString('base64');
  return { ...threeDS, state: open, sealedProof: text };
}

/** The authentication with its proof, as it was before it was written down. */
export async function withItsProof(
  world: Pick<World, 'vault'>,
  payment: Payment,
  { state, sealedProof }: ThreeDS,
): Promise<Authentication> {
  if (sealedProof === null) return state;
  return withProof(state, await world.vault.open(placeOf(payment), Buffer.from(sealedProof, 'base64')));
}
