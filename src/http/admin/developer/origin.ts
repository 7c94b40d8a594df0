import { originFor } from '../../server/origin.ts';
import type { Request } from '../../server/request.ts';
import type { Rooms } from '../../services.ts';
import { gatewayUrl } from '../users/signIn.ts';

/** Where the API is, for lines that people copy and addresses that they read. */
export const gatewayAt = (rooms: Rooms, request: Request): string =>
  (request.side === 'gateway' ? originFor(rooms, request) : gatewayUrl(rooms, request)) || 'http://localhost:8080';
