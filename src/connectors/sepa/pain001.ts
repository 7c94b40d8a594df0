import {
  account,
  agent,
  amountElement,
  type CreditVersion,
  type Heading,
  isModern,
  type OwnAccount,
  party,
  paymentIdElement,
  remittanceElement,
  type Transfer,
  writeMessage,
} from './messages.ts';
import { element, type XmlElement } from './xml.ts';

/** The file of a batch of credit transfers: one part for each day of execution. */
export const writeTransfers = (
  version: CreditVersion,
  heading: Heading,
  debtor: OwnAccount,
  transfers: readonly Transfer[],
): string =>
  writeMessage(transfers, {
    version,
    heading,
    own: debtor,
    message: 'CstmrCdtTrfInitn',
    method: 'TRF',
    keyOf: ({ dueOn }) => dueOn,
    partOf: (members) => [
      element('PmtTpInf', [element('SvcLvl', [element('Cd', 'SEPA')])]),
      element('ReqdExctnDt', isModern(version) ? [element('Dt', members[0].dueOn)] : members[0].dueOn),
      party('Dbtr', debtor),
      account('DbtrAcct', debtor.iban),
      agent('DbtrAgt', debtor.bic, version),
      element('ChrgBr', 'SLEV'),
      ...members.map((one) => transferElement(version, one)),
    ],
  });

function transferElement(version: CreditVersion, one: Transfer): XmlElement {
  return element('CdtTrfTxInf', [
    paymentIdElement(one.id),
    element('Amt', [amountElement(one.amount)]),
    one.bic === null ? null : agent('CdtrAgt', one.bic, version),
    party('Cdtr', one),
    account('CdtrAcct', one.iban),
    remittanceElement(one.remittance),
  ]);
}
