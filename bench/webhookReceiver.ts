import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The receivers of the webhook bench, in a process of their own: every request is answered immediately, except on /hang, which never
 * answers.
 */
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
