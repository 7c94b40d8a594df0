import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A schema of the contract, as far as requests and answers use it. */
type Schema = {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly 'x-required'?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly 'x-known'?: readonly string[];
  readonly maxLength?: number;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
};

type Body = { readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>> };
type Operation = {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
};

export type Contract = {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const places = ['../../../../shared/facts/contracts/stripe', '../../../../../shared/facts/contracts/stripe'];

/** A file of the contracts; null where the folder is not present. */
export function readContractFile(name: string): unknown {
  const place = places.map((path) => fileURLToPath(new URL(`${path}/${name}`, import.meta.url))).find((path) => existsSync(path));
  return place === undefined ? null : JSON.parse(readFileSync(place, 'utf8'));
}

export const readContract = (): Contract | null => readContractFile('stripe-2026-10-28.subset.json') as Contract | null;

export type FormTree = { [name: string]: FormNode };
type FormNode = string | FormNode[] | FormTree;

/** `a[b][c]=1&d[]=2` as a tree; throws when one name is used in two ways. */
export function decodeForm(text: string): FormTree {
  const tree: FormTree = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.matchAll(/(?:^[^[\]]+)|\[([^[\]]*)\]/g)].map(([whole, inner]) => inner ?? whole);
    put(tree, path, value);
  }
  return tree;
}

function put(tree: FormTree, [first, ...rest]: readonly string[], value: string): void {
  if (first === undefined) throw new Error('a field without a name');
  if (rest.length === 0) {
    if (tree[first] !== undefined) throw new Error(`${first} twice`);
    tree[first] = value;
    return;
  }
  if (rest.length === 1 && rest[0] === '') {
    const list = tree[first] ?? [];
    tree[first] = list;
    if (!Array.isArray(list)) throw new Error(`${first} is not a list everywhere`);
    list.push(value);
    return;
  }
  const inner = tree[first] ?? {};
  tree[first] = inner;
  if (typeof inner === 'string' || Array.isArray(inner)) throw new Error(`${first} is not an object everywhere`);
  put(inner, rest, value);
}

/** What of a form does not fit its schema. */
export function formFaults(schema: Schema, value: FormNode, path = ''): readonly string[] {
  if (schema.anyOf) return schema.anyOf.some((one) => formFaults(one, value, path).length === 0) ? [] : [`${path}: fits no form`];
  switch (schema.type) {
    case 'object':
      return typeof value === 'string' || Array.isArray(value) ? [`${path}: not an object`] : objectFaults(schema, value, path);
    case 'array':
      if (!Array.isArray(value)) return [`${path}: not a list`];
      return value.flatMap((item) => formFaults(schema.items ?? {}, item, `${path}[]`));
    case 'integer':
      return typeof value === 'string' && /^-?[0-9]+$/.test(value) ? [] : [`${path}: not a whole number`];
    case 'boolean':
      return value === 'true' || value === 'false' ? [] : [`${path}: neither true nor false`];
    default:
      if (typeof value !== 'string') return [`${path}: not a text`];
      if (schema.enum && !schema.enum.includes(value)) return [`${path}: ${value} is not a known word`];
      return value.length > (schema.maxLength ?? 5_000) ? [`${path}: too long`] : [];
  }
}

function objectFaults(schema: Schema, value: FormTree, path: string): readonly string[] {
  const { properties = {}, additionalProperties } = schema;
  const missing = [...(schema.required ?? []), ...(schema['x-required'] ?? [])].filter((name) => value[name] === undefined);
  return [
    ...missing.map((name) => `${path}.${name}: missing`),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const own = properties[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
      if (own) return formFaults(own, inner, `${path}.${name}`);
      return additionalProperties === true || schema.properties === undefined ? [] : [`${path}.${name}: unknown`];
    }),
  ];
}
