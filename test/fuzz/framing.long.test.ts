import { registerReplays } from './replays.ts';
import { targets } from './targets.ts';

/** The same for the bytes of connections, which need a gateway. */
await registerReplays(Object.values(targets).filter(({ needsGateway }) => needsGateway));
