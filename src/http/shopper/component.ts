import { firstFields } from '../../form/pick.ts';
import { onShopperReturn } from '../../payments/callbacks.ts';
import { inquiryFor } from '../../payments/drive.ts';
import {
  type Payment,
  parsePaymentRef,
  RESULT_FIELD,
  type Redirect,
  type ShopperStep,
  STEP_FIELD,
} from '../../payments/payment.ts';
import { readPayment } from '../../payments/read.ts';
import { resultUrlOf } from '../../payments/resultUrl.ts';
import { componentHostPage } from '../../threeds/pages/componentPage.ts';
import { challengeHostPage } from '../../threeds/pages/hostPages.ts';
import { errorPage } from '../../threeds/pages/issuerPages.ts';
import { originFor, type Request } from '../handler.ts';
import { notFound } from '../replies.ts';
import type { Services } from '../services.ts';
import { onward, type Reply, seeOther } from '../transport/reply.ts';
import { framedBy, framedReply, languageOf } from './threeDS.ts';

type Needs = Pick<Services, 'checkouts' | 'publicUrl' | 'replies' | 'trust' | 'world'>;

/** The page posts two. */
const FIELDS_MAX = 16;

const DONE: ShopperStep = { is: 'done' };

/** The step that the shopper of a payment still has to take; null: its connector has no such page. */
async function stepOf({ world }: Pick<Services, 'world'>, payment: Payment): Promise<ShopperStep | null> {
  if (payment.phase.at !== 'shopper') return DONE;
  const connector = world.connector(payment.connector, payment.entityId);
  return (await connector?.shopperStep?.(await inquiryFor(world, payment))) ?? null;
}

/** On to the shop, as far as the payment has one. */
function leave(services: Needs, payment: Payment): Reply {
  const url = resultUrlOf(payment);
  return url === null ? notFound(services.replies) : onward(url, framedBy(services, payment).ancestors);
}

function sendAway(services: Needs, payment: Payment, redirect: Redirect): Reply {
  const around = framedBy(services, payment);
  if (redirect.method !== 'POST') return onward(redirect.url, around.ancestors);
  return framedReply(challengeHostPage({ form: redirect, windowSize: '05', language: languageOf(payment), ...around }));
}

/**
 * The page that a payment of native 3D Secure is redirected to. It shows the step that is due now: loaded again, or by the back button, it
 * shows that of today, and after the last one it goes on to the shop.
 */
export async function componentPage(services: Needs, request: Request): Promise<Reply> {
  const named = parsePaymentRef(request.id);
  const payment = named && (await readPayment(services.world, { merchantId: named.merchantId, entityId: null }, named.paymentId));
  const step = payment && (await stepOf(services, payment));
  if (!payment || !step) return notFound(services.replies);
  switch (step.is) {
    case 'done':
      return leave(services, payment);
    case 'redirect':
      return sendAway(services, payment, step.redirect);
    case 'component':
      return framedReply(
        componentHostPage({
          ...step,
          path: request.path,
          backUrl: resultUrlOf(payment),
          isInFrame: payment.checkoutId !== null,
          language: languageOf(payment),
          ...framedBy(services, payment),
        }),
      );
  }
}

/** A form of another site. A page without an origin says `null`; the token of the step protects that one. */
function isForeign(services: Needs, request: Request): boolean {
  const { origin } = request.headers;
  return origin !== undefined && origin !== 'null' && origin !== originFor(services, request);
}

/** The page has a result. The shopper then sees the next step or goes on to the shop, by an address that may be loaded again. */
export async function componentResult(services: Needs, request: Request): Promise<Reply> {
  if (isForeign(services, request)) return framedReply(errorPage(request.headers['accept-language'] ?? 'en'), 403);
  const named = parsePaymentRef(request.id);
  const sent = new URLSearchParams(firstFields(request.body, FIELDS_MAX).toString('utf8'));
  const parameters = new Map([STEP_FIELD, RESULT_FIELD].map((name) => [name, sent.get(name) ?? '']));
  const payment = named && (await onShopperReturn(services.world, named, parameters));
  const step = payment && (await stepOf(services, payment));
  if (!payment || !step) return notFound(services.replies);
  return step.is === 'done' ? leave(services, payment) : seeOther(request.path);
}
