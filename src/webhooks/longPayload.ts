import type { WebhookPayload } from '../payments/webhook/payload.ts';
import { isLong, isObject, jsonInSlices, type Members, SLICE_PLACES } from '../spec/longJson.ts';
import { withoutPersonalData } from '../spec/masking.ts';

/** Payloads with a long list, such as the items of a full cart, which take tens of milliseconds in one go. */

export const hasLongList = ({ payload }: WebhookPayload): boolean =>
  Object.values(payload).some((member) => isObject(member) && Object.values(member).some(isLong));

/** The payload without personal data. `rest` lets other work in between two slices of a long list. */
export async function stripInSlices(message: WebhookPayload, rest: () => Promise<void>): Promise<WebhookPayload> {
  const stripped: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(message.payload)) {
    const long = isObject(member) ? Object.keys(member).filter((inner) => isLong(member[inner])) : [];
    const short = isObject(member) ? { ...member, ...Object.fromEntries(long.map((inner) => [inner, []])) } : member;
    // What is personal, or of a personal thing, is left out whole.
    const { [name]: kept } = strip({ [name]: short });
    if (kept === undefined) continue;
    stripped[name] = kept;
    for (const inner of long) {
      if (!Object.hasOwn(kept as Members, inner)) continue;
      const list = (member as Members)[inner] as readonly unknown[];
      (kept as Record<string, unknown>)[inner] = await stripList(
        list,
        (slice) => listIn(strip({ [name]: { [inner]: slice } }), name, inner),
        rest,
      );
    }
  }
  return { ...message, payload: stripped };
}

/** The JSON of a message. `rest` lets other work in between two slices of a long list. */
export async function writeInSlices({ payload, ...head }: WebhookPayload, rest: () => Promise<void>): Promise<string> {
  return `${JSON.stringify(head).slice(0, -1)},"payload":${await jsonInSlices(payload, rest)}}`;
}

const strip = (payload: Members): Members => withoutPersonalData({ payload }).payload;
const listIn = (payload: Members, name: string, inner: string): readonly unknown[] =>
  (payload[name] as Members)[inner] as readonly unknown[];

async function stripList(
  list: readonly unknown[],
  stripSlice: (slice: readonly unknown[]) => readonly unknown[],
  rest: () => Promise<void>,
): Promise<readonly unknown[]> {
  const stripped: unknown[] = [];
  for (let from = 0; from < list.length; from += SLICE_PLACES) {
    await rest();
    stripped.push(...stripSlice(list.slice(from, from + SLICE_PLACES)));
  }
  return stripped;
}
