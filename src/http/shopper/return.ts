import { firstFields } from '../../form/pick.ts';
import { onShopperReturn } from '../../payments/callbacks.ts';
import { parsePaymentRef } from '../../payments/paymentRef.ts';
import { resultUrlOf } from '../../payments/resultUrl.ts';
import type { Services } from '../services.ts';
import { notFound } from '../transport/errorReplies.ts';
import { type Reply, seeOther } from '../transport/reply.ts';
import type { Request } from '../transport/request.ts';

/** The parameters of the address, and those of the form over them. */
function returnParameters({ query, body }: Request): ReadonlyMap<string, string> {
  const parameters = [...new URLSearchParams(query), ...new URLSearchParams(firstFields(body, PARAMETERS_MAX).toString('utf8'))];
  return new Map(parameters.slice(0, PARAMETERS_MAX));
}

const PARAMETERS_MAX = 64;

/** The shopper comes back from the bank: the gateway asks the far side for the result and sends the shopper on to the shop. */
export async function shopperReturn({ world, replies }: Pick<Services, 'replies' | 'world'>, request: Request): Promise<Reply> {
  const named = parsePaymentRef(request.id);
  const payment = named && (await onShopperReturn(world, named, returnParameters(request)));
  const url = payment && resultUrlOf(payment);
  return url ? seeOther(url) : notFound(replies);
}
