import { OperatorError } from '../app/operatorError.ts';
import type { Directory } from '../merchants/directory.ts';

/** The connectors whose payments are decided by the files of a bank: only the gateway itself can apply them. */
const fileConnectors = ['sepa'];

/** Refuses to import files here where they decide payments. */
export function refuseFileAccounts(directory: Pick<Directory, 'below'>, entityId: string): void {
  const accounts = directory.below(entityId).flatMap(({ settings }) => Object.values(settings.accounts ?? {}));
  if (accounts.some((account) => fileConnectors.includes(String((account as { readonly connector?: unknown }).connector))))
    throw new OperatorError(
      '--entity: the files of its bank decide payments, so the gateway must import them: upload them, or use SETTLEMENT_DIR or settlement.pull',
    );
}
