import type { storedEndpoints } from '../../../spec/areas/stored.ts';
import type { Handler } from '../../handler.ts';
import { checkoutOfficeHandlers } from './checkouts.ts';
import { registrationOfficeHandlers } from './registrations.ts';
import { scheduleOfficeHandlers } from './schedules.ts';

/** Lists of registrations, checkouts and schedules. */
export const storedHandlers: Readonly<Record<keyof typeof storedEndpoints, Handler>> = {
  ...registrationOfficeHandlers,
  ...checkoutOfficeHandlers,
  ...scheduleOfficeHandlers,
};
