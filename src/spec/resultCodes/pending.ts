/** Codes of an open question: the final word is still to come. */
export const pending = {
  '000.200.000': 'transaction pending',
  '000.200.001': 'Pending at the acquirer, the shopper is not present',
  '000.200.100': 'successfully created checkout',
  '000.200.101': 'successfully updated checkout',
  '000.200.102': 'Checkout deleted',
  '000.200.103': 'Checkout is pending',
  '000.200.200': 'Transaction initialised',
  '000.200.201': 'QR code scanned or link opened, the shopper has still to authenticate',
  '000.200.999': 'Pending',
  '100.400.500': 'Pending: the result of the external risk check is still to come',
  '800.400.500': 'Waiting for the confirmation of a payment that is not instant',
  '800.400.501': 'Waiting for the confirmation of a debit that is not instant',
  '800.400.502': 'Waiting for the confirmation of a refund that is not instant',
};
