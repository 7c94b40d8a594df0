import type { storedEndpoints } from '../../../spec/areas/stored.ts';
import type { Handler } from '../../handler.ts';
import { checkoutHandlers } from './checkouts.ts';
import { customerHandlers } from './customers.ts';
import { mandateHandlers } from './mandates.ts';
import { paymentLinkHandlers } from './paymentLinks.ts';
import { registrationHandlers } from './registrations.ts';
import { scheduleCommands } from './scheduleCommands.ts';
import { scheduleHandlers } from './schedules.ts';

/** Registrations, mandates, customers, checkouts, payment links and schedules. */
export const listingHandlers: Readonly<Record<keyof typeof storedEndpoints, Handler>> = {
  ...registrationHandlers,
  ...checkoutHandlers,
  ...customerHandlers,
  ...mandateHandlers,
  ...paymentLinkHandlers,
  ...scheduleHandlers,
  ...scheduleCommands,
};
