import { generateKeyPairSync } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, mkdtemp, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2';

const { STATUS_CODE, OPEN_MODE } = ssh2.utils.sftp;

/** What a test may do to the server's guests. */
export type Trouble = {
  /** Called before each write with what the file has so far; true cuts the connection. */
  cutsWrite?: (name: string, position: number) => boolean;
  /** Called before each read with the place in the file; true cuts the connection. */
  cutsRead?: (name: string, position: number) => boolean;
  /** Called before a rename; `before` cuts without doing it, `after` does it and cuts before the answer. */
  cutsRename?: () => 'before' | 'after' | null;
  /** Without OpenSSH's own rename: one that does not go over what is there. */
  isOld?: boolean;
};

export type SftpServer = {
  readonly port: number;
  readonly folder: string;
  readonly hostKey: string;
  readonly trouble: Trouble;
  readonly counts: { connections: number; writes: number };
  close(): Promise<void>;
};

export const SFTP_USER = 'books';
export const SFTP_PASSWORD = 'a password of the tests';

/** Not by ssh2: of the ed25519 keys that it makes, it cannot read one in two hundred itself. */
function createHostKeys(): { readonly private: string; readonly public: string } {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  const parsed = ssh2.utils.parseKey(privateKey);
  if (parsed instanceof Error) throw parsed;
  return { private: privateKey, public: `${parsed.type} ${parsed.getPublicSSH().toString('base64')}` };
}

/** An SFTP server in this process, over a folder of its own. */
export async function startSftp(): Promise<SftpServer> {
  const folder = await mkdtemp(join(tmpdir(), 'turnpike-sftp-'));
  const keys = createHostKeys();
  const trouble: Trouble = {};
  const counts = { connections: 0, writes: 0 };
  const sockets = new Set<Socket>();
  const server = new ssh2.Server({ hostKeys: [keys.private] }, (client) => {
    counts.connections += 1;
    serve(client, { folder, trouble, counts });
  });
  // The library's server keeps the one of the system inside.
  (server as unknown as { _srv: { on(event: 'connection', take: (socket: Socket) => void): void } })._srv.on(
    'connection',
    (socket) => {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    },
  );
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    folder,
    hostKey: fingerprintOf(keys.public),
    trouble,
    counts,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((done) => void server.close(() => done()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As ssh-keygen writes it. */
export function fingerprintOf(publicKey: string): string {
  const [, base64 = ''] = publicKey.split(' ');
  const hash = process.getBuiltinModule('node:crypto').hash('sha256', Buffer.from(base64, 'base64'), 'base64');
  return `SHA256:${hash.replace(/=+$/, '')}`;
}

type RemoteServer = {
  readonly folder: string;
  readonly trouble: Trouble;
  readonly counts: { connections: number; writes: number };
};

function serve(client: Connection, server: RemoteServer): void {
  client.on('error', () => {});
  client.on('authentication', (context) => {
    const isRight = context.method === 'password' && context.username === SFTP_USER && context.password === SFTP_PASSWORD;
    if (isRight) context.accept();
    else context.reject(['password']);
  });
  client.on('session', (accept) => {
    accept().on('sftp', (begin) => serveFiles(begin(), client, server));
  });
}

type Opened = { readonly name: string; readonly file: FileHandle } | { names: string[] | null };

function serveFiles(sftp: SFTPWrapper, client: Connection, { folder, trouble, counts }: RemoteServer): void {
  const opened = new Map<number, Opened>();
  const place = (path: string) => join(folder, basename(path));
  let next = 0;
  const keep = (thing: Opened): Buffer => {
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(next);
    opened.set(next, thing);
    next += 1;
    return handle;
  };
  const of = (handle: Buffer) => opened.get(handle.readUInt32BE());
  const answer = (id: number, work: Promise<unknown>): void => {
    work.then(
      () => sftp.status(id, STATUS_CODE.OK),
      (error: NodeJS.ErrnoException) => sftp.status(id, error.code === 'ENOENT' ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.FAILURE),
    );
  };
  const renamed = async (from: string, to: string): Promise<void> => {
    const cut = trouble.cutsRename?.() ?? null;
    if (cut !== 'before') await rename(place(from), place(to));
    if (cut !== null) (client as unknown as { _sock: Socket })._sock.destroy();
  };
  client.once('close', () => {
    for (const one of opened.values()) if ('file' in one) void one.file.close();
  });
  sftp.on('OPEN', (id, path, flags) => {
    const mode = (flags & OPEN_MODE.WRITE) === 0 ? 'r' : 'w';
    open(place(path), mode).then(
      (file) => sftp.handle(id, keep({ name: basename(path), file })),
      () => sftp.status(id, STATUS_CODE.NO_SUCH_FILE),
    );
  });
  sftp.on('WRITE', (id, handle, offset, data) => {
    counts.writes += 1;
    const one = of(handle);
    if (one === undefined || !('file' in one)) return sftp.status(id, STATUS_CODE.FAILURE);
    if (trouble.cutsWrite?.(one.name, offset)) return void (client as unknown as { _sock: Socket })._sock.destroy();
    answer(id, one.file.write(data, 0, data.length, offset));
  });
  sftp.on('READ', (id, handle, offset, length) => {
    const one = of(handle);
    if (one === undefined || !('file' in one)) return sftp.status(id, STATUS_CODE.FAILURE);
    if (trouble.cutsRead?.(one.name, offset)) return void (client as unknown as { _sock: Socket })._sock.destroy();
    one.file.read(Buffer.alloc(length), 0, length, offset).then(
      ({ bytesRead, buffer }) =>
        bytesRead === 0 ? sftp.status(id, STATUS_CODE.EOF) : sftp.data(id, buffer.subarray(0, bytesRead)),
      () => sftp.status(id, STATUS_CODE.FAILURE),
    );
  });
  sftp.on('CLOSE', (id, handle) => {
    const one = of(handle);
    opened.delete(handle.readUInt32BE());
    answer(id, one !== undefined && 'file' in one ? one.file.close() : Promise.resolve());
  });
  sftp.on('OPENDIR', (id) => {
    readdir(folder).then((names) => sftp.handle(id, keep({ names })));
  });
  sftp.on('READDIR', (id, handle) => {
    const one = of(handle);
    if (one === undefined || !('names' in one) || one.names === null) return sftp.status(id, STATUS_CODE.EOF);
    const { names } = one;
    one.names = null;
    Promise.all(
      names.map(async (filename) => ({ filename, longname: filename, attrs: attrsOf(await stat(place(filename))) })),
    ).then(
      (entries) => sftp.name(id, entries),
      () => sftp.status(id, STATUS_CODE.FAILURE),
    );
  });
  const tell = (id: number, path: string) =>
    void stat(place(path)).then(
      (stats) => sftp.attrs(id, attrsOf(stats)),
      () => sftp.status(id, STATUS_CODE.NO_SUCH_FILE),
    );
  sftp.on('STAT', tell);
  sftp.on('LSTAT', tell);
  sftp.on('REMOVE', (id, path) => answer(id, unlink(place(path))));
  sftp.on('RENAME', (id, from, to) => {
    const isTaken = stat(place(to)).then(
      () => true,
      () => false,
    );
    answer(
      id,
      isTaken.then((taken) => (taken ? Promise.reject(new Error('it is there already')) : renamed(from, to))),
    );
  });
}

const attrsOf = ({ mode, uid, gid, size, atimeMs, mtimeMs }: Stats) => ({
  mode,
  uid,
  gid,
  size,
  atime: Math.floor(atimeMs / 1000),
  mtime: Math.floor(mtimeMs / 1000),
});
