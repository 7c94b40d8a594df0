import { createLongSlots } from '../webhooks/longSlots.ts';

/** A merchant may have a second file under way while few others have any; the rest of the slots is for merchants without one. */
export const uploadSlots = { ofOne: 2, shared: 8, all: 32 };

export interface Slots {
  /** Takes a slot for a merchant; the function gives it back. Null: none is free. */
  enter(merchantId: string): (() => void) | null;
}

/** Limits how many files arrive together: however slowly one merchant sends, others find a slot. */
export function createSlots({ ofOne, shared, all }: typeof uploadSlots): Slots {
  const taken = new Map<string, number>();
  let count = 0;
  return {
    enter(merchantId) {
      const own = taken.get(merchantId) ?? 0;
      if (own >= ofOne || count >= (own === 0 ? all : shared)) return null;
      taken.set(merchantId, own + 1);
      count += 1;
      return () => {
        count -= 1;
        const left = (taken.get(merchantId) ?? 1) - 1;
        if (left === 0) taken.delete(merchantId);
        else taken.set(merchantId, left);
      };
    },
  };
}

/** See decisions/0091. Of one thread: lists that are being made, in all and of one merchant, and long replies under way of one merchant. */
export const longReplyBounds = { all: 8, ofOne: 2, underWayOfOne: 32 };

/** The lists that merchants have under way. A slow client of one merchant holds no other merchant up. */
export interface LongReplies {
  /** Makes a part of a list when the merchant's turn comes. */
  work<T>(merchantId: string, make: () => Promise<T>): Promise<T>;
  /** Whether the merchant has as many long replies under way as it may. */
  isFull(merchantId: string): boolean;
  /** Counts a long reply until the returned function is called. */
  begin(merchantId: string): () => void;
}

export function createLongReplies({ all, ofOne, underWayOfOne } = longReplyBounds): LongReplies {
  const slots = createLongSlots({ all, ofOne, waitingOfOne: Number.POSITIVE_INFINITY });
  const underWay = new Map<string, number>();
  const countOf = (merchantId: string) => underWay.get(merchantId) ?? 0;
  return {
    work: async (merchantId, make) => (await slots.run(merchantId, make)) as Awaited<ReturnType<typeof make>>,
    isFull: (merchantId) => countOf(merchantId) >= underWayOfOne,
    begin(merchantId) {
      underWay.set(merchantId, countOf(merchantId) + 1);
      return () => {
        const left = countOf(merchantId) - 1;
        if (left === 0) underWay.delete(merchantId);
        else underWay.set(merchantId, left);
      };
    },
  };
}
