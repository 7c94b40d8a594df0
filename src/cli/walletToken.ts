import { parseArgs } from 'node:util';
import { createDirectory } from '../merchants/directory.ts';
import type { MerchantStore } from '../merchants/needs.ts';
import { issueToken } from '../registrations/wallets/issuer/issueToken.ts';
import { createSandboxIssuer, sandboxSeed } from '../registrations/wallets/issuer/sandboxIssuer.ts';

/** What the command needs of the gateway whose data it works on. */
export type WalletTokenNeeds = {
  readonly store: MerchantStore;
  readonly vault: Parameters<typeof sandboxSeed>[0];
  readonly environment: 'test' | 'live';
  readonly clock: { now(): number };
  readonly ids: { random(): string };
  readonly tell: (line: string) => void;
  readonly complain: (line: string) => void;
};

/** Each option of the command and the field of the order it fills. */
const fieldOf: Readonly<Record<string, string>> = {
  wallet: 'wallet',
  entity: 'entityId',
  version: 'version',
  number: 'number',
  'expiry-month': 'expiryMonth',
  'expiry-year': 'expiryYear',
  amount: 'amount',
  currency: 'currency',
  'number-type': 'numberType',
  holder: 'holder',
  eci: 'eci',
  key: 'key',
  signed: 'signed',
  fault: 'fault',
};
const optionOf = new Map(Object.entries(fieldOf).map(([option, field]) => [field, option]));
const options = Object.fromEntries(Object.keys(fieldOf).map((name) => [name, { type: 'string' as const }]));

export const walletTokenUsage =
  'wallet-token --wallet walletA [--entity …] [--version …] [--number …] [--expiry-month 12] [--expiry-year 2034] [--amount 92.00] ' +
  '[--currency EUR] [--holder …] [--eci …] [--number-type PAN] [--key previous] [--signed yes] [--fault expired]';

/** Prints a token of the sandbox's wallets, and nothing else on that stream; answers the exit code. */
export async function walletToken(args: readonly string[], needs: WalletTokenNeeds): Promise<number> {
  const { store, vault, environment, clock, ids, tell, complain } = needs;
  if (environment === 'live') {
    complain('wallet-token makes tokens of the sandbox, which the live environment does not know');
    return 1;
  }
  const fields = fieldsOf(args);
  if (typeof fields === 'string') {
    complain(`${fields}\nusage: ${walletTokenUsage}`);
    return 1;
  }
  const { entity } = await createDirectory(store, clock);
  const issuer = createSandboxIssuer({ seed: sandboxSeed(vault), ids });
  const issued = issueToken(fields, { entity, issuer, now: clock.now() });
  if (!('token' in issued)) {
    for (const { name, says } of issued) complain(`--${optionOf.get(name) ?? name}: ${says}`);
    return 1;
  }
  if (issued.refused) complain(`a payment with it is refused (${issued.refused.why}): ${issued.refused.says}`);
  tell(issued.token);
  return 0;
}

/** The fields of the order, or what is wrong with the command line. */
function fieldsOf(args: readonly string[]): ReadonlyMap<string, string> | string {
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
    return new Map(Object.entries(values).map(([option, text]) => [fieldOf[option] as string, String(text)]));
  } catch (error) {
    return (error as Error).message;
  }
}
