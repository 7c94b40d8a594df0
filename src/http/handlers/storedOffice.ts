import type { storedEndpoints } from '../../spec/areas/stored.ts';
import type { Handler } from '../rooms.ts';
import { checkoutOfficeHandlers } from './storedOfficeCheckouts.ts';
import { registrationOfficeHandlers } from './storedOfficeRegistrations.ts';
import { scheduleOfficeHandlers } from './storedOfficeSchedules.ts';

/** What merchants have stored, for those who look after it. */
export const storedHandlers: Readonly<Record<keyof typeof storedEndpoints, Handler>> = {
  ...registrationOfficeHandlers,
  ...checkoutOfficeHandlers,
  ...scheduleOfficeHandlers,
};
