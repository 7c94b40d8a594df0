import type { HouseParts } from './houseParts.ts';
import type { Ground } from './houseWorld.ts';
import { forgetOldAsks } from './people/approvals.ts';
import { forgetInvitations } from './people/invitations.ts';
import type { PeopleNeeds } from './people/needs.ts';
import { createPace } from './people/pace.ts';
import { createTurns } from './people/password.ts';
import type { PeopleRoom } from './people/room.ts';
import { forgetOldSessions, signedIn } from './people/sessions.ts';
import { forgetOldSoloActs } from './people/soloActs.ts';
import { forgetTickets } from './people/tickets.ts';
import { forgetOldTries } from './people/tries.ts';
import { systemRandom } from './registrations/randomBytes.ts';
import type { Job } from './workers/loop.ts';

const CLEAN_MS = 10 * 60_000;

/** Who works in the back office. People live in real time, whatever the clocks of the merchants show. */
export function furnishPeople(
  { store, clock, gatewayPort, isBreached }: Pick<HouseParts, 'store' | 'clock' | 'gatewayPort' | 'isBreached'>,
  { vault, directory, ids }: Pick<Ground, 'vault' | 'directory' | 'ids'>,
): PeopleRoom {
  const needs: PeopleNeeds = { store, vault, directory, clock, ids, random: systemRandom, turns: createTurns(), isBreached };
  return {
    needs,
    gatewayPort: gatewayPort ?? null,
    pace: createPace(clock),
    signedIn: (token, isQuiet) => signedIn(needs, token, isQuiet),
  };
}

/** What is over goes. */
export const peopleJobs = ({ needs }: PeopleRoom): readonly Job[] => [
  {
    name: 'forget old sessions',
    everyMs: CLEAN_MS,
    run: async () =>
      void (await Promise.all(
        [forgetOldSessions, forgetTickets, forgetInvitations, forgetOldTries, forgetOldAsks, forgetOldSoloActs].map((forget) =>
          forget(needs),
        ),
      )),
  },
];
