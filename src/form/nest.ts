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
    const steps = knownSteps.get(name) ?? stepsOf(name);
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
  for (const name of Object.keys(fields)) {
    const { names, last } = stepsOf(name);
    let node = root;
    for (const step of names.slice(0, last)) {
      const inner = node.get(step);
      const child: Node = inner instanceof Map ? inner : new Map();
      node.set(step, child);
      node = child;
    }
    node.set(names[last] as Step, fields[name] as string);
  }
  return objectOf(root);
}

type Steps = { readonly names: readonly Step[]; readonly last: number; readonly hasIndex: boolean };

/** The steps of names without brackets: these are names of the specification, and every payment has the same few. */
const knownSteps = new Map<string, Steps>();
const KNOWN_MAX = 4_096;

/** A key in brackets is one step whatever it contains; a number in brackets is a place in a list. */
function stepsOf(name: string): Steps {
  const names: Step[] = [];
  let hasIndex = false;
  let rest = name;
  while (rest !== '') {
    if (rest[0] === '[') {
      const end = rest.indexOf(']');
      const key = rest.slice(1, end);
      const isIndex = rest[end + 1] === '.' && /^(?:0|[1-9][0-9]{0,3})$/.test(key);
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
  const isList = node.size > 0 && [...node.keys()].every((step) => typeof step === 'number');
  if (!isList) return objectOf(node);
  return [...node.keys()].sort((a, b) => Number(a) - Number(b)).map((step) => nestedOf(node.get(step) as Node | string));
}
