/** JSON of objects with a long list, such as the items of a full cart, which takes tens of milliseconds in one go. */

/** As many places of a list as are written, or stripped, in a few milliseconds. */
export const SLICE_PLACES = 50;

export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is written in slices. */
export const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > SLICE_PLACES;

/** The same text as of JSON.stringify. `rest` lets other work in between two slices of a list that is a member of a member. */
export const jsonInSlices = (object: object, rest: () => Promise<void>): Promise<string> =>
  objectText(object as Members, (member) => (isObject(member) ? objectText(member, (inner) => listText(inner, rest)) : null));

/** The JSON of an object, of whose members some are written in slices; null: this one is not. */
async function objectText(object: Members, sliced: (member: unknown) => Promise<string> | null): Promise<string> {
  const members: string[] = [];
  for (const [name, member] of Object.entries(object)) {
    const text = (await sliced(member)) ?? JSON.stringify(member);
    // As for JSON.stringify: what is undefined is left out.
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join()}}`;
}

function listText(list: unknown, rest: () => Promise<void>): Promise<string> | null {
  if (!isLong(list)) return null;
  return (async () => {
    const slices: string[] = [];
    for (let from = 0; from < list.length; from += SLICE_PLACES) {
      await rest();
      slices.push(JSON.stringify(list.slice(from, from + SLICE_PLACES)).slice(1, -1));
    }
    return `[${slices.join()}]`;
  })();
}
