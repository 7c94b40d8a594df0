import type { Handler } from '../rooms.ts';
import { unavailable } from '../turnAway.ts';

/** The pages of the back office. */
export const backOffice: Handler = ({ respond }) => unavailable(respond);
