import { canonical } from './aliases.ts';
import { mapKeys, type ParameterName, parameters } from './parameters.ts';

const mapsByPrefix: ReadonlyMap<string, string> = new Map(
  Object.keys(mapKeys).map((name): [string, string] => [name.slice(0, name.indexOf('[')), name]),
);
const INDEX = /\[(?:0|[1-9][0-9]{0,3})\]/g;

const isRow = (name: string): name is ParameterName => Object.hasOwn(parameters, name);

/**
 * The row a sent name belongs to, whatever its index or key: `cart.items[3].name` → `cart.items[n].name`. Whether the index is small
 * enough and the key well formed is for the checker to say; undefined is a name that no row has.
 */
export function rowNameOf(sent: string): ParameterName | undefined {
  const name = canonical(sent);
  const bracket = name.indexOf('[');
  if (bracket < 0) return isRow(name) ? name : undefined;
  const map = mapsByPrefix.get(name.slice(0, bracket));
  if (map !== undefined) return name.endsWith(']') && isRow(map) ? map : undefined;
  // `cart.items[n].name` as it stands is no name a client may send.
  const general = name.includes('[n]') ? name : name.replace(INDEX, '[n]');
  return isRow(general) && (general !== name || !general.includes('[n]')) ? general : undefined;
}
