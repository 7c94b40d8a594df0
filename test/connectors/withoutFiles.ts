import type { AccountNeeds } from '../../src/connectors/ports.ts';

const refuse = (): Promise<never> => Promise.reject(new Error('this connector sends no files'));

/** What a connector needs for files, for tests of those that send none. */
export const withoutFiles: Pick<AccountNeeds, 'sealed' | 'storedNumber' | 'openFolder'> = {
  sealed: { put: refuse, open: refuse, erase: refuse, fingerprint: refuse },
  storedNumber: refuse,
  openFolder: refuse,
};
