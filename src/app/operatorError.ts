import { BrokenDirectory } from '../merchants/directory.ts';
import { StoreOutOfOrder } from '../payments/storeErrors.ts';
import { WrongMasterKey } from '../vault/masterKey.ts';
import { VaultRefused } from '../vault/sealedText.ts';

/** A problem that the operator can fix. Its message is printed without a stack trace, and the exit code is 1. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

const operatorErrors = [OperatorError, StoreOutOfOrder, WrongMasterKey, VaultRefused, BrokenDirectory];

/** Whether an error is a problem of the environment or the data, for the operator to fix. */
export const isOperatorError = (error: unknown): error is Error => operatorErrors.some((kind) => error instanceof kind);
