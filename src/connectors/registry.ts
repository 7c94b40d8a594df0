import { adyen } from './adyen/adyen.ts';
import type { ConnectorKind } from './kind.ts';
import { sepa } from './sepa/sepa.ts';
import { simulator } from './simulator/simulator.ts';
import { stripe } from './stripe/stripe.ts';
import { upstream } from './upstream/upstream.ts';

/** Every connector of this gateway. A new one is a folder and an entry in this list. */
const kinds: readonly ConnectorKind[] = [simulator, adyen, sepa, stripe, upstream];

export const connectorKinds: ReadonlyMap<string, ConnectorKind> = new Map(kinds.map((kind) => [kind.name, kind]));
