import { onEveryStore } from './everyStore.ts';
import { storeContract } from './store.ts';

onEveryStore(storeContract);
