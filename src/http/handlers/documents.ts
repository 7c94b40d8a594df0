import { originOf } from '../peer.ts';
import type { Reply } from '../reply.ts';
import type { Request } from '../request.ts';
import type { Rooms } from '../rooms.ts';

/** The API as an OpenAPI document. */
export const openApi = ({ documents }: Rooms): Reply => documents.openApi();

/** The API as a page for people. */
export const docs = ({ documents, trust }: Rooms, request: Request): Reply =>
  documents.page(originOf(request.message, trust) ?? 'http://localhost:8080');
