import { connect, type Socket } from 'node:net';
import { Client, type ConnectConfig, type SFTPWrapper } from 'ssh2';
import type { FolderAddress, FolderSecret } from '../spec/remoteFolder.ts';
import { type FolderBounds, pathIn, type RemoteFile, type RemoteFolder } from './folder.ts';

export type FolderConnection = {
  readonly address: FolderAddress;
  /** The checked address of the host. */
  readonly pinned: string;
  readonly secret: FolderSecret;
  readonly bounds: FolderBounds;
};

const NO_SUCH_FILE = 2;
const END_OF_LIST = 1;
/** The packet size that every server accepts, and the number of packets in flight. */
const PACKET_BYTES = 32_000;
const WINDOW = 16;

/** Opens a folder over SFTP. Nothing is sent to a host with an unknown key. */
export async function openSftp({ address, pinned, secret, bounds }: FolderConnection): Promise<RemoteFolder> {
  const socket = connect({ host: pinned, port: address.port, timeout: bounds.idleMs, noDelay: true });
  const client = new Client();
  const ending = ended(client, socket);
  const alive = <T>(work: Promise<T>): Promise<T> => Promise.race([work, ending]);
  try {
    client.connect(configOf(address, secret, { socket, openMs: bounds.openMs }));
    await alive(new Promise<void>((done) => void client.once('ready', done)));
    const sftp = await alive(call<SFTPWrapper>((back) => client.sftp(back)));
    return folderOf(sftp, { alive, directory: address.directory, close: () => void client.destroy() });
  } catch (error) {
    client.destroy();
    socket.destroy();
    throw error;
  }
}

/** Rejects when the connection ends for any reason. */
function ended(client: Client, socket: Socket): Promise<never> {
  const ending = new Promise<never>((_, fail) => {
    client.on('error', (error) => fail(new Error(`SFTP: ${error.message}`)));
    client.once('close', () => fail(new Error('SFTP: the connection was closed')));
    socket.on('error', (error) => fail(new Error(`SFTP: ${error.message}`)));
    socket.on('timeout', () => {
      fail(new Error('SFTP: the connection was idle for too long'));
      socket.destroy();
    });
  });
  // Nothing awaits it after the last operation.
  ending.catch(() => {});
  return ending;
}

function configOf(
  { user, hostKey }: FolderAddress,
  secret: FolderSecret,
  { socket, openMs }: { readonly socket: Socket; readonly openMs: number },
): ConnectConfig {
  return {
    sock: socket,
    username: user,
    ...(secret.kind === 'privateKey' ? { privateKey: secret.privateKey } : { password: secret.password }),
    readyTimeout: openMs,
    hostHash: 'sha256',
    hostVerifier: (hash: string) => `SHA256:${Buffer.from(hash, 'hex').toString('base64').replace(/=+$/, '')}` === hostKey,
    // SHA-1 signatures are not secure.
    algorithms: { serverHostKey: { append: [], prepend: [], remove: ['ssh-rsa'] } },
  };
}

type Opened = {
  readonly alive: <T>(work: Promise<T>) => Promise<T>;
  readonly directory: string;
  readonly close: () => void;
};

function folderOf(sftp: SFTPWrapper, { alive, directory, close }: Opened): RemoteFolder {
  const path = (name: string): string => pathIn(directory, name);
  const done = (work: (back: Callback<void>) => void): Promise<void> => alive(call(work));
  const opened = async <T>(name: string, mode: 'r' | 'w', work: (handle: Buffer) => Promise<T>): Promise<T> => {
    const handle = await alive(call<Buffer>((back) => sftp.open(path(name), mode, back)));
    const result = await alive(work(handle));
    await done((back) => sftp.close(handle, back));
    return result;
  };
  return {
    list: (most) => alive(list(sftp, directory === '' ? '.' : directory, most)),
    size: async (name) => {
      const stats = await alive(unlessAbsent(call<{ readonly size: number }>((back) => sftp.stat(path(name), back))));
      return stats === null ? null : stats.size;
    },
    fetch: (name, bytesMax, writeChunk) => opened(name, 'r', (handle) => read(sftp, handle, { bytesMax, writeChunk })),
    put: (name, chunks) => opened(name, 'w', (handle) => write(sftp, handle, chunks)),
    rename: async (from, to) => {
      try {
        await done((back) => sftp.ext_openssh_rename(path(from), path(to), back));
      } catch (error) {
        if (codeOf(error) === NO_SUCH_FILE) throw error;
        // A server without that extension does not replace an existing file. Check the source before the target is deleted.
        await alive(call((back) => sftp.stat(path(from), back)));
        await unlessAbsent(done((back) => sftp.unlink(path(to), back)));
        await done((back) => sftp.rename(path(from), path(to), back));
      }
    },
    remove: (name) => done((back) => sftp.unlink(path(name), back)),
    close,
  };
}

type Callback<T> = (error: Error | undefined | null, value: T) => void;

/** Turns a call with a callback into a promise. */
const call = <T>(work: (back: Callback<T>) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    work((error, value) => (error ? reject(error) : resolve(value)));
  });

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);

async function unlessAbsent<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === NO_SUCH_FILE) return null;
    throw error;
  }
}

async function list(sftp: SFTPWrapper, directory: string, most: number): Promise<readonly RemoteFile[]> {
  const handle = await call<Buffer>((back) => sftp.opendir(directory, back));
  const files: RemoteFile[] = [];
  for (;;) {
    const entries = await readEntries(sftp, handle);
    if (entries === null) break;
    files.push(...entries);
    if (files.length > most) throw new Error(`there are more than ${most} files`);
  }
  await call<void>((back) => sftp.close(handle, back));
  return files;
}

/** The next files of a folder; null at the end. */
async function readEntries(sftp: SFTPWrapper, handle: Buffer): Promise<readonly RemoteFile[] | null> {
  try {
    const entries = await call<Parameters<Parameters<SFTPWrapper['readdir']>[1]>[1]>((back) => sftp.readdir(handle, back));
    return entries
      .filter(({ attrs }) => attrs.isFile())
      .map(({ filename, attrs }) => ({ name: filename, bytes: attrs.size, mark: String(attrs.mtime) }));
  } catch (error) {
    if (codeOf(error) === END_OF_LIST) return null;
    throw error;
  }
}

type Reading = { readonly bytesMax: number; readonly writeChunk: (chunk: Uint8Array) => Promise<void> };

/** Reads ahead, like write() below. After a short read, the reads behind it are repeated from the new position. */
async function read(sftp: SFTPWrapper, handle: Buffer, { bytesMax, writeChunk }: Reading): Promise<void> {
  const ahead: Promise<Uint8Array | null>[] = [];
  let position = 0;
  let requested = 0;
  for (;;) {
    for (; ahead.length < WINDOW; requested += PACKET_BYTES) {
      const packet = readPacket(sftp, handle, requested);
      packet.catch(() => {});
      ahead.push(packet);
    }
    const part = await ahead.shift();
    if (!part) return;
    position += part.length;
    if (position > bytesMax) throw new Error(`the file is longer than ${bytesMax} bytes`);
    await writeChunk(part);
    if (part.length === PACKET_BYTES) continue;
    ahead.length = 0;
    requested = position;
  }
}

/** A part of a file; null at its end. */
async function readPacket(sftp: SFTPWrapper, handle: Buffer, position: number): Promise<Uint8Array | null> {
  const buffer = Buffer.alloc(PACKET_BYTES);
  try {
    const count = await call<number>((back) => sftp.read(handle, buffer, 0, PACKET_BYTES, position, back));
    return count === 0 ? null : buffer.subarray(0, count);
  } catch (error) {
    if (codeOf(error) === END_OF_LIST) return null;
    throw error;
  }
}

/** Keeps several packets in flight: waiting for each would be slow over a long distance. */
async function write(sftp: SFTPWrapper, handle: Buffer, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  const open = new Set<Promise<void>>();
  const faults: unknown[] = [];
  let position = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PACKET_BYTES) {
      const part = Buffer.from(chunk.buffer, chunk.byteOffset + at, Math.min(PACKET_BYTES, chunk.length - at));
      const [start, length] = [position, part.length];
      const sent = call<void>((back) => sftp.write(handle, part, 0, length, start, back))
        .catch((error) => void faults.push(error))
        .finally(() => void open.delete(sent));
      open.add(sent);
      position += length;
      if (open.size >= WINDOW) await Promise.race(open);
      if (faults.length > 0) throw faults[0];
    }
  }
  await Promise.all(open);
  if (faults.length > 0) throw faults[0];
}
