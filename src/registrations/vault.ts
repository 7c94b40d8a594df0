import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomFillSync } from 'node:crypto';

/** Where a sealed text belongs. All of it is bound in, so a ciphertext moved to another row, field or merchant does not open. */
export type SealedRecord = { readonly entityId: string; readonly recordId: string; readonly field: string };

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES;

/** Random bytes are fetched by the block: one call to the system for many nonces. */
function createNonces(): () => Buffer {
  const pool = Buffer.alloc(NONCE_BYTES * 512);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += NONCE_BYTES;
    return pool.subarray(used - NONCE_BYTES, used);
  };
}

/**
 * The only code that sees a key. Every entity has a data key of its own, derived from the master key, which never enters the database;
 * AES-256-GCM with a random nonce and a full tag; the fingerprint has a key of its own per merchant.
 */
export function createVault(masterKey: Uint8Array) {
  if (masterKey.length !== 32) throw new Error('the master key has 32 bytes');
  const nonce = createNonces();
  const keyOf = (purpose: string) =>
    remembering((owner) => {
      const label = `${purpose}:v${VERSION}:${owner}`;
      return createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, Buffer.from('turnpike'), label, 32)));
    });
  const [dataKey, fingerprintKey, digestKey] = [keyOf('data'), keyOf('fingerprint'), keyOf('digest')];
  return {
    /** version ‖ nonce ‖ ciphertext ‖ tag */
    seal(record: SealedRecord, clear: string): Uint8Array {
      const iv = nonce();
      const cipher = createCipheriv('aes-256-gcm', dataKey(record.entityId), iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(record));
      const head = Buffer.allocUnsafe(HEADER_BYTES);
      head[0] = VERSION;
      iv.copy(head, 1);
      const body = cipher.update(clear, 'utf8');
      cipher.final();
      return Buffer.concat([head, body, cipher.getAuthTag()]);
    },
    /** Throws when a single bit differs or the record is not the one it was sealed for. */
    open(record: SealedRecord, sealed: Uint8Array): string {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      if (bytes.length < HEADER_BYTES + TAG_BYTES || bytes[0] !== VERSION) throw new Error('sealed text is damaged');
      const iv = bytes.subarray(1, HEADER_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', dataKey(record.entityId), iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(record));
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      const clear = decipher.update(bytes.subarray(HEADER_BYTES, bytes.length - TAG_BYTES), undefined, 'utf8');
      return clear + decipher.final('utf8');
    },
    /** Keyed hash of an account number: the same number of the same merchant gives the same text, and none can be searched for. */
    fingerprint(merchantId: string, number: string): string {
      return createHmac('sha256', fingerprintKey(merchantId)).update(number).digest('base64url');
    },
    /** Keyed hash of a request: tells a retry from another request under the same key without keeping what was in it. */
    digest(entityId: string, text: string | Uint8Array): string {
      return createHmac('sha256', digestKey(entityId)).update(text).digest('base64url');
    },
  };
}

/** Fields cannot run into each other: ids have a fixed alphabet without the separator. */
const boundTo = ({ entityId, recordId, field }: SealedRecord): Buffer =>
  Buffer.from(`${VERSION}|${entityId}|${recordId}|${field}`);

/** One key for each owner, made when it is first needed. */
function remembering<Key>(make: (owner: string) => Key): (owner: string) => Key {
  const known = new Map<string, Key>();
  return (owner) => {
    const found = known.get(owner) ?? make(owner);
    known.set(owner, found);
    return found;
  };
}
