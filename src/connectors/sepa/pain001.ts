import {
  account,
  agent,
  amountElement,
  type CreditVersion,
  documentElement,
  grouped,
  groupHeader,
  type Heading,
  isModern,
  type OwnAccount,
  partId,
  party,
  paymentIdElement,
  remittanceElement,
  sums,
  type Transfer,
} from './messages.ts';
import { element, type XmlElement, xmlDocument } from './xml.ts';

/** The file of a batch of credit transfers: one part for each day of execution. */
export function writeTransfers(
  version: CreditVersion,
  heading: Heading,
  debtor: OwnAccount,
  transfers: readonly Transfer[],
): string {
  const parts = grouped(transfers, ({ dueOn }) => dueOn);
  return xmlDocument(
    documentElement(
      version,
      element('CstmrCdtTrfInitn', [
        groupHeader(heading, transfers, debtor),
        ...parts.map(([, members]) => partElement(version, heading, debtor, members)),
      ]),
    ),
  );
}

function partElement(
  version: CreditVersion,
  { messageId, isBatchBooking }: Heading,
  debtor: OwnAccount,
  members: readonly [Transfer, ...Transfer[]],
): XmlElement {
  const [{ dueOn }] = members;
  return element('PmtInf', [
    element('PmtInfId', partId(messageId, { dueOn })),
    element('PmtMtd', 'TRF'),
    element('BtchBookg', String(isBatchBooking)),
    ...sums(members),
    element('PmtTpInf', [element('SvcLvl', [element('Cd', 'SEPA')])]),
    element('ReqdExctnDt', isModern(version) ? [element('Dt', dueOn)] : dueOn),
    party('Dbtr', debtor),
    account('DbtrAcct', debtor.iban),
    agent('DbtrAgt', debtor.bic, version),
    element('ChrgBr', 'SLEV'),
    ...members.map((one) =>
      element('CdtTrfTxInf', [
        paymentIdElement(one.id),
        element('Amt', [amountElement(one.amount)]),
        one.bic === null ? null : agent('CdtrAgt', one.bic, version),
        party('Cdtr', one),
        account('CdtrAcct', one.iban),
        remittanceElement(one.remittance),
      ]),
    ),
  ]);
}
