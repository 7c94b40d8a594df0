/** What JSON can hold of a request: texts, and objects and lists of them. */
export type Nested = string | NestedObject | readonly Nested[];
export interface NestedObject {
  [name: string]: Nested;
}

type Step = string | number;
type Node = Map<Step, Node | string>;

/**
 * Flat wire names to the nested JSON of an answer: `cart.items[0].name`, `customParameters[a.b]`. Built on Maps and objects without a
 * prototype, because `__proto__` is a legal key. Lists come out dense, in the order of their indexes.
 */
export function nest(fields: Readonly<Record<string, string>>): NestedObject {
  const root: Node = new Map();
  for (const name of Object.keys(fields)) {
    const steps = stepsOf(name);
    let node = root;
    for (const step of steps.slice(0, -1)) {
      const inner = node.get(step);
      const child: Node = inner instanceof Map ? inner : new Map();
      node.set(step, child);
      node = child;
    }
    node.set(steps[steps.length - 1] as Step, fields[name] as string);
  }
  return objectOf(root);
}

/** A key in brackets is one step whatever it contains; a number in brackets is a place in a list. */
function stepsOf(name: string): Step[] {
  const steps: Step[] = [];
  let rest = name;
  while (rest !== '') {
    if (rest[0] === '[') {
      const end = rest.indexOf(']');
      const key = rest.slice(1, end);
      steps.push(/^(?:0|[1-9][0-9]{0,3})$/.test(key) && rest[end + 1] === '.' ? Number(key) : key);
      rest = rest.slice(rest[end + 1] === '.' ? end + 2 : end + 1);
    } else {
      const end = rest.search(/[.[]/);
      steps.push(end < 0 ? rest : rest.slice(0, end));
      rest = end < 0 ? '' : rest.slice(rest[end] === '.' ? end + 1 : end);
    }
  }
  return steps;
}

function objectOf(node: Node): NestedObject {
  const object: NestedObject = Object.create(null);
  for (const [step, inner] of node) object[step] = nestedOf(inner);
  return object;
}

function nestedOf(node: Node | string): Nested {
  if (typeof node === 'string') return node;
  const isList = node.size > 0 && [...node.keys()].every((step) => typeof step === 'number');
  if (!isList) return objectOf(node);
  return [...node.keys()].sort((a, b) => Number(a) - Number(b)).map((step) => nestedOf(node.get(step) as Node | string));
}
