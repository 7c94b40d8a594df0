import type { Labels } from './labels.ts';

export const en: Labels = {
  simulator: 'Payment simulator',
  notice: 'This is not a real bank or wallet, and no money moves.',
  amount: 'Amount',
  recipient: 'Recipient',
  method: 'Payment method',
  pay: 'Pay {amount}',
  decline: 'Simulate a decline',
  cancel: 'Cancel the payment',
  later: 'Decide later',
  laterHint: 'The payment stays open. You can come back to this page until {time}.',
  back: 'Back to the shop',
  account: 'Account',
  reference: 'Reference',
  payBy: 'Pay by',
  havePaid: 'I have paid',
  payLater: 'Pay later',
  agree: 'Agree',
  disagree: 'Do not agree',
  instructions: {
    title: 'How to pay',
    text: 'Transfer or deposit the amount and give the reference, so that the payment can be matched.',
  },
  invoice: { title: 'Pay by invoice', text: 'The shop delivers first. You pay within 14 days of receiving the invoice.' },
  agreed: { title: 'Agreed', text: 'You pay when the invoice comes. You can go back to the shop.' },
  open: { title: 'Confirm the payment', text: 'Choose how it ends.' },
  paid: { title: 'Paid', text: 'The payment is complete. You can go back to the shop.' },
  refused: { title: 'Not paid', text: 'The payment was declined or cancelled. Nothing was charged.' },
  over: {
    title: 'No longer open',
    text:
      'The time to pay has passed, or the shop has withdrawn the payment. ' +
      'Nothing was charged. Go back to the shop to try again.',
  },
  lost: { title: 'Payment not found', text: 'This address is incomplete or was changed. Go back to the shop and start again.' },
};
