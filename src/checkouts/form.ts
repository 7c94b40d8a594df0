import type { Decoded } from '../form/decode.ts';
import { namesOf } from '../runtime/json.ts';

type Texts = Readonly<Record<string, string>>;
type Keeps = (name: string) => boolean;

/** A form that is put together of fields that were checked before, to be checked as a whole. */
export type Form = {
  readonly fields: ReadonlyMap<string, string>;
  /** The last value of a name counts. */
  put(fields: Texts, keeps?: Keeps): void;
  /** The same for fields that may be many: these are put in slices, and other requests come in between. */
  putMany(fields: Texts, keeps?: Keeps): Promise<void>;
  /** A long form is also checked in slices. */
  decoded(): Decoded;
};

/** As many fields as are put in a millisecond. */
const SLICE_FIELDS = 2_000;

export function createForm(rest: () => Promise<void>): Form {
  const fields = new Map<string, string>();
  let isLong = false;
  const putSlice = (names: readonly string[], texts: Texts, keeps: Keeps | undefined): void => {
    for (const name of names) if (keeps === undefined || keeps(name)) fields.set(name, texts[name] as string);
  };
  return {
    fields,
    put: (texts, keeps) => putSlice(namesOf(texts), texts, keeps),
    async putMany(texts, keeps) {
      await eachSlice(namesOf(texts), rest, (names) => putSlice(names, texts, keeps));
      isLong ||= fields.size > SLICE_FIELDS;
    },
    decoded: () => ({ fields, repeated: new Set(), faults: [], isWhole: true, ...(isLong && { rest }) }),
  };
}

/** Visits names slice by slice, each in a tick of its own; a few of them in one go. */
export async function eachSlice(
  names: readonly string[],
  rest: () => Promise<void>,
  visit: (names: readonly string[]) => void,
): Promise<void> {
  if (names.length <= SLICE_FIELDS) return visit(names);
  for (let from = 0; from < names.length; from += SLICE_FIELDS) {
    await rest();
    visit(names.slice(from, from + SLICE_FIELDS));
  }
  await rest();
}
