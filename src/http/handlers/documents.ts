import { originFor } from '../origin.ts';
import type { Reply } from '../reply.ts';
import type { Request } from '../request.ts';
import type { Rooms } from '../rooms.ts';

/** The API as an OpenAPI document. */
export const openApi = ({ documents }: Rooms): Reply => documents.openApi();

/** The API as a page for people. */
export const docs = (rooms: Rooms, request: Request): Reply =>
  rooms.documents.page(originFor(rooms, request) ?? 'http://localhost:8080');
