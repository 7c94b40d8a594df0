import { isRecord } from '../json.ts';
import type { Json, JsonObject } from '../openApi/schemas.ts';

/** One thing wrong with a scenario, and where in it. */
export type ScenarioFault = { readonly at: string; readonly message: string };

/** What may stand somewhere in a scenario. */
export interface Shape<Value> {
  readonly schema: JsonObject;
  /** As the end of a sentence. */
  readonly says: string;
  faults(value: unknown, at: string): readonly ScenarioFault[];
  /** The members below it with what they are for, by their paths from here. */
  readonly members: readonly Member[];
  /** Never there: it ties the shape to the type it is of. */
  readonly of?: (value: Value) => void;
}

export type Member = { readonly path: string; readonly isNeeded: boolean; readonly says: string; readonly fits: string };

const wrong = (at: string, says: string): readonly ScenarioFault[] => [{ at, message: says }];

export const text = <Value extends string>(
  pattern: RegExp,
  says: string,
  fits = (it: string) => pattern.test(it),
): Shape<Value> => ({
  schema: { type: 'string', pattern: pattern.source },
  says,
  faults: (value, at) => (typeof value === 'string' && fits(value) ? [] : wrong(at, says)),
  members: [],
});

export const words = <Word extends string>(...all: readonly Word[]): Shape<Word> => {
  const says = `must be one of ${all.join(', ')}`;
  return {
    schema: { type: 'string', enum: all },
    says,
    faults: (value, at) => (all.some((word) => word === value) ? [] : wrong(at, says)),
    members: [],
  };
};

export const whole = (least: number, most: number): Shape<number> => {
  const says = `must be a whole number from ${least} to ${most}`;
  return {
    schema: { type: 'integer', minimum: least, maximum: most },
    says,
    faults: (value, at) =>
      Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most ? [] : wrong(at, says),
    members: [],
  };
};

export const flag: Shape<boolean> = {
  schema: { type: 'boolean' },
  says: 'must be true or false',
  faults: (value, at) => (typeof value === 'boolean' ? [] : wrong(at, 'must be true or false')),
  members: [],
};

export const listOf = <Value>(one: Shape<Value>, most: number): Shape<readonly Value[]> => {
  const says = `must be a list of 1 to ${most}`;
  return {
    schema: { type: 'array', items: one.schema, minItems: 1, maxItems: most },
    says,
    faults: (value, at) =>
      Array.isArray(value) && value.length >= 1 && value.length <= most
        ? value.flatMap((item, index) => one.faults(item, `${at}[${index}]`))
        : wrong(at, says),
    members: one.members.map((member) => ({ ...member, path: `[].${member.path}` })),
  };
};

type Entry<Value> = { readonly shape: Shape<Value>; readonly says: string; readonly isNeeded: boolean };

export const needed = <Value>(shape: Shape<Value>, says: string): Entry<Value> => ({ shape, says, isNeeded: true });
export const free = <Value>(shape: Shape<Value>, says: string): Entry<Value> => ({ shape, says, isNeeded: false });

/** A row for every member of the type, or it does not compile. */
export type Rows<Value> = { readonly [Name in keyof Value]-?: Entry<Exclude<Value[Name], undefined>> };

/** `between`: what members do not go together. */
export function object<Value>(
  rows: Rows<Value>,
  between: (value: Value) => readonly (readonly [member: string, message: string])[] = () => [],
): Shape<Value> {
  const entries = Object.entries(rows) as [string, Entry<unknown>][];
  const says = `must be an object of ${entries.map(([name]) => name).join(', ')}`;
  const known = new Map(entries);
  const under = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        entries.map(([name, { shape, says }]): [string, Json] => [name, { ...shape.schema, description: says }]),
      ),
      required: entries.flatMap(([name, { isNeeded }]) => (isNeeded ? [name] : [])),
      additionalProperties: false,
    },
    says,
    members: entries.flatMap(([name, { shape, says, isNeeded }]) => [
      { path: name, isNeeded, says, fits: shape.says },
      ...shape.members.map((member) => ({
        ...member,
        path: member.path.startsWith('[') ? name + member.path : `${name}.${member.path}`,
      })),
    ]),
    faults(value, at) {
      if (!isRecord(value)) return wrong(at, says);
      const members = Object.entries(value).flatMap(([name, member]) => {
        const entry = known.get(name);
        return entry ? entry.shape.faults(member, under(at, name)) : wrong(under(at, shown(name)), 'is not known here');
      });
      const missing = entries.flatMap(([name, { isNeeded }]) =>
        isNeeded && !Object.hasOwn(value, name) ? wrong(under(at, name), 'may not be empty') : [],
      );
      const faults = [...members, ...missing];
      if (faults.length > 0) return faults;
      return between(value as Value).map(([member, message]) => ({ at: under(at, member), message }));
    },
  };
}

/** What others wrote is shown short and on one line. */
const shown = (name: string): string => name.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 64);
