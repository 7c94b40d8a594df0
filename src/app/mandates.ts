import type { ConnectorPool } from '../connectors/accounts.ts';
import type { NamedBook } from '../registrations/mandateBooks.ts';
import type { Foundation } from './foundation.ts';

type Needs = Pick<Foundation, 'directory'> & { readonly connectors: Pick<ConnectorPool, 'connector'> };

/** The mandates of the accounts that a merchant and its channels may use, each account once. */
export function createMandateBooks({ directory, connectors }: Needs): (merchantId: string) => readonly NamedBook[] {
  return (merchantId) => {
    const books = new Map<string, NamedBook>();
    for (const { id, settings } of directory.below(merchantId))
      for (const account of Object.keys(settings.accounts ?? {})) {
        const book = connectors.connector(account, id)?.mandates;
        if (book) books.set(account, { account, book });
      }
    return [...books.values()].toSorted((one, other) => (one.account < other.account ? -1 : 1));
  };
}
