import type { Enrolment, HalfSignedIn, Invitation, Me } from '../../spec/answers/people.ts';

/** What each endpoint answers. An area adds its rows: `listPayments: PaymentPage;`. What is not named here is unknown. */
export type Answers = {
  readMe: Me;
  signIn: HalfSignedIn;
  readInvitation: Invitation;
  acceptInvitation: Enrolment;
};
