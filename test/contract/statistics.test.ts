import { onEveryStore } from './everyStore.ts';
import { statisticsContract } from './storeStatistics.ts';

/** What every store promises of the figures of the dashboard. */
onEveryStore(({ name, opened, isDatabase }) => statisticsContract(name, opened, isDatabase));
