import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { createGateway, temporaryFolder } from './gatewayProcess.ts';
import { insertShops, threadContract, threadEnv } from './threadContract.ts';

threadContract(async () => {
  const dataDir = temporaryFolder();
  const store = await openSqliteStore({ dataDir });
  await insertShops(store);
  await store.close();
  return createGateway({ dataDir, env: threadEnv });
});
