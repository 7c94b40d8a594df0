// The health check of a container: asks the gateway on this machine whether it can take payments. Exit code 0: yes. It reads the gateway's
// own settings, and needs a tenth of a second, where a command of the gateway would need a second.
import { get as getPlain } from 'node:http';
import { get as getByTls } from 'node:https';

const { PORT, TLS_CERT, HOST } = process.env;
const isEverywhere = !HOST || HOST === '0.0.0.0' || HOST === '::';
const options = {
  host: isEverywhere ? '127.0.0.1' : HOST,
  port: Number(PORT || 8080),
  path: '/health/ready',
  timeout: 2_500,
  // The certificate names the public host. Nothing secret is sent, and only a status is read.
  rejectUnauthorized: false,
};
const request = (TLS_CERT ? getByTls : getPlain)(options, (reply) => {
  let text = '';
  reply.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  reply.on('end', () => {
    console.log(text);
    process.exit(reply.statusCode === 200 ? 0 : 1);
  });
});
request.on('timeout', () => request.destroy(new Error('no answer')));
request.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
