import type { Handle } from '../handler.ts';
import { acsAction, acsApp, acsChallenge, acsMethod } from './acs.ts';
import { bankChoice, bankPage } from './bank.ts';
import { createDemo } from './demo.ts';
import { walletForm, walletToken } from './walletIssuer.ts';

/** The endpoints of the simulators: bank, issuer, wallet and demo shop. The demo shop's server sends its requests through `handle`. */
export const createSandboxHandlers = (handle: Handle) =>
  ({
    bankPage,
    bankChoice,
    acsMethod,
    acsChallenge,
    acsApart: acsChallenge,
    acsAction,
    acsApp,
    walletForm,
    walletToken,
    ...createDemo(handle),
  }) as const;
