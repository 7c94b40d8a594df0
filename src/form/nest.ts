import { inOneGo, inParts, type Rest, type Work } from '../runtime/ticks.ts';
import { parameters } from '../spec/parameters.ts';
/** The fields of a request as JSON: strings, and objects and lists of them. */
export type Nested = string | NestedObject | readonly Nested[];
export interface NestedObject {
  [name: string]: Nested;
}

type Step = string | number;
/** Objects whose members have indexes, in the order of their creation: an inner list comes after the list around it. */
type Lists = Map<NestedObject, readonly [parent: NestedObject, step: Step]>;

/**
 * Flat wire names to the nested JSON of an answer: `cart.items[0].name`, `customParameters[a.b]`. `__proto__` is a legal key and stays one.
 * Lists come out dense, in the order of their indexes.
 */
export const nest = (fields: Readonly<Record<string, string>>): NestedObject => inOneGo(nesting(fields, Object.keys(fields)));

/** The same for many fields, of these names: `rest` lets other requests in between. */
export const nestInSlices = (
  fields: Readonly<Record<string, string>>,
  names: readonly string[],
  rest: Rest,
): Promise<NestedObject> => inParts(nesting(fields, names), rest);

/** More fields than this are nested in slices. */
export const FEW_FIELDS = 1_000;
/** As many fields, and as many lists, as are nested in a millisecond. */
const SLICE_FIELDS = 200;

function* nesting(fields: Readonly<Record<string, string>>, names: readonly string[]): Work<NestedObject> {
  const root: NestedObject = {};
  const lists: Lists = new Map();
  for (let at = 0; at < names.length; at += 1) {
    if (at % SLICE_FIELDS === 0) yield;
    const name = names[at] as string;
    place({ root, lists }, name, fields[name] as string);
  }
  let closed = 0;
  for (const [list, [parent, step]] of [...lists].reverse()) {
    if (closed % SLICE_FIELDS === 0) yield;
    closed += 1;
    // The engine has the members of an object in the order of their indexes.
    if (Object.keys(list).every((key) => INDEX.test(key))) put(parent, step, Object.values(list));
  }
  yield;
  return root;
}

const INDEX = /^(?:0|[1-9][0-9]{0,3})$/;

/** Sets a text under its name. The steps before and after a place in a list are known: many fields share them. */
function place({ root, lists }: { readonly root: NestedObject; readonly lists: Lists }, name: string, text: string): void {
  const open = name.indexOf('[');
  const close = open < 0 ? -1 : name.indexOf(']', open);
  const isIndexed = close > 0 && close + 2 < name.length && name[close + 1] === '.' && INDEX.test(name.slice(open + 1, close));
  const steps = stepsOf(isIndexed ? name.slice(0, open) : name);
  const last = steps.length - 1;
  let node = root;
  for (let at = 0; at < last; at += 1) node = childOf(node, steps[at] as Step);
  const step = steps[last] as Step;
  if (!isIndexed) {
    put(node, step, text);
    return;
  }
  const list = childOf(node, step);
  if (!lists.has(list)) lists.set(list, [node, step]);
  place({ root: childOf(list, Number(name.slice(open + 1, close))), lists }, name.slice(close + 2), text);
}

function childOf(node: NestedObject, step: Step): NestedObject {
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

/** The steps of names of the specification, and of the parts of a name around its indexes. */
const knownSteps: ReadonlyMap<string, readonly Step[]> = new Map(
  Object.keys(parameters)
    .flatMap((name) => name.split(/\[n\]\.?/))
    .filter((part) => !part.includes('['))
    .map((part) => [part, part.split('.')]),
);

/** A key in brackets is one step whatever it contains; a number in brackets is a place in a list. */
function stepsOf(name: string): readonly Step[] {
  const known = knownSteps.get(name);
  if (known !== undefined) return known;
  const steps: Step[] = [];
  let rest = name;
  while (rest !== '') {
    if (rest[0] === '[') {
      const end = rest.indexOf(']');
      const key = rest.slice(1, end);
      steps.push(rest[end + 1] === '.' && INDEX.test(key) ? Number(key) : key);
      rest = rest.slice(rest[end + 1] === '.' ? end + 2 : end + 1);
    } else {
      const end = stepEnd(rest);
      steps.push(end < 0 ? rest : rest.slice(0, end));
      rest = end < 0 ? '' : rest.slice(rest[end] === '.' ? end + 1 : end);
    }
  }
  return steps;
}

/** Where a dot or a bracket ends the first step; -1: the name has no further one. */
function stepEnd(name: string): number {
  const [dot, bracket] = [name.indexOf('.'), name.indexOf('[')];
  return dot < 0 || (bracket >= 0 && bracket < dot) ? bracket : dot;
}
