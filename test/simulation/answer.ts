import type { CheckoutService } from '../../src/checkouts/ports.ts';
import { check } from '../../src/form/check.ts';
import type { Checked } from '../../src/form/checked.ts';
import { decode } from '../../src/form/decode.ts';
import type { Payment } from '../../src/payments/payment.ts';
import type { IdempotencyKey, World } from '../../src/payments/ports.ts';
import { readPayment, readRegistration } from '../../src/payments/read.ts';
import { deregister, extendLife, type RegistrationCommandResult } from '../../src/payments/registration/changeRegistration.ts';
import { project, projectAuthentication, projectRegistration } from '../../src/payments/reply/project.ts';
import { perform } from '../../src/payments/take.ts';
import { openProof } from '../../src/payments/threeDS/steps.ts';
import type { OpenedVault } from '../../src/vault/vault.ts';
import { ORIGIN } from './issuer.ts';
import type { Reply, Request } from './node.ts';

/** What the code that answers stands in. */
export type Here = { readonly world: World; readonly vault: OpenedVault; readonly service: CheckoutService };

const BASE = { buildNumber: 'simulation', timestamp: '', ndc: '' };
const GONE: Reply = { status: 404, body: {} };
const OTHER_BODY: Reply = { status: 400, body: { otherBody: true } };

/** What the HTTP layer does with a request between the socket and the socket. */
export async function answer(here: Here, request: Request): Promise<Reply> {
  const { world } = here;
  const { channel, id, endpoint } = request;
  switch (endpoint) {
    case 'read': {
      const payment = await readPayment(world, channel, id ?? '');
      return payment ? shown(world, payment) : GONE;
    }
    case 'readRegistration': {
      const registration = await readRegistration(world, channel, id ?? '');
      return registration ? projectRegistration(registration, BASE) : GONE;
    }
    case 'deregister':
    case 'extendLife': {
      checkedForm(request);
      const { merchantId, entityId } = channel;
      const tending = {
        merchantId,
        entityId,
        registrationId: id ?? '',
        environment: 'test',
        idempotencyKey: idempotencyKeyOf(here, request),
      } as const;
      return tendedReply(await (endpoint === 'deregister' ? deregister : extendLife)(world, tending));
    }
    default:
      return pay(here, request, checkedForm(request));
  }
}

/** An authentication alone is shown with its proof, to the merchant who asked for it. */
async function shown(world: World, payment: Payment): Promise<Reply> {
  if (payment.paymentType !== '3D') return project(payment, BASE);
  const state = payment.threeDS && (await openProof(world, payment, payment.threeDS));
  return projectAuthentication(payment, BASE, state);
}

function checkedForm({ channel, endpoint, body }: Request): Checked {
  const { isLenient } = channel;
  const checked = check(decode(body), { endpoint, isLenient, source: 'server', environment: 'test' });
  if (checked.is === 'faulty') throw new Error(`the request is faulty: ${JSON.stringify(checked.faults)}`);
  return checked;
}

function idempotencyKeyOf({ vault }: Here, { channel, endpoint, id, body, key }: Request): IdempotencyKey | null {
  const { entityId } = channel;
  return key === null ? null : { entityId, key, bodyHash: vault.digest(entityId, `${endpoint} ${id}\n${body}`) };
}

async function pay(here: Here, request: Request, checked: Checked): Promise<Reply> {
  const { channel, id, endpoint } = request;
  const performed = await perform(here.world, {
    channel,
    environment: 'test',
    checked,
    referencedId: endpoint === 'refer' ? id : null,
    registrationId: endpoint === 'payRegistered' ? id : null,
    purpose: endpoint === 'register' || endpoint === 'authenticate' ? endpoint : 'pay',
    origin: ORIGIN,
    idempotencyKey: idempotencyKeyOf(here, request),
  });
  switch (performed.is) {
    case 'payment':
      return shown(here.world, performed.payment);
    case 'otherBody':
      return OTHER_BODY;
    case 'badToken':
      return { status: 400, body: { badToken: true } };
    case 'faulty':
    case 'busy':
      return { status: 400, body: {} };
  }
}

function tendedReply(tended: RegistrationCommandResult): Reply {
  switch (tended.is) {
    case 'done':
      return project(tended.payment, BASE);
    case 'refused':
      return { status: 400, body: { refusal: tended.refusal } };
    case 'otherBody':
      return OTHER_BODY;
  }
}
