/** Whether a value is a JSON object: no list and not null. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a JSON text; null when the text is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The object of a JSON text; null when the text is none, or holds another value. */
export function parsedRecord(text: string): Readonly<Record<string, unknown>> | null {
  const value = parsedJson(text);
  return isRecord(value) ? value : null;
}

/**
 * As many places of a list as are written, or stripped, in a few milliseconds. An object with a long list, such as the items of a full
 * cart, takes tens of milliseconds in one go.
 */
export const SLICE_PLACES = 50;

export type Members = Readonly<Record<string, unknown>>;

/** A list whose entries are JSON already, in slices. */
export class WrittenList {
  readonly slices: readonly string[];
  constructor(slices: readonly string[]) {
    this.slices = slices;
  }
}

/** Whether a value is written in slices. */
export const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > SLICE_PLACES;

/** The same text as of JSON.stringify. `rest` lets other work in between two slices of a list that is a member of a member. */
export const jsonInSlices = (object: object, rest: () => Promise<void>): Promise<string> =>
  objectText(object as Members, (member) => (isRecord(member) ? objectText(member, (inner) => listText(inner, rest)) : null));

/** The JSON of an object, of whose members some are written in slices; null: this one is not. */
async function objectText(object: Members, sliced: (member: unknown) => Promise<string> | null): Promise<string> {
  const members: string[] = [];
  for (const [name, member] of Object.entries(object)) {
    const text = (await sliced(member)) ?? JSON.stringify(member);
    // Undefined members are left out, as by JSON.stringify.
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join()}}`;
}

function listText(list: unknown, rest: () => Promise<void>): Promise<string> | null {
  if (list instanceof WrittenList) return Promise.resolve(`[${list.slices.join()}]`);
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

/**
 * The items of a cart in replies. They are nearly all of a long payment, so a list neither reads them as fields nor nests them: their
 * JSON is made from the JSON that was stored.
 */

const PREFIX = 'cart.items[';
/** The name under which a payment without its items keeps their place among its fields. */
export const ITEMS = 'cart.items';

/** Whether a field is one of an item. */
export const isOfItem = (name: string): boolean => name.startsWith(PREFIX);

/** The members of an item, as JSON or with members of their own. */
type Node = Map<string, string | Node>;

/** Collects the fields of items. */
interface ItemTexts {
  /** `name`: that of a field of an item. `json`: its value. */
  add(name: string, json: string): void;
  /** The items in the order of their places, without those that have no fields; as slices of the members of a list. */
  slices(): readonly string[];
}

export function createItemTexts(): ItemTexts {
  const items: Node[] = [];
  return {
    add(name, json) {
      const close = name.indexOf(']', PREFIX.length);
      const at = Number(name.slice(PREFIX.length, close));
      const item = items[at] ?? new Map();
      items[at] = item;
      const member = name.slice(close + 2);
      if (member.includes('.')) setInner(item, member.split('.'), json);
      else item.set(member, json);
    },
    slices() {
      const known = items.filter(() => true);
      return Array.from({ length: Math.ceil(known.length / SLICE_PLACES) }, (_, at) =>
        known
          .slice(at * SLICE_PLACES, (at + 1) * SLICE_PLACES)
          .map(textOf)
          .join(),
      );
    },
  };
}

function setInner(item: Node, steps: readonly string[], json: string): void {
  let node = item;
  for (const step of steps.slice(0, -1)) {
    const inner = node.get(step);
    const child: Node = inner instanceof Map ? inner : new Map();
    if (child !== inner) node.set(step, child);
    node = child;
  }
  node.set(steps.at(-1) as string, json);
}

function textOf(node: Node): string {
  let text = '';
  for (const [name, inner] of node)
    text += `${text === '' ? '{' : ','}"${name}":${typeof inner === 'string' ? inner : textOf(inner)}`;
  return `${text}}`;
}

/** Fields with the items of a cart apart from the others. `withItems` false: they are left out. */
export function itemsApart(
  fields: Readonly<Record<string, string>>,
  withItems: boolean,
): { readonly fields: Readonly<Record<string, string>>; readonly items: readonly string[] } {
  const texts = createItemTexts();
  const others: Record<string, string> = {};
  for (const name of namesOf(fields)) {
    const value = fields[name] as string;
    if (!isOfItem(name)) Object.defineProperty(others, name, { value, enumerable: true, configurable: true, writable: true });
    else if (withItems) {
      others[ITEMS] = '';
      texts.add(name, JSON.stringify(value));
    }
  }
  return { fields: others, items: texts.slices() };
}

type Fields = Readonly<Record<string, string>>;

/** The names of long sets of fields, in their order, noted while the fields were set. */
const noted = new WeakMap<Fields, string[]>();

/** The names of fields, in their order. To list tens of thousands takes the engine 20 ms, in one turn of the event loop. */
export const namesOf = (fields: Fields): readonly string[] => noted.get(fields) ?? Object.keys(fields);

/** Notes the names of fields that were set one by one. Further fields are set by `setField`. */
export function noteNames(fields: Fields, names: string[]): void {
  noted.set(fields, names);
}

/** Sets a field, whether the names are noted or not. */
export function setField(fields: Record<string, string>, name: string, text: string): void {
  if (!Object.hasOwn(fields, name)) noted.get(fields)?.push(name);
  fields[name] = text;
}
