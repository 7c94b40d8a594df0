/** An acquirer's file of monthly fees: as many lines as wanted, each with ballast in an ignored column. */
export function feeFile(lines: number, ballast = 0, of = 'F'): string {
  const head =
    'ReconciliationType;PaymentType;Cashflow;ClearingInstituteMerchantId;ClearingInstituteName;' +
    'Amount;Currency;SettlementAmount;SettlementCurrency;SettlementDate;SettlementTxId;MerchantAccountName\n';
  const tail = 'x'.repeat(ballast);
  const line = (at: number) => `FEE;MONTHLY;NEG;ACQ-1;Acquirer;5.00;EUR;5.00;EUR;2031-10-02;${of}-${at};${tail}\n`;
  return head + Array.from({ length: lines }, (_, at) => line(at)).join('');
}
