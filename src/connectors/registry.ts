import type { Connector } from '../payments/ports.ts';
import type { ConnectorKind, ConnectorNeeds } from './kind.ts';
import { simulator } from './simulator/simulator.ts';

/** Every connector of this gateway. A new one is a folder and an entry in this list. */
export const connectorKinds: ReadonlyMap<string, ConnectorKind> = new Map([simulator].map((kind) => [kind.name, kind]));

/** Creates the connectors of these names; all of them by default. */
export function createConnectors(needs: ConnectorNeeds, names: Iterable<string> = connectorKinds.keys()): readonly Connector[] {
  return Array.from(names, (name) => {
    const kind = connectorKinds.get(name);
    if (!kind) throw new Error(`no connector is called "${name}": there are ${[...connectorKinds.keys()].join(', ')}`);
    return kind.create(needs);
  });
}
