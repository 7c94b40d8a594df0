import { isIP } from 'node:net';
import { isNodeName } from '../checkouts/checkout.ts';
import { operatorHashOf } from '../merchants/authenticate.ts';
import { type RetentionDays, readRetention } from '../spec/retention.ts';
import { addressFault } from '../store/postgres/address.ts';
import type { SecretName, SettingName } from './settings.ts';

/** Reads the string of one setting: its value, or its fault as the end of a sentence. */
export type SettingReader<Value> = (text: string) => Value | { readonly fault: string };

/** The settings of an environment, as the file of a group of settings reads them. */
export type SettingsReading = {
  read<Value, Otherwise>(name: SettingName, reader: SettingReader<Value>, otherwise: Otherwise): Value | Otherwise;
  readSecret<Value>(name: SecretName, reader: SettingReader<Value>): Value | null;
};

export const quoted = (text: string): string => JSON.stringify(text);
export const fault = (says: string) => ({ fault: says });
export const isFault = (value: unknown): value is { readonly fault: string } =>
  typeof value === 'object' && value !== null && 'fault' in value;

const HOST_NAME = /^(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}))*$/;

/** 0 is any free port; the start prints which. */
export const port: SettingReader<number> = (text) => {
  const number = /^[0-9]{1,5}$/.test(text) ? Number(text) : -1;
  return number >= 0 && number <= 65_535 ? number : fault(`${quoted(text)} is not a port between 0 and 65535`);
};

/** Up to a terabyte; nothing is no bound but a mistake. */
export const bytes: SettingReader<number> = (text) =>
  /^[1-9][0-9]{0,12}$/.test(text) && Number(text) <= 2 ** 40 ? Number(text) : fault(`${quoted(text)} is not a number of bytes`);

/** A whole number between two others. */
export const wholeFrom =
  (least: number, most: number): SettingReader<number> =>
  (text) =>
    /^[0-9]{1,12}$/.test(text) && Number(text) >= least && Number(text) <= most
      ? Number(text)
      : fault(`${quoted(text)} is not a whole number from ${least} to ${most}`);

/** Another port, or none at all. */
export const portOrOff: SettingReader<number | null> = (text) => (text === 'off' ? null : port(text));

export const host: SettingReader<string> = (text) =>
  isIP(text) || HOST_NAME.test(text) ? text : fault(`${quoted(text)} is neither an address nor the name of a host`);

/** Hosts with or without a port, with commas between them. IPv6 addresses have square brackets. */
export const privateHosts: SettingReader<readonly string[]> = (text) => {
  const hosts = text.split(',').map((part) => part.trim().toLowerCase());
  const wrong = hosts.find((one) => !isHostWithPort(one));
  return wrong === undefined
    ? hosts
    : fault(`${quoted(wrong)} is not a host such as pay.internal, 10.0.0.7:8443 or [fd00::7], without https://`);
};

function isHostWithPort(text: string): boolean {
  const [, bracketed, name, digits] = /^(?:\[([0-9a-f:.]+)\]|([^:]+))(?::([0-9]{1,5}))?$/.exec(text) ?? [];
  if (digits !== undefined && (Number(digits) < 1 || Number(digits) > 65_535)) return false;
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  return name !== undefined && (isIP(name) === 4 || (!/^[0-9.]+$/.test(name) && HOST_NAME.test(name)));
}

export const publicUrl: SettingReader<string> = (text) => {
  const origin = URL.parse(text)?.origin ?? '';
  const isOrigin = /^https?:/.test(origin) && text.toLowerCase().replace(/\/$/, '') === origin;
  return isOrigin ? origin : fault(`${quoted(text)} is not an address such as https://pay.example, without a path`);
};

export const peerUrl: SettingReader<string> = (text) => {
  const origin = publicUrl(text);
  return isFault(origin) || !URL.parse(origin)?.port
    ? fault(`${quoted(text)} is not an address with a port, such as http://10.0.0.11:8090, without a path`)
    : origin;
};

/** The value is never repeated: it holds a password. */
export const databaseUrl: SettingReader<string> = (text) => {
  const says = addressFault(text);
  return says === null ? text : fault(says);
};

export const retentionDays: SettingReader<RetentionDays> = (text) => {
  const days = readRetention(text);
  return typeof days === 'string' ? fault(days) : days;
};

export const oneOf =
  <Value extends string>(values: readonly Value[]): SettingReader<Value> =>
  (text) =>
    values.find((value) => value === text) ?? fault(`${quoted(text)} is not one of ${values.join(', ')}`);

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

export const trustProxy: SettingReader<boolean | readonly string[]> = (text) => {
  if (text === 'true' || text === 'false') return text === 'true';
  const networks = text.split(',').map((part) => part.trim());
  const wrong = networks.find((network) => !isNetwork(network));
  return wrong === undefined
    ? networks
    : fault(`${quoted(wrong)} is neither true, false, an address nor a network such as 10.0.0.0/8`);
};

const ADMIN_TOKEN = /^(?=.{32,512}$)[A-Za-z0-9._~+/-]+=*$/;

/** The value is never repeated: it opens everything. */
export const adminToken: SettingReader<Uint8Array> = (text) =>
  ADMIN_TOKEN.test(text)
    ? operatorHashOf(text)
    : fault('must be 32 to 512 letters, digits and . _ ~ + / - with = at its end alone');

export const nodeName: SettingReader<string> = (text) =>
  isNodeName(text) ? text : fault('must be 1 to 15 letters, digits and hyphens');
