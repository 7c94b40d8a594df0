import type { Handler } from '../../rooms.ts';
import { capturePayment, chargebackPayment, refundPayment, reverseChargeback, reversePayment } from './paymentActs.ts';
import { exportPayments, searchPayments } from './searchPayments.ts';
import { seePayment } from './seePayment.ts';
import { listViews, removeView, saveView } from './views.ts';

/** Payments in the back office. */
export const paymentHandlers = {
  searchPayments,
  exportPayments,
  seePayment,
  capturePayment,
  refundPayment,
  reversePayment,
  chargebackPayment,
  reverseChargeback,
  listViews,
  saveView,
  removeView,
} as const satisfies Readonly<Record<string, Handler>>;
