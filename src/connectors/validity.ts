import type { Capability } from '../payments/ports.ts';
import type { MethodCode } from '../spec/paymentTypes.ts';
import { validityOf } from '../spec/validity.ts';

type Capabilities = Readonly<Partial<Record<MethodCode, Capability>>>;

/** The capabilities of a kind with the validity of its authorisations, from the table in spec/validity.ts. */
export const withValidities = <Supports extends Capabilities>(connector: string, supports: Supports): Supports =>
  Object.fromEntries(
    Object.entries(supports).map(([method, capability]) => [
      method,
      capability.types.includes('PA') ? { ...capability, validity: validityOf(connector, method as MethodCode) } : capability,
    ]),
  ) as Supports;
