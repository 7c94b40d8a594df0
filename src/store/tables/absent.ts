/** Merchants whose rows in a database of PostgreSQL are a copy: they are moving between cells (migration 0023). SQLite has no cells. */

/** What is read across merchants leaves their rows out: they are read where the merchant lives. */
export const isPresent = (merchantId: string): string => `${merchantId} NOT IN (SELECT merchant_id FROM absent_merchant)`;

/** The work of those whose writes are stopped for a moment waits too. */
export const isWorking = (merchantId: string): string => `${merchantId} NOT IN (SELECT merchant_id FROM idle_merchant)`;

/** The same as a further part of a list of merchants that are left out. */
export const postgresIdleMerchants = 'SELECT merchant_id FROM idle_merchant';
