import { onEveryStore } from './everyStore.ts';
import { laterContract, settlingDayContract } from './storeScheduledSettlement.ts';

/** What every store promises of the days of the sandbox's acquirer. */
onEveryStore(({ name, opened }) => {
  laterContract(name, opened);
  settlingDayContract(name, opened);
});
