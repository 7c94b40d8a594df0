import { onEveryStore } from './everyStore.ts';
import { misdatedContract } from './storeMisdated.ts';

onEveryStore(({ name, open }) => misdatedContract(name, open));
