import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A load balancer in front of nodes: each request goes to the next node that was ready when it was last asked. It sends nothing twice. */
export type Balancer = { readonly url: string; close(): Promise<void> };

const CHECK_MS = 100;

export async function startBalancer(nodes: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<string>();
  let turn = 0;
  const check = (node: string): void => {
    const asked = get(`${node}/health/ready`, { agent: false, timeout: 2_000 }, (answer) => {
      answer.resume();
      if (answer.statusCode === 200) ready.add(node);
      else ready.delete(node);
    });
    asked.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') ready.delete(node);
    });
    // A busy machine is no reason to leave a node.
    asked.once('timeout', () => asked.destroy());
  };
  const pass = (asked: IncomingMessage, response: ServerResponse): void => {
    const able = [...ready];
    turn += 1;
    const node = able[turn % able.length];
    const fail = (why: string) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(why);
    };
    if (node === undefined) {
      fail('no node is ready');
      return;
    }
    const { method, headers, url } = asked;
    const passed = request(`${node}${url}`, { agent, method, headers: { ...headers, connection: 'keep-alive' } }, (answer) => {
      const { connection: _, 'keep-alive': __, ...rest } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, rest);
      answer.pipe(response);
    });
    passed.once('error', (error) => fail(`${node}: ${error.message}`));
    asked.pipe(passed);
  };
  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const checkAll = () => nodes.forEach(check);
  checkAll();
  const checking = setInterval(checkAll, CHECK_MS);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      clearInterval(checking);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
