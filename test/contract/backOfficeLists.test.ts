import { onEveryStore } from './everyStore.ts';
import { storedListsContract } from './storeBackOfficeLists.ts';

/** What every store promises of the lists of the back office. */
onEveryStore(({ name, opened }) => storedListsContract(name, opened));
