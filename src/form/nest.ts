/** What JSON can hold of a request: texts, and objects and lists of them. */
export type Nested = string | NestedObject | readonly Nested[];
export interface NestedObject {
  [name: string]: Nested;
}

type Step = string | number;
type Node = Map<Step, Node | string>;

/**
 * Flat wire names to the nested JSON of an answer: `cart.items[0].name`, `customParameters[a.b]`. `__proto__` is a legal key and stays one.
 * Lists come out dense, in the order of their indexes.
 */
export function nest(fields: Readonly<Record<string, string>>): NestedObject {
  const root: NestedObject = {};
  for (const name of Object.keys(fields)) {
    const steps = stepsOf(name);
    if (steps.hasIndex) return nestWithLists(fields);
    let node = root;
    for (let at = 0; at < steps.last; at += 1) node = childOf(node, steps.names[at] as string);
    put(node, steps.names[steps.last] as string, fields[name] as string);
  }
  return root;
}

function childOf(node: NestedObject, step: string): NestedObject {
  const inner = Object.hasOwn(node, step) ? node[step] : undefined;
  if (typeof inner === 'object') return inner as NestedObject;
  const child: NestedObject = {};
  put(node, step, child);
  return child;
}

function put(node: NestedObject, step: Step, inner: Nested): void {
  if (step !== '__proto__') node[step] = inner;
  else Object.defineProperty(node, step, { value: inner, enumerable: true, configurable: true, writable: true });
}

function nestWithLists(fields: Readonly<Record<string, string>>): NestedObject {
  const root: Node = new Map();
  for (const name of Object.keys(fields)) place(root, name, fields[name] as string);
  return objectOf(root);
}

/** Sets a text under its name. The steps before and after a place in a list are known: many fields share them. */
function place(root: Node, name: string, text: string): void {
  const open = name.indexOf('[');
  const close = open < 0 ? -1 : name.indexOf(']', open);
  const isIndexed = close > 0 && close + 2 < name.length && name[close + 1] === '.' && INDEX.test(name.slice(open + 1, close));
  const { names, last } = stepsOf(isIndexed ? name.slice(0, open) : name);
  if (isIndexed) {
    let node = root;
    for (const step of names) node = childNode(node, step);
    place(childNode(node, Number(name.slice(open + 1, close))), name.slice(close + 2), text);
    return;
  }
  let node = root;
  for (let at = 0; at < last; at += 1) node = childNode(node, names[at] as Step);
  node.set(names[last] as Step, text);
}

function childNode(node: Node, step: Step): Node {
  const inner = node.get(step);
  if (inner instanceof Map) return inner;
  const child: Node = new Map();
  node.set(step, child);
  return child;
}

const INDEX = /^(?:0|[1-9][0-9]{0,3})$/;

/** More fields than this are nested in slices. */
export const FEW_FIELDS = 1_000;
/** As many fields, and as many places of a list, as are nested in a few milliseconds. */
const [SLICE_FIELDS, SLICE_PLACES] = [1_000, 50];

/** The same for many fields, of these names: `rest` lets other requests in between. */
export async function nestInSlices(
  fields: Readonly<Record<string, string>>,
  names: readonly string[],
  rest: () => Promise<void>,
): Promise<NestedObject> {
  const root: Node = new Map();
  for (let from = 0; from < names.length; from += SLICE_FIELDS) {
    await rest();
    for (const name of names.slice(from, from + SLICE_FIELDS)) place(root, name, fields[name] as string);
  }
  const nested = await objectInSlices(root, rest);
  await rest();
  return nested;
}

/** Lists are long, and what is in one place of them is not. */
async function objectInSlices(node: Node, rest: () => Promise<void>): Promise<NestedObject> {
  const object: NestedObject = {};
  for (const [step, inner] of node) {
    if (typeof inner === 'string') put(object, step, inner);
    else put(object, step, isList(inner) ? await listInSlices(inner, rest) : await objectInSlices(inner, rest));
  }
  return object;
}

async function listInSlices(node: Node, rest: () => Promise<void>): Promise<readonly Nested[]> {
  const list: Nested[] = [];
  for (const step of inOrder(node)) {
    if (list.length % SLICE_PLACES === 0) await rest();
    list.push(nestedOf(node.get(step) as Node | string));
  }
  return list;
}

type Steps = { readonly names: readonly Step[]; readonly last: number; readonly hasIndex: boolean };

/** The steps of names without brackets: these are names of the specification, and every payment has the same few. */
const knownSteps = new Map<string, Steps>();
const KNOWN_MAX = 4_096;

/** A key in brackets is one step whatever it contains; a number in brackets is a place in a list. */
function stepsOf(name: string): Steps {
  const known = knownSteps.get(name);
  if (known !== undefined) return known;
  const names: Step[] = [];
  let hasIndex = false;
  let rest = name;
  while (rest !== '') {
    if (rest[0] === '[') {
      const end = rest.indexOf(']');
      const key = rest.slice(1, end);
      const isIndex = rest[end + 1] === '.' && INDEX.test(key);
      hasIndex ||= isIndex;
      names.push(isIndex ? Number(key) : key);
      rest = rest.slice(rest[end + 1] === '.' ? end + 2 : end + 1);
    } else {
      const end = stepEnd(rest);
      names.push(end < 0 ? rest : rest.slice(0, end));
      rest = end < 0 ? '' : rest.slice(rest[end] === '.' ? end + 1 : end);
    }
  }
  const steps: Steps = { names, last: names.length - 1, hasIndex };
  if (!name.includes('[') && knownSteps.size < KNOWN_MAX) knownSteps.set(name, steps);
  return steps;
}

/** Where a dot or a bracket ends the first step; -1: the name has no further one. */
function stepEnd(name: string): number {
  const [dot, bracket] = [name.indexOf('.'), name.indexOf('[')];
  return dot < 0 || (bracket >= 0 && bracket < dot) ? bracket : dot;
}

function objectOf(node: Node): NestedObject {
  const object: NestedObject = {};
  for (const [step, inner] of node) put(object, step, nestedOf(inner));
  return object;
}

function nestedOf(node: Node | string): Nested {
  if (typeof node === 'string') return node;
  return isList(node) ? inOrder(node).map((step) => nestedOf(node.get(step) as Node | string)) : objectOf(node);
}

function isList(node: Node): boolean {
  for (const step of node.keys()) if (typeof step !== 'number') return false;
  return node.size > 0;
}

const inOrder = (list: Node): readonly Step[] => [...list.keys()].sort((a, b) => Number(a) - Number(b));
