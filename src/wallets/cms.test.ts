import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { der, indefinite, oid, readDer } from './cms.ts';

const read = (hex: string, openTo = 0) => readDer(Buffer.from(hex, 'hex'), openTo);

test('a value is read with what it is made of', () => {
  const value = read('3008020101a0030101ff');
  assert.equal(value?.children.length, 2);
  assert.equal(value?.children[1]?.children[0]?.body.toString('hex'), 'ff');
  assert.equal(value?.children[0]?.bytes.toString('hex'), '020101');
});

test('what is not strict is refused', () => {
  const bad = {
    nothing: '',
    'a tag alone': '30',
    'cut short': '300302',
    trailing: '02010100',
    'a length longer than needed': '02810101',
    'a long length longer than needed': '02820001ff',
    'a length of three bytes': '0283000001ff',
    'a tag of two bytes': '1f810101',
    'the reserved tag': '0000',
    'a child longer than its parent': '3003020201',
    'an open end where none may be': '30800201010000',
    'an open end of a primitive': '04800000',
  };
  for (const [what, hex] of Object.entries(bad)) assert.equal(read(hex), null, what);
});

test('open ends are taken only as deep as allowed, and must end', () => {
  assert.equal(read('30800201010000', 1)?.children.length, 1);
  assert.equal(read('308030800000' + '0000', 2)?.children.length, 1);
  assert.equal(read('308030800000' + '0000', 1), null);
  assert.equal(read('3080020101', 1), null);
  assert.equal(read('308002010100', 1), null);
  assert.equal(read('04800000', 1), null);
});

test('depth and count are bounded', () => {
  const nested = (depth: number) => Array.from({ length: depth }).reduce<Buffer>((inner) => der(0x30, inner), Buffer.alloc(0));
  assert.notEqual(readDer(nested(17)), null);
  assert.equal(readDer(nested(18)), null);
  assert.notEqual(readDer(der(0x30, Buffer.from('0500'.repeat(1999), 'hex'))), null);
  assert.equal(readDer(der(0x30, Buffer.from('0500'.repeat(2000), 'hex'))), null);
});

test('identifiers have their known bytes', () => {
  assert.equal(oid('1.2.840.113549.1.7.2'), '2a864886f70d010702');
  assert.equal(oid('1.2.840.113635.100.6.29'), '2a864886f76364061d');
  assert.equal(oid('2.5.29.19'), '551d13');
});

test('what is written is read, and any bytes are read without a throw', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }), fc.boolean(), (bodies, isOpen) => {
      const parts = bodies.map((body) => der(0x04, body));
      const value = readDer(isOpen ? indefinite(0x30, ...parts) : der(0x30, ...parts), 1);
      assert.deepEqual(
        value?.children.map(({ body }) => [...body]),
        bodies.map((body) => [...body]),
      );
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readDer(Buffer.from(bytes), 4)),
    { numRuns: 2000 },
  );
});
