import { OperatorError } from '../../app/operatorError.ts';
import type { Config } from '../../config/config.ts';
import { createDirectory } from '../../merchants/directory.ts';
import type { MerchantStore } from '../../merchants/ports.ts';
import { createSandboxIssuer, sandboxSeed } from '../../wallets/issuer/issuer.ts';
import { issueToken, tokenFaults } from '../../wallets/issuer/issueToken.ts';
import { walletVersions } from '../../wallets/issuer/order.ts';
import { type Command, type Context, parseOptions } from '../command.ts';

/** The part of the context that the command needs. */
export type WalletTokenNeeds = {
  config(): Pick<Config, 'environment'>;
  store(): Promise<MerchantStore>;
  vault(): Promise<Parameters<typeof sandboxSeed>[0]>;
} & Pick<Context, 'clock' | 'ids' | 'print' | 'printError'>;

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

/** A token of the sandbox's wallets, the same as its page makes. */
export const walletTokenCommand: Command = {
  name: 'wallet-token',
  summary: 'make a token of a device wallet for a payment in the sandbox',
  usage: [
    'wallet-token --wallet walletA [options]',
    '  --wallet name         walletA, walletB or walletC, or applePay, googlePay, samsungPay',
    '  --entity id           the channel that is paid; otherwise the first of the sandbox',
    `  --version name        ${Object.values(walletVersions).flat().join(', ')}`,
    '  --number digits       the card; with --expiry-month 12 and --expiry-year 2034',
    '  --amount 92.00        with --currency EUR',
    '  --holder name, --eci 05, --number-type PAN, --key previous, --signed yes',
    `  --fault name          a token that is refused: ${Object.keys(tokenFaults).join(', ')}`,
  ].join('\n'),
  run: (words, context) => walletToken(words, context),
};

/** Prints a token, and nothing else on that stream; answers the exit code. */
export async function walletToken(words: readonly string[], context: WalletTokenNeeds): Promise<number> {
  const { clock, ids, print, printError } = context;
  const options = parseOptions(words, Object.keys(fieldOf));
  if (context.config().environment === 'live')
    throw new OperatorError('ENVIRONMENT: the live environment knows no sandbox, and no token of its wallets');
  const fields = new Map(Object.entries(options).map(([option, text]) => [fieldOf[option] ?? option, text ?? '']));
  const { entity } = await createDirectory(await context.store(), clock);
  const issuer = createSandboxIssuer({ seed: sandboxSeed(await context.vault()), ids });
  const result = issueToken(fields, { entity, issuer, now: clock.now() });
  if (result.is === 'invalid')
    throw new OperatorError(result.faults.map(({ name, says }) => `--${optionOf.get(name) ?? name}: ${says}`).join('\n'));
  const { issued } = result;
  if (issued.refused) printError(`a payment with it is refused (${issued.refused.why}): ${issued.refused.says}`);
  print(issued.token);
  return 0;
}
