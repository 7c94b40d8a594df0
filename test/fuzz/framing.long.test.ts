import { registerReplays } from './replays.ts';
import { framing } from './targets/framing.ts';

/** The same for the bytes of connections, which need a gateway. */
await registerReplays([async () => framing]);
