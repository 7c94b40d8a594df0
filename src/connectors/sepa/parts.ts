import type { AcquirerAnswer } from '../../payments/ports.ts';
import type { NegativeCode } from '../../spec/resultCodes.ts';
import type { Account } from '../kind.ts';
import type { AccountNeeds } from '../ports.ts';
import type { BankTimes } from './dates.ts';
import type { Creditor } from './pain008.ts';
import type { Settings } from './settings.ts';

/** What every verb of the connector works with. */
export type Parts = { readonly needs: AccountNeeds; readonly account: Account<Settings> };

/** The clock of the account is that of its owner: a batch has payments of several merchants. */
export const nowOf = ({ needs, account }: Parts): number => needs.clockOf(account.ownerId).now();

export const timesOf = ({ account: { settings } }: Parts): BankTimes => settings;

export const creditorOf = ({ account: { settings } }: Parts): Creditor => ({
  name: settings.creditorName,
  iban: settings.iban,
  bic: settings.bic === '' ? null : settings.bic,
  creditorId: settings.creditorId,
});

export const declined = (code: NegativeCode, reason?: string): AcquirerAnswer => ({
  is: 'declined',
  code,
  details: reason === undefined ? {} : { resultDetails: { AcquirerResponse: reason } },
});
