import type { Handler } from '../rooms.ts';
import { unavailable } from '../turnAway.ts';

const later: Handler = ({ respond }) => unavailable(respond);

export const peopleHandlers = {
  signIn: later,
  signInSecond: later,
  passkeyOptions: later,
  passkeySignIn: later,
  readInvitation: later,
  acceptInvitation: later,
  finishInvitation: later,
  readMe: later,
  signOut: later,
  stepUpOptions: later,
  stepUp: later,
};
