import { registerReplays } from './replays.ts';
import { targets } from './targets.ts';

/** The inputs that earlier searches found are tried again in every run; the search itself is a long test. */
await registerReplays(Object.values(targets).filter(({ needsGateway }) => !needsGateway));
