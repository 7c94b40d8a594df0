import { isRecord } from '../../runtime/json.ts';
import type { Json, JsonObject } from '../openApi/schemas.ts';

/** One thing wrong with a scenario, and where in it. */
export type ScenarioFault = { readonly at: string; readonly message: string };

/** The shape of a value in a scenario. */
export interface Shape<Value> {
  readonly schema: JsonObject;
  /** The rule in words: `must be two digits`. */
  readonly message: string;
  faults(value: unknown, at: string): readonly ScenarioFault[];
  /** The members below it, by their paths from here. */
  readonly members: readonly Member[];
  /** Only for the type: it binds the shape to `Value`. */
  readonly of?: (value: Value) => void;
}

export type Member = {
  readonly path: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly message: string;
};

const wrong = (at: string, message: string): readonly ScenarioFault[] => [{ at, message }];

export const text = <Value extends string>(
  pattern: RegExp,
  message: string,
  fits = (it: string) => pattern.test(it),
): Shape<Value> => ({
  schema: { type: 'string', pattern: pattern.source },
  message,
  faults: (value, at) => (typeof value === 'string' && fits(value) ? [] : wrong(at, message)),
  members: [],
});

export const words = <Word extends string>(...all: readonly Word[]): Shape<Word> => {
  const message = `must be one of ${all.join(', ')}`;
  return {
    schema: { type: 'string', enum: all },
    message,
    faults: (value, at) => (all.some((word) => word === value) ? [] : wrong(at, message)),
    members: [],
  };
};

export const whole = (least: number, most: number): Shape<number> => {
  const message = `must be a whole number from ${least} to ${most}`;
  return {
    schema: { type: 'integer', minimum: least, maximum: most },
    message,
    faults: (value, at) =>
      Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most ? [] : wrong(at, message),
    members: [],
  };
};

export const flag: Shape<boolean> = {
  schema: { type: 'boolean' },
  message: 'must be true or false',
  faults: (value, at) => (typeof value === 'boolean' ? [] : wrong(at, 'must be true or false')),
  members: [],
};

export const listOf = <Value>(one: Shape<Value>, most: number): Shape<readonly Value[]> => {
  const message = `must be a list of 1 to ${most}`;
  return {
    schema: { type: 'array', items: one.schema, minItems: 1, maxItems: most },
    message,
    faults: (value, at) =>
      Array.isArray(value) && value.length >= 1 && value.length <= most
        ? value.flatMap((item, index) => one.faults(item, `${at}[${index}]`))
        : wrong(at, message),
    members: one.members.map((member) => ({ ...member, path: `[].${member.path}` })),
  };
};

type Entry<Value> = { readonly shape: Shape<Value>; readonly description: string; readonly isRequired: boolean };

export const required = <Value>(shape: Shape<Value>, description: string): Entry<Value> => ({
  shape,
  description,
  isRequired: true,
});
export const optional = <Value>(shape: Shape<Value>, description: string): Entry<Value> => ({
  shape,
  description,
  isRequired: false,
});

/** A row for every member of the type, or it does not compile. */
export type Rows<Value> = { readonly [Name in keyof Value]-?: Entry<Exclude<Value[Name], undefined>> };

/** `between` finds members that exclude each other. */
export function object<Value>(
  rows: Rows<Value>,
  between: (value: Value) => readonly (readonly [member: string, message: string])[] = () => [],
): Shape<Value> {
  const entries = Object.entries(rows) as [string, Entry<unknown>][];
  const message = `must be an object of ${entries.map(([name]) => name).join(', ')}`;
  const known = new Map(entries);
  const under = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        entries.map(([name, { shape, description }]): [string, Json] => [name, { ...shape.schema, description }]),
      ),
      required: entries.flatMap(([name, { isRequired }]) => (isRequired ? [name] : [])),
      additionalProperties: false,
    },
    message,
    members: entries.flatMap(([name, { shape, description, isRequired }]) => [
      { path: name, isRequired, description, message: shape.message },
      ...shape.members.map((member) => ({
        ...member,
        path: member.path.startsWith('[') ? name + member.path : `${name}.${member.path}`,
      })),
    ]),
    faults(value, at) {
      if (!isRecord(value)) return wrong(at, message);
      const members = Object.entries(value).flatMap(([name, member]) => {
        const entry = known.get(name);
        return entry ? entry.shape.faults(member, under(at, name)) : wrong(under(at, shown(name)), 'is not known here');
      });
      const missing = entries.flatMap(([name, { isRequired }]) =>
        isRequired && !Object.hasOwn(value, name) ? wrong(under(at, name), 'may not be empty') : [],
      );
      const faults = [...members, ...missing];
      if (faults.length > 0) return faults;
      return between(value as Value).map(([member, message]) => ({ at: under(at, member), message }));
    },
  };
}

/** Foreign text is shown short and on one line. */
const shown = (name: string): string => name.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 64);
