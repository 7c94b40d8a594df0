import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FolderSecret } from '../../src/spec/remoteFolder.ts';
import { selfSigned } from '../http/certificate.ts';

const run = promisify(execFile);
const INSTALL_MS_MAX = 300_000;
const SSHD = '/usr/sbin/sshd';
const VSFTPD = '/usr/sbin/vsftpd';

/** Fetches the distribution's own servers where that is possible; null when both are there, otherwise why not. */
export async function ensureServers(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'only root can start servers that others sign in to';
  if (existsSync(SSHD) && existsSync(VSFTPD)) return null;
  if (!existsSync('/usr/bin/apt-get')) return 'OpenSSH and vsftpd are not there, and nothing to install them with';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '-qq', '--no-install-recommends', 'openssh-server', 'vsftpd'];
  try {
    await run('apt-get', ['update', '-qq'], { env, timeout: INSTALL_MS_MAX });
    await run('apt-get', install, { env, timeout: INSTALL_MS_MAX });
    return null;
  } catch (error) {
    return `OpenSSH and vsftpd could not be installed: ${(error as Error).message.split('\n')[0]}`;
  }
}

export type RealServer = {
  readonly port: number;
  /** Where its files are on this machine. */
  readonly folder: string;
  /** By what a guest asks for the folder. */
  readonly directory: string;
  readonly user: string;
  readonly secret: FolderSecret;
  readonly hostKey: string | null;
  readonly ca: readonly string[] | null;
  stop(): Promise<void>;
};

/** OpenSSH on a port of its own, with a key for the host and one for the guest. */
export async function startOpenSsh(): Promise<RealServer> {
  const home = await mkdtemp(join(tmpdir(), 'turnpike-sshd-'));
  const [port, folder] = [await freePort(), join(home, 'files')];
  await mkdir(folder);
  for (const name of ['host', 'guest']) await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(home, name)]);
  await writeFile(join(home, 'allowed'), await readFile(join(home, 'guest.pub')), { mode: 0o600 });
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(home, 'host')}`,
    `AuthorizedKeysFile ${join(home, 'allowed')}`,
    `PidFile ${join(home, 'pid')}`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'PermitRootLogin yes',
    'Subsystem sftp internal-sftp',
  ];
  await writeFile(join(home, 'config'), `${config.join('\n')}\n`);
  await mkdir('/run/sshd', { recursive: true });
  const child = spawn(SSHD, ['-D', '-e', '-f', join(home, 'config')], { stdio: 'ignore' });
  await listening(port, child);
  const { stdout } = await run('ssh-keygen', ['-l', '-E', 'sha256', '-f', join(home, 'host.pub')]);
  return {
    port,
    folder,
    directory: folder,
    ca: null,
    user: userInfo().username,
    secret: { kind: 'privateKey', privateKey: await readFile(join(home, 'guest'), 'utf8') },
    hostKey: /SHA256:\S+/.exec(stdout)?.[0] ?? null,
    stop: () => ended(child, home),
  };
}

const FTP_USER = 'turnpike-books';
const FTP_PASSWORD = 'only for this test 1';

/** vsftpd on a port of its own, with TLS that every client must use, or without any. */
export async function startVsftpd(isSecure: boolean): Promise<RealServer> {
  const home = await mkdtemp(join(tmpdir(), 'turnpike-vsftpd-'));
  const [port, folder] = [await freePort(), join(home, 'files')];
  await mkdir(folder);
  await chmod(home, 0o755);
  await ensureGuest();
  const { stdout } = await run('id', ['-u', FTP_USER]);
  await chown(folder, Number(stdout), Number(stdout));
  const { cert, key } = selfSigned();
  await writeFile(join(home, 'cert.pem'), cert);
  await writeFile(join(home, 'key.pem'), key, { mode: 0o600 });
  const config = [
    'listen=YES',
    'listen_address=127.0.0.1',
    `listen_port=${port}`,
    'background=NO',
    'anonymous_enable=NO',
    'local_enable=YES',
    'write_enable=YES',
    'seccomp_sandbox=NO',
    'pam_service_name=vsftpd',
    `local_root=${home}`,
    'pasv_address=127.0.0.1',
    ...(isSecure
      ? [
          'ssl_enable=YES',
          'force_local_data_ssl=YES',
          'force_local_logins_ssl=YES',
          'require_ssl_reuse=YES',
          'ssl_ciphers=HIGH',
          `rsa_cert_file=${join(home, 'cert.pem')}`,
          `rsa_private_key_file=${join(home, 'key.pem')}`,
        ]
      : []),
  ];
  await writeFile(join(home, 'config'), `${config.join('\n')}\n`);
  const child = spawn(VSFTPD, [join(home, 'config')], { stdio: 'ignore' });
  await listening(port, child);
  return {
    port,
    folder,
    directory: 'files',
    user: FTP_USER,
    secret: { kind: 'password', password: FTP_PASSWORD },
    hostKey: null,
    ca: isSecure ? [cert] : null,
    stop: () => ended(child, home),
  };
}

/** A user of this machine, because the server asks the machine who may come in. */
async function ensureGuest(): Promise<void> {
  const users = await readFile('/etc/passwd', 'utf8');
  if (!users.includes(`${FTP_USER}:`))
    await run('useradd', ['--no-create-home', '--home-dir', '/', '--shell', '/bin/sh', FTP_USER]);
  const setting = run('chpasswd', []);
  setting.child.stdin?.end(`${FTP_USER}:${FTP_PASSWORD}\n`);
  await setting;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** Its port is asked of the system, not by knocking: a guest that says nothing would be counted. */
async function listening(port: number, child: ChildProcess): Promise<void> {
  const hex = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`;
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await readFile('/proc/net/tcp', 'utf8')).includes(hex)) return;
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    await new Promise((done) => setTimeout(done, 25));
  }
  throw new Error('the server does not listen');
}

async function ended(child: ChildProcess, home: string): Promise<void> {
  const gone = new Promise((done) => child.once('exit', done));
  if (child.exitCode === null && child.kill()) await gone;
  await rm(home, { recursive: true, force: true });
}
