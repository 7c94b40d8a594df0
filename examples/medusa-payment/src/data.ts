/** What the provider keeps in the `data` of a payment session and of a payment. The storefront reads the first four. */
export type PaymentData = {
  readonly checkoutId: string;
  /** The address of the widget's script for this checkout. */
  readonly scriptUrl: string;
  /** The hash of the script, for the attribute `integrity`. */
  readonly integrity: string;
  /** The last result, for the shopper; empty: none yet. */
  readonly message: string;
  readonly session_id: string;
  /** What is to be paid, as the API writes it. */
  readonly amount: string;
  readonly currency: string;
  readonly paymentId: string | null;
  readonly captureId: string | null;
  readonly reversalId: string | null;
  readonly refundIds: readonly string[];
  readonly resultCode: string | null;
  /** True: paid, and a person should look at it before delivery. */
  readonly needsReview: boolean;
};

type Unread = Readonly<Record<string, unknown>> | undefined;

const textIn = (data: Unread, name: string): string => {
  const value = data?.[name];
  return typeof value === 'string' ? value : '';
};

/** The data of a session that `initiatePayment` made. Throws where it is of something else. */
export function readData(data: Unread): PaymentData {
  if (textIn(data, 'checkoutId') === '')
    throw new TypeError('turnpike: the payment session has no checkoutId: initiate it first');
  const refundIds = data?.refundIds;
  return {
    checkoutId: textIn(data, 'checkoutId'),
    scriptUrl: textIn(data, 'scriptUrl'),
    integrity: textIn(data, 'integrity'),
    message: textIn(data, 'message'),
    session_id: textIn(data, 'session_id'),
    amount: textIn(data, 'amount'),
    currency: textIn(data, 'currency'),
    paymentId: textIn(data, 'paymentId') || null,
    captureId: textIn(data, 'captureId') || null,
    reversalId: textIn(data, 'reversalId') || null,
    refundIds: Array.isArray(refundIds) ? refundIds.filter((id) => typeof id === 'string') : [],
    resultCode: textIn(data, 'resultCode') || null,
    needsReview: data?.needsReview === true,
  };
}

export const hasCheckout = (data: Unread): boolean => textIn(data, 'checkoutId') !== '';
export const sessionIdIn = (data: Unread): string => textIn(data, 'session_id');
