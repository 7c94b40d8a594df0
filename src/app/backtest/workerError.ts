import { StoreOutOfOrder } from '../../payments/storeErrors.ts';

/** An error on its way between threads: only its name and message survive. */
export type WorkerError = { readonly name: string; readonly message: string };

/** The error that a worker reported. An unavailable store keeps its class, so that the operator gets its message alone. */
export const errorOf = ({ name, message }: WorkerError): Error =>
  name === 'StoreOutOfOrder' ? new StoreOutOfOrder(message) : Object.assign(new Error(message), { name });
