import type { Services } from '../services.ts';
import { originOf } from './clientAddress.ts';
import type { Request } from './request.ts';

/**
 * The origin under which browsers and merchants reach the gateway, such as `https://pay.example`: the operator's setting, otherwise what
 * this request came by. Null when that forms none.
 */
export const originFor = ({ publicUrl, trust }: Pick<Services, 'publicUrl' | 'trust'>, { message }: Request): string | null =>
  publicUrl ?? originOf(message, trust);
