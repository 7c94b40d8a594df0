/** A merchant may have a second file under way while few others have any; the rest of the slots is for merchants without one. */
export const uploadSlots = { ofOne: 2, shared: 8, all: 32 };

export interface Slots {
  /** Takes a slot for a merchant; the function gives it back. Null: none is free. */
  enter(merchantId: string): (() => void) | null;
}

/** How many files arrive at once: however slowly one merchant sends, others find a slot. */
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
