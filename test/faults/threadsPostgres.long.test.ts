import { after } from 'node:test';
import { openPostgresStore } from '../../src/store/postgres/postgresStore.ts';
import { testDatabase } from '../postgres.ts';
import { createGateway } from './gatewayProcess.ts';
import { insertShops, threadContract, threadEnv } from './threadContract.ts';

let drop: () => Promise<void> = async () => {};
threadContract(async () => {
  const database = await testDatabase();
  drop = () => database.drop();
  const store = await openPostgresStore({ url: database.url });
  await insertShops(store);
  await store.close();
  return createGateway({ databaseUrl: database.url, env: threadEnv });
});
after(() => drop());
