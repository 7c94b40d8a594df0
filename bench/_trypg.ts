import postgres from 'postgres';
import { startPostgres } from '/work/main/test/postgres.ts';
import { migrationsOf, migrationTable } from '/work/main/src/store/migrate.ts';
import * as pg from '/work/main/bench/postgresDatabase.ts';
import { findPgbench, pgbenchLap } from '/work/main/bench/pgbench.ts';
process.once('SIGTERM',()=>process.exit(1));
const server = await startPostgres({ settings: { max_connections: '300', max_wal_size: '8GB', shared_buffers: '512MB' } });
const make = async (name: string) => { const url = await pg.createDatabase(server.url(), name); const sql = postgres(url,{max:1,onnotice(){}}); await sql.unsafe(migrationTable); for (const m of migrationsOf('postgres')) await sql.unsafe(m.text); await sql.end(); return url; };
const a = await make('a'); const b = await make('b');
const sql = postgres(a,{max:1});
const data = JSON.stringify({ paymentBrand:'VISA', method:'CC', mode:'INTERNAL', connector:'simulator', ndc:'x'.repeat(65), descriptor:'1234.1234.1234 Demo_Shop', phase:{at:'final',code:'000.100.110'}, instrument:{kind:'card',bin:'420000',last4Digits:'0000',holder:'Ann Example',expiryMonth:'05',expiryYear:'2034'}, details:{}, fields:{'customer.givenName':'Ann','customer.surname':'x','customer.email':'ann.example@example.org','billing.city':'Springfield','billing.street1':'17 Market Street','billing.postcode':'12345','billing.country':'DE'}, isBrandDetected:false,isLast:false,numberOfCaptures:null,movedAt:1});
for (const [id, t] of [['a'.repeat(32),'DB'],['b'.repeat(32),'PA']] as [string,string][]) {
 await sql.unsafe(`INSERT INTO payment VALUES ($1,$2,$3,$4,NULL,$5,NULL,'approved',9200,'EUR',1,NULL,'order-1','1.1.1',$6,1,1,$7,$8)`,['m'.repeat(32), id, id, 'e'.repeat(32), t, 'f'.repeat(43), data, Buffer.alloc(60,1)]);
 await sql.unsafe(`INSERT INTO outbox VALUES ($1,$2,$3,$4,1,'PAYMENT','000.100.110',1,'new')`,['m'.repeat(32), 'o'+id.slice(1), 'e'.repeat(32), id]); }
await sql.end();
const samples = await pg.readPostgresSamples(a, {DB:'a'.repeat(32), PA:'b'.repeat(32)});
const rows = Number(process.argv[2]);
let t = performance.now();
await pg.fillPostgres(b, { samples, rows, onProgress: () => {} });
console.log('fill', rows, ((performance.now()-t)/1000).toFixed(1)+'s');
t = performance.now();
console.log((await pg.spreadPostgresIds(b,'PA',1000)).length, performance.now()-t|0,'ms');
const program = findPgbench(); console.log(program);
for (const connections of [64,256]) for (let i=0;i<2;i++) console.log(connections, await pgbenchLap(program!, b, {sample:samples.DB, connections, seconds:2}));
await server.stop();
process.exit();
