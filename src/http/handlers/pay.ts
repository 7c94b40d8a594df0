import { check } from '../../form/check.ts';
import type { Decoded } from '../../form/decode.ts';
import type { Entity } from '../../merchants/directory.ts';
import { dispatch, type Wanted } from '../../merchants/dispatch.ts';
import { perform } from '../../payments/perform.ts';
import { detectBrand } from '../../spec/cardRanges.ts';
import { admit } from '../admit.ts';
import { claimOf, keyFault, otherBody } from '../claim.ts';
import { paymentReply } from '../paymentReply.ts';
import type { Reply } from '../reply.ts';
import type { Request } from '../request.ts';
import type { Rooms } from '../rooms.ts';

/** A channel that is named needs no search. */
const ANYTHING: Wanted = { is: 'reference', entityId: null };

/** Takes a payment, or goes on with the one whose id is in the path. */
export async function pay(rooms: Rooms, request: Request): Promise<Reply> {
  const { respond, environment, world } = rooms;
  const admitted = admit(rooms, request);
  if ('status' in admitted) return admitted;
  const { entity, decoded } = admitted;
  const found = dispatch(entity, entity.channel ? ANYTHING : await wantedOf(rooms, request, admitted));
  if ('refusal' in found && found.refusal !== '800.160.110') return respond.result(found.refusal, entity.id);

  const isLenient = 'channel' in found && found.channel.isLenient;
  const checked = check(decoded, { endpoint: request.endpoint, isLenient, source: 'server', environment });
  const misKeyed = keyFault(request);
  if (misKeyed || 'faults' in checked) {
    const faults = [...(misKeyed ? [misKeyed] : []), ...('faults' in checked ? checked.faults : [])];
    return respond.result('200.300.404', entity.id, { faults });
  }
  if ('refusal' in found) return respond.result(found.refusal, entity.id);

  const claim = claimOf(rooms, request, entity.id);
  const performed = await perform(world, { channel: found.channel, environment, checked, referencedId: request.id, claim });
  switch (performed.is) {
    case 'payment':
      return paymentReply(rooms, performed.payment, performed.payment.ndc);
    case 'faulty':
      return respond.result('200.300.404', entity.id, { faults: performed.faults });
    case 'otherBody':
      return respond.result('200.300.404', entity.id, { faults: [otherBody] });
  }
}

/** What a merchant with several channels needs: the one that took the referenced payment, or one for brand and currency. */
async function wantedOf(
  { world }: Rooms,
  request: Request,
  { entity, decoded }: { entity: Entity; decoded: Decoded },
): Promise<Wanted> {
  const { fields } = decoded;
  const referencedId = request.id ?? (fields.get('referenceUuid') || null);
  if (entity.merchantId !== null && referencedId !== null) {
    const referenced = await world.store.payment(entity.merchantId, referencedId);
    return { is: 'reference', entityId: referenced?.entityId ?? null };
  }
  const brand = fields.get('paymentBrand') || detectBrand(fields.get('card.number') ?? '');
  return { is: 'new', brand, currency: fields.get('currency') || null };
}
