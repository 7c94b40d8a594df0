import type { CheckoutLists } from '../../checkouts/listing.ts';
import type { FollowUpLists } from '../../payments/search/listing.ts';
import type { RegistrationLists } from '../../registrations/listing.ts';
import type { ScheduleLists } from '../../schedules/listing.ts';

/** Lists of what merchants have stored. */
export type StoredService = RegistrationLists & CheckoutLists & ScheduleLists & Pick<FollowUpLists, 'usesOf'>;
