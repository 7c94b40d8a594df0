import { decisiveAttempt, isOver, linkPathOf, outcomeOf } from '../../../checkouts/checkout.ts';
import { updateCheckout } from '../../../checkouts/find.ts';
import { asForm, openCheckout } from '../../../checkouts/prepare.ts';
import { instantShown } from '../../../payments/reply/paymentView.ts';
import type { AdminValues } from '../../../spec/admin/admin.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import { HOUR_MS } from '../../../spec/time.ts';
import { refusalFor } from '../../api/checkouts.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { authorizeEntity, noSuch } from '../authorize.ts';
import { type CommandResult, command } from '../command.ts';
import { gatewayUrl } from '../users/signIn.ts';
import { checkoutDetail, checkoutIn } from './checkouts.ts';

/** Payment links: checkouts that an operator opens, with a page that the gateway hosts. */

const DEFAULT_HOURS = 72;

/** The fields of the form that are parameters of the checkout. */
const parameterOf = {
  entityId: 'entityId',
  amount: 'amount',
  currency: 'currency',
  merchantTransactionId: 'merchantTransactionId',
  merchantCustomerId: 'customer.merchantCustomerId',
  givenName: 'customer.givenName',
  surname: 'customer.surname',
  email: 'customer.email',
} as const;

type LinkField = keyof typeof parameterOf;

function checkoutFields(values: AdminValues<'createPaymentLink'>): ReadonlyMap<string, string> {
  const names = Object.keys(parameterOf) as LinkField[];
  const sent = names.flatMap((name): [string, string][] => {
    const value = values[name];
    return value === undefined ? [] : [[parameterOf[name], value]];
  });
  return new Map([...sent, ['paymentType', values.paymentType ?? 'DB']]);
}

/** The name of a parameter as the form has it. */
const fieldFor = (parameter: string): string =>
  Object.entries(parameterOf).find(([, name]) => name === parameter)?.[0] ?? parameter;

const createPaymentLink = command(
  'createPaymentLink',
  authorizeEntity,
  async (
    services: Pick<Services, 'directory' | 'forMerchant' | 'publicUrl' | 'replies' | 'trust' | 'users'>,
    { entity: { id: entityId }, values },
    request,
  ): Promise<CommandResult> => {
    const refused = (reply: Reply): CommandResult => ({ reply, objectId: null });
    const entity = services.directory.entity(entityId);
    if (!entity || entity.merchantId === null) return refused(services.replies.result('800.900.201', entityId));
    const merchant = services.forMerchant(entity.merchantId);
    const closed = refusalFor(merchant, entity);
    if (closed !== null) return refused(services.replies.result(closed, entityId));
    const opened = await openCheckout(merchant.checkouts, {
      entity,
      decoded: asForm(checkoutFields(values)),
      idempotencyKey: null,
      origin: gatewayUrl(services, request),
      link: {
        description: values.description ?? null,
        language: values.language ?? null,
        brands: values.brands ?? [],
        lifeMs: (values.hours ?? DEFAULT_HOURS) * HOUR_MS,
      },
    });
    if (opened.is !== 'checkout') {
      const faults = opened.is === 'faulty' ? opened.faults.map((fault) => ({ ...fault, name: fieldFor(fault.name) })) : [];
      return refused(services.replies.result('200.300.404', entityId, { faults }));
    }
    const { id, origin, expiresAt } = opened.checkout;
    const body = { id, url: `${origin}${linkPathOf({ id })}`, expiresAt: instantShown(expiresAt) };
    const reply = services.replies.json(200, body satisfies AdminAnswer<'createPaymentLink'>, { entityId });
    return { reply, objectId: id };
  },
);

const endPaymentLink = command(
  'endPaymentLink',
  authorizeEntity,
  async (
    services: Pick<Services, 'checkouts' | 'directory' | 'forMerchant' | 'queries' | 'replies'>,
    { entity },
    request,
  ): Promise<CommandResult> => {
    const acted = (reply: Reply): CommandResult => ({ reply, objectId: request.id });
    const checkout = await checkoutIn(services, entity.id, request.id ?? '');
    if (!checkout?.link) return acted(noSuch(services, 'payment link'));
    const { checkouts } = services.forMerchant(checkout.merchantId);
    const attempt = decisiveAttempt(await checkouts.store.attempts(checkout.merchantId, checkout.id));
    const outcome = attempt && outcomeOf(attempt);
    if (outcome === 'success' || outcome === 'pending') {
      const remark = outcome === 'success' ? 'the link is paid already' : 'a payment by the link is under way';
      return acted(services.replies.result('200.300.404', entity.id, { remark }));
    }
    const now = checkouts.world.clock.now();
    const ended = await updateCheckout(checkouts, checkout, (current) =>
      isOver(current, now) ? current : { ...current, expiresAt: now },
    );
    const body = await checkoutDetail(services, ended);
    return acted(services.replies.json(200, body satisfies AdminAnswer<'endPaymentLink'>, { entityId: entity.id }));
  },
);

export const paymentLinkHandlers = { createPaymentLink, endPaymentLink };
