import { describe } from 'node:test';
import { storeContract } from './store.ts';
import { openMemory, openPostgres, openSqlite } from './storeOpen.ts';

describe('memory', () => storeContract('memory', openMemory, false));
describe('sqlite', () => storeContract('sqlite', openSqlite, true));
describe('postgres', () => storeContract('postgres', openPostgres, true));
