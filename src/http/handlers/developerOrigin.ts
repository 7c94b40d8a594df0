import { originFor } from '../origin.ts';
import type { Request } from '../request.ts';
import type { Rooms } from '../rooms.ts';
import { gatewayUrl } from './people.ts';

/** Where the API is, for lines that people copy and addresses that they read. */
export const gatewayAt = (rooms: Rooms, request: Request): string =>
  (request.side === 'gateway' ? originFor(rooms, request) : gatewayUrl(rooms, request)) || 'http://localhost:8080';
