import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The shops of the webhook bench, in a process of their own: everybody is answered at once but on /hang, where nobody ever is. */
let answered = 0;
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    if (request.url === '/hang') return;
    answered += 1;
    response.writeHead(200).end();
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('message', () => process.send?.({ answered }));
process.once('disconnect', () => process.exit());
