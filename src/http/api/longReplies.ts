import { createLongSlots } from '../../webhooks/longSlots.ts';

/** See decisions/0091. Of one thread: lists that are being made, in all and of one merchant, and long replies under way of one merchant. */
export const longReplyBounds = { all: 8, ofOne: 2, underWayOfOne: 32 };

/** The lists that merchants have under way. What a slow client has not read holds no other merchant up. */
export interface LongReplies {
  /** Makes a part of a list when the merchant's turn comes. */
  work<T>(merchantId: string, make: () => Promise<T>): Promise<T>;
  /** Counts a long reply until it has left; false: the merchant has too many under way. */
  begin(merchantId: string): boolean;
  end(merchantId: string): void;
}

export function createLongReplies({ all, ofOne, underWayOfOne } = longReplyBounds): LongReplies {
  const slots = createLongSlots({ all, ofOne, waitingOfOne: Number.POSITIVE_INFINITY });
  const underWay = new Map<string, number>();
  return {
    work: async (merchantId, make) => (await slots.run(merchantId, make)) as Awaited<ReturnType<typeof make>>,
    begin(merchantId) {
      const count = underWay.get(merchantId) ?? 0;
      if (count >= underWayOfOne) return false;
      underWay.set(merchantId, count + 1);
      return true;
    },
    end(merchantId) {
      const left = (underWay.get(merchantId) ?? 1) - 1;
      if (left === 0) underWay.delete(merchantId);
      else underWay.set(merchantId, left);
    },
  };
}
