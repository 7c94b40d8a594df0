import { isValidBIC, isValidIBAN } from 'ibantools';
import {
  choiceRow,
  flagRow,
  numberRow,
  optionalTextRow,
  type SecretRows,
  type SettingRow,
  type SettingRows,
  textRow,
} from '../kind.ts';
import { sepaText } from './characters.ts';
import { isCreditorId, type Scheme } from './mandates.ts';
import { type CreditVersion, creditVersions, type DebitVersion, debitVersions, NAME_MAX } from './messages.ts';

export type Settings = {
  readonly creditorName: string;
  readonly iban: string;
  readonly bic: string;
  readonly creditorId: string;
  readonly scheme: Scheme;
  readonly debitVersion: DebitVersion;
  readonly creditVersion: CreditVersion;
  readonly batchBooking: boolean;
  readonly cutOff: string;
  readonly closeMinutes: number;
  readonly leadDays: number;
  readonly aheadDays: number;
  readonly noticeDays: number;
  readonly shortNotice: 'move' | 'refuse';
  readonly approveAfterDays: number;
  readonly mandates: 'required' | 'generated';
  readonly sequence: 'automatic' | 'recurring';
  readonly transactionsMax: number;
  readonly keepDays: number;
  readonly delivery: 'sftp' | 'ftps' | 'folder';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly directory: string;
  readonly hostKey: string;
  readonly ca: string;
};

const checkedRow = (row: SettingRow<string>, fits: (text: string) => boolean): SettingRow<string> => ({
  ...row,
  fits: (value) => row.fits(value) && fits(value as string),
});

const name = {
  help: 'The name of the account holder: the creditor that payers see.',
  says: 'a name of 1 to 70 characters that banks accept',
  pattern: /^[^\p{Cc}]{1,140}$/u,
};

export const settingRows: SettingRows<Settings> = {
  creditorName: checkedRow(textRow(name), (text) => sepaText(text, NAME_MAX) !== ''),
  iban: checkedRow(
    textRow({
      help: 'The account that money is collected to and paid from.',
      says: 'an IBAN without blanks',
      pattern: /^[A-Z0-9]{15,34}$/,
    }),
    (text) => isValidIBAN(text),
  ),
  bic: checkedRow(
    optionalTextRow({
      help: 'The BIC of its bank; most banks need none.',
      says: 'a BIC of 8 or 11 characters',
      pattern: /^(?:[A-Z0-9]{8}|[A-Z0-9]{11})?$/,
    }),
    (text) => text === '' || isValidBIC(text),
  ),
  creditorId: checkedRow(
    textRow({
      help: 'The creditor identifier, such as DE98ZZZ09999999999.',
      says: 'a creditor identifier with right check digits',
      pattern: /^.{8,35}$/,
    }),
    isCreditorId,
  ),
  scheme: choiceRow(['CORE', 'B2B'], { help: 'The scheme: B2B for payers that are no consumers.', fallback: 'CORE' }),
  debitVersion: choiceRow(debitVersions, {
    help: 'The version of collection files that the bank takes.',
    fallback: 'pain.008.001.08',
  }),
  creditVersion: choiceRow(creditVersions, { help: 'The version of credit transfer files.', fallback: 'pain.001.001.09' }),
  batchBooking: flagRow('The bank books all transactions of a due date in one sum.', true),
  cutOff: textRowWith('The bank takes files of the day until this time, HH:MM in Frankfurt.', '10:00'),
  closeMinutes: numberRow('Batches close so many minutes before the cut-off.', { least: 5, most: 600, fallback: 60 }),
  leadDays: numberRow('TARGET days from the day of the file to the due date.', { least: 1, most: 10, fallback: 1 }),
  aheadDays: numberRow('Files are sent so many TARGET days earlier than they must be.', { least: 0, most: 8, fallback: 0 }),
  noticeDays: numberRow('Payers are informed so many days before the due date.', { least: 0, most: 60, fallback: 14 }),
  shortNotice: choiceRow(['move', 'refuse'], {
    help: 'A due date with less notice moves to the first day that is possible, or the payment is declined.',
    fallback: 'move',
  }),
  approveAfterDays: numberRow(
    'A collection without a word of the bank is approved so many TARGET days after its due date; 0: by the booking alone.',
    { least: 0, most: 30, fallback: 0 },
  ),
  mandates: choiceRow(['required', 'generated'], {
    help: 'What happens without bankAccount.mandate.id: the payment is declined, or the gateway makes the mandate.',
    fallback: 'required',
  }),
  sequence: choiceRow(['automatic', 'recurring'], {
    help: 'FRST, RCUR, OOFF and FNAL by what was collected before, or RCUR for all.',
    fallback: 'automatic',
  }),
  transactionsMax: numberRow('The most transactions of one file.', { least: 1, most: 10_000, fallback: 2_000 }),
  keepDays: numberRow('Sealed copies of files are kept so many days after their last due date.', {
    least: 14,
    most: 400,
    fallback: 60,
  }),
  delivery: choiceRow(['sftp', 'ftps', 'folder'], { help: 'How files reach the bank.' }),
  host: optionalTextRow({ help: "The bank's server.", says: 'a host name or address', pattern: /^(?:[A-Za-z0-9.:-]{1,253})?$/ }),
  port: numberRow('Its port; 0: 22 for sftp, 21 for ftps.', { least: 0, most: 65_535, fallback: 0 }),
  user: optionalTextRow({ help: 'The user at the server.', says: 'at most 128 characters', pattern: /^[^\p{Cc}]{0,128}$/u }),
  directory: optionalTextRow({
    help: 'The folder on the server; empty: where the login leads.',
    says: 'a folder without ".."',
    pattern: /^(?!.*\.\.)[^\p{Cc}\\]{0,512}$/u,
  }),
  hostKey: optionalTextRow({
    help: "For sftp: the fingerprint of the server's key, as ssh-keygen -l prints it.",
    says: 'SHA256: and 43 characters',
    pattern: /^(?:SHA256:[A-Za-z0-9+/]{43})?$/,
  }),
  ca: optionalTextRow({
    help: 'For ftps: certificates in PEM that are trusted; empty: those of the system.',
    says: 'certificates as PEM',
    pattern: /^(?:-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----\s*)?$/,
  }),
};

function textRowWith(help: string, fallback: string): SettingRow<string> {
  return optionalTextRow({ help, says: 'a time of day such as 10:00', pattern: /^(?:0[4-9]|1\d|2[0-3]):[0-5]\d$/ }, fallback);
}

const SECRET_MAX = 16_384;

export const secretRows: SecretRows = {
  password: {
    help: 'The password at the server, for ftps or sftp.',
    says: `1 to 255 characters`,
    fits: (text) => text.length >= 1 && text.length <= 255 && !/\p{Cc}/u.test(text),
    isOptional: true,
  },
  privateKey: {
    help: 'The private key for sftp, in the format of OpenSSH or PEM.',
    says: 'a private key that begins with -----BEGIN',
    fits: (text) => text.length <= SECRET_MAX && /^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text),
    isOptional: true,
  },
};

/** Settings that a way of delivery needs, or that belong to another one. */
export function settingFaults({ delivery, host, user, hostKey, ca }: Settings): readonly string[] {
  const isRemote = delivery !== 'folder';
  return [
    ...(isRemote && host === '' ? [`"settings.host" is missing: ${delivery} needs it`] : []),
    ...(isRemote && user === '' ? [`"settings.user" is missing: ${delivery} needs it`] : []),
    ...(delivery === 'sftp' && hostKey === '' ? ['"settings.hostKey" is missing: sftp needs it'] : []),
    ...(delivery !== 'sftp' && hostKey !== '' ? ['"settings.hostKey" belongs to sftp'] : []),
    ...(delivery !== 'ftps' && ca !== '' ? ['"settings.ca" belongs to ftps'] : []),
  ];
}
