import { originFor } from '../server/origin.ts';
import type { Reply } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Rooms } from '../services.ts';

/** The API as an OpenAPI document. */
export const openApi = ({ documents }: Rooms): Reply => documents.openApi();

/** The API as a page for people. */
export const docs = (rooms: Rooms, request: Request): Reply =>
  rooms.documents.page(originFor(rooms, request) ?? 'http://localhost:8080');
